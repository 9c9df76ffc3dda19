// Observed orders of the schemes on the pendulum and the double pendulum, against a reference that knows nothing of
// Condyle: its own equations of motion, integrated with a Runge-Kutta method of order 4 at a step of 20 to 50 µs.
#include "support/mechanisms.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <array>
#include <cmath>
#include <functional>

namespace condyle {
namespace {

using Y = Eigen::VectorXd;

Y rk4(const std::function<Y(const Y&)>& f, Y y, double end, int steps) {
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    const Y k1 = f(y), k2 = f(y + h / 2 * k1), k3 = f(y + h / 2 * k2), k4 = f(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y;
}

constexpr double g = 9.81, l = 0.7, m = 1.3;

/// θ'' = -(g/l) sin θ
Y pendulum_rate(const Y& y) { return (Y(2) << y[1], -g / l * std::sin(y[0])).finished(); }

/// Two uniform rods; relative angles a, b about y, hanging at zero:
///
///      o──── pivot
///       \  a
///        o
///         | b
///
/// With φ = a + b the absolute angle of the second rod, Lagrange's equations in (a, φ) are
///   (4/3 m l²) a'' + ½ m l² c φ'' + ½ m l² s φ'² + 3/2 m g l sin a = 0
///   ½ m l² c a'' + ⅓ m l² φ'' - ½ m l² s a'² + ½ m g l sin φ = 0,   c = cos(a-φ), s = sin(a-φ)
Y double_pendulum_rate(const Y& y) {
  const double a = y[0], phi = y[1], da = y[2], dphi = y[3], c = std::cos(a - phi), s = std::sin(a - phi);
  Eigen::Matrix2d M;
  M << 4.0 / 3, 0.5 * c, 0.5 * c, 1.0 / 3;
  const Eigen::Vector2d f(-0.5 * s * dphi * dphi - 1.5 * g / l * std::sin(a),
                          0.5 * s * da * da - 0.5 * g / l * std::sin(phi));
  const Eigen::Vector2d acceleration = M.inverse() * f;
  return (Y(4) << da, dphi, acceleration[0], acceleration[1]).finished();
}

Eigen::VectorXd simulate(const Scene& scene, Integrator integrator, double dt, double end) {
  SimulatorOptions options;
  options.dt = dt;
  options.integrator = integrator;
  Simulator sim(scene, options);
  State x = scene.initial_state();
  const int steps = static_cast<int>(std::lround(end / dt));
  for (int i = 0; i < steps; ++i) EXPECT_NE(sim.step(x).status, StepStatus::rejected) << sim.report().reason;
  Eigen::VectorXd out(x.q.size() + x.v.size());
  out << x.q, x.v;
  return out;
}

/// Order seen between two halvings of the step, from the error of position and velocity together.
double observed_order(const Scene& scene, Integrator integrator, const Eigen::VectorXd& truth, double dt, double end) {
  const double coarse = (simulate(scene, integrator, dt, end) - truth).norm();
  const double fine = (simulate(scene, integrator, dt / 2, end) - truth).norm();
  std::printf("%s: error %.3e at dt %g, %.3e at dt %g\n", to_string(integrator), coarse, dt, fine, dt / 2);
  return std::log2(coarse / fine);
}

struct Case {
  Integrator integrator;
  double pendulum, double_pendulum;
};

class Order : public testing::TestWithParam<Case> {};

TEST_P(Order, OfThePendulumIsTheOneTheSchemeHas) {
  SceneBuilder build;
  ModelOptions start;
  start.joints["joint_1"] = 1.0;
  start.joint_velocities["joint_1"] = 0.5;
  const Scene scene = build.add_model(test::point_pendulum(l, m), start).finish();
  const Y truth = rk4(pendulum_rate, (Y(2) << 1.0, 0.5).finished(), 1.0, 20000);
  EXPECT_NEAR(observed_order(scene, GetParam().integrator, truth, 1e-3, 1.0), GetParam().pendulum, 0.06);
}

TEST_P(Order, OfTheDoublePendulumIsTheOneTheSchemeHas) {
  SceneBuilder build;
  ModelOptions start;
  start.joints = {{"joint_1", 0.8}, {"joint_2", 0.6}};
  const Scene scene = build.add_model(test::chain(2, l, m, false), start).finish();
  const Y y = rk4(double_pendulum_rate, (Y(4) << 0.8, 1.4, 0, 0).finished(), 0.8, 40000);
  const Y truth = (Y(4) << y[0], y[1] - y[0], y[2], y[3] - y[2]).finished();
  EXPECT_NEAR(observed_order(scene, GetParam().integrator, truth, 5e-4, 0.8), GetParam().double_pendulum, 0.08);
}

// The Moreau midpoint takes forces at q_m but velocities at v0: second order where forces do not depend on the velocity
// (a single pendulum), first order where they do.
INSTANTIATE_TEST_SUITE_P(Schemes, Order,
                         testing::Values(Case{Integrator::explicit_euler, 1, 1}, Case{Integrator::symplectic, 1, 1},
                                         Case{Integrator::implicit_euler, 1, 1}, Case{Integrator::midpoint, 2, 2},
                                         Case{Integrator::moreau_midpoint, 2, 1}, Case{Integrator::mid_velocity, 1, 1}),
                         [](const auto& tested) {
                           std::string name = to_string(tested.param.integrator);
                           std::erase(name, '-');
                           return name;
                         });

TEST(Pendulum, KeepsItsEnergyInABandOfTheStepSizeWithTheSymplecticScheme) {
  SceneBuilder build;
  ModelOptions start;
  start.joints["joint_1"] = 1.5;
  const Scene scene = build.add_model(test::point_pendulum(l, m), start).finish();
  const auto band = [&](double dt) {
    SimulatorOptions options;
    options.dt = dt;
    Simulator sim(scene, options);
    State x = scene.initial_state();
    const double e0 = sim.energy(x).total(), scale = m * g * l;
    double widest = 0;
    for (int i = 0; i < static_cast<int>(60 / dt); ++i)
      widest = std::max(widest, std::abs(sim.step(x).energy.total() - e0) / scale);
    return widest;
  };
  const double coarse = band(4e-3), fine = band(2e-3);
  std::printf("energy band over 60 s: %.3e at 4 ms, %.3e at 2 ms\n", coarse, fine);
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(coarse / fine, 2, 0.2);
}

TEST(JointSpring, Of200HzIsStableAtTwoMillisecondsAndTheSimulatorSaysThatItIsImplicit) {
  SceneBuilder build;
  build.set_gravity(Eigen::Vector3d::Zero());
  ModelOptions start;
  start.name = "p";
  start.joints["joint_1"] = 0.1;
  build.add_model(test::point_pendulum(1.0, 1.0), start);
  const double omega = 2 * M_PI * 200;
  JointProperties spring;
  spring.stiffness = omega * omega;  // inertia m l² = 1
  build.set_joint("p/joint_1", spring);
  const Scene scene = build.finish();
  SimulatorOptions options;
  options.dt = 2e-3;
  Simulator sim(scene, options);
  ASSERT_EQ(sim.notes().size(), 1u);
  EXPECT_NE(sim.notes()[0].find("p/joint_1"), std::string::npos) << sim.notes()[0];
  EXPECT_NE(sim.notes()[0].find("implicitly"), std::string::npos) << sim.notes()[0];
  State x = scene.initial_state();
  for (int i = 0; i < 5000; ++i) {
    ASSERT_TRUE(sim.step(x).certified()) << sim.report().message();
    ASSERT_LE(std::abs(x.q[0]), 0.1 + 1e-12) << "at step " << i;
  }
  // and it would not be stable without: dt ω = 2.5 is beyond the explicit limit of 2
  options.implicit_springs = ImplicitSprings::off;
  Simulator explicit_sim(scene, options);
  x = scene.initial_state();
  for (int i = 0; i < 50; ++i) explicit_sim.step(x);
  EXPECT_GT(std::abs(x.q[0]), 10);
}

TEST(JointDamping, TakenImplicitlyDecaysAtAnyStepSize) {
  SceneBuilder build;
  build.set_gravity(Eigen::Vector3d::Zero());
  ModelOptions start;
  start.name = "p";
  start.joint_velocities["joint_1"] = 1;
  build.add_model(test::point_pendulum(1.0, 1.0), start);
  JointProperties damper;
  damper.damping = 1e5;  // dt D w = 100: explicit damping would explode
  build.set_joint("p/joint_1", damper);
  const Scene scene = build.finish();
  Simulator sim(scene);
  State x = scene.initial_state();
  const double expected = 1 / (1 + 1e-3 * 1e5);  // (m l² + dt D) v+ = m l² v0
  sim.step(x);
  EXPECT_NEAR(x.v[0], expected, 1e-15);
}

}  // namespace
}  // namespace condyle
