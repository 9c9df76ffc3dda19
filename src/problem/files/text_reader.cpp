#include "problem/files/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace condyle::files {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;
constexpr const char* whole_copy = "use a whole copy of the file";

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool parse_number(std::string_view word, double& value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [stop, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || stop != word.data() + word.size()) return false;
  // below the smallest number there is nothing, above the largest there is no number
  if (problem == std::errc::result_out_of_range) value = std::strtod(std::string(word).c_str(), nullptr);
  return problem == std::errc() || problem == std::errc::result_out_of_range;
}

bool parse_integer(std::string_view word, long& value) {
  const auto [stop, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  return !word.empty() && problem == std::errc() && stop == word.data() + word.size();
}

/// The integer behind `key`, anywhere in the line.
bool integer_after(std::string_view line, std::string_view key, long& value) {
  const std::size_t place = line.find(key);
  if (place == std::string_view::npos) return false;
  line.remove_prefix(place + key.size());
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  return std::from_chars(line.data(), line.data() + line.size(), value).ec == std::errc();
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < line.size();) {
    while (i < line.size() && is_space(line[i])) ++i;
    const std::size_t begin = i;
    while (i < line.size() && !is_space(line[i])) ++i;
    if (i > begin) out.push_back(line.substr(begin, i - begin));
  }
  return out;
}

}  // namespace

void TextReader::fail(const char* what, const std::string& reason, const std::string& cure) const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size()));
  throw Error("bad-problem", {file_, 1 + static_cast<int>(std::count(text_.begin(), end, '\n')), what}, reason, cure);
}

bool TextReader::only_space_left() const {
  return std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), is_space);
}

std::string_view TextReader::token(const char* what) {
  std::size_t begin = at_;
  while (begin < text_.size() && is_space(text_[begin])) ++begin;
  if (begin == text_.size()) {
    at_ = begin;
    fail(what, "the file ends before it", whole_copy);
  }
  std::size_t end = begin;
  while (end < text_.size() && !is_space(text_[end])) ++end;
  at_ = end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::string_view TextReader::line(const char* what) {
  if (at_ >= text_.size()) fail(what, "the file ends before it", whole_copy);
  const std::size_t begin = at_, end = std::min(text_.find('\n', at_), text_.size());
  at_ = end + 1;
  return std::string_view(text_).substr(begin, end - begin);
}

void TextReader::need_room(const char* what, double n) const {
  const std::size_t bytes = at_ < text_.size() ? left() : 0;
  if (2 * n > static_cast<double>(bytes) + 2)
    fail(what, fmt::format("{:.0f} numbers cannot stand in the {} bytes that follow", n, bytes), whole_copy);
}

long TextReader::integer(const char* what) {
  const std::string_view word = token(what);
  long value = 0;
  if (!parse_integer(word, value)) fail(what, fmt::format("'{}' is not a whole number", word.substr(0, 40)));
  return value;
}

int TextReader::count(const char* what) {
  const long value = integer(what);
  // every counted thing has a number of its own somewhere in the file
  if (value < 0 || static_cast<double>(value) > static_cast<double>(text_.size()))
    fail(what, fmt::format("the count {} is absurd in a file of {} bytes", value, text_.size()));
  return static_cast<int>(value);
}

double TextReader::number_or_infinity(const char* what) {
  const std::string_view word = token(what);
  double value = 0;
  if (!parse_number(word, value)) fail(what, fmt::format("'{}' is not a number", word.substr(0, 40)));
  if (std::isnan(value)) fail(what, "a number is NaN");
  return value;
}

double TextReader::number(const char* what) {
  const double value = number_or_infinity(what);
  if (!std::isfinite(value)) fail(what, "a number is infinite");
  return value;
}

Eigen::VectorXd TextReader::vector(const char* what, int n) {
  need_room(what, n);
  Eigen::VectorXd out(n);
  for (int i = 0; i < n; ++i) out[i] = number(what);
  return out;
}

Eigen::MatrixXd TextReader::rows(const char* what, int m, int n) {
  need_room(what, static_cast<double>(m) * n);
  Eigen::MatrixXd out(m, n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) out(i, j) = number(what);
  return out;
}

Sparse TextReader::matrix(const char* what) {
  const long storage = integer(what);
  const int m = count(what), n = count(what);
  switch (storage) {
    case 0: return dense(what, m, n);
    case 1: return blocks(what, m, n);
    case 2: return sparse(what, m, n);
    default: fail(what, fmt::format("there is no storage {}", storage), "0 dense, 1 blocks and 2 sparse are known");
  }
}

Sparse TextReader::dense(const char* what, int m, int n) {
  const int m_again = count(what), n_again = count(what);
  if (m_again != m || n_again != n)
    fail(what, fmt::format("its size is {} by {} and then {} by {}", m, n, m_again, n_again));
  need_room(what, static_cast<double>(m) * n);
  Triplets entries;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      if (const double x = number(what); x != 0) entries.emplace_back(i, j, x);
  Sparse out(m, n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

std::vector<int> TextReader::ends(const char* what, int n, int last) {
  need_room(what, n);
  std::vector<int> out(static_cast<std::size_t>(n) + 1, 0);
  for (std::size_t i = 1; i < out.size(); ++i) {
    out[i] = count(what);
    if (out[i] < out[i - 1]) fail(what, fmt::format("block {} ends at {}, before the one before it", i - 1, out[i]));
  }
  if (out.back() != last) fail(what, fmt::format("its blocks end at {} instead of {}", out.back(), last));
  return out;
}

Sparse TextReader::blocks(const char* what, int m, int n) {
  const int nblocks = count(what), R = count(what), C = count(what);
  const std::vector<int> row_ends = ends(what, R, m), column_ends = ends(what, C, n);
  const int F1 = count(what), F2 = count(what);
  if (F1 != R + 1 || F2 != nblocks)
    fail(what,
         fmt::format("{} row pointers and {} block columns do not fit {} block rows and {} blocks", F1, F2, R, nblocks));
  need_room(what, static_cast<double>(F1) + F2);
  std::vector<int> pointer(static_cast<std::size_t>(F1)), column(static_cast<std::size_t>(F2));
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    pointer[i] = count(what);
    if (pointer[i] > nblocks || (i == 0 ? pointer[i] != 0 : pointer[i] < pointer[i - 1]))
      fail(what, fmt::format("row pointer {} is {}", i, pointer[i]));
  }
  if (pointer.back() != nblocks)
    fail(what, fmt::format("the last row pointer is {} instead of {}", pointer.back(), nblocks));
  for (int& c : column)
    if ((c = count(what)) >= C) fail(what, fmt::format("there is no block column {}", c));

  Triplets entries;
  for (std::size_t r = 0; r + 1 < pointer.size(); ++r)
    for (int b = pointer[r]; b < pointer[r + 1]; ++b) {
      if (const int number_of_block = count(what); number_of_block != b)
        fail(what, fmt::format("block {} stands where block {} should", number_of_block, b));
      const auto c = static_cast<std::size_t>(column[static_cast<std::size_t>(b)]);
      need_room(what, static_cast<double>(row_ends[r + 1] - row_ends[r]) * (column_ends[c + 1] - column_ends[c]));
      for (int j = column_ends[c]; j < column_ends[c + 1]; ++j)
        for (int i = row_ends[r]; i < row_ends[r + 1]; ++i)
          if (const double x = number(what); x != 0) entries.emplace_back(i, j, x);
    }
  Sparse out(m, n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

Sparse TextReader::sparse(const char* what, int m, int n) {
  const long origin = integer(what);
  line(what);
  if (const std::string_view banner = line(what); banner.find("CSparse") == std::string_view::npos)
    fail(what, "the line of CSparse's version is missing");
  const std::string_view header = line(what);
  if (header.find("csr") != std::string_view::npos || origin == 3)
    fail(what, "rows-compressed storage is not known", "store it as triplets or columns");
  long nnz = 0, rows = 0, columns = 0;
  const std::string_view size = header.substr(header.find(':') < header.find("-by-") ? header.find(':') + 1 : 0);
  const std::vector<std::string_view> first = words_of(size);
  if (!integer_after(size, "nnz:", nnz) || first.empty() || !integer_after(first[0], "", rows) ||
      !integer_after(size, "-by-", columns))
    fail(what, "the line 'ROWS-by-COLUMNS, nzmax: Z nnz: K' is missing");
  if (rows != m || columns != n) fail(what, fmt::format("its size is {} by {} and then {} by {}", m, n, rows, columns));
  need_room(what, static_cast<double>(nnz));
  Triplets entries;
  auto put = [&](std::string_view row, long column, std::string_view text) {
    long i = 0;
    double x = 0;
    if (!parse_integer(row, i) || i < 0 || i >= m || column < 0 || column >= n)
      fail(what, fmt::format("there is no place ({}, {})", row, column));
    if (!parse_number(text, x) || !std::isfinite(x)) fail(what, fmt::format("'{}' is no finite number", text.substr(0, 40)));
    entries.emplace_back(static_cast<int>(i), static_cast<int>(column), x);
  };
  if (header.find("triplet") != std::string_view::npos) {
    for (long k = 0; k < nnz; ++k) {
      const auto words = words_of(line(what));
      long column = 0;
      if (words.size() != 4 || words[2] != ":" || !parse_integer(words[1], column))
        fail(what, "a line 'ROW COLUMN : VALUE' is missing");
      put(words[0], column, words[3]);
    }
  } else {
    for (int j = 0; j < n; ++j) {
      const auto words = words_of(line(what));  // col J : locations A to B
      long column = 0, from = 0, to = 0;
      if (words.size() != 7 || words[0] != "col" || !parse_integer(words[1], column) || column != j ||
          !parse_integer(words[4], from) || !parse_integer(words[6], to) || from < 0 || to < from - 1 || to >= nnz)
        fail(what, fmt::format("the line 'col {} : locations A to B' is missing", j));
      for (long k = from; k <= to; ++k) {
        const auto entry = words_of(line(what));
        if (entry.size() != 3 || entry[1] != ":") fail(what, "a line 'ROW : VALUE' is missing");
        put(entry[0], j, entry[2]);
      }
    }
  }
  if (static_cast<long>(entries.size()) != nnz)
    fail(what, fmt::format("it has {} entries instead of {}", entries.size(), nnz));
  Sparse out(m, n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace condyle::files
