#pragma once
// I + Ĵᵀ B Ĵ with one small B_i for each constraint block: dense, or sparse with the pattern of the bodies.
#include "solvers/scaled_island.hpp"

#include <Eigen/SparseCore>

#include <vector>

namespace condyle {

class PrimalMatrix {
 public:
  /// Identity; `lower`: only the lower triangle (and whole diagonal blocks) is kept.
  void start(const ScaledIsland& island, bool lower);
  /// += Ĵ_iᵀ B Ĵ_i; B: rows × rows, column by column.
  void add(const ScaledIsland& island, int block, const double* B);
  /// The same for a diagonal B.
  void add_diagonal(const ScaledIsland& island, int block, const double* B);

  double* dense() { return dense_.data(); }
  const Eigen::SparseMatrix<double>& sparse() const { return sparse_; }

 private:
  void lay_out(const ScaledIsland& island);
  template <class Left>
  void add_spans(const ScaledIsland& island, int block, Left times_b);

  bool is_sparse_ = false, lower_ = false;
  int n_ = 0;
  std::vector<double> dense_, BJ_;
  // sparse: pairs of bodies (column body, row body), sorted, and where each pair's rows begin within a column
  std::vector<int> body_of_column_, pair_offset_, pair_begin_;
  std::vector<std::pair<int, int>> pairs_;
  Eigen::SparseMatrix<double> sparse_;
};

}  // namespace condyle
