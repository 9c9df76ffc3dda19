#include "linalg/block_cholesky.hpp"

#include "linalg/block_panels.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
std::ptrdiff_t at(int row, int column, int ld) { return row + static_cast<std::ptrdiff_t>(column) * ld; }

/// L of one small diagonal block in place, and the inverses of its diagonal.
Factored factor_small(double* D, int ld, int n, double* inverse) {
  for (int c = 0; c < n; ++c) {
    double* column = D + at(0, c, ld);
    for (int l = 0; l < c; ++l) {
      const double* left = D + at(0, l, ld);
      for (int i = c; i < n; ++i) column[i] -= left[i] * left[c];
    }
    const double pivot = column[c];
    if (!std::isfinite(pivot)) return Factored::not_finite;
    if (!(pivot > 0)) return Factored::bad_pivot;
    column[c] = std::sqrt(pivot);
    inverse[c] = 1 / column[c];
    for (int i = c + 1; i < n; ++i) column[i] *= inverse[c];
  }
  return Factored::done;
}

/// A whole panel, strip by strip: what is left of a strip is subtracted from it first.
Factored factor_panel(const Kernels& kernels, double* P, int ld, int width) {
  double inverse[Kernels::strip];
  for (int j = 0; j < width; j += Kernels::strip) {
    const int n = std::min(Kernels::strip, width - j);
    double* D = P + at(j, j, ld);
    if (j > 0) kernels.subtract_product(D, ld, P + j, ld, P + j, 1, ld, ld - j, n, j);
    if (const Factored found = factor_small(D, ld, n, inverse); found != Factored::done) return found;
    kernels.solve_right(D + n, ld, ld - j - n, D, 1, ld, inverse, n);
  }
  return Factored::done;
}
}  // namespace

Factored BlockCholesky::factor(const BlockAnalysis& analysis, const BlockMatrix& M) {
  analysis_ = &analysis;
  values_.resize(analysis.values());
  x_.resize(static_cast<std::size_t>(analysis.size()));
  panel_.resize(static_cast<std::size_t>(analysis.tallest()));
  panels::fill(analysis, *M.pattern, M.lower.data(), M.lower.data(), values_.data());
  for (const BlockAnalysis::Supernode& node : analysis.supernodes()) {
    double* P = values_.data() + node.value;
    if (const Factored found = factor_panel(*kernels_, P, node.ld(), node.width); found != Factored::done) return found;
    panels::update(*kernels_, analysis, node, P, P, values_.data());
  }
  return Factored::done;
}

void BlockCholesky::solve(double* x) {
  const std::vector<int>& order = analysis_->order();
  for (std::size_t k = 0; k < order.size(); ++k) x_[k] = x[order[k]];
  double* y = panel_.data();
  for (const BlockAnalysis::Supernode& node : analysis_->supernodes()) {
    const double* P = values_.data() + node.value;
    const int ld = node.ld();
    std::copy_n(x_.data() + node.begin, node.width, y);
    std::fill(y + node.width, y + ld, 0.0);
    for (int j = 0; j < node.width; j += Kernels::strip) {
      const int n = std::min(Kernels::strip, node.width - j);
      for (int c = j; c < j + n; ++c) {
        y[c] /= P[at(c, c, ld)];
        for (int i = c + 1; i < j + n; ++i) y[i] -= P[at(i, c, ld)] * y[c];
      }
      kernels_->subtract_times(y + j + n, P + at(j + n, j, ld), ld, y + j, ld - j - n, n);
    }
    panels::scatter(*analysis_, node, y, x_.data());
  }
  const auto& nodes = analysis_->supernodes();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const double* P = values_.data() + node->value;
    const int ld = node->ld();
    panels::gather(*analysis_, *node, x_.data(), y);
    for (int j = (node->width - 1) / Kernels::strip * Kernels::strip; j >= 0; j -= Kernels::strip) {
      const int n = std::min(Kernels::strip, node->width - j);
      kernels_->subtract_transposed(y + j, P + at(j + n, j, ld), ld, y + j + n, ld - j - n, n);
      for (int c = j + n - 1; c >= j; --c) {
        for (int i = c + 1; i < j + n; ++i) y[c] -= P[at(i, c, ld)] * y[i];
        y[c] /= P[at(c, c, ld)];
      }
    }
    std::copy_n(y, node->width, x_.data() + node->begin);
  }
  for (std::size_t k = 0; k < order.size(); ++k) x[order[k]] = x_[k];
}

}  // namespace condyle
