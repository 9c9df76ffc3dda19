#include "linalg/block_factor.hpp"

#include <Eigen/Cholesky>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using Matrix = Eigen::Map<Eigen::MatrixXd>;
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;

bool is_symmetric(const ConstMatrix& A) {
  const double scale = A.diagonal().cwiseAbs().maxCoeff();
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    for (Eigen::Index i = 0; i < j; ++i)
      if (std::abs(A(i, j) - A(j, i)) > 1e-12 * scale) return false;
  return true;
}
}  // namespace

int BlockFactor::factor(const BlockDiagonal& A) {
  begin_ = A.begin;
  value_ = A.value;
  L_ = A.values;
  general_.clear();
  for (int b = 0; b < A.blocks(); ++b) {
    const int n = A.block_size(b);
    Matrix L(L_.data() + value_[at(b)], n, n);
    if (is_symmetric(A.block(b))) {
      if (Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(L) >= 0) return b;
      continue;
    }
    general_.push_back({b, Eigen::PartialPivLU<Eigen::MatrixXd>(A.block(b))});
    // not the determinant, which underflows for large blocks of small numbers
    if (!(general_.back().lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0)) return b;
  }
  return -1;
}

const BlockFactor::General* BlockFactor::find_general(int b) const {
  for (const General& g : general_)
    if (g.block == b) return &g;
  return nullptr;
}

void BlockFactor::solve_block(int b, double* X, int columns) const {
  const int n = begin_[at(b) + 1] - begin_[at(b)];
  Matrix x(X, n, columns);
  if (!general_.empty())
    if (const General* g = find_general(b)) {
      x = g->lu.solve(x).eval();
      return;
    }
  const ConstMatrix L(L_.data() + value_[at(b)], n, n);
  L.triangularView<Eigen::Lower>().solveInPlace(x);
  L.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
}

void BlockFactor::solve_lower(int b, double* X, int columns) const {
  const int n = begin_[at(b) + 1] - begin_[at(b)];
  Matrix x(X, n, columns);
  ConstMatrix(L_.data() + value_[at(b)], n, n).triangularView<Eigen::Lower>().solveInPlace(x);
}

void BlockFactor::solve(double* x) const {
  for (std::size_t b = 0; b + 1 < begin_.size(); ++b) solve_block(static_cast<int>(b), x + begin_[b], 1);
}

}  // namespace condyle
