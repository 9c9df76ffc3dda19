#include "linalg/least_norm.hpp"

#include <cmath>

namespace condyle {

// E = rows of B scaled to unit length. A pivoted Gram-Schmidt on them gives an orthonormal basis V of what they span (rank
// r); y = V z has the least norm of all y with the same E y. Then T = E V (rows × r) has full column rank, and a second
// Gram-Schmidt, T = U S, gives the z that comes nearest to T z = c.
int LeastNorm::solve(const double* Bt, int columns, int rows, const double* c, double* y, double tolerance) {
  const Eigen::Index n = columns, m = rows;
  Eigen::Map<Eigen::VectorXd> out(y, n);
  out.setZero();
  if (E_.rows() < n || E_.cols() < m) {
    E_.resize(std::max(E_.rows(), n), std::max(E_.cols(), m));
    V_.resize(E_.rows(), E_.rows());
    T_.resize(E_.cols(), E_.rows());
    S_.resize(E_.rows(), E_.rows());
    c_.resize(E_.cols());
    scale_.resize(E_.cols());
    z_.resize(E_.rows());
  }
  used_.assign(static_cast<std::size_t>(m), 0);
  const Eigen::Map<const Eigen::MatrixXd> B(Bt, n, m);
  double longest_row = 0;
  for (Eigen::Index i = 0; i < m; ++i) longest_row = std::max(longest_row, B.col(i).norm());
  const double nothing = 1e-8 * longest_row;  // an equation that consists of round-off must not be blown up to unit length
  for (Eigen::Index i = 0; i < m; ++i) {
    const double length = B.col(i).norm();
    const double scale = length > nothing ? 1 / length : 0;
    E_.col(i).head(n) = scale * B.col(i);
    c_[i] = scale * c[i];
    scale_[i] = length > nothing ? scale : longest_row > 0 ? 1 / longest_row : 1;
  }
  Eigen::Index r = 0;
  for (; r < std::min(n, m); ++r) {
    Eigen::Index best = -1;
    double longest = tolerance;
    for (Eigen::Index i = 0; i < m; ++i) {
      if (used_[static_cast<std::size_t>(i)]) continue;
      const double length = E_.col(i).head(n).norm();
      if (length > longest) longest = length, best = i;
    }
    if (best < 0) break;
    used_[static_cast<std::size_t>(best)] = 1;
    auto v = V_.col(r).head(n);
    v = E_.col(best).head(n) / longest;
    for (Eigen::Index k = 0; k < r; ++k)
      v -= V_.col(k).head(n).dot(v) * V_.col(k).head(n);  // again: round-off of a small rest
    v /= v.norm();
    for (Eigen::Index i = 0; i < m; ++i)
      if (!used_[static_cast<std::size_t>(i)]) E_.col(i).head(n) -= v.dot(E_.col(i).head(n)) * v;
  }
  if (r == 0) return 0;
  for (Eigen::Index i = 0; i < m; ++i) {
    const double length = B.col(i).norm();
    for (Eigen::Index k = 0; k < r; ++k) T_(i, k) = length > nothing ? B.col(i).dot(V_.col(k).head(n)) / length : 0;
  }
  for (Eigen::Index k = 0; k < r; ++k) {
    auto t = T_.col(k).head(m);
    for (Eigen::Index j = 0; j < k; ++j) S_(j, k) = 0;
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index j = 0; j < k; ++j) {
        const double s = T_.col(j).head(m).dot(t);
        S_(j, k) += s;
        t -= s * T_.col(j).head(m);
      }
    S_(k, k) = t.norm();
    if (!(S_(k, k) > 0)) return 0;
    t /= S_(k, k);
  }
  for (Eigen::Index k = r - 1; k >= 0; --k) {
    double s = T_.col(k).head(m).dot(c_.head(m));
    for (Eigen::Index j = k + 1; j < r; ++j) s -= S_(k, j) * z_[j];
    z_[k] = s / S_(k, k);
  }
  for (Eigen::Index k = 0; k < r; ++k) out += z_[k] * V_.col(k).head(n);
  return static_cast<int>(r);
}

}  // namespace condyle
