#include "linalg/branch_cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void BranchPattern::set(const int* parent, int n) {
  parent_.assign(parent, parent + n);
  lay_out();
}

void BranchPattern::set_dense(int n) {
  parent_.resize(at(n));
  for (int k = 0; k < n; ++k) parent_[at(k)] = k - 1;
  lay_out();
}

void BranchPattern::lay_out() {
  depth_.resize(parent_.size());
  row_.resize(parent_.size());
  branch_.clear();
  for (std::size_t k = 0; k < parent_.size(); ++k) {
    const int above = parent_[k];
    row_[k] = branch_.size();
    depth_[k] = 1 + (above < 0 ? 0 : depth_[at(above)]);
    for (int p = 0; p + 1 < depth_[k]; ++p) branch_.push_back(branch_[row_[at(above)] + at(p)]);
    branch_.push_back(static_cast<int>(k));
  }
}

bool BranchPattern::factor(double* H) const {
  for (int k = size() - 1; k >= 0; --k) {
    double* const own = H + row(k);
    const int last = depth(k) - 1;
    if (!(own[last] > 0) || !std::isfinite(own[last])) return false;
    own[last] = std::sqrt(own[last]);
    const double inverse = 1 / own[last];
    for (int p = 0; p < last; ++p) own[p] *= inverse;
    const int* const above = branch(k);
    for (int p = 0; p < last; ++p) {
      double* const other = H + row(above[p]);
      const double factor = own[p];
      for (int q = 0; q <= p; ++q) other[q] -= factor * own[q];
    }
  }
  return true;
}

void BranchPattern::invert(const double* L, double* W) const {
  for (int k = 0; k < size(); ++k) {
    const double* const own = L + row(k);
    double* const out = W + row(k);
    const int last = depth(k) - 1;
    const int* const above = branch(k);
    const double inverse = 1 / own[last];
    std::fill(out, out + last, 0.0);
    for (int p = 0; p < last; ++p) {
      const double factor = -inverse * own[p];
      const double* const other = W + row(above[p]);
      for (int q = 0; q <= p; ++q) out[q] += factor * other[q];
    }
    out[last] = inverse;
  }
}

void BranchPattern::solve(const double* L, double* x) const {
  for (int k = size() - 1; k >= 0; --k) {
    const double* const own = L + row(k);
    const int last = depth(k) - 1;
    const int* const above = branch(k);
    x[k] /= own[last];
    for (int p = 0; p < last; ++p) x[above[p]] -= own[p] * x[k];
  }
  for (int k = 0; k < size(); ++k) {
    const double* const own = L + row(k);
    const int last = depth(k) - 1;
    const int* const above = branch(k);
    double sum = x[k];
    for (int p = 0; p < last; ++p) sum -= own[p] * x[above[p]];
    x[k] = sum / own[last];
  }
}

}  // namespace condyle
