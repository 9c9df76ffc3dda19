#pragma once
// (I + Ĵᵀ 𝒢 Ĵ) Δu = r with block-diagonal 𝒢, the only place of the core that factors. Primal: Cholesky where 𝒢 is symmetric,
// LU where it is not (strict operator). Dual: u = Ĵᵀ x, (I + 𝒢 G) Δx = r by LU over the rows where 𝒢 ≠ 0.
#include "linalg/block_cholesky.hpp"
#include "linalg/block_lu.hpp"
#include "linalg/dense_factor.hpp"
#include "linalg/sparse_factor.hpp"
#include "solvers/newton/newton_space.hpp"
#include "solvers/primal_matrix.hpp"

#include <memory>
#include <vector>

namespace condyle {

class HessianSystem {
 public:
  HessianSystem();
  void start(ScaledIsland& island);
  /// 𝒢 as ConvexCost lays it out. Does nothing where it differs from the one last factored by at most `reuse` of its
  /// largest entry, block by block. False: there is no factor.
  bool factor(const ScaledIsland& island, const std::vector<double>& G, bool symmetric, double reuse);
  bool reused() const { return reused_; }
  /// Δu; r may be Δu.
  void solve(ScaledIsland& island, const std::vector<double>& r, std::vector<double>& step);

 private:
  bool same(const ScaledIsland& island, const std::vector<double>& G, double reuse) const;
  bool factor_primal(const ScaledIsland& island, bool symmetric);
  bool factor_dual(const ScaledIsland& island);

  bool have_ = false, reused_ = false, symmetric_ = true;
  std::vector<double> G_;  // of the factor
  PrimalMatrix primal_;
  DenseCholesky cholesky_;
  DenseLu lu_;
  BlockCholesky block_cholesky_;
  BlockLu block_lu_;
  std::unique_ptr<SparseFactor> sparse_lu_;  // of dual forms
  Eigen::SparseMatrix<double> symmetric_part_;
  NewtonSpace space_;
  std::vector<double> matrix_, right_, open_, rows_;
  std::vector<int> place_, kept_;  // of each row in the dual system, -1: 𝒢 is zero there; and the rows kept
};

}  // namespace condyle
