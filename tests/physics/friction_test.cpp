// Coulomb's law as a table has it: what holds does not creep, what slides does so at the right angle, with the right
// acceleration and without lifting off, and what spins gains nothing.
// The whole length: CONDYLE_LONG=1 build/release/bin/test_physics --gtest_filter='Friction*'
#include "physics/contact_run.hpp"
#include "support/long_run.hpp"

#include <fmt/format.h>

namespace condyle {
namespace {

using test::ContactRun;
constexpr double g = 9.81;
constexpr double no_creep = 1e-7;  ///< m/s

/// Speed of a body's way over `time` seconds after a second in which it comes to rest.
double creep(const std::string& scene, const std::map<std::string, std::string>& parameters, const std::string& body,
             double time) {
  ContactRun run(scene, parameters);
  run.until(1);
  const Eigen::Vector3d begin = run.sim.pose(run.x, body).p;
  double furthest = 0;
  run.until(1 + time, [&] { furthest = std::max(furthest, (run.sim.pose(run.x, body).p - begin).norm()); });
  fmt::print("{}: {:.2g} m in {} s\n", scene, furthest, time);
  return furthest / time;
}

TEST(Friction, HoldsABlockOnASlopeWithoutCreep) {
  EXPECT_LT(creep("incline", {{"angle_deg", "20"}, {"friction", "0.5"}}, "block", test::seconds(60, 20)), no_creep);
}

TEST(Friction, HoldsABlockBetweenTwoJawsWithoutCreep) {
  EXPECT_LT(creep("pinch", {}, "block", test::seconds(60, 20)), no_creep);
}

TEST(Friction, LetsGoWithinATenthOfADegreeOfItsAngle) {
  for (const double mu : {0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5}) {
    const double angle = std::atan(mu) * 180 / M_PI;
    for (const double side : {-0.1, 0.1}) {
      const double a = (angle + side) * M_PI / 180, pull = g * (std::sin(a) - mu * std::cos(a));
      ContactRun run("incline",
                     {{"angle_deg", fmt::format("{:.17g}", angle + side)}, {"friction", fmt::format("{:.17g}", mu)}});
      run.until(1);
      const double speed = run.x.v.head<3>().norm();
      if (side < 0)
        EXPECT_LT(speed, no_creep) << "friction " << mu << ", 0.1 degrees below its angle";
      else
        EXPECT_NEAR(speed, pull * run.x.t, 1e-6 * pull) << "friction " << mu << ", 0.1 degrees above its angle";
    }
  }
}

TEST(Friction, LeavesASlidingBlockItsAcceleration) {
  for (const auto& [degrees, mu] : {std::pair{20.0, 0.3}, {35.0, 0.5}, {60.0, 1.0}}) {
    const double a = degrees * M_PI / 180, truth = g * (std::sin(a) - mu * std::cos(a));
    ContactRun run("incline", {{"angle_deg", fmt::format("{}", degrees)}, {"friction", fmt::format("{}", mu)}});
    double worst = 0, v = 0, t = 0;
    run.until(1, [&] {
      const double now = run.x.v.head<3>().norm();
      if (run.x.t > 0.1) worst = std::max(worst, std::abs((now - v) / (run.x.t - t) / truth - 1));
      v = now, t = run.x.t;
    });
    const double mean = std::abs(v / t / truth - 1);
    EXPECT_LT(mean, 1e-9) << degrees << " degrees, friction " << mu;
    fmt::print("{} degrees, friction {}: acceleration off by {:.2g} over a second, {:.2g} in its worst step\n", degrees, mu,
               mean, worst);
  }
}

/// What a solver leaves open is taken for rest; the smallest pull that gravity has is not.
TEST(Friction, ThatIsNotThereLetsABlockGoOnTheLeastSlope) {
  for (const double degrees : {1e-4, 1e-6}) {
    const double pull = g * std::sin(degrees * M_PI / 180);
    ContactRun run("incline", {{"angle_deg", fmt::format("{:.17g}", degrees)}, {"friction", "0"}});
    run.until(2);
    EXPECT_NEAR(run.x.v.head<3>().norm(), pull * run.x.t, 1e-3 * pull * run.x.t) << "m/s at " << degrees << " degrees";
  }
}

struct Glide {
  double gap = 0;      ///< m, the largest height above the slope of a block that slides down it
  double off = 0;      ///< how far it was at most from dt μ v, in parts
  double gliding = 0;  ///< what the last step's report says
};

Glide glide_of(const std::string& solver) {
  SimulatorOptions options;
  options.solver = solver;
  const double a = 35 * M_PI / 180, mu = 0.5;
  ContactRun run("incline", {{"angle_deg", "35"}, {"friction", "0.5"}}, options);
  double gap = 0, off = 0;
  run.until(0.5, [&] {  // later the glide is higher than the contact margin, and it hops
    const double now = std::sin(a) * run.x.q[0] + std::cos(a) * run.x.q[2] - 0.05;
    gap = std::max(gap, std::abs(now));
    if (run.x.t > 0.1) off = std::max(off, std::abs(now / (run.sim.options().dt * mu * run.x.v.head<2>().norm()) - 1));
  });
  fmt::print("{}: gap at most {:.3g} m, off from dt mu v by {:.3g}; reported {:.3g} of friction times speed\n", solver, gap,
             off, run.sim.report().gliding);
  return {gap, off, run.sim.report().gliding};
}

TEST(Friction, KeepsASlidingBlockOnTheFloorWhereTheConvexModelLetsItGlide) {
  const Glide exact = glide_of("auto"), convex = glide_of("admm-ccp");
  EXPECT_LT(exact.gap, 1e-6) << "m";
  EXPECT_NEAR(exact.gliding, 0, 1e-6);
  EXPECT_GT(convex.gap, 7e-4) << "m: dt μ v = 0.002 0.5 0.8 in the end";
  EXPECT_LT(convex.off, 1e-3) << "of dt μ v";
  EXPECT_NEAR(convex.gliding, 1, 1e-6) << "of friction times speed";
}

TEST(Friction, ThatIsCompliantSlipsWhileItHoldsAndTheReportSaysSo) {
  SimulatorOptions options;
  options.solver = "sap";
  options.laws.kind = LawKind::near_rigid;
  const Scene scene = load_scene("incline", {.parameters = {{"angle_deg", "20"}, {"friction", "0.5"}}});
  options.dt = scene.defaults().dt;
  ContactRun run(scene, options);
  run.until(1);
  const StepReport& report = run.sim.report();
  const double speed = run.x.v.head<3>().norm(), bound = options.laws.sigma_slip * 0.5 * run.sim.options().dt * g;
  EXPECT_NEAR(report.slip, speed, 1e-3 * speed) << "m/s";
  EXPECT_GT(report.slip, 0.01 * bound) << "m/s";
  EXPECT_EQ(report.gliding, 0) << "it holds";
}

TEST(Friction, NeverGivesASpinningBlockEnergy) {
  for (const double spin : {5.0, 20.0, 80.0})
    for (const double speed : {0.0, 1.0}) {
      ContactRun run("spinning_block", {{"spin_rad_s", fmt::format("{}", spin)}, {"speed_m_s", fmt::format("{}", speed)}});
      const double start = run.sim.energy(run.x).total();
      double last = start, most = -start;
      run.until(2, [&] {
        const double now = run.sim.report().energy.total();
        most = std::max(most, now - last);
        last = now;
      });
      // what a step's aim, a thousandth of the tolerance, leaves open against the weight's impulse
      const double open = 1e-3 * run.sim.options().tolerance * 1 * g * run.sim.options().dt;
      EXPECT_LE(most, open) << "J in a step; spin " << spin << " rad/s, speed " << speed << " m/s";
      EXPECT_LT(last, start);
    }
}

}  // namespace
}  // namespace condyle
