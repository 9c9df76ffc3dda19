#include "linalg/dense_factor.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <cmath>
#include <utility>

namespace condyle {

namespace {
// 48 × 192 numbers and 48 × 64 numbers: Eigen packs both on the stack, which it does up to 128 kB
constexpr int panel = 48, tile_rows = 192, tile_columns = 64;
using Strided = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using ConstStrided = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

std::ptrdiff_t at(int row, int column, int leading) { return row + static_cast<std::ptrdiff_t>(column) * leading; }

/// C ← C + s A Bᵀ by plain loops: below this size packing costs more than it saves.
void add_small(Strided& C, const ConstStrided& A, const ConstStrided& B, double s, bool transpose_b) {
  if (transpose_b)
    C.noalias() += s * A.lazyProduct(B.transpose());
  else
    C.noalias() += s * A.lazyProduct(B);
}
}  // namespace

void add_product(double* C, int ldc, const double* A, int lda, const double* B, int ldb, int rows, int columns, int inner,
                 double s, bool transpose_b, bool lower_only) {
  for (int k0 = 0; k0 < inner; k0 += panel) {
    const int k = std::min(panel, inner - k0);
    for (int j0 = 0; j0 < columns; j0 += tile_columns) {
      const int j = std::min(tile_columns, columns - j0);
      const double* b = transpose_b ? B + at(j0, k0, ldb) : B + at(k0, j0, ldb);
      const ConstStrided Bt(b, transpose_b ? j : k, transpose_b ? k : j, Eigen::OuterStride<>(ldb));
      for (int i0 = lower_only ? j0 : 0; i0 < rows; i0 += tile_rows) {
        const int i = std::min(tile_rows, rows - i0);
        const ConstStrided At(A + at(i0, k0, lda), i, k, Eigen::OuterStride<>(lda));
        Strided Ct(C + at(i0, j0, ldc), i, j, Eigen::OuterStride<>(ldc));
        if (i + j + k < 24)
          add_small(Ct, At, Bt, s, transpose_b);
        else if (transpose_b)
          Ct.noalias() += s * At * Bt.transpose();
        else
          Ct.noalias() += s * At * Bt;
      }
    }
  }
}

bool DenseCholesky::factor(double* M, int n) {
  L_ = M;
  n_ = n;
  for (int j = 0; j < n; j += panel) {
    const int k = std::min(panel, n - j);
    Strided diagonal(M + at(j, j, n), k, k, Eigen::OuterStride<>(n));
    if (Eigen::internal::llt_inplace<double, Eigen::Lower>::unblocked(diagonal) >= 0) return false;
    for (int c = 0; c < k; ++c)
      if (!std::isfinite(diagonal(c, c))) return false;
    const int below = n - j - k;
    for (int i = 0; i < below; i += tile_rows) {
      Strided rows(M + at(j + k + i, j, n), std::min(tile_rows, below - i), k, Eigen::OuterStride<>(n));
      diagonal.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(rows);
    }
    const double* left = M + at(j + k, j, n);
    add_product(M + at(j + k, j + k, n), n, left, n, left, n, below, below, k, -1, true, true);
  }
  return true;
}

void DenseCholesky::solve(double* x) const {
  const Eigen::Map<const Eigen::MatrixXd> L(L_, n_, n_);
  Eigen::Map<Eigen::VectorXd> v(x, n_);
  L.triangularView<Eigen::Lower>().solveInPlace(v);
  L.triangularView<Eigen::Lower>().transpose().solveInPlace(v);
}

bool DenseLu::factor(double* M, int n) {
  M_ = M;
  n_ = n;
  pivot_.resize(static_cast<std::size_t>(n));
  Eigen::Map<Eigen::MatrixXd> all(M, n, n);
  for (int j = 0; j < n; j += panel) {
    const int k = std::min(panel, n - j), right = n - j - k;
    for (int c = j; c < j + k; ++c) {
      Eigen::Index where = 0;
      const double largest = all.col(c).tail(n - c).cwiseAbs().maxCoeff(&where);
      if (!(largest > 0) || !std::isfinite(largest)) return false;
      const int p = c + static_cast<int>(where);
      pivot_[static_cast<std::size_t>(c)] = p;
      if (p != c) all.row(c).swap(all.row(p));
      const int below = n - c - 1, rest = j + k - c - 1;
      all.col(c).tail(below) /= all(c, c);
      for (int r = 0; r < rest; ++r) {
        const double u = all(c, c + 1 + r);
        if (u != 0) all.col(c + 1 + r).tail(below) -= u * all.col(c).tail(below);
      }
    }
    if (right == 0) break;
    const auto L11 = all.block(j, j, k, k).triangularView<Eigen::UnitLower>();
    for (int c = 0; c < right; c += tile_columns) {
      const int width = std::min(tile_columns, right - c);
      Strided U12(M + at(j, j + k + c, n), k, width, Eigen::OuterStride<>(n));
      L11.solveInPlace(U12);
    }
    add_product(M + at(j + k, j + k, n), n, M + at(j + k, j, n), n, M + at(j, j + k, n), n, right, right, k, -1, false);
  }
  return true;
}

void DenseLu::solve(double* x) const {
  for (int c = 0; c < n_; ++c) {
    const int p = pivot_[static_cast<std::size_t>(c)];
    if (p != c) std::swap(x[c], x[p]);
  }
  const Eigen::Map<const Eigen::MatrixXd> M(M_, n_, n_);
  Eigen::Map<Eigen::VectorXd> v(x, n_);
  M.triangularView<Eigen::UnitLower>().solveInPlace(v);
  M.triangularView<Eigen::Upper>().solveInPlace(v);
}

}  // namespace condyle
