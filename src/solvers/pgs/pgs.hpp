#pragma once
// Projected Gauss-Seidel on the dual problem, block after block (ALGORITHMS 8).
#include "solvers/best_iterate.hpp"

#include <vector>

namespace condyle {

struct PgsOptions {
  bool ncp = true;        ///< the strict law, normal then tangent; false: onto the cone
  bool de_saxce = false;  ///< cone rule only: with the correction its fixed point is the NCP's
  double omega = 1;       ///< relaxation, (0, 2)
  int check = 5;          ///< sweeps between two measures
  int max_iterations = 20000;
};

class Pgs {
 public:
  /// Returns sweeps done. The island is in a dual form.
  int run(ScaledIsland& island, const PgsOptions& options, double target, const double* start, BestIterate& best);

 private:
  void solve_block(const ScaledIsland& island, const PgsOptions& options, int block, double* impulse);
  /// Residual of one block's rows, σ = (G̃ + R̃) λ + g̃, kept up to date as blocks change.
  void add_columns(const ScaledIsland& island, const ConstraintBlock& block, const double* change);

  std::vector<double> impulse_, sigma_, diagonal_;  // diagonal_: each block's D, rows × rows at begin_
  std::vector<int> begin_;
};

}  // namespace condyle
