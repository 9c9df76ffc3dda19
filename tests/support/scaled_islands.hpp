#pragma once
// A whole problem as one island in scaled variables, for tests of what solvers are made of.
#include "linalg/block_jacobian.hpp"
#include "solvers/scaled_island.hpp"

namespace condyle::test {

struct OneIsland {
  Islands islands;
  Delassus delassus;
  ScaledIsland island;

  explicit OneIsland(const ContactProblem& problem, Form form = Form::automatic, bool convex = true,
                     SolverOptions::Criterion criterion = SolverOptions::Criterion::speed) {
    islands.take_all(problem);
    Eigen::VectorXd g = problem.g;
    if (!problem.dual_only) {
      delassus.build(problem, islands);
      JacobianProduct product;
      g.resize(problem.rows());
      product.multiply(problem.J, problem.v_free.data(), g.data());
      g += problem.bias;
    }
    island.set(problem, islands, 0, delassus, g, convex, criterion, form);
    island.take_motion(problem, delassus, Eigen::VectorXd());
  }
};

}  // namespace condyle::test
