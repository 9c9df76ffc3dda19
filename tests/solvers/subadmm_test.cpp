// SubADMM: the division into trees and bodies, its systems against dense ones, and the same answer by every division.
#include "solvers/subadmm/subadmm.hpp"
#include "dynamics/kinematics.hpp"
#include "linalg/block_jacobian.hpp"
#include "solvers/problem_solver.hpp"
#include "support/contact_problems.hpp"
#include "support/random_state.hpp"
#include "support/scaled_islands.hpp"

#include <condyle/scene.hpp>
#include <condyle/simulator.hpp>

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

namespace condyle {
namespace {

/// Limp robots in a heap: contacts with the floor, with other robots and between the legs of one.
const ContactProblem& heap_of_robots() {
  static const ContactProblem problem = [] {
    const Scene scene = load_scene("quadrupeds", {.parameters = {{"n", "3"}}});
    SimulatorOptions options;
    options.dt = scene.defaults().dt;
    options.tolerance = 1e-5;
    Simulator sim(scene, options);
    State x = scene.initial_state();
    for (int k = 0; k < 120; ++k) sim.step(x);
    return sim.problem();
  }();
  return problem;
}

bool between_links_of_one_tree(const TreeSplit& split, int block) {
  const auto first = split.sides_begin(block), last = split.sides_end(block);
  for (auto one = first; one != last; ++one)
    for (auto other = first; other != one; ++other)
      if (split.bodies()[static_cast<std::size_t>(one->body)].tree ==
          split.bodies()[static_cast<std::size_t>(other->body)].tree)
        return true;
  return false;
}

int contacts_within_a_tree(const ContactProblem& problem) {
  test::OneIsland one(problem, Form::primal_dense);
  TreeSplit split;
  split.set(problem, one.delassus, one.island, Splitting::body);
  int out = 0;
  for (int i = 0; i < static_cast<int>(one.island.blocks.size()); ++i) out += between_links_of_one_tree(split, i);
  return out;
}

/// A limp person on the floor, from the first step on in which it touches itself.
const ContactProblem& fallen_person() {
  static const ContactProblem found = [] {
    const Scene scene = load_scene("humanoid_fall");
    SimulatorOptions options;
    options.dt = scene.defaults().dt;
    options.tolerance = 1e-4;
    Simulator sim(scene, options);
    State x = scene.initial_state();
    for (int k = 1; k < 3000; ++k) {
      sim.step(x);
      if (k % 20 == 0 && sim.problem().rows() > 0 && contacts_within_a_tree(sim.problem()) > 0) break;
    }
    return sim.problem();
  }();
  return found;
}

TEST(TreeSplit, SidesAddUpToTheConstraintsRows) {
  for (const ContactProblem* given : {&heap_of_robots(), &fallen_person()})
    for (const Splitting how : {Splitting::body, Splitting::tree}) {
      const ContactProblem& problem = *given;
      const Eigen::MatrixXd J = dense(problem.J);
      test::OneIsland one(problem, Form::primal_dense);
      TreeSplit split;
      split.set(problem, one.delassus, one.island, how);
      Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(problem.rows(), problem.velocities());
      std::vector<Eigen::MatrixXd> rows;
      for (int t = 0; t < split.trees(); ++t) rows.push_back(split.rows(t));
      for (int i = 0; i < static_cast<int>(one.island.blocks.size()); ++i) {
        const ConstraintBlock& block = one.island.blocks[static_cast<std::size_t>(i)];
        for (auto side = split.sides_begin(i); side != split.sides_end(i); ++side) {
          const int t = split.bodies()[static_cast<std::size_t>(side->body)].tree;
          const TreeSplit::Tree& tree = split.tree(t);
          const int first = problem.A.begin[static_cast<std::size_t>(tree.source)];
          for (int k = 0; k < block.rows; ++k)
            sum.row(one.island.global_row[static_cast<std::size_t>(block.row + k)]).segment(first, tree.velocities) +=
                rows[static_cast<std::size_t>(t)].row(side->begin + k - split.first_slack(t)) /
                one.island.d[static_cast<std::size_t>(block.row + k)];
        }
      }
      EXPECT_LT((sum - J).cwiseAbs().maxCoeff(), 1e-12);
    }
}

TEST(TreeSplit, ByBodiesKeepsThePatternOfTheInertia) {
  const ContactProblem& problem = fallen_person();
  ASSERT_GT(contacts_within_a_tree(problem), 0) << "nobody touches himself: nothing is tested";
  test::OneIsland one(problem, Form::primal_dense);
  TreeSplit by_body, by_tree;
  by_body.set(problem, one.delassus, one.island, Splitting::body);
  by_tree.set(problem, one.delassus, one.island, Splitting::tree);
  ASSERT_EQ(by_body.trees(), 1);
  const Eigen::MatrixXd A = problem.A.block(by_body.tree(0).source);
  const Eigen::MatrixXd body = by_body.rows(0), tree = by_tree.rows(0);
  const Eigen::MatrixXd H = A + 0.7 * body.transpose() * body, full = A + 0.7 * tree.transpose() * tree;
  EXPECT_LT((by_body.matrix(0, 0.7) - H).cwiseAbs().maxCoeff(), 1e-12 * H.norm());
  EXPECT_LT((by_tree.matrix(0, 0.7) - full).cwiseAbs().maxCoeff(), 1e-12 * H.norm());
  // which velocities are above each other, from the tree itself: A has zeros by chance, too
  const Scene scene = load_scene("humanoid_fall");
  std::vector<TreeDynamics> trees;
  trees.emplace_back(scene.data().trees[0]);
  const Kinematics kinematics(scene.data(), trees);
  Eigen::MatrixXi above = Eigen::MatrixXi::Zero(A.rows(), A.rows());
  for (int b = 1; b < kinematics.bodies(); ++b)
    for (const int k : kinematics.support(b))
      for (const int l : kinematics.support(b)) above(k, l) = 1;
  std::size_t places = 0;
  int lost = 0;
  for (int i = 0; i < A.rows(); ++i)
    for (int k = 0; k <= i; ++k) {
      places += above(i, k) != 0;
      if (above(i, k)) continue;
      EXPECT_EQ(A(i, k), 0) << i << " " << k;
      EXPECT_EQ(H(i, k), 0) << i << " " << k;
      lost += full(i, k) != 0;
    }
  EXPECT_LE(by_body.tree(0).pattern.values(), places) << "the factor has no more numbers than the inertia";
  EXPECT_LT(places, static_cast<std::size_t>(A.rows() * (A.rows() + 1) / 2));
  EXPECT_GT(lost, 0) << "without the split by bodies the pattern should have been lost";
}

TEST(TreeSplit, StepsLikeTheDenseSystem) {
  for (const ContactProblem* given : {&heap_of_robots(), &fallen_person()})
    for (const Splitting how : {Splitting::body, Splitting::tree}) {
      const ContactProblem& problem = *given;
      test::Random random(3);
      test::OneIsland one(problem, Form::primal_dense);
      TreeSplit split;
      split.set(problem, one.delassus, one.island, how);
      const Eigen::VectorXd f = random.vector(split.slacks());
      Eigen::VectorXd w = Eigen::VectorXd::Zero(split.slacks()), free = w;
      for (int t = 0; t < split.trees(); ++t) {
        const int begin = split.first_slack(t), count = split.first_slack(t + 1) - begin;
        const Eigen::MatrixXd J = split.rows(t), A = problem.A.block(split.tree(t).source);
        ASSERT_TRUE(split.step_of_inertia(t, f.data(), free.data()));
        const Eigen::VectorXd without = J * A.llt().solve(J.transpose() * f.segment(begin, count));
        EXPECT_LT((free.segment(begin, count) - without).norm(), 1e-10 * without.norm());
        ASSERT_TRUE(split.factor(t, 0.3));
        split.step(t, f.data(), w.data());
        const Eigen::MatrixXd H = A + 0.3 * J.transpose() * J;
        const Eigen::VectorXd expected = J * H.llt().solve(J.transpose() * f.segment(begin, count));
        EXPECT_LT((w.segment(begin, count) - expected).norm(), 1e-10 * expected.norm()) << "tree " << t;
      }
    }
}

SolveResult by(const ContactProblem& problem, std::map<std::string, double> parameters, double tolerance,
               const std::string& solver = "subadmm") {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.parameters = std::move(parameters);
  return solve(problem, options);
}

/// Stacks, a slide, a joint with motor, limit and coupling, a compliant row: every set but the friction boxes.
ContactProblem mixed() {
  test::ProblemBuilder build;
  test::add_cube_on_floor(build, 1, {0, 0, -0.01}, 0.5);
  test::add_cube_on_floor(build, 5, {0.3, 0.1, -0.01}, 0.5);
  const Eigen::Matrix<double, 6, 1> falling = (Eigen::Matrix<double, 6, 1>() << 0, 0, -0.01, 0, 0, 0).finished();
  const int top = build.body(2, Eigen::Vector3d::Constant(0.02), falling);
  const int on_second = build.twist_carrier(1, top, Eigen::Vector3d(0, 0, 0.2), Eigen::Vector3d::Zero());
  for (const double x : {-0.1, 0.1})
    for (const double y : {-0.1, 0.1}) build.contact(on_second, {x, y, -0.1}, Eigen::Vector3d::UnitZ(), 0.4);
  const int tree = build.tree(Eigen::Matrix3d(Eigen::Vector3d(1, 2, 3).asDiagonal()), Eigen::Vector3d(0.1, -0.2, 0.3));
  const int first = build.problem.A.begin[static_cast<std::size_t>(tree)];
  build.row({{first, 1.0}}, SetKind::box, 0, 0.01, -0.05, 0.05);
  build.row({{first + 1, 1.0}}, SetKind::nonnegative, -0.1);
  build.row({{first, 1.0}, {first + 2, -2.0}}, SetKind::bilateral);
  for (int k = 0; k < 12; ++k) build.problem.compliance[k] = 0.01 * (1 + k % 3);  // tangents unlike each other, too
  return build.problem;
}

TEST(Subadmm, MovesEverythingLikeTheOthersByEveryDivision) {
  for (const ContactProblem& problem : {mixed(), test::cube_stack(4, 2, 0.4, 0.02)}) {
    const SolveResult expected = by(problem, {}, 1e-9, "auto");
    ASSERT_EQ(expected.status.code, SolverStatus::Code::solved) << expected.status.message;
    for (const int split : {0, 1, 2})
      for (const int memory : {0, 10}) {
        const SolveResult r = by(problem, {{"split", split}, {"memory", memory}}, 1e-8);
        EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << split << " " << memory << ": " << r.status.message;
        EXPECT_LT((r.solution.velocity - expected.solution.velocity).cwiseAbs().maxCoeff(), 1e-7)
            << "split " << split << ", memory " << memory << ", " << r.stats.iterations << " iterations";
      }
  }
}

TEST(Subadmm, SolvesTheConvexModelToo) {
  const ContactProblem problem = mixed();
  const SolveResult expected = by(problem, {}, 1e-9, "admm-ccp"), r = by(problem, {}, 1e-8, "subadmm-ccp");
  ASSERT_EQ(expected.status.code, SolverStatus::Code::solved) << expected.status.message;
  EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
  EXPECT_LT((r.solution.velocity - expected.solution.velocity).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(Subadmm, GoesOnFromASolutionWithoutLeavingIt) {
  const ContactProblem problem = test::cube_stack(4, 2, 0.4, 0.02);
  SolverOptions options;
  options.solver = "subadmm";
  for (const int split : {0, 1, 2}) {
    options.parameters = {{"split", split}, {"check", 1}};
    options.tolerance = 1e-11;
    const SolveResult cold = ProblemSolver(options).solve(problem, {});
    ASSERT_EQ(cold.status.code, SolverStatus::Code::solved) << cold.status.message;
    options.tolerance = 1e-8;
    const SolveResult warm = ProblemSolver(options).solve(problem, cold.solution.impulse);
    EXPECT_EQ(warm.status.code, SolverStatus::Code::solved);
    EXPECT_EQ(warm.stats.iterations, 1) << "split " << split << ", cold " << cold.stats.iterations;
  }
}

TEST(Subadmm, ThreadsWithinAnIslandChangeNoBit) {
  const ContactProblem problem = test::box_pile(5, 5, 4, 0.02);
  SolverOptions options;
  options.solver = "subadmm";
  options.tolerance = 0;
  options.max_iterations = 60;
  ProblemSolver one(options);
  const SolveResult first = one.solve(problem, {});
  ASSERT_EQ(one.islands(), 1);
  ASSERT_GT(problem.rows(), 600);
  for (const int threads : {2, 3, 4}) {
    options.threads = threads;
    ProblemSolver several(options);
    for (int again = 0; again < 3; ++again) {
      const SolveResult& result = several.solve(problem, {});
      ASSERT_EQ(result.solution.impulse, first.solution.impulse) << threads << " threads";
      ASSERT_EQ(result.stats.iterations, first.stats.iterations);
    }
  }
}

}  // namespace
}  // namespace condyle
