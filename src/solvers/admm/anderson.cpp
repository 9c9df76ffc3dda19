#include "solvers/admm/anderson.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void Anderson::start(int size, int memory) {
  size_ = size;
  memory_ = memory;
  halved_ = std::numeric_limits<double>::infinity();
  since_ = plain_ = 0;
  next_plain_ = patience;
  clear();
  F_.resize(at(size));
  last_F_.resize(at(size));
  last_Tx_.resize(at(size));
  dF_.resize(at(size) * at(memory));
  dT_.resize(at(size) * at(memory));
  if (gram_.rows() != memory) {
    gram_.resize(memory, memory);
    system_.resize(memory, memory);
    right_.resize(memory);
  }
}

bool Anderson::goes_round(double residual) {
  if (residual <= 0.5 * halved_) {
    halved_ = residual;
    since_ = 0;
  }
  if (plain_ > 0) return --plain_ > 0;
  if (++since_ < patience) return false;
  since_ = 0;
  plain_ = next_plain_;
  next_plain_ *= 2;
  clear();
  return true;
}

void Anderson::advance(std::vector<double>& x, const std::vector<double>& Tx) {
  const Eigen::Map<const Eigen::VectorXd> T(Tx.data(), size_);
  Eigen::Map<Eigen::VectorXd> X(x.data(), size_), F(F_.data(), size_), last_F(last_F_.data(), size_),
      last_T(last_Tx_.data(), size_);
  if (memory_ == 0) {
    X = T;
    return;
  }
  F = T - X;
  const double residual = F.norm();
  if (goes_round(residual)) {
    X = T;
    return;
  }
  if (have_last_ && residual > 2 * smallest_) clear();
  if (have_last_) {
    Eigen::Map<Eigen::MatrixXd> dF(dF_.data(), size_, memory_), dT(dT_.data(), size_, memory_);
    dF.col(next_) = F - last_F;
    dT.col(next_) = T - last_T;
    used_ = std::min(used_ + 1, memory_);
    for (int k = 0; k < used_; ++k) gram_(k, next_) = gram_(next_, k) = dF.col(k).dot(dF.col(next_));
    next_ = (next_ + 1) % memory_;
    double trace = 0;
    for (int k = 0; k < used_; ++k) trace += gram_(k, k);
    // normal equations by an in-place Cholesky of a matrix of at most ten rows
    for (int j = 0; j < used_; ++j) {
      right_[j] = dF.col(j).dot(F);
      for (int i = j; i < used_; ++i) system_(i, j) = gram_(i, j);
      system_(j, j) += 1e-12 * trace;
    }
    bool good = trace > 0;
    for (int j = 0; j < used_ && good; ++j) {
      for (int k = 0; k < j; ++k)
        for (int i = j; i < used_; ++i) system_(i, j) -= system_(i, k) * system_(j, k);
      good = system_(j, j) > 0;
      if (!good) break;
      const double pivot = std::sqrt(system_(j, j));
      for (int i = j; i < used_; ++i) system_(i, j) /= pivot;
      for (int k = 0; k < j; ++k) right_[j] -= system_(j, k) * right_[k];
      right_[j] /= pivot;
    }
    for (int j = used_ - 1; j >= 0 && good; --j) {
      for (int i = j + 1; i < used_; ++i) right_[j] -= system_(i, j) * right_[i];
      right_[j] /= system_(j, j);
    }
    last_F = F;
    last_T = T;
    smallest_ = std::min(smallest_, residual);
    X = T;
    if (good)
      for (int k = 0; k < used_; ++k) X -= right_[k] * dT.col(k);
    if (!X.allFinite()) {
      X = T;
      clear();
    }
    return;
  }
  have_last_ = true;
  smallest_ = residual;
  last_F = F;
  last_T = T;
  X = T;
}

}  // namespace condyle
