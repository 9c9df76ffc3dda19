// Newton's steps of the proximal point method: one answer in every form, by LU or Cholesky, by a new factor or the last one.
#include "solvers/proximal/newton_system.hpp"
#include "support/contact_problems.hpp"
#include "support/random_state.hpp"
#include "support/scaled_islands.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

/// Φ and Q at a point where contacts stick, slide and are open, or where each does one of the first and last.
void set_function(NewtonFunction& function, const ScaledIsland& island, bool sliding, unsigned seed) {
  test::Random random(seed);
  function.alpha = 1e-3;
  function.start(island);
  std::vector<double> impulse(static_cast<std::size_t>(island.rows())), sigma(impulse.size());
  view(impulse) = random.vector(island.rows());
  view(sigma) = random.vector(island.rows(), 1e-4);
  for (const ConstraintBlock& block : island.blocks) {
    double* x = impulse.data() + block.row;
    const int mode = static_cast<int>(3 * (0.5 + 0.5 * random.vector(1)[0]));
    x[0] = (sliding && mode == 0 ? 1.5 : 0.3) * block.friction;
    x[1] = 0.2 * block.friction;
    x[2] = mode == 1 ? -0.5 : 1.0;
  }
  function.evaluate(island, impulse.data(), sigma.data(), true);
}

TEST(NewtonSystem, GivesOneStepInEveryForm) {
  const ContactProblem problem = test::box_pile(3, 3, 3, 0.1);
  for (const bool sliding : {false, true}) {
    Eigen::VectorXd first;
    for (const Form form : {Form::dual_dense, Form::primal_dense, Form::dual_sparse, Form::primal_sparse}) {
      test::OneIsland one(problem, form, false);
      NewtonFunction function;
      set_function(function, one.island, sliding, 3);
      NewtonSystem system;
      std::vector<double> step;
      ASSERT_TRUE(system.solve(one.island, function, step)) << to_string(form);
      if (first.size() == 0) first = view(step);
      EXPECT_LT((view(step) - first).norm(), 1e-9 * first.norm()) << to_string(form) << (sliding ? ", sliding" : "");
    }
  }
}

TEST(NewtonSystem, UsesItsLastFactorOnlyWhereTheMatrixIsTheSame) {
  const ContactProblem problem = test::box_pile(3, 3, 3, 0.1);
  for (const bool sliding : {false, true}) {
    test::OneIsland one(problem, Form::primal_sparse, false), again(problem, Form::primal_sparse, false);
    NewtonFunction function, other;
    set_function(function, one.island, sliding, 3);
    set_function(other, one.island, sliding, 4);
    NewtonSystem system, fresh;
    std::vector<double> step, expected;
    ASSERT_TRUE(system.solve(one.island, function, step));
    EXPECT_FALSE(system.reused());
    for (double& x : function.phi) x = 1 - 2 * x;
    ASSERT_TRUE(system.solve(one.island, function, step));
    EXPECT_TRUE(system.reused());
    ASSERT_TRUE(fresh.solve(one.island, function, expected));
    EXPECT_LT((view(step) - view(expected)).norm(), 1e-12 * view(expected).norm());
    ASSERT_TRUE(system.solve(one.island, other, step));
    EXPECT_FALSE(system.reused()) << "other contacts are open";
    ASSERT_TRUE(system.solve(again.island, other, step));
    EXPECT_FALSE(system.reused()) << "another island";
    system.forget_factor();
    ASSERT_TRUE(system.solve(again.island, other, step));
    EXPECT_FALSE(system.reused()) << "forgotten";
  }
}

TEST(ScaledIsland, TakesAnotherFreeMotionAsIfItHadBegunWithIt) {
  const ContactProblem problem = test::box_pile(2, 2, 2, 0.1);
  ContactProblem other = problem;
  other.v_free *= -0.3;
  test::OneIsland one(problem, Form::automatic, false), begun(other, Form::automatic, false);
  Eigen::VectorXd g(problem.rows());
  JacobianProduct().multiply(problem.J, other.v_free.data(), g.data());
  g += problem.bias;
  one.island.take_free_motion(g);
  test::Random random(5);
  const Eigen::VectorXd impulse = random.vector(problem.rows());
  std::vector<double> x(static_cast<std::size_t>(problem.rows())), sigma(x);
  Eigen::VectorXd true_sigma[2];
  for (const bool second : {false, true}) {
    ScaledIsland& island = second ? begun.island : one.island;
    island.gather(impulse, x.data());
    island.sigma(x.data(), sigma.data());
    true_sigma[second].resize(problem.rows());
    for (int k = 0; k < problem.rows(); ++k) {
      const std::size_t row = static_cast<std::size_t>(k);
      true_sigma[second][island.global_row[row]] = island.c * sigma[row] / island.d[row];
    }
  }
  EXPECT_LT((true_sigma[0] - true_sigma[1]).norm(), 1e-13 * true_sigma[0].norm());
}

}  // namespace
}  // namespace condyle
