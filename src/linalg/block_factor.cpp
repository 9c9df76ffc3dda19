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

constexpr int free_body = 6;  ///< velocities

/// Lower triangle of L, n × n, in place; false: not positive definite.
bool factor_free_body(double* L) {
  constexpr int n = free_body;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i) L[i + n * j] -= L[i + n * k] * L[j + n * k];
    const double pivot = L[j + n * j];
    if (!(pivot > 0)) return false;
    const double root = std::sqrt(pivot), inverse = 1 / root;
    L[j + n * j] = root;
    for (int i = j + 1; i < n; ++i) L[i + n * j] *= inverse;
  }
  return true;
}

void solve_free_body(const double* L, const double* inverse_diagonal, double* x) {
  constexpr int n = free_body;
  for (int j = 0; j < n; ++j) {
    x[j] *= inverse_diagonal[j];
    for (int i = j + 1; i < n; ++i) x[i] -= L[i + n * j] * x[j];
  }
  for (int j = n - 1; j >= 0; --j) {
    for (int i = j + 1; i < n; ++i) x[j] -= L[i + n * j] * x[i];
    x[j] *= inverse_diagonal[j];
  }
}

template <int Rows>
void solve_right_of(const double* L, const double* inverse_diagonal, double* Y, int n) {
  using Column = Eigen::Matrix<double, Rows, 1>;
  for (int j = 0; j < n; ++j) {
    Column y = Eigen::Map<const Column>(Y + Rows * j);
    for (int k = 0; k < j; ++k) y -= L[j + n * k] * Eigen::Map<const Column>(Y + Rows * k);
    Eigen::Map<Column>(Y + Rows * j) = inverse_diagonal[j] * y;
  }
}
}  // namespace

int BlockFactor::factor(const BlockDiagonal& A) {
  begin_ = A.begin;
  value_ = A.value;
  L_ = A.values;
  inverse_diagonal_.resize(at(A.size()));
  general_.clear();
  for (int b = 0; b < A.blocks(); ++b) {
    const int n = A.block_size(b);
    Matrix L(L_.data() + value_[at(b)], n, n);
    if (is_symmetric(A.block(b))) {
      if (n == free_body ? !factor_free_body(L.data()) : Eigen::internal::llt_inplace<double, Eigen::Lower>::blocked(L) >= 0)
        return b;
      for (int k = 0; k < n; ++k) inverse_diagonal_[at(begin_[at(b)] + k)] = 1 / L(k, k);
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
  if (n == free_body && columns == 1) {
    solve_free_body(L.data(), inverse_diagonal_.data() + begin_[at(b)], X);
    return;
  }
  L.triangularView<Eigen::Lower>().solveInPlace(x);
  L.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
}

void BlockFactor::solve_right(int b, double* Y, int rows) const {
  const int n = begin_[at(b) + 1] - begin_[at(b)];
  const double *L = L_.data() + value_[at(b)], *inverse_diagonal = inverse_diagonal_.data() + begin_[at(b)];
  switch (rows) {
    case 1: return solve_right_of<1>(L, inverse_diagonal, Y, n);
    case 2: return solve_right_of<2>(L, inverse_diagonal, Y, n);
    case 3: return solve_right_of<3>(L, inverse_diagonal, Y, n);
    case 6: return solve_right_of<6>(L, inverse_diagonal, Y, n);
    default:
      Matrix y(Y, rows, n);
      ConstMatrix(L, n, n).transpose().triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(y);
  }
}

void BlockFactor::solve(double* x) const {
  for (std::size_t b = 0; b + 1 < begin_.size(); ++b) solve_block(static_cast<int>(b), x + begin_[b], 1);
}

}  // namespace condyle
