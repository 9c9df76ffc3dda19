#pragma once
// (G̃s + R̃ + S) x = r with a diagonal S > 0 and Gs the symmetric part: one factorization, in the island's form
// (ALGORITHMS 5, the last paragraph).
#include "linalg/block_cholesky.hpp"
#include "linalg/dense_factor.hpp"
#include "linalg/sparse_factor.hpp"
#include "solvers/primal_matrix.hpp"
#include "solvers/scaled_island.hpp"

#include <memory>
#include <vector>

namespace condyle {

class ShiftedSystem {
 public:
  ShiftedSystem();
  bool factor(const ScaledIsland& island, const std::vector<double>& shift);
  /// x may be r.
  void solve(const ScaledIsland& island, const double* r, double* x);

 private:
  DenseCholesky dense_;
  std::unique_ptr<SparseFactor> sparse_;  // of dual forms
  BlockCholesky blocks_;                  // of primal forms
  PrimalMatrix primal_;
  std::vector<double> matrix_, inverse_;  // the dense matrix; 1 / (R̃ + S)
  std::vector<double> u_, scaled_, back_;
};

}  // namespace condyle
