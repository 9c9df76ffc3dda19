#include "solvers/primal_matrix.hpp"

#include "linalg/kernels.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
using Matrix = Eigen::Map<Eigen::MatrixXd>;

constexpr int contact_rows = 3, most_rows = 8 * contact_rows;  ///< of a batch: what stays in the fastest cache

/// C (m × n, ld apart) += Aᵀ B, A and B with r rows.
void add_transposed(double* C, std::ptrdiff_t ld, const double* A, int m, const double* B, int n, int r) {
  for (int k = 0; k < n; ++k, C += ld, B += r) {
    const double* a = A;
    for (int l = 0; l < m; ++l)
      for (int q = 0; q < r; ++q) C[l] += *a++ * B[q];
  }
}
}  // namespace

void PrimalMatrix::start(const ScaledIsland& island, bool lower) {
  n_ = island.velocities();
  lower_ = lower;
  island_ = &island;
  first_ = -1;
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

bool PrimalMatrix::fits_batch(const ScaledIsland& island, int block) const {
  if (first_ < 0 || height_ >= most_rows) return false;
  const auto same = [](const ScaledIsland::Span& a, const ScaledIsland::Span& b) { return a.column == b.column; };
  return std::equal(island.spans_begin(block), island.spans_end(block), island.spans_begin(first_), island.spans_end(first_),
                    same);
}

void PrimalMatrix::add_to_batch(int block, const double* B) {
  if (!fits_batch(*island_, block)) {
    flush();
    first_ = block;
    height_ = 0;
  }
  const auto begin = island_->spans_begin(block), end = island_->spans_end(block);
  const bool above = is_sparse_ && !lower_;  // what lies above the diagonal is kept apart
  stacks_.resize(std::max(stacks_.size(), static_cast<std::size_t>(end - begin)));
  for (auto s = begin; s != end; ++s) {
    Stack& stack = stacks_[static_cast<std::size_t>(s - begin)];
    const int n = s->columns;
    const std::size_t from = at(n) * at(height_), size = at(n) * at(most_rows);
    if (stack.J.size() < size)
      for (std::vector<double>* x : {&stack.J, &stack.BJ, &stack.BtJ}) x->resize(size);
    double *J = stack.J.data() + from, *BJ = stack.BJ.data() + from, *BtJ = stack.BtJ.data() + from;
    const double* x = island_->values(*s);
    for (int k = 0; k < n; ++k, x += contact_rows)
      for (int l = 0; l < contact_rows; ++l) {
        J[k + l * n] = x[l];
        BJ[k + l * n] = -(B[l] * x[0] + B[l + 3] * x[1] + B[l + 6] * x[2]);
        if (above) BtJ[k + l * n] = -(B[3 * l] * x[0] + B[3 * l + 1] * x[1] + B[3 * l + 2] * x[2]);
      }
  }
  height_ += contact_rows;
}

void PrimalMatrix::flush() {
  if (first_ < 0) return;
  const Kernels& kernel = kernels();
  const auto begin = island_->spans_begin(first_), end = island_->spans_end(first_);
  const int* share = is_sparse_ ? island_->structure().shares(first_) : nullptr;
  for (auto s = begin; s != end; ++s)
    for (auto t = s; t != end; ++t) {
      const auto row = s->column < t->column ? t : s, column = s->column < t->column ? s : t;
      const Stack &left = stacks_[static_cast<std::size_t>(row - begin)],
                  &right = stacks_[static_cast<std::size_t>(column - begin)];
      const int m = row->columns, n = column->columns;
      if (is_sparse_) {
        const std::size_t value = sparse_.pattern->value[at(*share++)];
        kernel.subtract_product(sparse_.lower.data() + value, m, left.J.data(), m, right.BJ.data(), 1, n, m, n, height_);
        if (!lower_ && row != column)
          kernel.subtract_product(sparse_.upper.data() + value, m, left.J.data(), m, right.BtJ.data(), 1, n, m, n, height_);
        continue;
      }
      kernel.subtract_product(dense_.data() + row->column + at(column->column) * at(n_), n_, left.J.data(), m,
                              right.BJ.data(), 1, n, m, n, height_);
      if (!lower_ && row != column)
        kernel.subtract_product(dense_.data() + column->column + at(row->column) * at(n_), n_, right.J.data(), n,
                                left.BJ.data(), 1, m, n, m, height_);
    }
  first_ = -1;
}

double* PrimalMatrix::dense() {
  flush();
  return dense_.data();
}

const BlockMatrix& PrimalMatrix::sparse() {
  flush();
  return sparse_;
}

void PrimalMatrix::add(const ScaledIsland& island, int block, const double* B) {
  const int r = island.blocks[at(block)].rows;
  if (r == contact_rows) return add_to_batch(block, B);
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
  if (r == contact_rows) {
    const double whole[9] = {B[0], 0, 0, 0, B[1], 0, 0, 0, B[2]};
    return add_to_batch(block, whole);
  }
  add_spans(island, block, [&](const ConstMatrix& J, Matrix& BJ, bool) { BJ = ConstVector(B, r).asDiagonal() * J; });
}

}  // namespace condyle
