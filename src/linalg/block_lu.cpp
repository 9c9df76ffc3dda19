// LU of a matrix with a symmetric pattern whose columns come in groups of equal pattern (the velocities of a body): the
// graph of the groups is ordered and filled once, the numbers are eliminated group by group in dense panels.
#include "linalg/dense_factor.hpp"
#include "linalg/sparse_factor.hpp"

#include <Eigen/LU>
#include <Eigen/OrderingMethods>

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using Strided = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using Matrix = Eigen::Map<Eigen::MatrixXd>;

class BlockLu : public SparseFactor {
 public:
  bool factor(const Eigen::SparseMatrix<double>& M) override {
    if (is_new(M)) analyse(M);
    fill(M);
    return eliminate();
  }
  void solve(double* x) override;
  long entries() const override { return static_cast<long>(values_.size()); }

 private:
  bool is_new(const Eigen::SparseMatrix<double>& M);
  void analyse(const Eigen::SparseMatrix<double>& M);
  void fill(const Eigen::SparseMatrix<double>& M);
  bool eliminate();
  int size(int g) const { return begin_[at(g) + 1] - begin_[at(g)]; }

  std::vector<int> outer_, inner_;  // the pattern analysed
  // groups in elimination order; `row_` of each column of M in that order
  std::vector<int> begin_, row_, group_of_, pivot_;
  // below the diagonal of group g: groups below_[below_begin_[g]...), their offsets in the panel, the panel's height at the
  // end
  std::vector<int> below_begin_, below_, offset_, height_;
  std::vector<std::size_t> diagonal_, left_, right_;  // where D (n × n), L (height × n) and Uᵀ (height × n) begin in values_
  std::vector<double> values_, product_, work_, small_;
  std::vector<int> place_;
};

bool BlockLu::is_new(const Eigen::SparseMatrix<double>& M) {
  const int *outer = M.outerIndexPtr(), *inner = M.innerIndexPtr();
  const std::size_t columns = static_cast<std::size_t>(M.cols()) + 1, count = static_cast<std::size_t>(M.nonZeros());
  if (outer_.size() == columns && inner_.size() == count && std::equal(outer_.begin(), outer_.end(), outer) &&
      std::equal(inner_.begin(), inner_.end(), inner))
    return false;
  outer_.assign(outer, outer + columns);
  inner_.assign(inner, inner + count);
  return true;
}

void BlockLu::analyse(const Eigen::SparseMatrix<double>& M) {
  const int n = static_cast<int>(M.cols());
  std::vector<int> first, group(at(n));
  for (int j = 0; j < n; ++j) {
    const int *a = inner_.data() + outer_[at(j)], *end = inner_.data() + outer_[at(j) + 1];
    const bool same =
        j > 0 && end - a == outer_[at(j)] - outer_[at(j) - 1] && std::equal(a, end, inner_.data() + outer_[at(j) - 1]);
    if (!same) first.push_back(j);
    group[at(j)] = static_cast<int>(first.size()) - 1;
  }
  const int groups = static_cast<int>(first.size());
  first.push_back(n);
  std::vector<std::vector<int>> graph(at(groups));
  std::vector<Eigen::Triplet<double>> entries;
  for (int g = 0; g < groups; ++g) {
    int last = -1;
    for (int k = outer_[at(first[at(g)])]; k < outer_[at(first[at(g)]) + 1]; ++k) {
      const int other = group[at(inner_[at(k)])];
      if (other == last) continue;
      last = other;
      graph[at(g)].push_back(other);
      entries.emplace_back(other, g, 1.0);
    }
  }
  Eigen::SparseMatrix<double> pattern(groups, groups);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  std::vector<int> old_group(at(groups)), new_group(at(groups));
  for (int g = 0; g < groups; ++g) {
    old_group[at(g)] = order.indices()[g];
    new_group[at(order.indices()[g])] = g;
  }
  begin_.assign(1, 0);
  row_.resize(at(n));
  group_of_.resize(at(n));
  for (int g = 0; g < groups; ++g) {
    const int old = old_group[at(g)];
    for (int j = first[at(old)]; j < first[at(old) + 1]; ++j) {
      row_[at(j)] = begin_.back() + j - first[at(old)];
      group_of_[at(j)] = g;
    }
    begin_.push_back(begin_.back() + first[at(old) + 1] - first[at(old)]);
  }
  // fill: what is below g is its own and what its children have below them
  std::vector<std::vector<int>> below(at(groups)), children(at(groups));
  std::vector<int> mark(at(groups), -1);
  for (int g = 0; g < groups; ++g) {
    const auto take = [&](int h) {
      if (h > g && mark[at(h)] != g) {
        mark[at(h)] = g;
        below[at(g)].push_back(h);
      }
    };
    for (const int h : graph[at(old_group[at(g)])]) take(new_group[at(h)]);
    for (const int child : children[at(g)])
      for (const int h : below[at(child)]) take(h);
    std::sort(below[at(g)].begin(), below[at(g)].end());
    if (!below[at(g)].empty()) children[at(below[at(g)].front())].push_back(g);
  }
  below_begin_.assign(1, 0);
  below_.clear();
  offset_.clear();
  height_.resize(at(groups));
  diagonal_.resize(at(groups));
  left_.resize(at(groups));
  right_.resize(at(groups));
  std::size_t total = 0, widest = 0, tallest = 0;
  for (int g = 0; g < groups; ++g) {
    int height = 0;
    for (const int h : below[at(g)]) {
      below_.push_back(h);
      offset_.push_back(height);
      height += size(h);
    }
    below_begin_.push_back(static_cast<int>(below_.size()));
    height_[at(g)] = height;
    const std::size_t s = at(size(g));
    diagonal_[at(g)] = total;
    left_[at(g)] = total + s * s;
    right_[at(g)] = left_[at(g)] + at(height) * s;
    total = right_[at(g)] + at(height) * s;
    widest = std::max(widest, s);
    tallest = std::max(tallest, at(height));
  }
  values_.resize(total);
  product_.resize(tallest * tallest);
  small_.resize(widest * std::max(widest, tallest));
  pivot_.resize(at(n));
  work_.resize(at(n));
  place_.resize(at(groups));
}

void BlockLu::fill(const Eigen::SparseMatrix<double>& M) {
  std::fill(values_.begin(), values_.end(), 0.0);
  const auto find = [&](int g, int h) {
    const auto from = below_.begin() + below_begin_[at(g)], to = below_.begin() + below_begin_[at(g) + 1];
    return offset_[static_cast<std::size_t>(std::lower_bound(from, to, h) - below_.begin())];
  };
  for (int j = 0; j < M.cols(); ++j) {
    const int g = group_of_[at(j)], c = row_[at(j)] - begin_[at(g)];
    int last = -1, where = 0;
    for (Eigen::SparseMatrix<double>::InnerIterator entry(M, j); entry; ++entry) {
      const int i = static_cast<int>(entry.row()), h = group_of_[at(i)], r = row_[at(i)] - begin_[at(h)];
      if (h == g) {
        values_[diagonal_[at(g)] + at(c) * at(size(g)) + at(r)] = entry.value();
        continue;
      }
      if (h != last) where = find(std::min(g, h), std::max(g, h));
      last = h;
      if (h > g)
        values_[left_[at(g)] + at(c) * at(height_[at(g)]) + at(where + r)] = entry.value();
      else
        values_[right_[at(h)] + at(r) * at(height_[at(h)]) + at(where + c)] = entry.value();
    }
  }
}

bool BlockLu::eliminate() {
  const int groups = static_cast<int>(height_.size());
  for (int g = 0; g < groups; ++g) {
    const int n = size(g), height = height_[at(g)];
    Matrix D(values_.data() + diagonal_[at(g)], n, n);
    int* pivot = pivot_.data() + begin_[at(g)];
    for (int c = 0; c < n; ++c) {
      Eigen::Index where = 0;
      const double largest = D.col(c).tail(n - c).cwiseAbs().maxCoeff(&where);
      if (!(largest > 0) || !std::isfinite(largest)) return false;
      pivot[c] = c + static_cast<int>(where);
      if (where > 0) D.row(c).swap(D.row(pivot[c]));
      D.col(c).tail(n - c - 1) /= D(c, c);
      for (int k = c + 1; k < n; ++k) D.col(k).tail(n - c - 1) -= D(c, k) * D.col(c).tail(n - c - 1);
    }
    if (height == 0) continue;
    // L ← L U⁻¹ column by column, Uᵀ ← Uᵀ Pᵀ L⁻ᵀ
    Matrix L(values_.data() + left_[at(g)], height, n), Ut(values_.data() + right_[at(g)], height, n);
    for (int c = 0; c < n; ++c) {
      for (int k = 0; k < c; ++k) L.col(c) -= D(k, c) * L.col(k);
      L.col(c) /= D(c, c);
      if (pivot[c] != c) Ut.col(c).swap(Ut.col(pivot[c]));
    }
    for (int c = 0; c < n; ++c)
      for (int k = 0; k < c; ++k) Ut.col(c) -= D(c, k) * Ut.col(k);
    std::fill_n(product_.begin(), at(height) * at(height), 0.0);
    add_product(product_.data(), height, L.data(), height, Ut.data(), height, height, height, n, 1, true);
    const int first = below_begin_[at(g)], end = below_begin_[at(g) + 1];
    for (int b = first; b < end; ++b) {
      const int column = below_[at(b)], width = size(column), from_column = offset_[at(b)];
      // D of the column's group, then L below it and Uᵀ beside it: both are at the same places of its panel
      Matrix target(values_.data() + diagonal_[at(column)], width, width);
      target -=
          Strided(product_.data() + from_column + at(from_column) * at(height), width, width, Eigen::OuterStride<>(height));
      int search = below_begin_[at(column)];
      const int tall = height_[at(column)];
      for (int a = b + 1; a < end; ++a) {
        while (below_[at(search)] != below_[at(a)]) ++search;
        const int rows = size(below_[at(a)]), to = offset_[at(search)], from = offset_[at(a)];
        Strided left(values_.data() + left_[at(column)] + to, rows, width, Eigen::OuterStride<>(tall));
        left -= Strided(product_.data() + from + at(from_column) * at(height), rows, width, Eigen::OuterStride<>(height));
        Strided right(values_.data() + right_[at(column)] + to, rows, width, Eigen::OuterStride<>(tall));
        right -= Strided(product_.data() + from_column + at(from) * at(height), width, rows, Eigen::OuterStride<>(height))
                     .transpose();
      }
    }
  }
  return true;
}

void BlockLu::solve(double* x) {
  const int groups = static_cast<int>(height_.size()), n = static_cast<int>(row_.size());
  for (int j = 0; j < n; ++j) work_[at(row_[at(j)])] = x[j];
  for (int g = 0; g < groups; ++g) {
    double* y = work_.data() + begin_[at(g)];
    const int s = size(g), height = height_[at(g)];
    const double *D = values_.data() + diagonal_[at(g)], *L = values_.data() + left_[at(g)];
    for (int c = 0; c < s; ++c)
      if (const int p = pivot_[at(begin_[at(g)] + c)]; p != c) std::swap(y[c], y[p]);
    for (int c = 0; c < s; ++c)
      for (int r = c + 1; r < s; ++r) y[r] -= D[r + c * s] * y[c];
    for (int b = below_begin_[at(g)]; b < below_begin_[at(g) + 1]; ++b) {
      double* z = work_.data() + begin_[at(below_[at(b)])];
      const int rows = size(below_[at(b)]);
      for (int c = 0; c < s; ++c)
        for (int r = 0; r < rows; ++r) z[r] -= L[at(offset_[at(b)] + r) + at(c) * at(height)] * y[c];
    }
  }
  for (int g = groups - 1; g >= 0; --g) {
    double* y = work_.data() + begin_[at(g)];
    const int s = size(g), height = height_[at(g)];
    const double *D = values_.data() + diagonal_[at(g)], *Ut = values_.data() + right_[at(g)];
    for (int b = below_begin_[at(g)]; b < below_begin_[at(g) + 1]; ++b) {
      const double* z = work_.data() + begin_[at(below_[at(b)])];
      const int rows = size(below_[at(b)]);
      for (int c = 0; c < s; ++c)
        for (int r = 0; r < rows; ++r) y[c] -= Ut[at(offset_[at(b)] + r) + at(c) * at(height)] * z[r];
    }
    for (int c = s - 1; c >= 0; --c) {
      y[c] /= D[c + c * s];
      for (int r = 0; r < c; ++r) y[r] -= D[r + c * s] * y[c];
    }
  }
  for (int j = 0; j < n; ++j) x[j] = work_[at(row_[at(j)])];
}

}  // namespace

std::unique_ptr<SparseFactor> make_block_lu() { return std::make_unique<BlockLu>(); }

}  // namespace condyle
