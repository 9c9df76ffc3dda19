#pragma once
// Where everything stands in a recording. All parts are contiguous and are placed when the file is made, so writing a
// frame and reading one are plain reads and writes at known bytes; see README.md.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace condyle::record {

class File;

enum class Type { f64, i32, u64, text };
const char* to_string(Type type);
std::uint64_t size_of(Type type);

/// One HDF5 dataset.
struct Part {
  std::string name;  ///< path in the file: "/q", "/report/residual"
  Type type = Type::f64;
  std::vector<std::uint64_t> shape;  ///< empty: a single value; text: its bytes
  std::string unit;
  std::vector<std::string> labels;  ///< names of the columns of a two-dimensional part; may be empty
  std::uint64_t offset = 0;         ///< byte in the file where it begins
  std::uint64_t sum = 0;            ///< checksum of a text, which never changes; 0: none

  std::uint64_t width() const { return shape.size() > 1 ? shape[1] : 1; }
  std::uint64_t row_bytes() const { return width() * size_of(type); }
  std::uint64_t bytes() const;  ///< of the whole part
};

/// The parts of a recording with room for `frames` frames.
struct Layout {
  std::uint64_t frames = 0;
  std::vector<Part> parts;

  const Part* find(const std::string& name) const;
};

/// Byte block at the start of the file, before everything that HDF5 owns.
inline constexpr std::uint64_t user_block = 8192;
inline constexpr int format_version = 3;

/// Text of the user block that describes `layout`, with its checksum; `user_block` bytes.
std::string encode(const Layout& layout, bool complete);
/// Puts a right head before the directory of an encoded user block: tests use it to reach what the checksum protects.
void seal(std::string& block, std::uint64_t directory_bytes, bool complete);

struct Decoded {
  Layout layout;
  bool complete = false;
};
/// Reads and checks the user block: every part lies within the file and has a known type. Throws Error.
Decoded decode(const File& in, const std::string& file);

/// Marks a recording as closed by its program.
void mark_complete(File& out);

}  // namespace condyle::record
