#include "linalg/block_lu.hpp"

#include "linalg/block_panels.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
std::ptrdiff_t at(int row, int column, int ld) { return row + static_cast<std::ptrdiff_t>(column) * ld; }

void swap_rows(double* D, int ld, int columns, const int* pivot, int count) {
  for (int c = 0; c < count; ++c)
    if (pivot[c] != c)
      for (int j = 0; j < columns; ++j) std::swap(D[at(c, j, ld)], D[at(pivot[c], j, ld)]);
}

/// B (n × columns) ← L⁻¹ B with the unit lower triangle L.
void solve_left(const Kernels& kernels, const double* L, int n, double* B, int ld, int columns) {
  for (int j = 0; j < n; j += Kernels::strip) {
    const int width = std::min(Kernels::strip, n - j);
    for (int k = 0; k < columns; ++k) {
      double* b = B + at(j, k, ld);
      for (int c = 0; c < width; ++c)
        for (int i = c + 1; i < width; ++i) b[i] -= L[at(j + i, j + c, ld)] * b[c];
    }
    const int below = n - j - width;
    if (below > 0)
      kernels.subtract_product(B + j + width, ld, L + at(j + width, j, ld), ld, B + j, ld, 1, below, columns, width);
  }
}

/// LU with partial pivoting of D (m × n, m ≥ n): left half, what it does to the right half, right half.
Factored factor_square(const Kernels& kernels, double* D, int ld, int m, int n, int* pivot) {
  if (n <= Kernels::strip) {
    for (int c = 0; c < n; ++c) {
      double* column = D + at(0, c, ld);
      int best = c;
      double largest = -1;
      for (int i = c; i < m; ++i)
        if (const double size = std::abs(column[i]); !(size <= largest)) {
          if (!std::isfinite(size)) return Factored::not_finite;
          largest = size;
          best = i;
        }
      if (largest == 0) return Factored::bad_pivot;
      pivot[c] = best;
      if (best != c)
        for (int j = 0; j < n; ++j) std::swap(D[at(c, j, ld)], D[at(best, j, ld)]);
      const double inverse = 1 / column[c];
      for (int i = c + 1; i < m; ++i) column[i] *= inverse;
      for (int j = c + 1; j < n; ++j) {
        double* right = D + at(0, j, ld);
        const double u = right[c];
        for (int i = c + 1; i < m; ++i) right[i] -= u * column[i];
      }
    }
    return Factored::done;
  }
  const int left = (n / 2 + Kernels::strip - 1) / Kernels::strip * Kernels::strip, right = n - left;
  if (const Factored found = factor_square(kernels, D, ld, m, left, pivot); found != Factored::done) return found;
  double* B = D + at(0, left, ld);
  swap_rows(B, ld, right, pivot, left);
  solve_left(kernels, D, left, B, ld, right);
  kernels.subtract_product(B + left, ld, D + left, ld, B, ld, 1, m - left, right, left);
  if (const Factored found = factor_square(kernels, B + left, ld, m - left, right, pivot + left); found != Factored::done)
    return found;
  swap_rows(D + left, ld, left, pivot + left, right);
  for (int c = left; c < n; ++c) pivot[c] += left;
  return Factored::done;
}
}  // namespace

Factored BlockLu::factor(const BlockAnalysis& analysis, const BlockMatrix& M) {
  analysis_ = &analysis;
  const std::size_t n = static_cast<std::size_t>(analysis.size()), tallest = static_cast<std::size_t>(analysis.tallest());
  L_.resize(analysis.values());
  Ut_.resize(analysis.values());
  pivot_.resize(n);
  x_.resize(n);
  panel_.resize(tallest);
  inverse_.resize(tallest);
  ones_.assign(tallest, 1.0);
  panels::fill(analysis, *M.pattern, M.lower.data(), M.upper.data(), L_.data());
  panels::fill(analysis, *M.pattern, M.upper.data(), M.lower.data(), Ut_.data());
  for (int b = 0; b < M.pattern->bodies(); ++b) {  // diagonal blocks are in `lower`, whole
    const std::size_t k = static_cast<std::size_t>(M.pattern->column_begin[static_cast<std::size_t>(b)]);
    const BlockAnalysis::Place& place = analysis.places()[k];
    const double* D = M.lower.data() + M.pattern->value[k];
    for (int j = 0; j < place.columns; ++j)
      for (int i = 0; i < place.rows; ++i)
        Ut_[place.value + static_cast<std::size_t>(at(i, j, place.ld))] = D[j + i * place.rows];
  }
  for (const BlockAnalysis::Supernode& node : analysis.supernodes()) {
    double *P = L_.data() + node.value, *Q = Ut_.data() + node.value;
    const int ld = node.ld(), width = node.width;
    int* pivot = pivot_.data() + node.begin;
    for (int j = 1; j < width; ++j)
      for (int i = 0; i < j; ++i) P[at(i, j, ld)] = Q[at(j, i, ld)];
    if (const Factored found = factor_square(*kernels_, P, ld, width, width, pivot); found != Factored::done) return found;
    if (node.height == 0) continue;
    for (int c = 0; c < width; ++c) inverse_[static_cast<std::size_t>(c)] = 1 / P[at(c, c, ld)];
    double* below = Q + width;
    for (int c = 0; c < width; ++c)
      if (pivot[c] != c) std::swap_ranges(below + at(0, c, ld), below + at(node.height, c, ld), below + at(0, pivot[c], ld));
    panels::solve_right(*kernels_, P + width, ld, node.height, P, ld, 1, inverse_.data(), width);
    panels::solve_right(*kernels_, below, ld, node.height, P, 1, ld, ones_.data(), width);
    panels::update(*kernels_, analysis, node, P, Q, L_.data());
    panels::update(*kernels_, analysis, node, Q, P, Ut_.data());
  }
  return Factored::done;
}

void BlockLu::solve(double* x) {
  const std::vector<int>& order = analysis_->order();
  for (std::size_t k = 0; k < order.size(); ++k) x_[k] = x[order[k]];
  double* y = panel_.data();
  for (const BlockAnalysis::Supernode& node : analysis_->supernodes()) {
    const double* P = L_.data() + node.value;
    const int ld = node.ld();
    std::copy_n(x_.data() + node.begin, node.width, y);
    std::fill(y + node.width, y + ld, 0.0);
    for (int c = 0; c < node.width; ++c)
      if (const int p = pivot_[static_cast<std::size_t>(node.begin + c)]; p != c) std::swap(y[c], y[p]);
    for (int j = 0; j < node.width; j += Kernels::strip) {
      const int n = std::min(Kernels::strip, node.width - j);
      for (int c = j; c < j + n; ++c)
        for (int i = c + 1; i < j + n; ++i) y[i] -= P[at(i, c, ld)] * y[c];
      kernels_->subtract_times(y + j + n, P + at(j + n, j, ld), ld, y + j, ld - j - n, n);
    }
    panels::scatter(*analysis_, node, y, x_.data());
  }
  const auto& nodes = analysis_->supernodes();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const double *P = L_.data() + node->value, *Q = Ut_.data() + node->value;
    const int ld = node->ld();
    panels::gather(*analysis_, *node, x_.data(), y);
    kernels_->subtract_transposed(y, Q + node->width, ld, y + node->width, node->height, node->width);
    for (int j = (node->width - 1) / Kernels::strip * Kernels::strip; j >= 0; j -= Kernels::strip) {
      const int n = std::min(Kernels::strip, node->width - j);
      for (int c = j + n - 1; c >= j; --c) {
        y[c] /= P[at(c, c, ld)];
        for (int i = j; i < c; ++i) y[i] -= P[at(i, c, ld)] * y[c];
      }
      kernels_->subtract_times(y, P + at(0, j, ld), ld, y + j, j, n);
    }
    std::copy_n(y, node->width, x_.data() + node->begin);
  }
  for (std::size_t k = 0; k < order.size(); ++k) x[order[k]] = x_[k];
}

}  // namespace condyle
