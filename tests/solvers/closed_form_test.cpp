// Problems small enough to be solved on paper.
#include "solvers/problem_solver.hpp"
#include "support/contact_problems.hpp"

#include <condyle/error.hpp>
#include <condyle/solver.hpp>

#include <gtest/gtest.h>

namespace condyle {
namespace {

using test::ProblemBuilder;
using Twist = Eigen::Matrix<double, 6, 1>;

SolveResult solve_with(const ContactProblem& problem, const std::string& solver = "auto", double tolerance = 1e-9) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  return solve(problem, options);
}

/// A point mass on the floor (inertia does not matter: the contact passes through its centre).
ContactProblem point_on_floor(double mass, const Eigen::Vector3d& v, double friction) {
  ProblemBuilder build;
  Twist twist = Twist::Zero();
  twist.head<3>() = v;
  const int body = build.body(mass, Eigen::Vector3d::Ones(), twist);
  build.contact(build.twist_carrier(-1, body, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()), Eigen::Vector3d::Zero(),
                Eigen::Vector3d::UnitZ(), friction);
  return build.problem;
}

class EveryExactSolver : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Ncp, EveryExactSolver, testing::Values("auto", "admm", "subadmm", "pgs-ncp"),
                         [](const auto& which) { return std::string(which.param) == "pgs-ncp" ? "pgs_ncp" : which.param; });

TEST_P(EveryExactSolver, StopsAPointThatSlidesSlowly) {
  const SolveResult r = solve_with(point_on_floor(2, {0.3, 0, -1}, 0.5), GetParam());
  EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
  EXPECT_LT(r.solution.velocity.norm(), 1e-9);
  EXPECT_NEAR(r.solution.impulse[2], 2, 1e-8);
  EXPECT_NEAR(r.solution.impulse.head<2>().norm(), 0.6, 1e-8);
}

TEST_P(EveryExactSolver, LetsAFastPointSlideWithoutLiftingIt) {
  const SolveResult r = solve_with(point_on_floor(2, {3, 4, -1}, 0.5), GetParam());
  EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
  // friction takes μ times the normal velocity off the sliding velocity, and nothing lifts
  EXPECT_NEAR((r.solution.velocity.head<3>() - Eigen::Vector3d(2.7, 3.6, 0)).norm(), 0, 1e-8)
      << r.solution.velocity.transpose();
}

TEST_P(EveryExactSolver, LeavesAPointAloneThatFliesAway) {
  const SolveResult r = solve_with(point_on_floor(2, {3, 4, 1}, 0.5), GetParam());
  EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
  EXPECT_EQ(r.solution.impulse.norm(), 0);
}

TEST(ConvexSolvers, LiftASlidingPointByTheFrictionCone) {
  for (const char* solver : {"admm-ccp", "subadmm-ccp", "pgs-ccp"}) {
    const SolveResult r = solve_with(point_on_floor(2, {3, 0, -1}, 0.5), solver);
    EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << solver << ": " << r.status.message;
    // σ_n = μ ‖σ_t‖ is what the convex model does to sliding contacts
    EXPECT_NEAR(r.solution.velocity[2], 0.5 * r.solution.velocity[0], 1e-7) << solver;
    EXPECT_GT(r.solution.velocity[2], 0.5) << solver;
    // judged as the exact law it is wrong by that gliding
    EXPECT_GT(judge(point_on_floor(2, {3, 0, -1}, 0.5), r.solution.impulse).certificate, 0.1);
  }
}

TEST(Auto, SharesTheWeightOfACubeEquallyAmongItsCorners) {
  ProblemBuilder build;
  test::add_cube_on_floor(build, 3, {0, 0, -0.00981}, 0.6);
  const SolveResult r = solve_with(build.problem, "auto", 1e-7);
  ASSERT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
  EXPECT_LT(r.residuals.certificate, 1e-10);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(r.solution.impulse[3 * i + 2], 3 * 0.00981 / 4, 1e-10) << r.solution.impulse.transpose();
    EXPECT_NEAR(r.solution.impulse.segment<2>(3 * i).norm(), 0, 1e-10);
  }
}

TEST(Auto, TellsThatASqueezeWithoutRoomHasNoSolution) {
  // a light body between two walls that approach each other: no impulse can keep both from entering
  ProblemBuilder build;
  const int body = build.body(1, Eigen::Vector3d::Ones(), Twist::Zero());
  const int carrier = build.twist_carrier(-1, body, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero());
  build.contact(carrier, Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ(), 0.5, -1);
  build.contact(carrier, Eigen::Vector3d::Zero(), -Eigen::Vector3d::UnitZ(), 0.5, -1);
  const SolveResult r = solve_with(build.problem);
  EXPECT_EQ(r.status.code, SolverStatus::Code::suspected_infeasible) << to_string(r.status.code) << " " << r.status.message;
  EXPECT_NE(r.status.message.find("block"), std::string::npos) << r.status.message;
  EXPECT_TRUE(r.solution.impulse.allFinite());
  EXPECT_TRUE(r.solution.velocity.allFinite());
}

TEST(Auto, HoldsAChainOfPointsWhoseRowsSayThingsTwice) {
  // three bodies hang in a row; the last two closures repeat each other
  ProblemBuilder build;
  Twist twist = Twist::Zero();
  twist[2] = -0.01;
  for (int k = 0; k < 3; ++k) build.body(1 + k, Eigen::Vector3d::Constant(0.1), twist);
  for (int k = 0; k < 3; ++k)
    build.closure(build.twist_carrier(k - 1, k, Eigen::Vector3d(0, 0, -0.5), Eigen::Vector3d(0, 0, 0.5)),
                  Eigen::Vector3d::Zero());
  build.closure(build.twist_carrier(1, 2, Eigen::Vector3d(0, 0, -0.5), Eigen::Vector3d(0, 0, 0.5)), Eigen::Vector3d::Zero());
  const SolveResult r = solve_with(build.problem, "auto", 1e-7);
  ASSERT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
  EXPECT_LT(r.residuals.certificate, 1e-10) << r.stats.path;
  EXPECT_LT(r.solution.velocity.norm(), 1e-9);
  EXPECT_NEAR(r.solution.impulse[2], 0.06, 1e-9);                    // the weight of all
  EXPECT_NEAR(r.solution.impulse[8], r.solution.impulse[11], 1e-9);  // equal rows carry equal shares
  EXPECT_NEAR(r.solution.impulse[8] + r.solution.impulse[11], 0.03, 1e-9);
}

TEST(Auto, GivesNoImpulseToARowOfRoundOff) {
  // A planar loop's row out of its plane: round-off in J, round-off in the bias. Any impulse there is noise over noise, and
  // the row beside it would have to undo what that noise moves.
  ProblemBuilder build;
  Twist twist = Twist::Zero();
  twist[0] = 1;
  build.body(2, Eigen::Vector3d::Ones(), twist);
  build.row({{0, 1}}, SetKind::bilateral);
  build.row({{0, 1e-12}, {1, 1e-12}}, SetKind::bilateral, 1e-11);
  const SolveResult r = solve_with(build.problem, "auto", 1e-7);
  ASSERT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
  EXPECT_NEAR(r.solution.impulse[0], -2, 1e-10) << r.solution.impulse.transpose();
  EXPECT_EQ(r.solution.impulse[1], 0);
  EXPECT_LT(std::abs(r.solution.velocity[1]), 1e-12);
}

TEST(Auto, KeepsBoundsAndComplianceOfBoxRows) {
  // m v̇ = λ, σ = v + b + R λ = 0 inside: λ = -(v* + b) / (1/m + R); beyond the bound the bound
  for (const auto& [bias, expected] : {std::pair(0.3, -0.3 / (0.5 + 0.25)), std::pair(3.0, -1.5), std::pair(-3.0, 1.5)}) {
    ProblemBuilder build;
    build.body(2, Eigen::Vector3d::Ones(), Twist::Zero());
    build.row({{0, 1.0}}, SetKind::box, bias, 0.25, -1.5, 1.5);
    const SolveResult r = solve_with(build.problem);
    EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
    EXPECT_NEAR(r.solution.impulse[0], expected, 1e-9) << bias;
  }
}

TEST(Auto, SolvesMassRatiosOfTenThousand) {
  for (const double ratio : {1e-4, 1e-2, 1.0, 1e2, 1e4}) {
    const SolveResult r = solve_with(test::cube_stack(2, ratio, 0.5), "auto", 1e-7);
    EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << ratio << ": " << r.status.message << " by " << r.stats.path;
    EXPECT_LT(r.solution.velocity.norm(), 1e-9) << ratio;
  }
}

TEST(Options, NameTheNearestSolverAndParameter) {
  SolverOptions options;
  options.solver = "adnm";
  try {
    options.check();
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'admm'"), std::string::npos) << e.what();
  }
  options.solver = "admm";
  options.parameters["rhoo"] = 1;
  try {
    options.check();
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'rho'"), std::string::npos) << e.what();
  }
  options.parameters = {{"rho", -1}};
  EXPECT_THROW(options.check(), Error);
  options.parameters = {{"solver.rho", 1}};
  EXPECT_NO_THROW(options.check());
}

/// A point that is pulled sideways, within what friction holds. Impulses that are short by m d let it drift by d in each step;
/// those that stop it after s steps are too large by s m d. What the next step begins with must hold it, and nothing else.
TEST(NextStart, IsWhatHoldsThePointAndNotWhatAlsoBrakedIt) {
  const double mass = 2, weight = 0.05, pull = 0.01, d = 4e-9;
  for (const int s : {1, 2, 9}) {
    const Eigen::Vector3d drift(s * d, 0, 0), load(pull, 0, -weight);
    const ContactProblem problem = point_on_floor(mass, drift + load, 0.5);
    Eigen::VectorXd v0 = Eigen::VectorXd::Zero(6), start(3);
    v0.head<3>() = drift;
    Eigen::Matrix3d frame;  // of the contact
    frame.col(2) = Eigen::Vector3d::UnitZ();
    frame.col(0) = frame.col(2).unitOrthogonal();
    frame.col(1) = frame.col(2).cross(frame.col(0));
    const Eigen::Vector3d holds = -mass * (frame.transpose() * load);
    start = holds + mass * (frame.transpose() * Eigen::Vector3d(d, 0, 0));
    SolverOptions options;
    options.tolerance = 1e-7;
    ProblemSolver solver(options);
    const SolveResult& r = solver.solve(problem, start, v0);
    EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
    EXPECT_GT(r.stats.iterations, 0) << s << ": a drift of " << (s + 1) * d << " m/s is not rest";
    EXPECT_LT(r.solution.velocity.norm(), 1e-11);
    EXPECT_GT((r.solution.impulse - holds).norm(), 0.9 * s * mass * d) << "the solution brakes";
    EXPECT_LT((solver.next_start() - holds).norm(), 1e-3 * mass * d) << solver.next_start().transpose();
  }
}

}  // namespace
}  // namespace condyle
