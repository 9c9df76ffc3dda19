// Joints that stop, stick and are driven: limits, dry friction, servos with bounds, springs between bodies.
#include "physics/contact_run.hpp"
#include "support/mechanisms.hpp"

namespace condyle {
namespace {

using test::ContactRun;

TEST(JointLimit, IsNotOvershotAtTenTimesTheRatedTorque) {
  for (const double dt : {1e-3, 5e-3}) {
    auto model = test::chain(1, 0.4, 1, false);
    model->joints[0].lower = -0.5;
    model->joints[0].upper = 0.5;
    model->joints[0].effort = 5;
    SceneBuilder build;
    build.add_model(model);
    SimulatorOptions options;
    options.dt = dt;
    const Scene scene = build.finish();
    Simulator sim(scene, options);
    State x = scene.initial_state();
    double overshoot = 0;
    for (int i = 0; i < static_cast<int>(4 / dt); ++i) {
      const Eigen::VectorXd tau = Eigen::VectorXd::Constant(1, (i * dt < 2 ? 1 : -1) * 50.0);
      ASSERT_TRUE(sim.step(x, tau).certified()) << sim.report().message();
      overshoot = std::max({overshoot, x.q[0] - 0.5, -0.5 - x.q[0]});
    }
    EXPECT_LE(overshoot, 1e-6) << "dt " << dt;
    EXPECT_NEAR(x.q[0], -0.5, 1e-6) << "it reached the other stop";
  }
}

TEST(DryFriction, HoldsAnArmForAMinuteWithoutDrift) {
  ContactRun run("friction_arm", {{"speed_rad_s", "0"}});
  const Eigen::VectorXd begin = run.x.q;
  run.until(60);
  EXPECT_LT((run.x.q - begin).lpNorm<Eigen::Infinity>(), 60 * run.sim.options().tolerance) << "rad";
}

TEST(Servo, OfTwoHundredHertzIsStableAtTwoMillisecondsWithinItsBound) {
  SimulatorOptions options;
  options.dt = 2e-3;
  ContactRun run("servo", {}, options);
  ASSERT_EQ(run.sim.options().dt, 2e-3);
  double most = 0;
  int rows = 0;
  run.until(2, [&] {
    for (const ConstraintRow& row : run.sim.constraints())
      if (row.kind == ConstraintKind::actuator) {
        ++rows;
        most = std::max(most, std::abs(row.impulse[0]) / options.dt);
      }
  });
  EXPECT_GT(rows, 0);
  double bound = 0;
  const ContactProblem problem = run.sim.problem();
  for (const ConstraintBlock& block : problem.blocks)
    if (block.kind == ConstraintKind::actuator) bound = std::max(bound, block.upper / options.dt);
  ASSERT_TRUE(std::isfinite(bound)) << "the scene's servos must have a bound";
  EXPECT_LE(most, bound * (1 + 1e-12));
  EXPECT_LT(run.x.v.lpNorm<Eigen::Infinity>(), 1e-3) << "it has not settled";
}

TEST(HardStop, IsReachedAndNotPassed) {
  ContactRun run("hard_stop", {});
  run.until(3);
  EXPECT_LE(run.sim.report().limit_violation, 1e-6);
}

TEST(SpringPair, SwingsWithTheFrequencyOfItsReducedMass) {
  ContactRun run("spring_pair", {});
  double last = run.x.q[7] - run.x.q[0];
  const double end = 4;
  double rest = 0;
  int samples = 0;
  std::vector<double> distance{last};
  run.until(end, [&] {
    distance.push_back(run.x.q[7] - run.x.q[0]);
    rest += distance.back();
    ++samples;
  });
  rest /= samples;
  int crossings = 0;
  for (std::size_t i = 1; i < distance.size(); ++i) crossings += (distance[i] > rest) != (distance[i - 1] > rest);
  EXPECT_GT(crossings, 2) << "it must have swung";
}

}  // namespace
}  // namespace condyle
