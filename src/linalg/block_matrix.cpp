#include "linalg/block_matrix.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using Matrix = Eigen::Map<const Eigen::MatrixXd>;

template <class Use>
void each_block(const BlockPattern& pattern, const Use& use) {
  for (int c = 0; c < pattern.bodies(); ++c)
    for (int k = pattern.column_begin[at(c)]; k < pattern.column_begin[at(c) + 1]; ++k) use(pattern.row[at(k)], c, k);
}
}  // namespace

void BlockPattern::set(const std::vector<int>& begins, const std::vector<std::pair<int, int>>& pairs,
                       std::vector<int>& where) {
  begin.assign(begins.begin(), begins.end());
  const int n = bodies(), count = static_cast<int>(pairs.size());
  // by rows first, then stably by columns: each column's rows come out ascending
  const auto sort = [&](const auto& key, const std::vector<int>* from, std::vector<int>& to) {
    next_.assign(at(n) + 1, 0);
    for (const auto& pair : pairs) ++next_[at(key(pair)) + 1];
    for (int b = 0; b < n; ++b) next_[at(b) + 1] += next_[at(b)];
    to.resize(at(count));
    for (int p = 0; p < count; ++p) {
      const int pair = from ? (*from)[at(p)] : p;
      to[at(next_[at(key(pairs[at(pair)]))]++)] = pair;
    }
  };
  sort([](const std::pair<int, int>& p) { return std::max(p.first, p.second); }, nullptr, by_row_);
  sort([](const std::pair<int, int>& p) { return std::min(p.first, p.second); }, &by_row_, order_);
  where.resize(at(count));
  column_begin.assign(1, 0);
  row.clear();
  value.assign(1, 0);
  std::size_t next = 0;
  for (int c = 0; c < n; ++c) {
    const auto add = [&](int r) {
      row.push_back(r);
      value.push_back(value.back() + at(body_size(r)) * at(body_size(c)));
    };
    add(c);
    for (; next < order_.size(); ++next) {
      const std::pair<int, int>& pair = pairs[at(order_[next])];
      if (std::min(pair.first, pair.second) != c) break;
      const int r = std::max(pair.first, pair.second);
      if (r != row.back()) add(r);
      where[at(order_[next])] = blocks() - 1;
    }
    column_begin.push_back(blocks());
  }
}

void BlockMatrix::start(const BlockPattern& blocks, bool general) {
  pattern = &blocks;
  lower.assign(blocks.value.back(), 0.0);
  if (general)
    upper.assign(blocks.value.back(), 0.0);
  else
    upper.clear();
}

Eigen::MatrixXd BlockMatrix::dense() const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(pattern->size(), pattern->size());
  each_block(*pattern, [&](int r, int c, int k) {
    const int rows = pattern->body_size(r), columns = pattern->body_size(c);
    const int i = pattern->begin[at(r)], j = pattern->begin[at(c)];
    const Matrix below(lower.data() + pattern->value[at(k)], rows, columns);
    if (r == c && symmetric()) {
      out.block(i, j, rows, columns) = below.selfadjointView<Eigen::Lower>();
      return;
    }
    out.block(i, j, rows, columns) = below;
    if (r != c)
      out.block(j, i, columns, rows) =
          Matrix((symmetric() ? lower : upper).data() + pattern->value[at(k)], rows, columns).transpose();
  });
  return out;
}

void BlockMatrix::multiply(const double* x, double* y) const {
  std::fill(y, y + pattern->size(), 0.0);
  each_block(*pattern, [&](int r, int c, int k) {
    const int rows = pattern->body_size(r), columns = pattern->body_size(c);
    const int i = pattern->begin[at(r)], j = pattern->begin[at(c)];
    const double *below = lower.data() + pattern->value[at(k)],
                 *above = (symmetric() ? lower : upper).data() + pattern->value[at(k)];
    for (int l = 0; l < columns; ++l, below += rows, above += rows) {
      if (r == c && symmetric()) {
        for (int m = l; m < rows; ++m) y[i + m] += below[m] * x[j + l];
        for (int m = l + 1; m < rows; ++m) y[j + l] += below[m] * x[i + m];
        continue;
      }
      for (int m = 0; m < rows; ++m) y[i + m] += below[m] * x[j + l];
      if (r == c) continue;
      for (int m = 0; m < rows; ++m) y[j + l] += above[m] * x[i + m];
    }
  });
}

}  // namespace condyle
