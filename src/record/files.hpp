#pragma once
#include <cstdint>
#include <string>

namespace condyle::record {

/// An open file. Reads and writes are whole or an Error, and name the part of the file that they were for.
class File {
 public:
  /// Only regular files: a pipe would block for ever, a folder or device has no size.
  static File open_for_reading(const std::string& path);
  static File open_for_writing(const std::string& path);
  static File create(const std::string& path);

  File() = default;
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  std::uint64_t size() const;
  void read(std::uint64_t offset, void* data, std::uint64_t bytes, const std::string& part) const;
  void write(std::uint64_t offset, const void* data, std::uint64_t bytes, const std::string& part);
  /// Waits until the bytes are on the disk.
  void sync();
  void close();
  /// False if `path` has gone or is another file by now.
  bool is_at(const std::string& path) const;
  /// The name that errors carry; `open_for_writing` of a temporary name sets the name the user knows.
  void call(std::string name) { name_ = std::move(name); }

 private:
  File(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

  int descriptor_ = -1;
  std::string name_;
};

/// Where a file that is to be written will stand: absolute, behind symbolic links, so that a link stays one. Throws Error
/// if nothing can be written there: the folder is missing, or it is a folder or a device.
std::string resolve_target(const std::string& name);

/// A new file beside `target` that takes its place in one instant: whoever opens `target`, at any moment, finds the old
/// file or the new one and never a half of it. Without commit() the new file goes away.
class Replacement {
 public:
  /// `name` is the file in error messages.
  explicit Replacement(const std::string& target, const std::string& name);
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  const std::string& path() const { return path_; }  ///< where to write the new file
  void commit();

 private:
  std::string name_, target_, path_;
  bool committed_ = false;
};

}  // namespace condyle::record
