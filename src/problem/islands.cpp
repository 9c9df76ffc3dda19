#include "problem/islands.hpp"

#include <algorithm>
#include <numeric>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Counting sort of items 0..n-1 (in `order`) by island; order within an island stays.
void gather(const std::vector<int>& order, const std::vector<int>& island, int islands, std::vector<int>& next,
            std::vector<int>& items, std::vector<int>& begin) {
  begin.assign(at(islands) + 1, 0);
  for (const int i : order)
    if (island[at(i)] >= 0) ++begin[at(island[at(i)]) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  next.assign(begin.begin(), begin.end() - 1);
  items.resize(at(begin.back()));
  for (const int i : order)
    if (island[at(i)] >= 0) items[at(next[at(island[at(i)])]++)] = i;
}
}  // namespace

int Islands::root(int node) {
  while (parent_[at(node)] != node) node = parent_[at(node)] = parent_[at(parent_[at(node)])];
  return node;
}

void Islands::join(int a, int b) {
  a = root(a);
  b = root(b);
  if (a != b) parent_[at(std::max(a, b))] = std::min(a, b);
}

void Islands::map_rows_and_columns(const ContactProblem& problem) {
  const int bodies = problem.A.blocks(), blocks = static_cast<int>(problem.blocks.size());
  parent_.resize(at(bodies + blocks));
  std::iota(parent_.begin(), parent_.end(), 0);
  block_of_row_.assign(at(problem.rows()), -1);
  for (int i = 0; i < blocks; ++i)
    for (int k = 0; k < problem.blocks[at(i)].rows; ++k) block_of_row_[at(problem.blocks[at(i)].row + k)] = i;
  body_of_column_.resize(at(problem.velocities()));
  for (int b = 0; b < bodies; ++b)
    std::fill(body_of_column_.begin() + problem.A.begin[at(b)], body_of_column_.begin() + problem.A.begin[at(b) + 1], b);
}

void Islands::find(const ContactProblem& problem) {
  map_rows_and_columns(problem);
  const int bodies = problem.A.blocks();
  if (problem.dual_only) {
    for (int j = 0; j < problem.G.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(problem.G, j); entry; ++entry)
        if (entry.value() != 0)
          join(bodies + block_of_row(static_cast<int>(entry.row())), bodies + block_of_row(static_cast<int>(entry.col())));
  } else {
    for (const BlockJacobian::Part& part : problem.J.parts) {
      const BlockJacobian::Carrier& carrier = problem.J.carriers[at(part.carrier)];
      for (int r = carrier.run_begin; r < carrier.run_end; ++r) {
        const BlockJacobian::Run& run = problem.J.runs[at(r)];
        if (run.columns > 0) join(body_of_column(run.column), bodies + block_of_row(part.row));
      }
    }
  }
  for (std::size_t i = 0; i < problem.blocks.size(); ++i)
    if (problem.blocks[i].set == SetKind::friction_box)
      join(bodies + static_cast<int>(i), bodies + block_of_row(problem.blocks[i].normal_row));
  number(problem);
}

void Islands::take_all(const ContactProblem& problem) {
  map_rows_and_columns(problem);
  for (std::size_t i = 1; i < parent_.size(); ++i) join(0, static_cast<int>(i));
  number(problem);
}

void Islands::number(const ContactProblem& problem) {
  const int bodies = problem.A.blocks(), blocks = static_cast<int>(problem.blocks.size());
  order_.resize(at(blocks));
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int a, int b) {
    return problem.blocks[at(a)].row != problem.blocks[at(b)].row ? problem.blocks[at(a)].row < problem.blocks[at(b)].row
                                                                  : a < b;
  });
  island_of_root_.assign(parent_.size(), -1);
  island_of_block_.resize(at(blocks));
  int islands = 0;
  for (const int i : order_) {
    int& island = island_of_root_[at(root(bodies + i))];
    if (island < 0) island = islands++;
    island_of_block_[at(i)] = island;
  }
  gather(order_, island_of_block_, islands, next_, blocks_, block_begin_);
  island_of_body_.resize(at(bodies));
  order_.resize(at(bodies));
  std::iota(order_.begin(), order_.end(), 0);
  for (int b = 0; b < bodies; ++b) island_of_body_[at(b)] = island_of_root_[at(root(b))];
  gather(order_, island_of_body_, islands, next_, bodies_, body_begin_);
}

}  // namespace condyle
