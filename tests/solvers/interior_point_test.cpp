#include "solvers/interior/interior_point.hpp"

#include "linalg/block_jacobian.hpp"
#include "solvers/proximal/proximal_newton.hpp"
#include "support/contact_problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {
using namespace condyle;

struct Attempt {
  double measure = 0;
  int factorizations = 0;
  std::vector<double> impulse;
};

/// The only island of the problem by interior points alone.
Attempt run(const ContactProblem& problem, Form form, double target, const std::vector<double>* start = nullptr) {
  Islands islands;
  islands.take_all(problem);
  Delassus delassus;
  EXPECT_LT(delassus.build(problem, islands), 0);
  Eigen::VectorXd g(problem.rows());
  JacobianProduct().multiply(problem.J, problem.v_free.data(), g.data());
  g += problem.bias;
  ScaledIsland island;
  island.set(problem, islands, 0, delassus, g, false, SolverOptions::Criterion::speed, form);
  BestIterate best;
  best.start(island.rows());
  InteriorPoint interior;
  Attempt out;
  out.factorizations = interior.run(island, {}, target, start ? start->data() : nullptr, best);
  out.measure = best.measure;
  out.impulse = best.impulse;
  return out;
}

TEST(InteriorPoint, SolvesStacksWhateverTheMassRatio) {
  for (const double ratio : {1.0, 3.0}) {
    const Attempt r = run(test::cube_stack(8, ratio, 0.5), Form::automatic, 1e-6);
    EXPECT_LE(r.measure, 1e-6) << "mass ratio " << std::pow(ratio, 7) << ", " << r.factorizations << " factorizations";
    EXPECT_LE(r.factorizations, 40) << "mass ratio " << std::pow(ratio, 7);
  }
}

TEST(InteriorPoint, SolvesSlidingBodies) {
  const Attempt r = run(test::cube_stack(1, 1, 0.5, 1.0), Form::automatic, 1e-6);
  EXPECT_LE(r.measure, 1e-6);
}

TEST(InteriorPoint, FindsTheSameInEveryForm) {
  const ContactProblem problem = test::box_pile(2, 2, 2, 0.01);
  for (const Form form : {Form::dual_dense, Form::primal_dense, Form::dual_sparse, Form::primal_sparse}) {
    const Attempt r = run(problem, form, 1e-6);
    EXPECT_LE(r.measure, 1e-6) << to_string(form) << ", " << r.factorizations << " factorizations";
  }
}

TEST(InteriorPoint, BeginsAtAnImpulseThatIsGiven) {
  const ContactProblem problem = test::cube_stack(5, 1, 0.5);
  const Attempt cold = run(problem, Form::automatic, 1e-6);
  const Attempt warm = run(problem, Form::automatic, 1e-6, &cold.impulse);
  EXPECT_LE(warm.measure, 1e-6);
  EXPECT_LE(warm.factorizations, cold.factorizations);
}
}  // namespace
