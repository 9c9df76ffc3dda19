#include "problem/files/zip.hpp"

#include <condyle/error.hpp>

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>

namespace condyle::files {

namespace {

constexpr const char* other_copy = "use another copy of the file, or save it again with numpy.savez";

[[noreturn]] void fail(const std::string& file, const std::string& member, const std::string& reason) {
  throw Error("damaged-file", {file, 0, member}, reason, other_copy);
}

struct Bytes {
  const std::string& file;
  const std::string& all;

  std::uint32_t number(std::size_t place, int bytes, const std::string& what) const {
    need(place, static_cast<std::size_t>(bytes), what);
    std::uint32_t out = 0;
    for (int i = bytes - 1; i >= 0; --i)
      out = out << 8 | static_cast<unsigned char>(all[place + static_cast<std::size_t>(i)]);
    return out;
  }
  void need(std::size_t place, std::size_t bytes, const std::string& what) const {
    if (place > all.size() || bytes > all.size() - place) fail(file, what, "it reaches beyond the end of the file");
  }
};

std::string inflated(const Bytes& in, const std::string& name, std::size_t place, std::size_t packed, std::size_t size) {
  // deflate cannot pack tighter than this, so a larger size is a lie
  if (size > 1040 * packed + 64) fail(in.file, name, fmt::format("{} bytes cannot unpack to {}", packed, size));
  std::string out(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail(in.file, name, "zlib cannot begin");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.all.data() + place));
  stream.avail_in = static_cast<uInt>(packed);
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(size);
  const int end = inflate(&stream, Z_FINISH);
  const bool whole = end == Z_STREAM_END && stream.total_out == size;
  inflateEnd(&stream);
  if (!whole) fail(in.file, name, "its packed numbers are damaged");
  return out;
}

std::uint32_t sum_of(const std::string& bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
}

/// What local header and directory have in common: flags to length of the name.
void put_common(std::string& out, const std::string& name, const std::string& content) {
  put(out, 0, 2);     // flags
  put(out, 0, 2);     // stored
  put(out, 0, 2);     // time
  put(out, 0x21, 2);  // 1980-01-01
  put(out, sum_of(content), 4);
  put(out, content.size(), 4);
  put(out, content.size(), 4);
  put(out, name.size(), 2);
  put(out, 0, 2);
}

}  // namespace

std::map<std::string, std::string> unzip(const std::string& file, const std::string& bytes) {
  const Bytes in{file, bytes};
  const std::size_t end = bytes.rfind("PK\x05\x06");
  if (end == std::string::npos) fail(file, "", "the directory at its end is missing");
  const std::uint32_t count = in.number(end + 10, 2, "directory");
  std::size_t entry = in.number(end + 16, 4, "directory");
  std::map<std::string, std::string> out;
  for (std::uint32_t k = 0; k < count; ++k) {
    in.need(entry, 46, "directory");
    if (bytes.compare(entry, 4, "PK\x01\x02") != 0) fail(file, "directory", "it is damaged");
    const std::uint32_t flags = in.number(entry + 8, 2, "directory"), method = in.number(entry + 10, 2, "directory");
    const std::uint32_t sum = in.number(entry + 16, 4, "directory");
    const std::size_t packed = in.number(entry + 20, 4, "directory"), size = in.number(entry + 24, 4, "directory");
    const std::size_t name_size = in.number(entry + 28, 2, "directory");
    const std::size_t local = in.number(entry + 42, 4, "directory");
    in.need(entry + 46, name_size, "directory");
    const std::string name = bytes.substr(entry + 46, name_size);
    entry += 46 + name_size + in.number(entry + 30, 2, "directory") + in.number(entry + 32, 2, "directory");
    if ((flags & 1) != 0) fail(file, name, "it is encrypted");
    in.need(local, 30, name);
    if (bytes.compare(local, 4, "PK\x03\x04") != 0) fail(file, name, "its header is damaged");
    const std::size_t data = local + 30 + in.number(local + 26, 2, name) + in.number(local + 28, 2, name);
    in.need(data, packed, name);
    std::string content;
    if (method == 0) {
      if (packed != size) fail(file, name, "its sizes do not fit together");
      content = bytes.substr(data, size);
    } else if (method == 8) {
      content = inflated(in, name, data, packed, size);
    } else {
      fail(file, name, fmt::format("it is packed by method {}, which is not read", method));
    }
    if (sum_of(content) != sum) fail(file, name, "its checksum does not match");
    out[name] = std::move(content);
  }
  return out;
}

std::string zip(const std::map<std::string, std::string>& members) {
  std::string out, directory;
  for (const auto& [name, content] : members) {
    directory += "PK\x01\x02";
    put(directory, 20, 2);
    put(directory, 20, 2);
    put_common(directory, name, content);
    put(directory, 0, 4);  // comment, disk
    put(directory, 0, 6);  // attributes
    put(directory, out.size(), 4);
    directory += name;
    out += "PK\x03\x04";
    put(out, 20, 2);
    put_common(out, name, content);
    out += name + content;
  }
  const std::size_t at = out.size();
  out += directory + "PK\x05\x06";
  put(out, 0, 4);
  put(out, members.size(), 2);
  put(out, members.size(), 2);
  put(out, directory.size(), 4);
  put(out, at, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace condyle::files
