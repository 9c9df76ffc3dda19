#pragma once
// Φ' δ = -Φ in the island's form. Dual: Φ' = I - Q + ρ Q (G̃ + R̃ + α) over the rows that are not simply open, by LU.
// Primal: with E = I - Q + ρ Q (R̃ + α), (I + Ĵᵀ E⁻¹ρQ Ĵ) u = -Ĵᵀ E⁻¹ Φ and δ = -E⁻¹ (Φ + ρ Q Ĵ u): the bodies' size and
// pattern. Where every cone sticks or is open that matrix is symmetric. The last factor serves again as long as hardly
// anything changes between the two.
#include "linalg/block_cholesky.hpp"
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
  /// Whether the last solve() did without a factorization.
  bool reused() const { return reused_; }
  /// The next solve() factors: a step by the last factor led nowhere.
  void forget_factor() { factored_stamp_ = 0; }
  /// Minimum-norm least-squares step, rank-revealing, dense: for singular Φ' (α = 0). Takes memory of its own.
  void solve_minimum_norm(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);

 private:
  bool solve_dual_dense(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);
  bool solve_dual_sparse(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);
  bool solve_primal(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);
  bool invert_blocks(const ScaledIsland& island, const NewtonFunction& function);
  bool last_factor_serves(const ScaledIsland& island) const;
  bool factor_primal(ScaledIsland& island);
  void choose_rows(const ScaledIsland& island, const NewtonFunction& function);
  void right_side(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step);

  DenseLu dense_;
  std::unique_ptr<SparseFactor> dual_lu_;
  BlockLu primal_lu_;
  BlockCholesky primal_cholesky_;
  PrimalMatrix primal_;
  std::vector<double> matrix_, right_, u_, rows_;
  std::vector<double> B_, Einv_;  // E⁻¹ρQ and E⁻¹, laid out as Q
  bool symmetric_ = false, reused_ = false;
  std::uint64_t factored_stamp_ = 0;  // of the island that was factored last, with factored_B_; 0: none
  bool factored_symmetric_ = false;
  std::vector<double> factored_B_;
  std::vector<int> place_;        // of each row in the reduced system; -1: open
  std::vector<int> kept_blocks_;  // cones with Q ≠ 0
  std::vector<int> kept_rows_;
};

}  // namespace condyle
