#pragma once
// Constraints that act on each other: blocks of A joined through carriers (dual-only problems: rows joined by G's entries).
// Islands are numbered by their lowest row, so the numbering depends on the problem alone. What has no rows is in none.
#include <condyle/contact_problem.hpp>

#include <vector>

namespace condyle {

class Islands {
 public:
  void find(const ContactProblem& problem);
  /// Everything in one island, for comparison.
  void take_all(const ContactProblem& problem);

  int size() const { return static_cast<int>(block_begin_.size()) - 1; }
  /// Constraint blocks of island k, by row.
  const int* blocks_begin(int k) const { return blocks_.data() + block_begin_[static_cast<std::size_t>(k)]; }
  const int* blocks_end(int k) const { return blocks_.data() + block_begin_[static_cast<std::size_t>(k) + 1]; }
  /// Blocks of A of island k, in order; none for dual-only problems.
  const int* bodies_begin(int k) const { return bodies_.data() + body_begin_[static_cast<std::size_t>(k)]; }
  const int* bodies_end(int k) const { return bodies_.data() + body_begin_[static_cast<std::size_t>(k) + 1]; }
  /// Of each block of A; -1: nothing constrains it.
  const std::vector<int>& island_of_body() const { return island_of_body_; }
  /// Block of A that holds a velocity.
  int body_of_column(int column) const { return body_of_column_[static_cast<std::size_t>(column)]; }
  /// Constraint block that holds a row.
  int block_of_row(int row) const { return block_of_row_[static_cast<std::size_t>(row)]; }

 private:
  void map_rows_and_columns(const ContactProblem& problem);
  void number(const ContactProblem& problem);
  int root(int node);
  void join(int a, int b);

  std::vector<int> parent_;  // blocks of A, then constraint blocks
  std::vector<int> block_of_row_, body_of_column_, order_, island_of_root_, island_of_block_, island_of_body_, next_;
  std::vector<int> blocks_, block_begin_{0}, bodies_, body_begin_{0};
};

}  // namespace condyle
