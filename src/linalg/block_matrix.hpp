#pragma once
// Square matrices with a symmetric pattern of dense blocks, one block row and column for each body (a tree or a free body).
#include <condyle/eigen_abi.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace condyle {

/// Diagonal blocks, all present, and those below them. Columns of blocks lie one after the other, rows ascending.
struct BlockPattern {
  std::vector<int> begin{0};          ///< first row of each body; the matrix's size at the end
  std::vector<int> column_begin{0};   ///< first block of each block column; their number at the end
  std::vector<int> row;               ///< body of each block's rows; the diagonal block is a column's first
  std::vector<std::size_t> value{0};  ///< where each block's numbers begin, column by column; their number at the end

  int bodies() const { return static_cast<int>(begin.size()) - 1; }
  int size() const { return begin.back(); }
  int blocks() const { return static_cast<int>(row.size()); }
  int body_size(int b) const { return begin[static_cast<std::size_t>(b) + 1] - begin[static_cast<std::size_t>(b)]; }
  bool operator==(const BlockPattern& other) const {
    return begin == other.begin && column_begin == other.column_begin && row == other.row;
  }

  /// From pairs of bodies in any order, also repeated ones; `where[p]` becomes the block of pair p (its rows are the larger
  /// body's). Memory is kept. Linear in bodies and pairs.
  void set(const std::vector<int>& begins, const std::vector<std::pair<int, int>>& pairs, std::vector<int>& where);

 private:
  std::vector<int> next_, order_, by_row_;
};

/// `lower`: blocks of the pattern. `upper`: what lies above the diagonal, each block transposed and at the place of its
/// mirror image, so that the matrix is symmetric if both are equal; empty: symmetric. Diagonal blocks are in `lower`, whole;
/// where the matrix is symmetric only their lower triangle is read.
struct BlockMatrix {
  const BlockPattern* pattern = nullptr;
  std::vector<double> lower, upper;

  bool symmetric() const { return upper.empty(); }
  /// All zero.
  void start(const BlockPattern& blocks, bool general);
  Eigen::MatrixXd dense() const;
  /// y = M x.
  void multiply(const double* x, double* y) const;
};

}  // namespace condyle
