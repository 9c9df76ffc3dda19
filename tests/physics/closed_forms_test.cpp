// The truths themselves are tested: against direct sums, against each other, against limits that are known otherwise.
#include "physics/closed_forms.hpp"

#include <condyle/simulator.hpp>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <string>

namespace condyle::test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(ClosedForms, ApexesFollowFromTheFlightsBetweenThem) {
  const double h = 1.3, e = 0.6, g = 9.81;
  double speed = std::sqrt(2 * g * h), t = speed / g;
  for (int k = 1; k <= 4; ++k) {
    speed *= e;
    EXPECT_NEAR(apex_height(h, e, k), speed * speed / (2 * g), 1e-14);
    EXPECT_NEAR(apex_time(h, e, k), t + speed / g, 1e-14);
    t += 2 * speed / g;
  }
}

TEST(ClosedForms, ASlopeHoldsUpToItsFrictionAngle) {
  EXPECT_EQ(incline_acceleration(std::atan(0.5), 0.5000001), 0);
  EXPECT_NEAR(incline_acceleration(20 * pi / 180, 0.3), 9.81 * (0.3420201433256687 - 0.3 * 0.9396926207859084), 1e-14);
  EXPECT_NEAR(incline_acceleration(pi / 2, 0.3), 9.81, 1e-14) << "a wall holds nothing";
}

TEST(ClosedForms, SlidingStopsAsTheStepsAddUp) {
  const double v0 = 2, mu = 0.5, g = 9.81;
  for (const double dt : {0.005, 0.0007, 1e-4}) {
    double v = v0, x = 0, t = 0;
    while (v > 0) {
      v = std::max(0.0, v - mu * g * dt);
      x += dt * v;
      t += dt;
    }
    const Stop stepped = sliding_stop_stepped(v0, mu, dt), smooth = sliding_stop(v0, mu);
    EXPECT_NEAR(stepped.way, x, 1e-12) << dt;
    EXPECT_NEAR(stepped.time, t, 1e-9) << dt;
    EXPECT_NEAR(smooth.way, x, 0.51 * dt * v0) << "first order in dt = " << dt;
    EXPECT_NEAR(smooth.time, t, dt) << dt;
  }
}

/// Friction torque of a spinning body on points of equal weight.
double torque_of_points(double mu, double weight, double radius, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * pi * i / n;
    const Eigen::Vector2d x(radius * std::cos(a), radius * std::sin(a)), slip(-x.y(), x.x());
    const Eigen::Vector2d force = -mu * weight / n * slip.normalized();
    sum += x.x() * force.y() - x.y() * force.x();
  }
  return -sum;
}

TEST(ClosedForms, ADiscOnItsRimStopsSoonerThanOneOnItsFace) {
  const double w = 20, mu = 0.3, m = 1, r = 0.1, I = 0.5 * m * r * r;
  const Stop rim = spinning_stop(w, mu, m, I, r, DiscSupport::rim);
  for (const int n : {2, 3, 4, 8})
    EXPECT_NEAR(rim.time, w * I / torque_of_points(mu, m * 9.81, r, n), 1e-12) << n << " points";
  EXPECT_NEAR(rim.way, 0.5 * w * rim.time, 1e-12);
  double torque = 0;  // rings of the face
  constexpr int rings = 2000;
  for (int i = 0; i < rings; ++i) {
    const double x = r * (i + 0.5) / rings, share = 2 * x / (r * r) * (r / rings);
    torque += torque_of_points(mu, m * 9.81 * share, x, 2);
  }
  EXPECT_NEAR(spinning_stop(w, mu, m, I, r, DiscSupport::uniform).time, w * I / torque, 1e-6);
}

TEST(ClosedForms, ABallRollsWhenItsFootStandsStill) {
  const double v0 = 2, mu = 0.3, g = 9.81, r = 0.1;
  const Rolling rolling = ball_starts_to_roll(v0, mu);
  const double v = v0 - mu * g * rolling.time, w = mu * g * r / (0.4 * r * r) * rolling.time;
  EXPECT_NEAR(v - w * r, 0, 1e-14);
  EXPECT_NEAR(v, rolling.speed, 1e-14);
  EXPECT_NEAR(rolling.way, v0 * rolling.time - 0.5 * mu * g * rolling.time * rolling.time, 1e-14);
}

TEST(ClosedForms, SmallFormulasHaveTheirKnownValues) {
  EXPECT_NEAR(near_rigid_rest(1, 1, 1e-3, 1e-3 / pi), 3.275871e-7, 1e-12) << "a mass on one contact at 1 ms";
  EXPECT_NEAR(compliant_rest(0.5, 1e4), 4.905e-4, 1e-18);
  EXPECT_NEAR(compliant_rest(1, 1e4, 4), 9.81 / 4e4, 1e-18);
  EXPECT_NEAR(spring_period(0.5, 100) / 0.02, 22.2, 0.05) << "steps a period, sliding";
  EXPECT_NEAR(spring_period(0.75, 100) / 0.02, 27.2, 0.05) << "steps a period, rolling";
  const Stop stop = dry_friction_stop(5, 0.04, 0.2);
  EXPECT_NEAR(stop.time, 1, 1e-15);
  EXPECT_NEAR(stop.way, 2.5, 1e-15);
}

TEST(Extrapolation, HasTheOrderThatItClaims) {
  const auto rate = [](double t, const Eigen::Vector2d& y) { return Eigen::Vector2d(y[1], -y[0] + 0.1 * t); };
  const auto error = [&](double H, int columns) {  // y = cos t + 0.1 t
    Eigen::Vector2d y(1, 0.1);
    const int n = static_cast<int>(std::lround(2 / H));
    for (int i = 0; i < n; ++i) y = extrapolated_step(rate, i * H, y, H, columns);
    return std::abs(y[0] - std::cos(2.0) - 0.2);
  };
  for (const int columns : {1, 2, 3}) {
    const double order = std::log2(error(0.5, columns) / error(0.25, columns));
    EXPECT_NEAR(order, 2 * columns, 0.5) << columns << " columns";
  }
  EXPECT_LT(error(0.25, 7), 1e-14);
}

TEST(FourBar, TheLoopIsClosedOnOneBranchAllTheWayRound) {
  const PlanarFourBar bar = fourbar_fixed();
  double last = bar.bars(-pi)[1].angle;
  for (int i = 0; i <= 720; ++i) {
    const double theta = -pi + 2 * pi * i / 720;
    const auto bars = bar.bars(theta);
    const Eigen::Vector2d end = bar.a * PlanarFourBar::along(bars[0].angle) + bar.b * PlanarFourBar::along(bars[1].angle) +
                                bar.c * PlanarFourBar::along(bars[2].angle);
    EXPECT_LT((end - Eigen::Vector2d(bar.d, 0)).norm(), 1e-15) << theta;
    EXPECT_LT(std::abs(std::remainder(bars[1].angle - last, 2 * pi)), 0.02) << "jumps at " << theta;
    last = bars[1].angle;
  }
}

TEST(FourBar, SlopesAndBendsAreDerivatives) {
  const PlanarFourBar bar = fourbar_fixed();
  constexpr double h = 1e-5;
  for (const double theta : {-2.5, -1.0, 0.3, 1.1, 2.9}) {
    const auto below = bar.bars(theta - h), at = bar.bars(theta), above = bar.bars(theta + h);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(at[i].rate, (above[i].angle - below[i].angle) / (2 * h), 1e-8) << theta << " bar " << i;
      EXPECT_NEAR(at[i].curve, (above[i].rate - below[i].rate) / (2 * h), 1e-8) << theta << " bar " << i;
      EXPECT_LT((at[i].slope - (above[i].centre - below[i].centre) / (2 * h)).norm(), 1e-8) << theta << " bar " << i;
      EXPECT_LT((at[i].bend - (above[i].slope - below[i].slope) / (2 * h)).norm(), 1e-8) << theta << " bar " << i;
    }
  }
}

// In a parallelogram both cranks turn alike and the coupler does not turn: a pendulum of known inertia.
TEST(FourBar, AParallelogramIsAPendulum) {
  const PlanarFourBar bar{0.2, 0.5, 0.2, 0.5, {1, 2, 1}, 0, 9.81};
  for (const double theta : {0.4, 1.2, 2.6}) {
    EXPECT_NEAR(bar.bars(theta)[1].angle, 0, 1e-12);
    const double I = 2 * 0.2 * 0.2 / 3 + 2 * 0.2 * 0.2, moment = 9.81 * (2 * 0.1 + 2 * 0.2) * std::cos(theta);
    EXPECT_NEAR(bar.acceleration(theta, 3), -moment / I, 1e-9) << theta;
    EXPECT_NEAR(bar.kinetic(theta, 3), 0.5 * I * 9, 1e-12) << theta;
  }
}

TEST(FourBar, TheReferenceMotionKeepsItsEnergyAndDoesNotDependOnTheStep) {
  const PlanarFourBar bar = fourbar_fixed();
  const PlanarFourBar::Motion start{pi / 3, 6};
  const double energy = bar.energy(start.theta, start.omega);
  const PlanarFourBar::Motion end = bar.after(10, start, 20e-3), finer = bar.after(10, start, 10e-3);
  EXPECT_NEAR(bar.energy(finer.theta, finer.omega), energy, 1e-11) << "J, of 2.3 J: rounding of 1000 steps";
  EXPECT_NEAR(end.theta, finer.theta, 1e-9) << "after 10 s";
  EXPECT_NEAR(end.omega, finer.omega, 1e-8);
  const PlanarFourBar::Motion back = bar.after(10, {finer.theta, -finer.omega}, 20e-3);
  EXPECT_NEAR(back.theta, start.theta, 1e-9) << "and back";
  EXPECT_GT(std::abs(end.theta - start.theta), 2 * pi) << "the crank goes round";
}

// The scene and the reference were written apart; both must mean the same linkage.
TEST(FourBar, IsTheLinkageOfTheBuiltinScene) {
  const PlanarFourBar bar = fourbar_fixed();
  double difference = 0;
  for (int i = 0; i < 6; ++i) {
    const double degrees = -150 + 55 * i, speed = 2 - i, theta = degrees * pi / 180;
    SceneOptions options;
    options.parameters = {{"angle_deg", std::to_string(degrees)}, {"speed_rad_s", std::to_string(speed)}};
    const Scene scene = load_scene("fourbar_fixed", options);
    Simulator sim(scene);
    const Energy energy = sim.energy(scene.initial_state());
    EXPECT_NEAR(energy.kinetic, bar.kinetic(theta, speed), 1e-14 + 1e-12 * energy.kinetic) << degrees << " degrees";
    if (i == 0) difference = energy.potential - bar.potential(theta);
    EXPECT_NEAR(energy.potential - bar.potential(theta), difference, 1e-12)
        << degrees << " degrees: only the zero may differ";
  }
}

}  // namespace
}  // namespace condyle::test
