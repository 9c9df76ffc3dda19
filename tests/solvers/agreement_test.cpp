// The same answer by other ways: islands or one system, any form of the linear systems, any start, any earlier call.
#include "solvers/problem_solver.hpp"
#include "support/contact_problems.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

/// Stacks side by side, one sliding, one pushed apart; a pendulum row with limit; a motor; a body that nothing touches.
ContactProblem small_world() {
  test::ProblemBuilder build;
  test::add_cube_on_floor(build, 1, {0, 0, -0.01}, 0.5);
  test::add_cube_on_floor(build, 5, {0.3, 0.1, -0.01}, 0.5);
  build.body(1, Eigen::Vector3d::Ones(), Eigen::Matrix<double, 6, 1>::Ones());
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
  return build.problem;
}

SolveResult solve_as(const ContactProblem& problem, std::map<std::string, double> parameters, double tolerance = 1e-8) {
  SolverOptions options;
  options.tolerance = tolerance;
  options.parameters = std::move(parameters);
  return solve(problem, options);
}

TEST(Agreement, IslandsAndOneSystemMoveEverythingAlike) {
  const ContactProblem problem = small_world();
  const SolveResult apart = solve_as(problem, {}), together = solve_as(problem, {{"islands", 0}});
  ASSERT_EQ(apart.status.code, SolverStatus::Code::solved) << apart.status.message;
  ASSERT_EQ(together.status.code, SolverStatus::Code::solved) << together.status.message;
  EXPECT_LT((apart.solution.velocity - together.solution.velocity).cwiseAbs().maxCoeff(), 1e-9);
  ProblemSolver solver({.tolerance = 1e-8});
  solver.solve(problem, {});
  EXPECT_EQ(solver.islands(), 3);
}

TEST(Agreement, SweepsOfEveryFormGoTheSameWay) {
  for (const ContactProblem& problem : {small_world(), test::cube_stack(6, 0.5, 0.3, 0.1)})
    for (const char* name : {"pgs-ncp", "pgs-ccp"}) {
      Eigen::VectorXd first;
      for (const double form : {1, 2, 3, 4}) {
        SolverOptions options;
        options.solver = name;
        options.tolerance = 0;
        options.max_iterations = 37;
        options.parameters = {{"form", form}};
        const SolveResult r = solve(problem, options);
        if (first.size() == 0) first = r.solution.impulse;
        ASSERT_GT(first.norm(), 1e-3);
        EXPECT_LT((r.solution.impulse - first).norm(), 1e-11 * first.norm()) << name << ", form " << form;
      }
    }
}

TEST(Agreement, EveryFormOfTheLinearSystemsMovesEverythingAlike) {
  for (const ContactProblem& problem : {small_world(), test::cube_stack(6, 0.5, 0.3, 0.1)}) {
    const SolveResult first = solve_as(problem, {{"form", 1}});
    for (const double small : {0, 1000})  // ADMM first, or Newton first
      for (const int form : {1, 2, 3, 4}) {
        const SolveResult r = solve_as(problem, {{"form", form}, {"small_rows", small}});
        EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << form << " " << r.status.message;
        EXPECT_LT((r.solution.velocity - first.solution.velocity).cwiseAbs().maxCoeff(), 1e-8)
            << "form " << form << " by " << r.stats.path;
      }
  }
}

TEST(Agreement, TheAnswerDependsOnTheProblemTheStartAndTheOptionsAlone) {
  const ContactProblem one = small_world(), other = test::cube_stack(5, 3, 0.4);
  ProblemSolver used({.tolerance = 1e-8}), fresh({.tolerance = 1e-8});
  const Eigen::VectorXd expected = fresh.solve(one, {}).solution.impulse;
  used.solve(other, {});
  used.solve(one, Eigen::VectorXd::Ones(one.rows()));
  used.solve(other, {});
  const Eigen::VectorXd again = used.solve(one, {}).solution.impulse;
  EXPECT_TRUE((again.array() == expected.array()).all()) << (again - expected).cwiseAbs().maxCoeff();
}

TEST(WarmStart, OfTheSolutionNeedsNoIteration) {
  const ContactProblem problem = test::cube_stack(5, 2, 0.4);
  ProblemSolver solver({.tolerance = 1e-7});
  const SolveResult first = solver.solve(problem, {});
  ASSERT_EQ(first.status.code, SolverStatus::Code::solved) << first.status.message;
  const SolveResult& second = solver.solve(problem, first.solution.impulse);
  EXPECT_EQ(second.stats.iterations, 0) << second.stats.path;
  EXPECT_EQ(second.stats.path, "start");
  EXPECT_TRUE((second.solution.impulse.array() == first.solution.impulse.array()).all());
}

TEST(WarmStart, OfANearSolutionNeedsFewFactorizations) {
  ContactProblem problem = test::cube_stack(5, 2, 0.4);
  ProblemSolver solver({.tolerance = 1e-7});
  const Eigen::VectorXd start = solver.solve(problem, {}).solution.impulse;
  problem.v_free *= 1.01;
  const SolveResult& r = solver.solve(problem, start);
  EXPECT_EQ(r.status.code, SolverStatus::Code::solved);
  EXPECT_LE(r.stats.factorizations, 4) << r.stats.path;
  EXPECT_LT(r.residuals.certificate, 1e-10);
}

TEST(WarmStart, ThatIsNonsenseDoesNoHarm) {
  const ContactProblem problem = small_world();
  test::Random random(3);
  const SolveResult plain = solve_as(problem, {});
  for (const double size : {1e-3, 1.0, 1e6}) {
    ProblemSolver solver({.tolerance = 1e-8});
    const SolveResult& r = solver.solve(problem, random.vector(problem.rows(), size));
    EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << size << ": " << r.status.message << " by " << r.stats.path;
    EXPECT_LT((r.solution.velocity - plain.solution.velocity).cwiseAbs().maxCoeff(), 1e-7) << size;
  }
  ProblemSolver solver({.tolerance = 1e-8});
  const Eigen::VectorXd nan = Eigen::VectorXd::Constant(problem.rows(), std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(solver.solve(problem, nan).status.code, SolverStatus::Code::solved);
}

TEST(Trouble, IsAWordAndNeverANumberThatIsNone) {
  ContactProblem problem = small_world();
  problem.v_free[3] = std::numeric_limits<double>::quiet_NaN();
  ProblemSolver solver({.tolerance = 1e-8});
  const SolveResult& r = solver.solve(problem, {});
  EXPECT_EQ(r.status.code, SolverStatus::Code::failed);
  EXPECT_TRUE(r.solution.impulse.allFinite());
  EXPECT_FALSE(r.status.message.empty());
}

TEST(Judge, AgreesWithTheDefinitionsWrittenOut) {
  // two contacts and a wrong impulse: numbers computed here, row by row
  test::ProblemBuilder build;
  test::add_cube_on_floor(build, 2, {0.5, 0, -0.1}, 0.5);
  const ContactProblem& problem = build.problem;
  test::Random random(9);
  Eigen::VectorXd impulse = random.vector(problem.rows(), 0.1);
  for (int i = 0; i < 4; ++i) impulse[3 * i + 2] = std::abs(impulse[3 * i + 2]);
  const Residuals r = judge(problem, impulse);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(12, 6);
  for (int i = 0; i < 4; ++i) {
    const auto& part = problem.J.parts[static_cast<std::size_t>(i)];
    J.middleRows(3 * i, 3) = Eigen::Map<const Eigen::MatrixXd>(problem.J.values.data() + part.x, 3, 6);
  }
  Eigen::VectorXd inverse(6);
  inverse << 0.5, 0.5, 0.5, Eigen::Vector3d::Constant(1 / (2 * 0.04 / 6));
  const Eigen::VectorXd v = problem.v_free + inverse.asDiagonal() * J.transpose() * impulse, sigma = J * v;
  double worst = 0, natural2 = 0;
  for (int i = 0; i < 4; ++i) {
    const Eigen::Matrix3d Gii = J.middleRows(3 * i, 3) * inverse.asDiagonal() * J.middleRows(3 * i, 3).transpose();
    const double w = Gii.norm() / 3;
    Eigen::Vector3d v_hat = sigma.segment<3>(3 * i), l = impulse.segment<3>(3 * i);
    v_hat[2] += 0.5 * v_hat.head<2>().norm();
    const auto project = [](const Eigen::Vector3d& x) -> Eigen::Vector3d {
      const double s = x.head<2>().norm();
      if (s <= 0.5 * x[2]) return x;
      if (0.5 * s <= -x[2]) return Eigen::Vector3d::Zero();
      const double n = (0.5 * s + x[2]) / 1.25;
      return {0.5 * n * x[0] / s, 0.5 * n * x[1] / s, n};
    };
    worst = std::max(worst, w * (l - project(l - v_hat / w)).norm());
    natural2 += (l - project(l - v_hat)).squaredNorm();
  }
  const double size = std::max({(J * problem.v_free).norm(), impulse.norm(), sigma.norm()});
  EXPECT_NEAR(r.certificate, worst, 1e-14);
  EXPECT_NEAR(r.natural, std::sqrt(natural2) / size, 1e-14);
  EXPECT_EQ(judge(problem, impulse, v).momentum < 1e-15, true);
  EXPECT_NEAR(judge(problem, impulse, v + Eigen::VectorXd::Constant(6, 0.25)).momentum, 0.25, 1e-14);
}

}  // namespace
}  // namespace condyle
