#include "problem/islands.hpp"

#include "support/contact_problems.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

std::vector<std::vector<int>> blocks_of(const Islands& islands) {
  std::vector<std::vector<int>> out;
  for (int k = 0; k < islands.size(); ++k) out.emplace_back(islands.blocks_begin(k), islands.blocks_end(k));
  return out;
}

/// Bodies 0..5; contacts floor-4, 0-2, floor-0, floor-4; body 1, 3, 5 touch nothing.
ContactProblem three_groups() {
  test::ProblemBuilder build;
  for (int k = 0; k < 6; ++k) build.body(1, Eigen::Vector3d::Ones(), Eigen::Matrix<double, 6, 1>::Zero());
  const Eigen::Vector3d o = Eigen::Vector3d::Zero(), z = Eigen::Vector3d::UnitZ();
  build.contact(build.twist_carrier(-1, 4, o, o), o, z, 0.5);
  build.contact(build.twist_carrier(0, 2, o, o), o, z, 0.5);
  build.contact(build.twist_carrier(-1, 0, o, o), o, z, 0.5);
  build.contact(build.twist_carrier(-1, 4, o, o), z, z, 0.5);
  return build.problem;
}

TEST(Islands, JoinWhatSharesABodyAndLeaveOutWhatNothingTouches) {
  Islands islands;
  islands.find(three_groups());
  EXPECT_EQ(blocks_of(islands), (std::vector<std::vector<int>>{{0, 3}, {1, 2}}));
  EXPECT_EQ(islands.island_of_body(), (std::vector<int>{1, -1, 1, -1, 0, -1}));
  EXPECT_EQ(std::vector<int>(islands.bodies_begin(1), islands.bodies_end(1)), (std::vector<int>{0, 2}));
}

TEST(Islands, AreNumberedByTheirLowestRowWhateverTheOrderOfBlocks) {
  ContactProblem problem = three_groups();
  Islands islands;
  std::swap(problem.blocks[0], problem.blocks[2]);  // the same rows in another order
  islands.find(problem);
  EXPECT_EQ(blocks_of(islands), (std::vector<std::vector<int>>{{2, 3}, {1, 0}}));
}

TEST(Islands, OfADualProblemFollowTheEntriesOfG) {
  ContactProblem problem;
  problem.dual_only = true;
  for (int k = 0; k < 4; ++k) {
    ConstraintBlock block;
    block.set = SetKind::nonnegative;
    block.row = k;
    block.rows = 1;
    problem.blocks.push_back(block);
  }
  problem.bias = problem.compliance = problem.g = Eigen::VectorXd::Zero(4);
  problem.G.resize(4, 4);
  const std::vector<Eigen::Triplet<double>> entries = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {3, 0, 0.5}, {2, 1, 0.0}};
  problem.G.setFromTriplets(entries.begin(), entries.end());
  Islands islands;
  islands.find(problem);
  EXPECT_EQ(blocks_of(islands), (std::vector<std::vector<int>>{{0, 3}, {1}, {2}}));
  problem.blocks[2].set = SetKind::friction_box;  // bounded by row 1's impulse
  problem.blocks[2].normal_row = 1;
  islands.find(problem);
  EXPECT_EQ(blocks_of(islands), (std::vector<std::vector<int>>{{0, 3}, {1, 2}}));
}

}  // namespace
}  // namespace condyle
