// The MLCP paper's cases: what stands, rests, holds together and is held.
#include "physics/contact_run.hpp"

#include <fmt/format.h>

#include <numbers>

namespace condyle {
namespace {

using test::ContactRun;
constexpr double g = 9.81, pi = std::numbers::pi;

TEST(BrickWall, StandsForAThousandSteps) {
  ContactRun run("brick_wall", {});
  double rows = 0;
  run.until(1000. / 60, [&] { rows = run.sim.report().rows; });
  EXPECT_EQ(rows, 3 * (3 * 4 + 11 * 16)) << "three feet, then 16 points between any two rows";
  EXPECT_LT(run.x.v.lpNorm<Eigen::Infinity>(), 1e-6) << "m/s or rad/s";
  double sideways = 0, sunk = 0;
  for (int row = 0; row < 12; ++row)
    for (int i = 0; i < (row % 2 ? 2 : 3); ++i) {
      const std::string name = fmt::format("brick{}_{}", row, i);
      const Pose now = run.sim.pose(run.x, name), begin = run.sim.pose(run.scene.initial_state(), name);
      sideways = std::max(sideways, (now.p - begin.p).head<2>().norm());
      sunk = std::max(sunk, std::abs(now.p.z() - (0.1 + 0.2 * row)));
      EXPECT_NEAR(now.R.trace(), 3, 1e-6) << name << " has turned";
    }
  EXPECT_LT(sideways, 1e-4) << "m: a brick has wandered";
  EXPECT_LT(sunk, 1e-5) << "m: a brick is not where a wall without gaps has it";
  EXPECT_NEAR(run.contact_impulse_on("floor").z() * 60, -900 * g, 1e-6 * 900 * g) << "N";
}

TEST(HingedRing, SpinsAsItWasPushedLandsAndComesToRestClosed) {
  ContactRun run("hinged_ring", {});
  const double radius = 0.125 / std::tan(pi / 20), inertia = 8 * (radius * radius + 0.04 / 6);
  run.until(0.19);
  // every cube feels 100 N at the ring's radius, whatever the hinges transmit
  EXPECT_NEAR(run.sim.momentum(run.x).angular.z(), 20 * 100 * radius * run.x.t, 1e-3 * 20 * 100 * radius * run.x.t);
  EXPECT_NEAR(run.x.v[5], 100 * radius * run.x.t / inertia, 1e-2) << "rad/s before it lands";
  double open = 0;
  run.until(1, [&] { open = std::max({open, run.sim.report().closure_m, run.sim.report().closure_rad}); });
  EXPECT_LT(open, 1e-9) << "m or rad";
  run.until(500. / 60);
  EXPECT_LT(run.x.v.lpNorm<Eigen::Infinity>(), 1e-7) << "m/s or rad/s at rest";
  EXPECT_NEAR(run.contact_impulse_on("floor").z() * 60, -160 * g, 1e-6 * 160 * g) << "N";
  double rubbing = 0;
  for (const ConstraintRow& row : run.sim.contacts())
    rubbing = std::max(rubbing, (row.impulse - row.impulse.dot(row.frame.col(2)) * row.frame.col(2)).norm() * 60);
  EXPECT_LT(rubbing, 1e-3 * 8 * g) << "N: no friction is left at rest";
  for (int i = 0; i < 20; ++i) {
    const Pose a = run.sim.pose(run.x, fmt::format("cube{}", i)),
               b = run.sim.pose(run.x, fmt::format("cube{}", (i + 1) % 20));
    EXPECT_LT((a * Eigen::Vector3d(0, 0.125, 0) - b * Eigen::Vector3d(0, -0.125, 0)).norm(), 1e-9) << "m, hinge " << i;
  }
}

TEST(Winch, WindsTheChainAndItsLinksStayTogether) {
  constexpr int n = 20;
  ContactRun run("winch", {{"n", std::to_string(n)}, {"stop_s", "1.05"}});
  const double w = 160 * 2 * pi / 60;
  const int axle = run.scene.v_index("winch/axle");
  const auto end_of = [&](int i) {
    return run.sim.pose(run.x, fmt::format("{}/link{}", i < 5 ? "winch" : fmt::format("chain{}", i / 5), i));
  };
  const double farthest = (end_of(n - 1) * Eigen::Vector3d(0, 0, 0.1)).x();
  EXPECT_NEAR(farthest, 0.1 * n, 1e-12) << "m, straight at the start";
  double open = 0;
  double least = w, most = w;
  run.until(1.04, [&] {
    open = std::max(open, run.sim.report().closure_m);
    if (run.x.t < 0.81) return;
    least = std::min(least, run.x.v[axle]);
    most = std::max(most, run.x.v[axle]);
  });
  EXPECT_GT(least, 0.99 * w) << "rad/s";
  EXPECT_LT(most, 1.01 * w) << "rad/s";
  run.until(2, [&] { open = std::max(open, run.sim.report().closure_m); });
  EXPECT_LT(open, 1e-9) << "m between the trees of the chain";
  for (int i = 1; i < n; ++i)
    EXPECT_LT((end_of(i).p - end_of(i - 1) * Eigen::Vector3d(0, 0, 0.1)).norm(), 1e-9) << "m, before link " << i;
  EXPECT_NEAR(run.x.v[axle], 0, 0.01) << "rad/s, the motor has stopped";
  EXPECT_LT((end_of(n - 1) * Eigen::Vector3d(0, 0, 0.1)).x(), 0.1 * n - 0.7) << "m: it was drawn in";
  for (int i = 0; i < 6; ++i)
    EXPECT_LT((end_of(i).p - Eigen::Vector3d(0, 0, 0.36)).norm(), 0.2) << "m: link " << i << " lies on the drum";
}

/// N: mean pull of the motor that draws the rod, over the last second until `end`.
double pull_on_rod(ContactRun& run, double end) {
  run.until(end - 1);
  double sum = 0;
  int steps = 0;
  run.until(end, [&] {
    for (const ConstraintRow& row : run.sim.constraints())
      if (row.kind == ConstraintKind::actuator) sum += row.impulse[0] / run.sim.options().dt;
    ++steps;
  });
  return sum / steps;
}

// The rod slides along its axis, so friction is all along it; the sliders pull downwards only and carry what is across. The
// force round the rod is then the same everywhere and equal to the pull of the sliders, each radian of the rod is pressed
// with it, and half a turn needs friction x pi x tension, however far the cable is dragged along.
TEST(CableRod, NeedsAPullThatGrowsWithTheTension) {
  constexpr double mu = 0.3, link = 0.05 * g;
  double last = 0;
  for (const double tension : {20., 40., 80.}) {
    ContactRun run("cable_rod", {{"tension_n", fmt::format("{}", tension)}});
    const double pull = pull_on_rod(run, 3), expected = mu * pi * (tension + 8 * link) + mu * 10 * link * 2 / pi;
    fmt::print("tension {} N: the rod is drawn with {:.2f} N, closed form {:.2f} N\n", tension, pull, expected);
    EXPECT_NEAR(pull, expected, 0.06 * expected) << "N";
    EXPECT_GT(pull, 1.5 * last) << "N: it grows with the tension";
    last = pull;
  }
}

TEST(CableRod, HoldsUnequalPullsUpToTheCapstansRatio) {
  const double limit = std::exp(0.3 * pi);  // 2.57
  const auto slips = [&](double ratio) {
    ContactRun run("cable_rod", {{"speed_m_s", "0"}, {"tension_n", "20"}, {"ratio", fmt::format("{}", ratio)}});
    run.until(1);
    return std::abs(run.x.v[run.scene.v_index("rig/pull_right")]);
  };
  EXPECT_LT(slips(0.85 * limit), 0.01) << "m/s";
  EXPECT_GT(slips(1.2 * limit), 0.1) << "m/s";
}

TEST(LogGrasp, HoldsLiftsAndTurnsTheLog) {
  ContactRun run("log_grasp", {});
  const Pose begin = run.sim.pose(run.x, "log");
  run.until(2.5);
  const Pose gripped = run.sim.pose(run.x, "arm/rotator").inverse() * run.sim.pose(run.x, "log");
  double open = 0, moved = 0;
  run.until(500. / 60, [&] {
    open = std::max({open, run.sim.report().closure_m, run.sim.report().closure_rad});
    moved =
        std::max(moved, ((run.sim.pose(run.x, "arm/rotator").inverse() * run.sim.pose(run.x, "log")).p - gripped.p).norm());
  });
  const Pose end = run.sim.pose(run.x, "log");
  // boom from 30 to 45 degrees at 2.5 m, telescope in by 0.29 m
  EXPECT_NEAR(end.p.z() - begin.p.z(), 2.5 * (std::sin(pi / 4) - 0.5) + 0.29, 0.03) << "m, lifted";
  EXPECT_NEAR(end.p.head<2>().norm(), 2.5 * std::cos(pi / 4), 0.03) << "m from the column";
  const Eigen::Vector3d axis = end.R.col(2);
  EXPECT_GT(std::abs(axis.x()), 0.999) << "turned from y to x: " << axis.transpose();
  EXPECT_LT(moved, 0.02) << "m within the claw";
  EXPECT_LT(open, 1e-9) << "m or rad";
  EXPECT_LT(run.x.v.lpNorm<Eigen::Infinity>(), 1e-2) << "m/s or rad/s at the end";
}

}  // namespace
}  // namespace condyle
