#pragma once
// The inner loops of the factorizations, on raw memory, column by column. There are twins for several instruction sets; the
// CPU decides once which one runs, and `condyle check` says so. They differ by round-off (fused multiply-add, order of
// sums).
namespace condyle {

struct Kernels {
  const char* name;
  /// C (m × n) -= A (m × k) Bᵀ with B(j, l) = B[j row + l column]: B as it lies (1, ld), or its transpose (ld, 1).
  void (*subtract_product)(double* C, int ldc, const double* A, int lda, const double* B, int row, int column, int m, int n,
                           int k);
  /// X (m × n) ← X T⁻ᵀ, n ≤ strip; T(c, l) = T[c row + l column] is lower triangular, `inverse` holds 1 / T(c, c).
  void (*solve_right)(double* X, int ldx, int m, const double* T, int row, int column, const double* inverse, int n);
  /// y (m) -= A x, and y (n) -= Aᵀ x, A: m × n.
  void (*subtract_times)(double* y, const double* A, int lda, const double* x, int m, int n);
  void (*subtract_transposed)(double* y, const double* A, int lda, const double* x, int m, int n);

  static constexpr int strip = 6;  ///< columns that stay in registers: a free body
};

const Kernels& plain_kernels();
/// Null where the CPU lacks AVX2 or FMA (AVX-512F), or the compiler did.
const Kernels* avx2_kernels();
const Kernels* avx512_kernels();
/// The ones that are used.
const Kernels& kernels();

}  // namespace condyle
