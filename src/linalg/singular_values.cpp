#include "linalg/singular_values.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>

namespace condyle {

/// They are the upper half of the eigenvalues of [0 X; Xᵀ 0], without the squares of XᵀX that would lose half the digits.
/// Eigen's own decompositions cost three times as much to compile, and nothing that is done often asks for singular values.
Eigen::VectorXd singular_values(const Eigen::Ref<const Eigen::MatrixXd>& X) {
  const Eigen::Index m = X.rows(), n = X.cols(), count = std::min(m, n);
  if (count == 0) return {};
  Eigen::MatrixXd both = Eigen::MatrixXd::Zero(m + n, m + n);
  both.bottomLeftCorner(n, m) = X.transpose();  // the solver reads the lower triangle
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(both, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues().tail(count).reverse().cwiseMax(0.0);
}

}  // namespace condyle
