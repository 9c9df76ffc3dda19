#pragma once
// y of least norm among those that come nearest to B y = c, whatever the rank of B. Memory is kept between calls.
#include <condyle/eigen_abi.hpp>

#include <vector>

namespace condyle {

class LeastNorm {
 public:
  /// Bt: Bᵀ, columns × rows numbers, column by column: each equation lies in one piece. Equations are brought to unit length
  /// first; directions of them that are left with less than `tolerance` count as dependent. Returns the rank.
  int solve(const double* Bt, int columns, int rows, const double* c, double* y, double tolerance);

 private:
  Eigen::MatrixXd E_, V_, T_, S_;  ///< equations, their orthonormal basis, E in that basis, its triangle
  Eigen::VectorXd c_, z_;
  std::vector<char> used_;
};

}  // namespace condyle
