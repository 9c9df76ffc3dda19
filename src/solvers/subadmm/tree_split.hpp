#pragma once
// An island divided into its trees: which branch of which tree each constraint moves, the rows of J of each branch, and
// the velocity step (35) with them (README.md). In scaled rows: J here is D J of the problem.
#include "linalg/branch_cholesky.hpp"
#include "linalg/kernels.hpp"
#include "solvers/scaled_island.hpp"
#include "solvers/subadmm/options.hpp"

#include <vector>

namespace condyle {

class TreeSplit {
 public:
  /// Rows of one constraint on one branch: `rows` neighbours from `begin` on in every vector of slacks.
  struct Side {
    int block = 0, body = 0, begin = 0;
  };
  /// All sides whose branches end at the same velocity, one below the other: a link, as far as contacts can tell.
  struct Body {
    int tree = 0, last = 0;   ///< last velocity of the branch, within the tree
    int begin = 0, rows = 0;  ///< slacks
    int width = 0;            ///< velocities of the branch
    bool in_one_run = true;   ///< the branch is 0 ... width - 1
    std::size_t value = 0;    ///< of its rows of J and Ĵ, rows × width, column by column
  };
  struct Tree {
    int source = 0, velocities = 0, begin = 0;  ///< block of A; velocities from `begin` on in the island
    int body_begin = 0, body_end = 0, slack_begin = 0;
    std::size_t value = 0;  ///< of its matrices
    BranchPattern pattern;
  };

  /// `island` was set for this problem with this Delassus operator. Without splitting, or where there is only G, each
  /// constraint has one side and there are no trees.
  void set(const ContactProblem& problem, const Delassus& delassus, const ScaledIsland& island, Splitting split);

  int slacks() const { return slacks_; }
  int trees() const { return trees_; }
  /// Slacks of tree t are first_slack(t) ... first_slack(t + 1).
  int first_slack(int t) const { return t < trees_ ? tree_[static_cast<std::size_t>(t)].slack_begin : slacks_; }
  const Tree& tree(int t) const { return tree_[static_cast<std::size_t>(t)]; }
  const std::vector<Body>& bodies() const { return bodies_; }
  /// Sides of a block, in the order of its trees.
  const Side* sides_begin(int block) const { return sides_.data() + side_begin_[static_cast<std::size_t>(block)]; }
  const Side* sides_end(int block) const { return sides_.data() + side_begin_[static_cast<std::size_t>(block) + 1]; }

  /// A_j + β Σ J_ibᵀ J_ib = Lᵀ L and Ĵ = J L⁻¹ of tree t. False: not positive definite.
  bool factor(int t, double beta);
  /// w = J_ib (A_j + β Σ J_ibᵀ J_ib)⁻¹ Σ J_ibᵀ f of all slacks of tree t.
  void step(int t, const double* f, double* w);
  /// The same with β = 0, for starts: w = J_ib A_j⁻¹ Σ J_ibᵀ f. Leaves the tree without a factor.
  bool step_of_inertia(int t, const double* f, double* w);

  Eigen::MatrixXd matrix(int t, double beta) const;  ///< dense, for tests
  Eigen::MatrixXd rows(int t) const;                 ///< slacks of tree t × its velocities

 private:
  void find_sides(const ContactProblem& problem, const Delassus& delassus, const ScaledIsland& island, Splitting split);
  void take_rows(const ContactProblem& problem, int source, const double* d, const Tree& tree, Splitting split);
  void find_patterns(const ContactProblem& problem, Splitting split);
  void group_sides(const ScaledIsland& island);
  void form_grams();
  void assemble(const Tree& tree, double beta);

  const Kernels* kernels_ = &kernels();
  int slacks_ = 0, trees_ = 0;
  std::vector<Tree> tree_;
  std::vector<Body> bodies_;
  std::vector<Side> sides_;
  std::vector<int> side_begin_;
  std::vector<double> A_, gram_, L_, W_;  // of all trees, by branches
  std::vector<double> J_, hat_;           // of all bodies
  std::vector<double> u_, local_;         // velocities of the island; a branch for each tree
  // while sides are found: a constraint's rows on a tree and the side of each velocity there, -1: not touched; then each
  // side's own columns, their numbers, and which velocities of a tree act on which
  std::vector<double> dense_, raw_;
  std::vector<int> side_of_, column_begin_, column_, tree_of_side_, by_tree_, tree_of_velocity_, parent_, count_,
      body_of_last_;
  std::vector<std::size_t> raw_begin_;
  std::vector<char> coupled_;
};

}  // namespace condyle
