#pragma once
// (G̃ + R̃ + T) x = r with one small, not symmetric T_i for each constraint block: one LU, many right sides, in the island's
// form. Primal: x = Y (r - Ĵ u), (I + Ĵᵀ Y Ĵ) u = Ĵᵀ Y r, Y = (R̃ + T)⁻¹.
#include "linalg/block_lu.hpp"
#include "linalg/dense_factor.hpp"
#include "linalg/sparse_factor.hpp"
#include "solvers/primal_matrix.hpp"
#include "solvers/scaled_island.hpp"

#include <memory>
#include <vector>

namespace condyle {

class InteriorSystem {
 public:
  InteriorSystem();
  /// T and Y: cones rows² numbers at 3 × row, column by column; other sets one number for each row at 3 × row. T is read by
  /// dual forms, Y by primal ones. Both stay in use until the next call. False: singular.
  bool factor(const ScaledIsland& island, const std::vector<double>& T, const std::vector<double>& Y);
  /// x may be r.
  void solve(const ScaledIsland& island, const double* r, double* x);

 private:
  DenseLu dense_;
  std::unique_ptr<SparseFactor> dual_lu_;
  BlockLu primal_lu_;
  PrimalMatrix primal_;
  const double* Y_ = nullptr;
  std::vector<double> matrix_, u_, scaled_, back_;
};

}  // namespace condyle
