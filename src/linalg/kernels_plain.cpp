#include "linalg/kernels.hpp"

#include <cstddef>

namespace condyle {

namespace {

void subtract_product(double* C, int ldc, const double* A, int lda, const double* B, int row, int column, int m, int n,
                      int k) {
  for (int j = 0; j < n; ++j, C += ldc, B += row) {
    const double *a = A, *b = B;
    for (int l = 0; l < k; ++l, a += lda, b += column) {
      const double x = *b;
      for (int i = 0; i < m; ++i) C[i] -= a[i] * x;
    }
  }
}

void solve_right(double* X, int ldx, int m, const double* T, int row, int column, const double* inverse, int n) {
  for (int c = 0; c < n; ++c) {
    double* x = X + static_cast<std::ptrdiff_t>(c) * ldx;
    for (int l = 0; l < c; ++l) {
      const double t = T[static_cast<std::ptrdiff_t>(c) * row + static_cast<std::ptrdiff_t>(l) * column];
      const double* from = X + static_cast<std::ptrdiff_t>(l) * ldx;
      for (int i = 0; i < m; ++i) x[i] -= t * from[i];
    }
    for (int i = 0; i < m; ++i) x[i] *= inverse[c];
  }
}

void subtract_times(double* y, const double* A, int lda, const double* x, int m, int n) {
  for (int c = 0; c < n; ++c, A += lda)
    for (int i = 0; i < m; ++i) y[i] -= A[i] * x[c];
}

void subtract_transposed(double* y, const double* A, int lda, const double* x, int m, int n) {
  for (int c = 0; c < n; ++c, A += lda) {
    double sum = 0;
    for (int i = 0; i < m; ++i) sum += A[i] * x[i];
    y[c] -= sum;
  }
}

}  // namespace

const Kernels& plain_kernels() {
  static constexpr Kernels table{"plain", subtract_product, solve_right, subtract_times, subtract_transposed};
  return table;
}

const Kernels& kernels() {
  static const Kernels& chosen = []() -> const Kernels& {
    if (const Kernels* k = avx512_kernels()) return *k;
    if (const Kernels* k = avx2_kernels()) return *k;
    return plain_kernels();
  }();
  return chosen;
}

}  // namespace condyle
