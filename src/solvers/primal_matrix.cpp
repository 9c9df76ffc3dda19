#include "solvers/primal_matrix.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
using Matrix = Eigen::Map<Eigen::MatrixXd>;
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
  lay_out(island);
  for (int b = 0; b + 1 < static_cast<int>(island.bodies.size()); ++b) {
    const auto pair = std::lower_bound(pairs_.begin(), pairs_.end(), std::make_pair(b, b)) - pairs_.begin();
    const int first = island.bodies[at(b)];
    for (int k = 0; first + k < island.bodies[at(b) + 1]; ++k)
      sparse_.valuePtr()[sparse_.outerIndexPtr()[first + k] + pair_offset_[static_cast<std::size_t>(pair)] + k] = 1;
  }
}

void PrimalMatrix::lay_out(const ScaledIsland& island) {
  const int bodies = static_cast<int>(island.bodies.size()) - 1;
  body_of_column_.resize(at(n_));
  for (int b = 0; b < bodies; ++b)
    std::fill(body_of_column_.begin() + island.bodies[at(b)], body_of_column_.begin() + island.bodies[at(b) + 1], b);
  pairs_.clear();
  for (int b = 0; b < bodies; ++b) pairs_.emplace_back(b, b);
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i)
    for (auto s = island.spans_begin(i); s != island.spans_end(i); ++s)
      for (auto t = island.spans_begin(i); t != island.spans_end(i); ++t) {
        const int column = body_of_column_[at(s->column)], row = body_of_column_[at(t->column)];
        if (row > column || (row < column && !lower_)) pairs_.emplace_back(column, row);
      }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  pair_offset_.resize(pairs_.size());
  pair_begin_.assign(at(bodies) + 1, 0);
  int entries = 0;
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const auto [column, row] = pairs_[p];
    const int height = island.bodies[at(row) + 1] - island.bodies[at(row)];
    const int width = island.bodies[at(column) + 1] - island.bodies[at(column)];
    pair_offset_[p] = pair_begin_[at(column) + 1];
    pair_begin_[at(column) + 1] += height;  // rows so far in this body's columns
    entries += height * width;
  }
  sparse_.resize(n_, n_);
  sparse_.resizeNonZeros(entries);
  int* outer = sparse_.outerIndexPtr();
  int* inner = sparse_.innerIndexPtr();
  int where = 0;
  std::size_t first_pair = 0;
  for (int b = 0; b < bodies; ++b) {
    std::size_t end = first_pair;
    while (end < pairs_.size() && pairs_[end].first == b) ++end;
    for (int column = island.bodies[at(b)]; column < island.bodies[at(b) + 1]; ++column) {
      outer[column] = where;
      for (std::size_t p = first_pair; p < end; ++p)
        for (int row = island.bodies[at(pairs_[p].second)]; row < island.bodies[at(pairs_[p].second) + 1]; ++row)
          inner[where++] = row;
    }
    first_pair = end;
  }
  outer[n_] = where;
  std::fill(sparse_.valuePtr(), sparse_.valuePtr() + entries, 0.0);
}

template <class Left>
void PrimalMatrix::add_spans(const ScaledIsland& island, int block, Left times_b) {
  const int r = island.blocks[at(block)].rows;
  for (auto s = island.spans_begin(block); s != island.spans_end(block); ++s) {
    BJ_.resize(at(r) * at(s->columns));
    Matrix BJ(BJ_.data(), r, s->columns);
    times_b(ConstMatrix(island.values(*s), r, s->columns), BJ);
    for (auto t = island.spans_begin(block); t != island.spans_end(block); ++t) {
      if (lower_ && t->column < s->column) continue;
      double* to = nullptr;
      std::ptrdiff_t stride = n_;
      if (is_sparse_) {
        const std::pair<int, int> key(body_of_column_[at(s->column)], body_of_column_[at(t->column)]);
        const auto pair = std::lower_bound(pairs_.begin(), pairs_.end(), key) - pairs_.begin();
        const int* outer = sparse_.outerIndexPtr() + s->column;
        stride = outer[1] - outer[0];
        to = sparse_.valuePtr() + outer[0] + pair_offset_[static_cast<std::size_t>(pair)];
      } else {
        to = dense_.data() + t->column + static_cast<std::ptrdiff_t>(s->column) * n_;
      }
      for (int k = 0; k < s->columns; ++k, to += stride) {
        const double* b = BJ_.data() + static_cast<std::ptrdiff_t>(k) * r;
        const double* a = island.values(*t);
        if (r == 3) {
          for (int l = 0; l < t->columns; ++l, a += 3) to[l] += a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        } else {
          for (int l = 0; l < t->columns; ++l)
            for (int q = 0; q < r; ++q) to[l] += *a++ * b[q];
        }
      }
    }
  }
}

void PrimalMatrix::add(const ScaledIsland& island, int block, const double* B) {
  const int r = island.blocks[at(block)].rows;
  add_spans(island, block, [&](const ConstMatrix& J, Matrix& BJ) { BJ.noalias() = ConstMatrix(B, r, r).lazyProduct(J); });
}

void PrimalMatrix::add_diagonal(const ScaledIsland& island, int block, const double* B) {
  const int r = island.blocks[at(block)].rows;
  add_spans(island, block, [&](const ConstMatrix& J, Matrix& BJ) { BJ = ConstVector(B, r).asDiagonal() * J; });
}

}  // namespace condyle
