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
  /// Returns sweeps done. In a primal form G is never formed: velocities are kept, and a sweep costs as much as a product
  /// with J.
  int run(ScaledIsland& island, const PgsOptions& options, double target, const double* start, BestIterate& best);

  const std::vector<double>& impulse() const { return impulse_; }  ///< where the last run ended

 private:
  void solve_block(const ScaledIsland& island, const PgsOptions& options, int block, double* impulse);
  void take_diagonal(const ScaledIsland& island);
  void refresh(ScaledIsland& island);
  /// Residual of one block's rows, σ = (G̃ + R̃) λ + g̃, kept up to date as blocks change; primal: made from u when asked for.
  void take_sigma(const ScaledIsland& island, int block);
  void add_change(const ScaledIsland& island, int block, const double* change);

  std::vector<double> impulse_, sigma_, diagonal_;  // diagonal_: each block's D, rows × rows at begin_
  std::vector<double> u_;                           // primal: Ĵᵀ λ̃
  std::vector<double> next_, change_;
  std::vector<int> begin_;
};

}  // namespace condyle
