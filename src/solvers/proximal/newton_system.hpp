#pragma once
// Φ' δ = -Φ in the island's form. Dual: Φ' = I - Q + ρ Q (G̃ + R̃ + α) over the rows that are not simply open, by LU.
// Primal: with E = I - Q + ρ Q (R̃ + α), (I + Ĵᵀ E⁻¹ρQ Ĵ) u = -Ĵᵀ E⁻¹ Φ and δ = -E⁻¹ (Φ + ρ Q Ĵ u): the bodies' size and
// pattern.
#include "linalg/block_lu.hpp"
#include "linalg/dense_factor.hpp"
#include "linalg/sparse_factor.hpp"
#include "solvers/primal_matrix.hpp"
#include "solvers/proximal/newton_function.hpp"

#include <memory>
#include <vector>

namespace condyle {

class NewtonSystem {
 public:
  NewtonSystem();
  /// False: singular.
  bool solve(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);
  /// Minimum-norm least-squares step, rank-revealing, dense: for singular Φ' (α = 0). Takes memory of its own.
  void solve_minimum_norm(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);

 private:
  bool solve_dual_dense(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);
  bool solve_dual_sparse(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);
  bool solve_primal(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);
  void choose_rows(const ScaledIsland& island, const NewtonFunction& function);
  void right_side(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);

  DenseLu dense_;
  std::unique_ptr<SparseFactor> dual_lu_;
  BlockLu primal_lu_;
  PrimalMatrix primal_;
  std::vector<double> matrix_, right_, u_, rows_, B_, Einv_;
  std::vector<int> place_;        // of each row in the reduced system; -1: open
  std::vector<int> kept_blocks_;  // cones with Q ≠ 0
  std::vector<int> kept_rows_;
};

}  // namespace condyle
