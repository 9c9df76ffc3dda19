// What a body or robot in free flight must keep.
#include "support/mechanisms.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

/// A plate 0.3 × 0.2 × 0.02 m, 1 kg: three different principal moments.
Scene plate(const Eigen::Vector3d& spin, const Eigen::Vector3d& velocity = Eigen::Vector3d::Zero(), double gravity = 0) {
  SceneBuilder build;
  build.set_gravity({0, 0, -gravity});
  Shape box;
  box.kind = ShapeKind::box;
  box.size = {0.3, 0.2, 0.02};
  BodySpec body;
  body.name = "plate";
  body.shapes = {box};
  body.inertial.mass = 1;
  body.velocity << velocity, spin;
  return build.add_body(body).finish();
}

struct Drift {
  double energy, angular;
};

Drift tumble(const Scene& scene, Integrator integrator, double dt, double seconds) {
  SimulatorOptions options;
  options.dt = dt;
  options.integrator = integrator;
  Simulator sim(scene, options);
  State x = scene.initial_state();
  const double e0 = sim.energy(x).total();
  const Eigen::Vector3d L0 = sim.momentum(x).angular_about_com();
  Drift out{0, 0};
  for (int i = 0; i < static_cast<int>(seconds / dt); ++i) {
    sim.step(x);
    out.energy = std::max(out.energy, std::abs(sim.report().energy.total() - e0) / e0);
    out.angular = std::max(out.angular, (sim.momentum(x).angular_about_com() - L0).norm() / L0.norm());
  }
  std::printf("%-16s dt %g: energy %.3e, angular momentum %.3e (relative, over %g s)\n", to_string(integrator), dt,
              out.energy, out.angular, seconds);
  return out;
}

/// Starts almost about the axis of middle inertia (y), so that the plate flips over and over.
const Eigen::Vector3d past_unstable_axis(0.01, 5, 0.01);

TEST(TumblingPlate, KeepsAngularMomentumExactlyAndEnergyToFirstOrderWithTheSymplecticScheme) {
  for (const Eigen::Vector3d& spin : {Eigen::Vector3d(3, 0.5, 2), past_unstable_axis}) {
    const Drift coarse = tumble(plate(spin), Integrator::symplectic, 1e-4, 60),
                fine = tumble(plate(spin), Integrator::symplectic, 5e-5, 60);
    EXPECT_LT(coarse.angular, 1e-9);
    EXPECT_LT(coarse.energy, 0.05);
    EXPECT_NEAR(coarse.energy / fine.energy, 2, 0.3);
  }
}

TEST(TumblingPlate, KeepsAngularMomentumExactlyAndEnergyBetterThanSecondOrderWithTheMidpointScheme) {
  for (const Eigen::Vector3d& spin : {Eigen::Vector3d(3, 0.5, 2), past_unstable_axis}) {
    const Drift coarse = tumble(plate(spin), Integrator::midpoint, 2e-3, 60),
                fine = tumble(plate(spin), Integrator::midpoint, 1e-3, 60);
    EXPECT_LT(coarse.angular, 1e-9);
    EXPECT_LT(coarse.energy, 1e-5);
    EXPECT_GT(coarse.energy / fine.energy, 3.5);
  }
}

TEST(TumblingPlate, NeverGainsEnergyWhileItSpinsAndFlies) {
  const Scene scene = plate({1, 20, 2}, {3, 0, 1});
  SimulatorOptions options;
  options.dt = 1e-3;
  Simulator sim(scene, options);
  State x = scene.initial_state();
  double last = sim.energy(x).total();
  for (int i = 0; i < 5000; ++i) {
    const double now = sim.step(x).energy.total();
    ASSERT_LE(now, last * (1 + 1e-13)) << "at step " << i;
    last = now;
  }
}

TEST(TumblingPlate, LosesItsAngularMomentumIfItIsNotCarriedOver) {
  // why conserve_momentum exists: taken over as numbers, the angular velocity drifts away from L = const
  const Scene scene = plate({3, 5, 2});
  SimulatorOptions options;
  options.conserve_momentum = false;
  Simulator sim(scene, options);
  State x = scene.initial_state();
  const Eigen::Vector3d L0 = sim.momentum(x).angular_about_com();
  for (int i = 0; i < 5000; ++i) sim.step(x);
  EXPECT_GT((sim.momentum(x).angular_about_com() - L0).norm() / L0.norm(), 1e-3);
}

class Thrown : public testing::TestWithParam<bool> {};

TEST_P(Thrown, FliesOnTheParabolaWhileItSpins) {
  // a fast spin must not bend the path: symplectic Euler's parabola is v t + g t (t + dt)/2, whatever ω is
  const Eigen::Vector3d v0(1, 2, 6);
  SceneBuilder build;
  if (GetParam()) {
    BodySpec body;
    body.name = "stone";
    body.inertial = test::Random(8).inertial(2);  // its centre of mass is beside its origin
    body.velocity << v0, 30, -20, 50;
    build.add_body(body);
  } else {
    auto model = test::chain(1, 0.4, 1, true);
    model->joints.clear();
    model->links.resize(1);
    model->links[0].inertial.com.setZero();
    ModelOptions options;
    options.base = Base::free;
    options.velocity << v0, 30, -20, 50;
    build.add_model(model, options);
  }
  const Scene scene = build.finish();
  Simulator sim(scene);
  State x = scene.initial_state();
  const Momentum start = sim.momentum(x);
  for (int i = 0; i < 1000; ++i) sim.step(x);
  const Momentum end = sim.momentum(x);
  const double t = 1, dt = 1e-3;
  const Eigen::Vector3d u0 = start.linear / start.mass;
  EXPECT_LT((end.linear / end.mass - (u0 + t * scene.gravity())).norm(), 1e-11);
  EXPECT_LT((end.com - (start.com + t * u0 + t * (t + dt) / 2 * scene.gravity())).norm(), 1e-10) << end.com.transpose();
}

INSTANTIATE_TEST_SUITE_P(Backends, Thrown, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "FreeBody" : "OneLinkTree"; });

TEST(ManyStones, KeepTheirTotalAngularMomentum) {
  test::Random random(21);
  SceneBuilder build;
  build.set_gravity(Eigen::Vector3d::Zero());
  for (int i = 0; i < 10; ++i) {
    BodySpec body;
    body.name = "stone_" + std::to_string(i);
    body.inertial = random.inertial(random.uniform(0.1, 5));
    body.pose = random.pose(3);
    body.velocity = random.vector(6, 5);
    build.add_body(body);
  }
  const Scene scene = build.finish();
  for (const Integrator integrator : {Integrator::symplectic, Integrator::midpoint, Integrator::moreau_midpoint}) {
    SimulatorOptions options;
    options.integrator = integrator;
    Simulator sim(scene, options);
    State x = scene.initial_state();
    const Momentum start = sim.momentum(x);
    for (int i = 0; i < 5000; ++i) sim.step(x);
    const Momentum end = sim.momentum(x);
    EXPECT_LT((end.angular - start.angular).norm() / start.angular.norm(), 1e-10) << to_string(integrator);
    EXPECT_LT((end.linear - start.linear).norm() / start.linear.norm(), 1e-11) << to_string(integrator);
  }
}

class ChainInFlight : public testing::TestWithParam<Integrator> {};

TEST_P(ChainInFlight, KeepsLinearAndAngularMomentum) {
  SceneBuilder build;
  ModelOptions start;
  start.base = Base::free;
  start.velocity << 0.4, -0.3, 2, 1, -2, 3;
  for (int i = 1; i <= 6; ++i) {
    start.joints["joint_" + std::to_string(i)] = 0.3 * i - 1;
    start.joint_velocities["joint_" + std::to_string(i)] = 2 - 0.7 * i;
  }
  const Scene scene = build.add_model(test::chain(6, 0.4, 0.8, true, false), start).finish();
  SimulatorOptions options;
  options.integrator = GetParam();
  Simulator sim(scene, options);
  State x = scene.initial_state();
  const Momentum h0 = sim.momentum(x);
  double linear = 0, angular = 0, moved = 0;
  const Eigen::VectorXd v0 = x.v;
  for (int i = 1; i <= 5000; ++i) {
    ASSERT_NE(sim.step(x).status, StepStatus::rejected) << sim.report().reason;
    const Momentum h = sim.momentum(x);
    const Eigen::Vector3d fallen = h0.linear + h.mass * x.t * scene.gravity();
    linear = std::max(linear, (h.linear - fallen).norm() / fallen.norm());
    angular = std::max(angular, (h.angular_about_com() - h0.angular_about_com()).norm() / h0.angular_about_com().norm());
    moved = std::max(moved, (x.v - v0).tail(6).norm());
  }
  std::printf("%s: linear %.2e, angular %.2e (relative, 5 s, 7 links)\n", to_string(GetParam()), linear, angular);
  EXPECT_LT(linear, 1e-9);
  EXPECT_LT(angular, 1e-9);
  EXPECT_GT(moved, 1) << "the links must move against each other, or the test shows nothing";
}

INSTANTIATE_TEST_SUITE_P(Schemes, ChainInFlight,
                         testing::Values(Integrator::explicit_euler, Integrator::symplectic, Integrator::implicit_euler,
                                         Integrator::midpoint, Integrator::moreau_midpoint, Integrator::mid_velocity),
                         [](const auto& tested) {
                           std::string name = to_string(tested.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST(ForceOnABase, ChangesMomentumByItsImpulse) {
  SceneBuilder build;
  build.set_gravity(Eigen::Vector3d::Zero());
  ModelOptions start;
  start.base = Base::free;
  start.pose = test::Random(3).pose();
  const Scene scene = build.add_model(test::chain(3, 0.4, 0.8, true, false), start).finish();
  Simulator sim(scene);
  State x = scene.initial_state();
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(scene.nv());
  tau.head<3>() << 1, 2, 3;
  const Eigen::Vector3d force = start.pose.R * tau.head<3>();
  sim.step(x, tau);
  const Eigen::Vector3d p = sim.momentum(x).linear;
  EXPECT_LT((p - 1e-3 * force).norm(), 1e-15) << p.transpose();
}

}  // namespace
}  // namespace condyle
