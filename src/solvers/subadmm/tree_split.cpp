#include "solvers/subadmm/tree_split.hpp"

#include <algorithm>

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
  take_trees(problem, island, split);
  find_sides(problem, delassus, island);
  group_sides(island);
  form_grams();
}

void TreeSplit::take_trees(const ContactProblem& problem, const ScaledIsland& island, Splitting split) {
  const BlockDiagonal& A = problem.A;
  trees_ = static_cast<int>(island.bodies.size()) - 1;
  if (tree_.size() < at(trees_)) tree_.resize(at(trees_));
  tree_of_source_.resize(at(A.blocks()));
  std::size_t value = 0;
  A_.clear();
  for (int t = 0; t < trees_; ++t) {
    Tree& tree = tree_[at(t)];
    tree.source = island.source_body(t);
    tree.begin = island.bodies[at(t)];
    tree.velocities = A.block_size(tree.source);
    tree.body_begin = tree.body_end = 0;
    tree.value = value;
    tree_of_source_[at(tree.source)] = t;
    const int first = A.begin[at(tree.source)];
    if (split == Splitting::body && !A.parent.empty()) {
      parent_.resize(at(tree.velocities));
      for (int k = 0; k < tree.velocities; ++k) parent_[at(k)] = std::max(-1, A.parent[at(first + k)] - first);
      tree.pattern.set(parent_.data(), tree.velocities);
    } else {
      tree.pattern.set_dense(tree.velocities);
    }
    value += tree.pattern.values();
    const auto block = A.block(tree.source);
    for (int k = 0; k < tree.velocities; ++k)
      for (int p = 0; p < tree.pattern.depth(k); ++p) A_.push_back(block(k, tree.pattern.branch(k)[p]));
  }
  L_.resize(value);
  W_.resize(value);
  u_.resize(at(island.velocities()));
  local_.resize(u_.size());
}

/// D J of one constraint over all velocities of one tree.
void TreeSplit::take_rows(const ContactProblem& problem, const Delassus& delassus, const ScaledIsland& island, int block,
                          int body) {
  const BlockJacobian& J = problem.J;
  const int source = island.source_block(block), rows = island.blocks[at(block)].rows;
  const int first = problem.A.begin[at(body)], end = problem.A.begin[at(body) + 1], row = problem.blocks[at(source)].row;
  dense_.assign(at(rows) * at(end - first), 0.0);
  touched_.assign(at(end - first), 0);
  for (const int* p = delassus.parts_begin(source); p != delassus.parts_end(source); ++p) {
    const BlockJacobian::Part& part = J.parts[at(*p)];
    const BlockJacobian::Carrier& carrier = J.carriers[at(part.carrier)];
    for (int r = carrier.run_begin; r < carrier.run_end; ++r) {
      const BlockJacobian::Run& run = J.runs[at(r)];
      if (run.column < first || run.column >= end) continue;
      const double* C = J.values.data() + run.value;
      for (int k = run.column - first; k < run.column - first + run.columns; ++k, C += carrier.rows) {
        double* to = dense_.data() + at(k) * at(rows) + (part.row - row);
        touched_[at(k)] = 1;
        if (part.x < 0) {
          for (int l = 0; l < part.rows; ++l) to[l] += C[l];
          continue;
        }
        const double* X = J.values.data() + part.x;
        for (int a = 0; a < carrier.rows; ++a, X += part.rows)
          for (int l = 0; l < part.rows; ++l) to[l] += X[l] * C[a];
      }
    }
  }
  double* value = dense_.data();
  const double* d = island.d.data() + island.blocks[at(block)].row;
  for (int k = first; k < end; ++k)
    for (int l = 0; l < rows; ++l) *value++ *= d[l];
}

/// A constraint's velocities within a tree lie on one branch, or on two if it acts between two links of the tree: what is
/// above both links moves neither relative to the other and has no column. So the branches take the columns apart, and
/// J_i = Σ_b J_ib.
void TreeSplit::find_sides(const ContactProblem& problem, const Delassus& delassus, const ScaledIsland& island) {
  raw_.clear();
  raw_begin_.clear();
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i) {
    const int source = island.source_block(i), rows = island.blocks[at(i)].rows;
    for (auto s = delassus.spans_begin(source); s != delassus.spans_end(source); ++s) {
      const Tree& tree = tree_[at(tree_of_source_[at(s->body)])];
      take_rows(problem, delassus, island, i, s->body);
      for (int last = tree.velocities - 1; last >= 0; --last) {
        if (!touched_[at(last)]) continue;
        const int* branch = tree.pattern.branch(last);
        sides_.push_back({i, tree.begin + last, 0});  // its body is numbered afterwards
        raw_begin_.push_back(raw_.size());
        raw_.resize(raw_.size() + at(rows) * at(tree.pattern.depth(last)), 0.0);
        double* to = raw_.data() + raw_begin_.back();
        for (int p = 0; p < tree.pattern.depth(last); ++p, to += rows) {
          char& mine = touched_[at(branch[p])];
          if (mine) std::copy_n(dense_.data() + at(branch[p]) * at(rows), rows, to);
          mine = 0;
        }
      }
    }
    side_begin_.push_back(static_cast<int>(sides_.size()));
  }
}

/// Rows of the same branch one below the other, tree after tree.
void TreeSplit::group_sides(const ScaledIsland& island) {
  count_.assign(at(island.velocities()), 0);
  body_of_last_.resize(at(island.velocities()));
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
  J_.resize(value);
  hat_.resize(value);
  count_.assign(bodies_.size(), 0);
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    Side& side = sides_[s];
    side.body = body_of_last_[at(side.body)];
    const Body& body = bodies_[at(side.body)];
    const int rows = island.blocks[at(side.block)].rows, row = count_[at(side.body)];
    side.begin = body.begin + row;
    count_[at(side.body)] += rows;
    for (int p = 0; p < body.width; ++p)
      std::copy_n(raw_.data() + raw_begin_[s] + at(p * rows), rows, J_.data() + body.value + at(p * body.rows + row));
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
