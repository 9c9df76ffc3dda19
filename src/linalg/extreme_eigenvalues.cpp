#include "linalg/extreme_eigenvalues.hpp"

#include <Eigen/Eigenvalues>

#include <limits>

namespace condyle {

namespace {
using Vector = Eigen::Map<Eigen::VectorXd>;
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, Lanczos::max_steps, Lanczos::max_steps>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, Lanczos::max_steps, 1>;
}  // namespace

void Lanczos::begin(const std::vector<double>& start, int steps) {
  n_ = static_cast<int>(start.size());
  wanted_ = std::min({std::max(steps, 1), max_steps, n_});
  steps_ = 0;
  basis_.resize(static_cast<std::size_t>(n_) * static_cast<std::size_t>(wanted_ + 1));
  Vector first(basis_.data(), n_);
  std::copy(start.begin(), start.end(), basis_.begin());
  const double length = first.norm();
  if (length > 0 && std::isfinite(length)) {
    first /= length;
    return;
  }
  // neither constant nor alternating, so that no symmetry of a stack or a chain hides an eigenvector from it
  for (int i = 0; i < n_; ++i) first[i] = 1 + 0.5 * std::sin(1.0 + 1.7 * i);
  if (n_ > 0) first /= first.norm();
}

bool Lanczos::extend(int k) {
  Vector next(basis_.data() + static_cast<std::ptrdiff_t>(k + 1) * n_, n_);
  const double size = next.norm();
  diagonal_[k] = 0;
  // twice against all: a warm start is nearly an eigenvector, and what is left of H x is then small
  for (int pass = 0; pass < 2; ++pass)
    for (int j = k; j >= 0; --j) {
      const Vector q(basis_.data() + static_cast<std::ptrdiff_t>(j) * n_, n_);
      const double share = q.dot(next);
      if (j == k) diagonal_[k] += share;
      next -= share * q;
    }
  beside_[k] = next.norm();
  steps_ = k + 1;
  if (!(beside_[k] > 1e-15 * size) || !std::isfinite(beside_[k])) {
    if (std::isfinite(beside_[k])) beside_[k] = 0;
    return false;
  }
  next /= beside_[k];
  return true;
}

ExtremeEigenvalue Lanczos::take(bool largest, std::vector<double>& vector) {
  ExtremeEigenvalue out;
  out.steps = steps_;
  if (steps_ == 0) return out;
  if (!std::isfinite(diagonal_[steps_ - 1]) || !std::isfinite(beside_[steps_ - 1])) {
    out.value = out.error = std::numeric_limits<double>::quiet_NaN();
    return out;
  }
  const Eigen::Map<const SmallVector> diagonal(diagonal_, steps_), beside(beside_, steps_ - 1);
  Eigen::SelfAdjointEigenSolver<Small> eigen;
  eigen.computeFromTridiagonal(diagonal, beside, Eigen::ComputeEigenvectors);
  const int which = largest ? steps_ - 1 : 0;
  out.value = eigen.eigenvalues()[which];
  out.error = std::abs(beside_[steps_ - 1] * eigen.eigenvectors()(steps_ - 1, which));
  Vector y(vector.data(), n_);
  y.setZero();
  for (int k = 0; k < steps_; ++k)
    y += eigen.eigenvectors()(k, which) * Vector(basis_.data() + static_cast<std::ptrdiff_t>(k) * n_, n_);
  return out;
}

}  // namespace condyle
