// Bodies in contact whose motion is known: each scene with the truth that a course in mechanics gives.
#include "physics/closed_forms.hpp"
#include "physics/contact_run.hpp"

#include <fmt/format.h>

namespace condyle {
namespace {

using test::ContactRun;
constexpr double g = 9.81;

class Bounce : public testing::TestWithParam<double> {};

TEST_P(Bounce, RisesToTheSquareOfTheRestitution) {
  const double e = GetParam(), radius = 0.1, height = 1;
  SimulatorOptions options;
  options.dt = 1e-4;  // the apex is right to first order in the step
  ContactRun run("sphere_drop", {{"restitution", fmt::format("{}", e)}}, options);
  double apex = 0;
  bool bounced = false;
  run.until(0.452 + 2 * e * 0.4515, [&] {
    bounced = bounced || run.x.v[2] > 0;
    if (bounced) apex = std::max(apex, run.x.q[2] - radius);
  });
  ASSERT_TRUE(bounced);
  EXPECT_NEAR(apex / height, e * e, 2 * options.dt * std::sqrt(2 * g * height) / height) << "apex " << apex << " m";
}
INSTANTIATE_TEST_SUITE_P(Restitution, Bounce, testing::Values(0.2, 0.5, 0.9), [](const auto& tested) {
  return "of_" + std::to_string(std::lround(10 * tested.param)) + "_tenths";
});

TEST(SphereDrop, WithoutRestitutionRestsWithoutPenetration) {
  ContactRun run("sphere_drop", {{"restitution", "0"}});
  run.until(3);
  EXPECT_NEAR(run.x.q[2], 0.1, 1e-7);
  EXPECT_LT(run.x.v.norm(), 1e-8);
}

TEST(BoxOnPlane, CarriesItsWeightOnFourPointsOfRankSix) {
  ContactRun run("box_on_plane", {});
  run.until(1);
  EXPECT_EQ(run.sim.report().contacts, 4);
  EXPECT_EQ(run.sim.report().rows, 12);
  EXPECT_LT(run.x.v.lpNorm<Eigen::Infinity>(), 1e-8);
  EXPECT_NEAR(run.contact_impulse_on("box").z(), g * run.sim.options().dt, 1e-6 * g * run.sim.options().dt);
  EXPECT_EQ(describe(run.sim.problem()).rank, 6);
}

TEST(BoxOnPlane, SinksByTheStatedDepthUnderTheNearRigidLaw) {
  for (const double dt : {1e-3, 1e-2}) {
    const Scene scene = load_scene("box_on_plane");
    SimulatorOptions options;
    options.dt = dt;
    options.laws.kind = LawKind::near_rigid;
    ContactRun run(scene, options);
    run.until(2);
    // of the whole body: m w of four points together is that of the block that the judge weighs; stated for a point mass
    const double tau = dt / M_PI, w = run.sim.problem().blocks[0].weight;
    const double force = run.contact_impulse_on("box").z() / dt / 4;
    const double sink = w / (4 * M_PI * M_PI) * force * dt * (dt + tau);
    EXPECT_NEAR(0.05 - run.x.q[2], sink, 0.02 * sink) << "dt " << dt;
  }
}

TEST(Incline, HoldsWithoutCreepBelowTheFrictionAngle) {
  ContactRun run("incline", {{"angle_deg", "20"}, {"friction", "0.5"}});
  run.until(2);  // whatever the start leaves
  const Eigen::Vector3d begin = run.x.q.head<3>();
  run.until(12);
  EXPECT_LT((run.x.q.head<3>() - begin).norm() / 10, 1e-8) << "m/s";
}

TEST(Incline, SlidesWithGravityLessFrictionAboveIt) {
  const double a = 20 * M_PI / 180, mu = 0.3;
  ContactRun run("incline", {{"angle_deg", "20"}, {"friction", "0.3"}});
  run.until(0.5);
  const double v0 = run.x.v.head<3>().norm(), t0 = run.x.t;
  run.until(1);
  const double acceleration = (run.x.v.head<3>().norm() - v0) / (run.x.t - t0), truth = g * (std::sin(a) - mu * std::cos(a));
  EXPECT_NEAR(acceleration, truth, 1e-7 * truth);
  double gap = 0;
  for (const ConstraintRow& row : run.sim.contacts()) gap = std::max(gap, std::abs(row.gap));
  EXPECT_LT(gap, 1e-6) << "the block glides";
}

TEST(ThrownBlock, StopsAfterItsStoppingDistance) {
  const double mu = 0.5, v = 2, dt = 1e-3;
  ContactRun run("thrown_block", {});
  double stopped = 0;
  run.until(1, [&] {
    if (run.x.v.head<3>().norm() > 1e-6) stopped = run.x.t;
  });
  EXPECT_NEAR(stopped, v / (mu * g), 2 * run.sim.options().dt);
  // symplectic steps move with the velocity after friction: short of the parabola by dt v / 2
  EXPECT_NEAR(run.x.q[0], v * v / (2 * mu * g), v * std::max(dt, run.sim.options().dt));
  EXPECT_LT(run.x.v.norm(), 1e-8);
}

TEST(SpinningDisc, StopsAfterTheTimeAndTurnsOfItsRim) {
  const double w = 20, mu = 0.3, m = 1, radius = 0.1, I = 0.5 * m * radius * radius;
  ContactRun run("spinning_disc", {});
  const test::Stop truth = test::spinning_stop(w, mu, m, I, radius, test::DiscSupport::rim);
  const double dt = run.sim.options().dt;
  double stopped = 0, turned = 0;
  run.until(2 * truth.time, [&] {
    if (run.x.v.tail<3>().norm() > 1e-6) stopped = run.x.t;
    turned += dt * run.x.v[5];
  });
  EXPECT_NEAR(stopped, truth.time, 2 * dt);
  EXPECT_NEAR(turned, truth.way, w * dt) << "rad";
  EXPECT_LT(run.x.v.norm(), 1e-8);
  EXPECT_LT(run.x.q.head<2>().norm(), 1e-6) << "it must spin in place";
}

TEST(RigidSoftPair, RestsRigidAtTheSurfaceAndSoftAtItsWeightOverStiffness) {
  ContactRun run("rigid_soft_pair", {});
  run.until(4);
  const double mass = 1, k = 1e4;
  double deepest = -1, highest = 1;
  for (const ConstraintRow& row : run.sim.contacts()) {
    deepest = std::max(deepest, -row.gap);
    highest = std::min(highest, -row.gap);
  }
  EXPECT_NEAR(deepest, mass * g / k, 1e-6) << "soft";
  EXPECT_NEAR(highest, 0, 1e-6) << "rigid";
}

TEST(BoxesFixed, StayWeldedAtAMassRatioOfAThousand) {
  ContactRun run("boxes_fixed", {});
  double open = 0, turned = 0;
  run.until(2, [&] {
    open = std::max(open, run.sim.report().closure_m);
    turned = std::max(turned, run.sim.report().closure_rad);
  });
  EXPECT_LT(open, 1e-8);
  EXPECT_LT(turned, 1e-8);
}

TEST(SpinningBlock, NeverGainsEnergy) {
  ContactRun run("spinning_block", {});
  double last = run.sim.energy(run.x).total(), most = -1;
  run.until(2, [&] {
    const double now = run.sim.report().energy.total();
    most = std::max(most, now - last);
    last = now;
  });
  EXPECT_LT(most, 1e-9) << "J in one step";
}

TEST(RollingBall, KeepsFiveSeventhsOfItsSpeed) {
  ContactRun run("rolling_ball", {});
  const double before = run.x.v.head<3>().norm();
  run.until(2);
  EXPECT_NEAR(run.x.v.head<3>().norm(), 5.0 / 7 * before, 2e-3 * before);
}

TEST(Overlap, OfOneCentimetreIsResolvedWithoutLeavingSpeedBehind) {
  for (const double dt : {1e-3, 5e-3}) {
    SceneBuilder build;
    BodySpec box;
    box.name = "box";
    Shape shape;
    shape.kind = ShapeKind::box;
    shape.size = {0.2, 0.2, 0.2};
    box.shapes = {shape};
    box.inertial.mass = 1;
    box.pose.p = {0, 0, 0.09};
    build.add_ground().add_body(box);
    SimulatorOptions options;
    options.dt = dt;
    ContactRun run(build.finish(), options);
    double speed = 0;
    run.until(2, [&] { speed = std::max(speed, run.x.v.norm()); });
    EXPECT_LT(speed, 0.1);
    EXPECT_NEAR(run.x.q[2], 0.1, 1e-5) << "dt " << dt;
  }
}

TEST(FastBall, DoesNotPassAThinWall) {
  for (const double angle : {0.0, 0.3, 0.9}) {
    SceneBuilder build;
    build.set_gravity(Eigen::Vector3d::Zero());
    BodySpec ball, wall;
    ball.name = "ball";
    wall.name = "wall";
    Shape sphere, plate;
    sphere.kind = ShapeKind::sphere;
    sphere.size = {0.005, 0, 0};
    plate.kind = ShapeKind::box;
    plate.size = {0.001, 2, 2};
    ball.shapes = {sphere};
    ball.inertial.mass = 0.004;
    ball.velocity.head<3>() = 100 * Eigen::Vector3d(std::cos(angle), std::sin(angle), 0);
    wall.is_static = true;
    wall.shapes = {plate};
    wall.pose.p = {0.537, 0, 0};
    build.add_body(ball).add_body(wall);
    ContactRun run(build.finish());
    double furthest = 0;
    run.until(0.02, [&] { furthest = std::max(furthest, run.x.q[0]); });
    EXPECT_LT(furthest, 0.537 - 0.0005 - 0.005 + 1e-6) << "angle " << angle;
    EXPECT_GT(furthest, 0.5) << "angle " << angle << ": it never came near";
  }
}

TEST(FastBall, ThatPushesAnotherIntoAWallDoesNotPushItThrough) {
  SceneBuilder build;
  build.set_gravity(Eigen::Vector3d::Zero());
  const auto add = [&](const char* name, double x, double speed) {
    BodySpec ball;
    ball.name = name;
    Shape sphere;
    sphere.kind = ShapeKind::sphere;
    sphere.size = {0.005, 0, 0};
    ball.shapes = {sphere};
    ball.inertial.mass = 0.004;
    ball.pose.p = {x, 0, 0};
    ball.velocity[0] = speed;
    build.add_body(ball);
  };
  add("fast", 0, 100);
  add("waiting", 0.03, 0);
  BodySpec wall;
  wall.name = "wall";
  wall.is_static = true;
  Shape plate;
  plate.kind = ShapeKind::box;
  plate.size = {0.001, 2, 2};
  wall.shapes = {plate};
  wall.pose.p = {0.05, 0, 0};
  build.add_body(wall);
  ContactRun run(build.finish());
  run.until(0.01);
  EXPECT_LT(run.x.q[7], 0.05) << "the ball that waited is behind the wall";
  EXPECT_LT(run.x.q[0], run.x.q[7]);
}

}  // namespace
}  // namespace condyle
