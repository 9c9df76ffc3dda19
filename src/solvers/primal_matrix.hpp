#pragma once
// I + Ĵᵀ B Ĵ with one small B_i for each constraint block: dense, or by blocks of bodies.
#include "linalg/block_matrix.hpp"
#include "solvers/scaled_island.hpp"

#include <vector>

namespace condyle {

class PrimalMatrix {
 public:
  /// Identity; `lower`: the matrix will be symmetric, only its lower triangle (and whole diagonal blocks) is kept.
  void start(const ScaledIsland& island, bool lower);
  /// += Ĵ_iᵀ B Ĵ_i; B: rows × rows, column by column.
  void add(const ScaledIsland& island, int block, const double* B);
  /// The same for a diagonal B.
  void add_diagonal(const ScaledIsland& island, int block, const double* B);

  double* dense() { return dense_.data(); }
  const BlockMatrix& sparse() const { return sparse_; }

 private:
  template <class Times>
  void add_spans(const ScaledIsland& island, int block, Times times_b);

  bool is_sparse_ = false, lower_ = false;
  int n_ = 0;
  std::vector<double> dense_, BJ_;
  BlockMatrix sparse_;
};

}  // namespace condyle
