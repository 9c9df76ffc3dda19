#include "solvers/primal_matrix.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
using Matrix = Eigen::Map<Eigen::MatrixXd>;

/// C (m × n, ld apart) += Aᵀ B, A and B with r rows.
void add_transposed(double* C, std::ptrdiff_t ld, const double* A, int m, const double* B, int n, int r) {
  for (int k = 0; k < n; ++k, C += ld, B += r) {
    const double* a = A;
    if (r == 3) {
      for (int l = 0; l < m; ++l, a += 3) C[l] += a[0] * B[0] + a[1] * B[1] + a[2] * B[2];
    } else {
      for (int l = 0; l < m; ++l)
        for (int q = 0; q < r; ++q) C[l] += *a++ * B[q];
    }
  }
}
}  // namespace

void PrimalMatrix::start(const ScaledIsland& island, bool lower) {
  n_ = island.velocities();
  lower_ = lower;
  is_sparse_ = island.form() == Form::primal_sparse;
  if (!is_sparse_) {
    dense_.assign(at(n_) * at(n_), 0.0);
    for (int k = 0; k < n_; ++k) dense_[at(k) * (at(n_) + 1)] = 1;
    return;
  }
  const BlockPattern& pattern = island.structure().pattern();
  sparse_.start(pattern, !lower);
  for (int b = 0; b < pattern.bodies(); ++b) {
    double* D = sparse_.lower.data() + pattern.value[at(pattern.column_begin[at(b)])];
    for (int k = 0; k < pattern.body_size(b); ++k) D[k * (pattern.body_size(b) + 1)] = 1;
  }
}

template <class Times>
void PrimalMatrix::add_spans(const ScaledIsland& island, int block, Times times_b) {
  const int r = island.blocks[at(block)].rows;
  const auto begin = island.spans_begin(block), end = island.spans_end(block);
  const int* share = is_sparse_ ? island.structure().shares(block) : nullptr;
  const BlockPattern* pattern = sparse_.pattern;
  for (auto s = begin; s != end; ++s)
    for (auto t = s; t != end; ++t) {
      const auto row = s->column < t->column ? t : s, column = s->column < t->column ? s : t;
      const double *left = island.values(*row), *right = island.values(*column);
      const int m = row->columns, n = column->columns;
      BJ_.resize(std::max(BJ_.size(), at(r) * at(n)));
      const auto share_of = [&](bool transposed) {
        Matrix BJ(BJ_.data(), r, n);
        times_b(ConstMatrix(right, r, n), BJ, transposed);
        return BJ_.data();
      };
      if (!is_sparse_) {
        add_transposed(dense_.data() + row->column + at(column->column) * at(n_), n_, left, m, share_of(false), n, r);
        if (!lower_ && row != column) {  // above the diagonal, by its mirror image
          const double* B = share_of(true);
          for (int k = 0; k < n; ++k)
            for (int l = 0; l < m; ++l) {
              double sum = 0;
              for (int q = 0; q < r; ++q) sum += left[l * r + q] * B[k * r + q];
              dense_[at(column->column + k) + at(row->column + l) * at(n_)] += sum;
            }
        }
        continue;
      }
      const std::size_t value = pattern->value[at(*share++)];
      add_transposed(sparse_.lower.data() + value, m, left, m, share_of(false), n, r);
      if (!lower_ && row != column) add_transposed(sparse_.upper.data() + value, m, left, m, share_of(true), n, r);
    }
}

void PrimalMatrix::add(const ScaledIsland& island, int block, const double* B) {
  const int r = island.blocks[at(block)].rows;
  add_spans(island, block, [&](const ConstMatrix& J, Matrix& BJ, bool transposed) {
    const ConstMatrix b(B, r, r);
    if (transposed)
      BJ.noalias() = b.transpose().lazyProduct(J);
    else
      BJ.noalias() = b.lazyProduct(J);
  });
}

void PrimalMatrix::add_diagonal(const ScaledIsland& island, int block, const double* B) {
  const int r = island.blocks[at(block)].rows;
  add_spans(island, block, [&](const ConstMatrix& J, Matrix& BJ, bool) { BJ = ConstVector(B, r).asDiagonal() * J; });
}

}  // namespace condyle
