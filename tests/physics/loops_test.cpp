// Kinematic loops over time: they stay closed, whatever their rank, and keep the energy that they are given.
#include "physics/closed_forms.hpp"
#include "physics/contact_run.hpp"

#include <condyle/assemble.hpp>

namespace condyle {
namespace {

using test::ContactRun;

struct Closed {
  const char* name;
  std::map<std::string, std::string> parameters;
  double seconds;
  double open_m;
};

class StaysClosed : public testing::TestWithParam<Closed> {};

TEST_P(StaysClosed, OverItsWholeRun) {
  const Closed& p = GetParam();
  ContactRun run(p.name, p.parameters);
  double open = 0;
  run.until(p.seconds, [&] { open = std::max({open, run.sim.report().closure_m, run.sim.report().closure_rad}); });
  EXPECT_LT(open, p.open_m) << p.name;
  EXPECT_GT(run.x.t, 0.9 * p.seconds);
}
INSTANTIATE_TEST_SUITE_P(Mechanisms, StaysClosed,
                         testing::Values(Closed{"nunchuk", {}, 5, 1e-8}, Closed{"fourbar_fixed", {}, 10, 1e-8},
                                         Closed{"fourbar_free", {}, 10, 1e-8}, Closed{"fivebar", {}, 3, 1e-8},
                                         Closed{"slider_crank", {}, 3, 1e-8}, Closed{"stewart", {}, 1, 1e-8},
                                         Closed{"delta", {}, 1, 1e-8}, Closed{"fourbars", {{"n", "20"}}, 2, 1e-6}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(FourBar, MovesAsItsOneEquationOfMotionSaysToFirstOrder) {
  const double end = 2;
  std::vector<double> errors;
  for (const double dt : {1e-3, 5e-4, 2.5e-4}) {
    SimulatorOptions options;
    options.dt = dt;
    ContactRun run(load_scene("fourbar_fixed"), options);
    const auto angle = [&] { return std::atan2(run.x.q[1], run.x.q[0]); };  // a continuous joint
    const test::PlanarFourBar truth = test::fourbar_fixed();
    const auto wanted = truth.after(end, {angle(), run.x.v[0]});
    run.until(end);
    errors.push_back(std::abs(std::remainder(angle() - wanted.theta, 2 * M_PI)));
    std::cout << "dt " << dt << ": crank off by " << errors.back() << " rad after " << end << " s\n";
  }
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.3);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.3);
}

TEST(FourBar, DoesNotDependOnTheWorldsOrientation) {
  ContactRun upright("fourbar_free", {});
  upright.until(2);
  // the same mechanism, turned: base pose and velocity turn with it, the joints must do the same
  ContactRun turned("fourbar_free", {});
  const Eigen::Quaterniond r(Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, -2, 0.5).normalized()));
  State& x = turned.x;
  const Eigen::Quaterniond base(x.q[6], x.q[3], x.q[4], x.q[5]);
  const Eigen::Quaterniond now = r * base;
  x.q.head<3>() = r * Eigen::Vector3d(x.q.head<3>());
  x.q.segment<4>(3) = now.coeffs();
  turned.until(2);
  // each step may differ by its tolerance, and two seconds add it up
  EXPECT_LT((turned.x.q.tail(3) - upright.x.q.tail(3)).lpNorm<Eigen::Infinity>(), 10 * 2 * upright.sim.options().tolerance);
}

TEST(FourBar, IsNotHeldByForcesThatMoveNothing) {
  // Closed in space a planar loop holds three directions twice: any force along them would do. 2 kg, half a metre, some
  // rad/s: what moves it is tens of newtons.
  for (const char* name : {"fourbar_fixed", "fourbar_free"}) {
    ContactRun run(name, {});
    double force = 0, moment = 0;
    run.until(2, [&] {
      for (const ConstraintRow& row : run.sim.constraints()) {
        force = std::max(force, row.impulse.norm() / run.sim.options().dt);
        moment = std::max(moment, row.moment.norm() / run.sim.options().dt);
      }
    });
    EXPECT_LT(force, 200) << name << ": N";
    EXPECT_LT(moment, 50) << name << ": N m";
  }
}

TEST(Projection, SwitchedOffLeavesADriftThatTheReportShows) {
  SimulatorOptions options;
  options.project_loops = false;
  ContactRun run("fourbar_fixed", {}, options);
  run.until(5);
  EXPECT_GT(run.sim.report().closure_m, 1e-10);
  EXPECT_LT(run.sim.report().closure_m, 1e-2);
}

}  // namespace
}  // namespace condyle
