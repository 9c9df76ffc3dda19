#include "record/files.hpp"

#include <condyle/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace condyle::record {

namespace {
std::string what_happened() { return std::strerror(errno); }

[[noreturn]] void cannot_read(const std::string& name, const std::string& reason, const std::string& cure = {}) {
  throw Error("cannot-read", {name, 0, {}}, "cannot be read: " + reason, cure);
}

[[noreturn]] void cannot_write(const std::string& name, const std::string& reason, const std::string& cure = {}) {
  throw Error("cannot-write", {name, 0, {}}, "cannot be written: " + reason, cure);
}
}  // namespace

File File::open_for_reading(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for somebody at its other end.
  File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), path);
  if (file.descriptor_ < 0) cannot_read(path, what_happened());
  struct stat status {};
  if (::fstat(file.descriptor_, &status) != 0) cannot_read(path, what_happened());
  if (!S_ISREG(status.st_mode)) cannot_read(path, "it is not a file", "name a file");
  return file;
}

File File::open_for_writing(const std::string& path) {
  File file(::open(path.c_str(), O_RDWR | O_CLOEXEC), path);
  if (file.descriptor_ < 0) cannot_write(path, what_happened());
  return file;
}

File File::create(const std::string& path) {
  File file(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), path);
  if (file.descriptor_ < 0) cannot_write(path, what_happened());
  return file;
}

File::~File() { close(); }

File::File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)), name_(std::move(other.name_)) {}

File& File::operator=(File&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
    name_ = std::move(other.name_);
  }
  return *this;
}

void File::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

std::uint64_t File::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) cannot_read(name_, what_happened());
  return static_cast<std::uint64_t>(status.st_size);
}

void File::read(std::uint64_t offset, void* data, std::uint64_t bytes, const std::string& part) const {
  char* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = ::pread(descriptor_, at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error("cannot-read", {name_, 0, part}, "cannot be read: " + what_happened());
    if (got == 0)
      throw Error("damaged-file", {name_, 0, part}, fmt::format("the file ends at byte {}, within this part", offset));
    at += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::uint64_t>(got);
  }
}

void File::write(std::uint64_t offset, const void* data, std::uint64_t bytes, const std::string& part) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::pwrite(descriptor_, at, bytes, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0)
      throw Error("cannot-write", {name_, 0, part}, "cannot be written: " + what_happened(),
                  errno == ENOSPC ? "make room on the disk or record fewer frames" : "");
    at += done;
    offset += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::uint64_t>(done);
  }
}

void File::sync() {
  if (::fsync(descriptor_) != 0) cannot_write(name_, what_happened());
}

bool File::is_at(const std::string& path) const {
  struct stat mine {
  }, there{};
  return ::fstat(descriptor_, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_dev == there.st_dev &&
         mine.st_ino == there.st_ino;
}

std::string resolve_target(const std::string& name) {
  namespace fs = std::filesystem;
  if (name.empty()) cannot_write("file", "its name is empty", "give it a name");
  std::error_code trouble;
  const fs::path target = fs::weakly_canonical(fs::absolute(name, trouble), trouble);
  if (trouble) cannot_write(name, trouble.message());
  const fs::file_status status = fs::status(target, trouble);
  if (fs::exists(status) && !fs::is_regular_file(status)) cannot_write(name, "it is a folder or a device", "name a file");
  if (!fs::is_directory(target.parent_path(), trouble))
    cannot_write(name, fmt::format("there is no folder '{}'", target.parent_path().string()), "make the folder first");
  return target.string();
}

Replacement::Replacement(const std::string& target, const std::string& name) : name_(name), target_(target) {
  static std::atomic<unsigned> count{0};  // two threads may replace the same file
  path_ = fmt::format("{}.{}-{}.part", target_, ::getpid(), count++);
}

Replacement::~Replacement() {
  if (!committed_) ::unlink(path_.c_str());
}

void Replacement::commit() {
  if (::rename(path_.c_str(), target_.c_str()) != 0) cannot_write(name_, what_happened());
  committed_ = true;
}

}  // namespace condyle::record
