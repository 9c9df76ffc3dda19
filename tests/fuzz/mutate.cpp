#include "fuzz/mutate.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace condyle::fuzz {

namespace {
constexpr std::array<const char*, 22> nasty_numbers = {
    "nan", "inf", "-inf", "-0", "1e308", "-1e308", "1e-320", "1e999",  "0x10",       "1,5",         "1.2.3",
    "",    "0",   "-1",   "1e", "--1",   "1_0",    "+1",     "999999", "4294967296", "-2147483649", "1e16"};

bool in_number(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e'; }
}  // namespace

// The splitmix64 generator: its whole state is one word, so that a seed names an input on any machine.
std::uint64_t Mutator::next() {
  state_ += 0x9E3779B97F4A7C15ull;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

std::size_t Mutator::pick(std::size_t count) { return count == 0 ? 0 : static_cast<std::size_t>(next() % count); }

void Mutator::edit_bytes(std::string& text) {
  const std::size_t at = pick(text.size() + 1);
  const char byte = static_cast<char>(pick(256));
  switch (pick(3)) {
    case 0: text.insert(at, 1 + pick(3), byte); break;
    case 1: text.erase(std::min(at, text.size()), 1 + pick(3)); break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << pick(8)));
  }
}

void Mutator::edit_chunk(std::string& text) {
  if (text.empty()) return;
  const std::size_t from = pick(text.size());
  const std::size_t length = 1 + pick(std::min<std::size_t>(text.size() - from, 400));
  const std::string chunk = text.substr(from, length);
  switch (pick(3)) {
    case 0: text.insert(pick(text.size() + 1), chunk); break;
    case 1: text.erase(from, length); break;
    default: text.erase(from, length); text.insert(pick(text.size() + 1), chunk);
  }
}

void Mutator::edit_number(std::string& text) {
  const std::size_t start = pick(text.size());
  const auto digit = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(start), text.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  if (digit == text.end()) return;
  auto first = digit, last = digit;
  while (first != text.begin() && in_number(*(first - 1))) --first;
  while (last != text.end() && in_number(*last)) ++last;
  text.replace(first, last, nasty_numbers[pick(nasty_numbers.size())]);
}

void Mutator::edit_token(std::string& text, const std::vector<std::string>& tokens) {
  if (tokens.empty()) return;
  const std::string& token = tokens[pick(tokens.size())];
  const std::string& other = tokens[pick(tokens.size())];
  const std::size_t at = text.find(other, pick(text.size()));
  if (at == std::string::npos)
    text.insert(pick(text.size() + 1), token);
  else
    text.replace(at, other.size(), token);
}

std::string Mutator::mutate(const std::string& text, const std::vector<std::string>& tokens) {
  std::string out = text;
  const std::size_t edits = 1 + pick(4);
  for (std::size_t i = 0; i < edits; ++i) {
    switch (pick(9)) {
      case 0:
      case 1: edit_bytes(out); break;
      case 2:
      case 3: edit_chunk(out); break;
      case 4:
      case 5: edit_number(out); break;
      case 6:
      case 7: edit_token(out, tokens); break;
      default: out.resize(pick(out.size() + 1));
    }
  }
  return out;
}

}  // namespace condyle::fuzz
