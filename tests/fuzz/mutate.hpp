#pragma once
// Damages a text the way editors, disks and scripts do. The same seed gives the same damage on every machine.
#include <cstdint>
#include <string>
#include <vector>

namespace condyle::fuzz {

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : state_(seed) {}

  /// The text after one to four edits: bytes, chunks, numbers, tokens of the format, or its end cut off.
  std::string mutate(const std::string& text, const std::vector<std::string>& tokens);

  /// A number in [0, count); 0 for count 0.
  std::size_t pick(std::size_t count);

 private:
  std::uint64_t next();
  void edit_bytes(std::string& text);
  void edit_chunk(std::string& text);
  void edit_number(std::string& text);
  void edit_token(std::string& text, const std::vector<std::string>& tokens);

  std::uint64_t state_;
};

}  // namespace condyle::fuzz
