#include "problem/files/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace condyle::files {

namespace {

void put_dense(std::string& out, const Sparse& A) {
  const Eigen::MatrixXd full(A);
  fmt::format_to(std::back_inserter(out), "{}\t{}\n", A.rows(), A.cols());
  for (Eigen::Index j = 0; j < full.cols(); ++j) {
    for (Eigen::Index i = 0; i < full.rows(); ++i) out += shortest(full(i, j)) + ' ';
    out += '\n';
  }
}

void put_integers(std::string& out, const std::vector<int>& x) {
  fmt::format_to(std::back_inserter(out), "{}\n", fmt::join(x, "\t"));
}

void put_blocks(std::string& out, const Sparse& A, const std::vector<int>& row_ends, const std::vector<int>& column_ends) {
  const auto block_of = [](const std::vector<int>& ends, int i) {
    return static_cast<int>(std::upper_bound(ends.begin(), ends.end(), i) - ends.begin());
  };
  std::vector<std::vector<int>> columns(row_ends.size());
  for (int j = 0; j < A.cols(); ++j)
    for (Sparse::InnerIterator it(A, j); it; ++it) {
      auto& row = columns[static_cast<std::size_t>(block_of(row_ends, static_cast<int>(it.row())))];
      if (const int c = block_of(column_ends, j); row.empty() || row.back() != c) row.push_back(c);
    }
  std::vector<int> pointer{0}, column;
  for (const auto& row : columns) {
    column.insert(column.end(), row.begin(), row.end());
    pointer.push_back(static_cast<int>(column.size()));
  }
  fmt::format_to(std::back_inserter(out), "{}\n{}\n{}\n", column.size(), row_ends.size(), column_ends.size());
  put_integers(out, row_ends);
  put_integers(out, column_ends);
  fmt::format_to(std::back_inserter(out), "{}\n{}\n", pointer.size(), column.size());
  put_integers(out, pointer);
  put_integers(out, column);
  int number = 0;
  for (std::size_t r = 0; r < columns.size(); ++r) {
    const int row = r == 0 ? 0 : row_ends[r - 1], rows = row_ends[r] - row;
    for (const int c : columns[r]) {
      const int first = c == 0 ? 0 : column_ends[static_cast<std::size_t>(c) - 1];
      const Eigen::MatrixXd block = A.block(row, first, rows, column_ends[static_cast<std::size_t>(c)] - first);
      fmt::format_to(std::back_inserter(out), "{}\n", number++);
      for (Eigen::Index k = 0; k < block.size(); ++k) out += shortest(block.data()[k]) + '\n';
    }
  }
}

void put_sparse(std::string& out, const Sparse& A) {
  fmt::format_to(std::back_inserter(out), "2\nCSparse Version 3.1.9 layout\n{}-by-{}, nzmax: {} nnz: {}, 1-norm: 0\n",
                 A.rows(), A.cols(), A.nonZeros(), A.nonZeros());
  long from = 0;
  for (int j = 0; j < A.cols(); ++j) {
    long to = from;
    std::string lines;
    for (Sparse::InnerIterator it(A, j); it; ++it, ++to)
      fmt::format_to(std::back_inserter(lines), "      {} : {}\n", it.row(), shortest(it.value()));
    fmt::format_to(std::back_inserter(out), "    col {} : locations {} to {}\n", j, from, to - 1);
    out += lines;
    from = to;
  }
}

}  // namespace

std::string shortest(double x) { return fmt::format("{}", x); }

void put_line(std::string& out, const Eigen::VectorXd& x) {
  for (Eigen::Index i = 0; i < x.size(); ++i) out += shortest(x[i]) + ' ';
  out += '\n';
}

std::vector<int> equal_blocks(int n, int width) {
  std::vector<int> out;
  for (int end = width; end < n && n % width == 0; end += width) out.push_back(end);
  if (n > 0) out.push_back(n);
  return out;
}

void put_matrix(std::string& out, const Sparse& A, MatrixStorage storage, const std::vector<int>& row_ends,
                const std::vector<int>& column_ends) {
  if (storage == MatrixStorage::automatic)
    storage = A.size() == 0 || 2 * A.nonZeros() < A.size() ? MatrixStorage::sparse : MatrixStorage::dense;
  const int kind = storage == MatrixStorage::dense ? 0 : storage == MatrixStorage::blocks ? 1 : 2;
  fmt::format_to(std::back_inserter(out), "{}\n{}\n{}\n", kind, A.rows(), A.cols());
  switch (kind) {
    case 0: return put_dense(out, A);
    case 1: return put_blocks(out, A, row_ends, column_ends);
    default: return put_sparse(out, A);
  }
}

}  // namespace condyle::files
