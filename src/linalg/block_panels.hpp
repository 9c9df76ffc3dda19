#pragma once
// What block Cholesky and block LU do alike with the panels of a BlockAnalysis.
#include "linalg/block_analysis.hpp"
#include "linalg/kernels.hpp"

namespace condyle::panels {

/// Blocks of the matrix, from where they lie, to their places; `mirrored` gives what is transposed (both are the same
/// numbers where the matrix is symmetric). Everything else becomes zero.
void fill(const BlockAnalysis& analysis, const BlockPattern& pattern, const double* straight, const double* mirrored,
          double* values);
/// Target panels -= the lower part of A Bᵀ, A and B being the rows below the diagonal of supernode s in two factors.
void update(const Kernels& kernels, const BlockAnalysis& analysis, const BlockAnalysis::Supernode& node, const double* A,
            const double* B, double* targets);
/// X (m × n) ← X T⁻ᵀ, T lower triangular, T(c, l) = T[c row + l column]; `inverse`: n numbers, 1 / T(c, c).
void solve_right(const Kernels& kernels, double* X, int ldx, int m, const double* T, int row, int column,
                 const double* inverse, int n);
/// The rows of a supernode from x into one piece, and back: own ones are written, those below are added.
void gather(const BlockAnalysis& analysis, const BlockAnalysis::Supernode& node, const double* x, double* piece);
void scatter(const BlockAnalysis& analysis, const BlockAnalysis::Supernode& node, const double* piece, double* x);

}  // namespace condyle::panels
