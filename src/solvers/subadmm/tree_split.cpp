#include "solvers/subadmm/tree_split.hpp"

#include <algorithm>
#include <numeric>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void TreeSplit::set(const ContactProblem& problem, const Delassus& delassus, const ScaledIsland& island, Splitting split) {
  sides_.clear();
  bodies_.clear();
  side_begin_.assign(1, 0);
  trees_ = 0;
  if (split == Splitting::none || problem.dual_only || !island.symmetric()) {
    for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i) {
      sides_.push_back({i, -1, island.blocks[at(i)].row});
      side_begin_.push_back(i + 1);
    }
    slacks_ = island.rows();
    return;
  }
  find_sides(problem, delassus, island, split);
  find_patterns(problem, split);
  group_sides(island);
  form_grams();
}

/// J_i = Σ_b J_ib: on each tree that a constraint moves, a side for each of its branches (problem/jacobian_writer.hpp).
void TreeSplit::find_sides(const ContactProblem& problem, const Delassus& delassus, const ScaledIsland& island,
                           Splitting split) {
  trees_ = static_cast<int>(island.bodies.size()) - 1;
  if (tree_.size() < at(trees_)) tree_.resize(at(trees_));
  tree_of_velocity_.resize(at(island.velocities()));
  for (int t = 0; t < trees_; ++t) {
    Tree& tree = tree_[at(t)];
    tree.source = -1;
    tree.begin = island.bodies[at(t)];
    tree.velocities = island.bodies[at(t) + 1] - tree.begin;
    std::fill_n(tree_of_velocity_.begin() + tree.begin, tree.velocities, t);
  }
  raw_.clear();
  raw_begin_.clear();
  column_.clear();
  column_begin_.assign(1, 0);
  tree_of_side_.clear();
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i) {
    const ConstraintBlock& block = island.blocks[at(i)];
    const auto after = std::upper_bound(problem.blocks.begin(), problem.blocks.end(), island.global_row[at(block.row)],
                                        [](int row, const ConstraintBlock& other) { return row < other.row; });
    const int source = static_cast<int>(after - problem.blocks.begin()) - 1;
    auto from = delassus.spans_begin(source);
    for (auto span = island.spans_begin(i); span != island.spans_end(i); ++span, ++from) {
      const int t = tree_of_velocity_[at(span->column)];
      Tree& tree = tree_[at(t)];
      tree.source = from->body;
      take_rows(problem, source, island.d.data() + block.row, tree, split);
      const int count = 1 + *std::max_element(side_of_.begin(), side_of_.end());
      for (int s = 0; s < count; ++s) {
        raw_begin_.push_back(raw_.size());
        for (int k = 0; k < tree.velocities; ++k)
          if (side_of_[at(k)] == s) {
            column_.push_back(k);
            raw_.insert(raw_.end(), dense_.begin() + k * block.rows, dense_.begin() + (k + 1) * block.rows);
          }
        column_begin_.push_back(static_cast<int>(column_.size()));
        tree_of_side_.push_back(t);
        sides_.push_back({i, tree.begin + column_.back(), 0});  // its body is numbered afterwards
      }
    }
    side_begin_.push_back(static_cast<int>(sides_.size()));
  }
}

/// D J of one constraint over all velocities of one tree, and which side each belongs to.
void TreeSplit::take_rows(const ContactProblem& problem, int source, const double* d, const Tree& tree, Splitting split) {
  const BlockJacobian& J = problem.J;
  const ConstraintBlock& block = problem.blocks[at(source)];
  const int first = problem.A.begin[at(tree.source)], end = first + tree.velocities;
  dense_.assign(at(block.rows) * at(tree.velocities), 0.0);
  side_of_.assign(at(tree.velocities), -1);
  // parts lie in the order of their rows, as a rule
  auto part =
      std::partition_point(J.parts.begin(), J.parts.end(), [&](const BlockJacobian::Part& p) { return p.row < block.row; });
  auto last = part;
  int covered = 0;
  for (; last != J.parts.end() && last->row >= block.row && last->row < block.row + block.rows; ++last)
    covered += last->rows;
  if (covered != block.rows) part = J.parts.begin(), last = J.parts.end();
  for (; part != last; ++part) {
    if (part->row < block.row || part->row >= block.row + block.rows) continue;
    const BlockJacobian::Carrier& carrier = J.carriers[at(part->carrier)];
    int side = 0, before = -1;
    for (int r = carrier.run_begin; r < carrier.run_end; ++r) {
      const BlockJacobian::Run& run = J.runs[at(r)];
      if (run.column < first || run.column >= end || run.columns == 0) continue;
      if (split == Splitting::body && run.column < before) ++side;
      before = run.column;
      const double* C = J.values.data() + run.value;
      for (int k = run.column - first; k < run.column - first + run.columns; ++k, C += carrier.rows) {
        double* to = dense_.data() + k * block.rows + (part->row - block.row);
        if (side_of_[at(k)] < 0) side_of_[at(k)] = side;
        if (part->x < 0) {
          for (int l = 0; l < part->rows; ++l) to[l] += C[l];
          continue;
        }
        const double* X = J.values.data() + part->x;
        for (int a = 0; a < carrier.rows; ++a, X += part->rows)
          for (int l = 0; l < part->rows; ++l) to[l] += X[l] * C[a];
      }
    }
  }
  double* value = dense_.data();
  for (int k = 0; k < tree.velocities; ++k)
    for (int l = 0; l < block.rows; ++l) *value++ *= d[l];
}

/// The elimination tree, from the last velocity up, of all that acts on each other by A or by a side. For trees of a scene
/// it is the tree itself, unless A has zeros by chance; then it is sparser.
void TreeSplit::find_patterns(const ContactProblem& problem, Splitting split) {
  std::size_t value = 0;
  count_.assign(at(trees_) + 1, 0);  // of sides, tree by tree
  for (const int t : tree_of_side_) ++count_[at(t) + 1];
  std::partial_sum(count_.begin(), count_.end(), count_.begin());
  by_tree_.resize(sides_.size());
  for (std::size_t s = sides_.size(); s-- > 0;) by_tree_[at(--count_[at(tree_of_side_[s]) + 1])] = static_cast<int>(s);
  A_.clear();
  for (int t = 0; t < trees_; ++t) {
    Tree& tree = tree_[at(t)];
    const int n = tree.velocities;
    tree.value = value;
    if (tree.source < 0) {  // nothing touches it
      tree.pattern.set_dense(0);
      continue;
    }
    const auto A = problem.A.block(tree.source);
    if (split == Splitting::tree) {
      tree.pattern.set_dense(n);
    } else {
      coupled_.assign(at(n) * at(n), 0);
      for (int k = 0; k < n; ++k)
        for (int i = 0; i < k; ++i) coupled_[at(k) * at(n) + at(i)] = A(k, i) != 0;
      const int end = t + 1 < trees_ ? count_[at(t) + 2] : static_cast<int>(sides_.size());
      for (int o = count_[at(t) + 1]; o < end; ++o) {
        const std::size_t s = at(by_tree_[at(o)]);
        const int begin = column_begin_[s], last = column_begin_[s + 1] - 1;
        for (int c = begin; c < last; ++c) coupled_[at(column_[at(last)]) * at(n) + at(column_[at(c)])] = 1;
      }
      parent_.assign(at(n), -1);
      for (int k = n - 1; k >= 0; --k) {
        const char* own = coupled_.data() + at(k) * at(n);
        int above = k - 1;
        while (above >= 0 && !own[above]) --above;
        parent_[at(k)] = above;
        for (int i = 0; i < above; ++i) coupled_[at(above) * at(n) + at(i)] |= own[i];
      }
      tree.pattern.set(parent_.data(), n);
    }
    value += tree.pattern.values();
    for (int k = 0; k < n; ++k)
      for (int p = 0; p < tree.pattern.depth(k); ++p) A_.push_back(A(k, tree.pattern.branch(k)[p]));
  }
  L_.resize(value);
  W_.resize(value);
}

/// Rows of the same branch one below the other, tree after tree.
void TreeSplit::group_sides(const ScaledIsland& island) {
  count_.assign(at(island.velocities()), 0);
  body_of_last_.resize(at(island.velocities()));
  u_.resize(at(island.velocities()));
  local_.resize(u_.size());
  for (const Side& side : sides_) count_[at(side.body)] += island.blocks[at(side.block)].rows;
  slacks_ = 0;
  std::size_t value = 0;
  for (int t = 0; t < trees_; ++t) {
    Tree& tree = tree_[at(t)];
    tree.body_begin = static_cast<int>(bodies_.size());
    tree.slack_begin = slacks_;
    for (int last = 0; last < tree.velocities; ++last) {
      const int rows = count_[at(tree.begin + last)];
      if (rows == 0) continue;
      const int width = tree.pattern.depth(last);
      body_of_last_[at(tree.begin + last)] = static_cast<int>(bodies_.size());
      bodies_.push_back({t, last, slacks_, rows, width, width == last + 1, value});
      slacks_ += rows;
      value += at(rows) * at(width);
    }
    tree.body_end = static_cast<int>(bodies_.size());
  }
  J_.assign(value, 0.0);
  hat_.resize(value);
  count_.assign(bodies_.size(), 0);
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    Side& side = sides_[s];
    side.body = body_of_last_[at(side.body)];
    const Body& body = bodies_[at(side.body)];
    const BranchPattern& pattern = tree_[at(body.tree)].pattern;
    const int rows = island.blocks[at(side.block)].rows, row = count_[at(side.body)];
    side.begin = body.begin + row;
    count_[at(side.body)] += rows;
    const double* from = raw_.data() + raw_begin_[s];
    for (int c = column_begin_[s]; c < column_begin_[s + 1]; ++c, from += rows)
      std::copy_n(from, rows, J_.data() + body.value + at((pattern.depth(column_[at(c)]) - 1) * body.rows + row));
  }
}

/// Σ_b J_bᵀ J_b by branches: two velocities of one body are on one branch, so there is a place for every product.
void TreeSplit::form_grams() {
  gram_.assign(L_.size(), 0.0);
  for (const Body& body : bodies_) {
    const Tree& tree = tree_[at(body.tree)];
    const int* branch = tree.pattern.branch(body.last);
    for (int p = 0; p < body.width; ++p) {
      double* to = gram_.data() + tree.value + tree.pattern.row(branch[p]);
      const double* one = J_.data() + body.value + at(p * body.rows);
      for (int q = 0; q <= p; ++q) {
        const double* other = J_.data() + body.value + at(q * body.rows);
        double sum = 0;
        for (int r = 0; r < body.rows; ++r) sum += one[r] * other[r];
        to[q] += sum;
      }
    }
  }
}

}  // namespace condyle
