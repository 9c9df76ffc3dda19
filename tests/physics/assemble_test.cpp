// Mechanisms with loops, put together from where their joints are nearly right: closed to round-off, with the number of
// degrees of freedom that mechanics says.
#include "step/loop_projection.hpp"
#include "support/mechanisms.hpp"
#include "support/random_state.hpp"

#include <condyle/assemble.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/SVD>

#include <filesystem>

namespace condyle {
namespace {

namespace fs = std::filesystem;
using test::at;

/// Rank of the loops at a configuration near by, reached through random motions: what holds in general position.
int generic_mobility(const Scene& scene, const AssembleResult& result, test::Random& random, double size = 0.05) {
  std::vector<TreeDynamics> trees;
  trees.reserve(scene.data().trees.size());
  for (const Tree& tree : scene.data().trees) trees.emplace_back(tree);
  FreeBodies bodies(scene.data().free_bodies, scene.gravity());
  State x = result.state;
  const Eigen::VectorXd dv = random.vector(scene.nv(), size);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Tree& tree = scene.data().trees[i];
    Eigen::VectorXd out(tree.model->nq);
    trees[i].integrate(result.state.q.segment(tree.q, tree.model->nq), 1, dv.segment(tree.v, tree.model->nv), out);
    x.q.segment(tree.q, tree.model->nq) = out;
  }
  bodies.integrate(result.state.q.data() + scene.data().free_q, 1, dv.data() + scene.data().free_v,
                   x.q.data() + scene.data().free_q);
  x.v.setZero();
  const AssembleResult near = assemble(scene, x);
  EXPECT_TRUE(near.converged) << near.message;
  return near.mobility;
}

void expect_assembled(const Scene& scene, int mobility, const char* name) {
  test::Random random(5);
  State start = scene.initial_state();
  start.v = random.vector(scene.nv());
  const AssembleResult result = assemble(scene, start);
  std::printf("%-28s %s\n", name, result.message.c_str());
  EXPECT_TRUE(result.converged) << name << ": " << result.message;
  EXPECT_LT(std::max(result.residual_m, result.residual_rad), 1e-10) << name;
  EXPECT_EQ(result.mobility, mobility) << name << ": " << result.message;
  EXPECT_EQ(generic_mobility(scene, result, random), mobility) << name << " in general position";
  // the velocity is one of the mechanism's own: a small move along it keeps the loops closed to second order
  std::vector<TreeDynamics> trees;
  trees.reserve(scene.data().trees.size());
  for (const Tree& tree : scene.data().trees) trees.emplace_back(tree);
  Kinematics kinematics(scene.data(), trees);
  for (std::size_t i = 0; i < trees.size(); ++i)
    trees[i].update(result.state.q.segment(scene.data().trees[i].q, scene.data().trees[i].model->nq));
  kinematics.update(result.state.q);
  Eigen::MatrixXd J;
  LoopProjection(scene.data()).jacobian(kinematics, result.state.q, J);
  EXPECT_LT((J * result.state.v).norm(), 1e-9 * (1 + result.state.v.norm())) << name;
}

TEST(Assemble, FourBarHasOneDegreeOfFreedomAndFiveBarTwo) {
  for (const ClosureKind kind : {ClosureKind::spherical, ClosureKind::revolute}) {
    expect_assembled(test::planar_linkage({0.3, 0.7, 0.5}, 0.8, {-1.2, 0.9, 1.0}, kind), 1, "four-bar");
    expect_assembled(test::planar_linkage({0.3, 0.5, 0.5, 0.3}, 0.4, {-1.8, 1.2, 1.2, 1.0}, kind), 2, "five-bar");
  }
}

TEST(Assemble, FourBarAngleIsTheOneOfTheClosedForm) {
  const double a = 0.3, b = 0.7, c = 0.5, d = 0.8, crank = -1.2;
  const Scene scene = test::planar_linkage({a, b, c}, d, {crank, 0.9, 1.0}, ClosureKind::revolute);
  const AssembleResult result = assemble(scene, scene.initial_state());
  ASSERT_TRUE(result.converged);
  // hinges about +y turn x towards -z: bar i points along (cos s_i, -sin s_i), s_i the sum of the angles
  const Eigen::VectorXd& q = result.state.q;
  const double s1 = q[0], s2 = s1 + q[1];
  const Eigen::Vector2d elbow(a * std::cos(s1), -a * std::sin(s1)), ground(d, 0);
  const Eigen::Vector2d knee = elbow + b * Eigen::Vector2d(std::cos(s2), -std::sin(s2));
  // knee from the two circles about elbow and ground
  const Eigen::Vector2d line = ground - elbow;
  const double l = line.norm(), along = (b * b - c * c + l * l) / (2 * l), across = std::sqrt(b * b - along * along);
  const Eigen::Vector2d u = line / l, n(-u.y(), u.x());
  const double nearest =
      std::min((knee - elbow - along * u - across * n).norm(), (knee - elbow - along * u + across * n).norm());
  EXPECT_LT(nearest, 1e-12);
}

TEST(Assemble, IsIndependentOfTheWorldsOrientation) {
  test::Random random(7);
  const auto linkage = [](const Eigen::Matrix3d& R) {
    return test::planar_linkage({0.3, 0.7, 0.5}, 0.8, {-1.2, 0.9, 1.0}, ClosureKind::revolute, R);
  };
  const Scene straight = linkage(Eigen::Matrix3d::Identity());
  const Eigen::VectorXd q = assemble(straight, straight.initial_state()).state.q;
  for (int k = 0; k < 5; ++k) {
    const Scene turned = linkage(random.pose().R);
    const AssembleResult result = assemble(turned, turned.initial_state());
    EXPECT_TRUE(result.converged);
    EXPECT_LT((result.state.q - q).norm(), 1e-11);
    EXPECT_EQ(result.mobility, 1);
  }
}

TEST(Assemble, SliderCrankHasOneDegreeOfFreedom) {
  test::Sketch sketch("engine");
  const int crank = sketch.hinge(0, Eigen::Vector3d::UnitY(), Eigen::Vector3d::Zero());
  const int rod = sketch.hinge(crank, Eigen::Vector3d::UnitY(), {0.2, 0, 0});
  const int piston = sketch.slider(0, Eigen::Vector3d::UnitX(), {0.6, 0, 0});
  ModelOptions options;
  options.base = Base::fixed;
  options.joints = {{"joint_1", 0.8}, {"joint_2", -1.0}};
  SceneBuilder build;
  build.add_model(sketch.model(), options);
  LoopSpec pin;
  pin.name = "wrist pin", pin.kind = ClosureKind::revolute;
  pin.body_a = fmt::format("engine/link_{}", piston), pin.body_b = fmt::format("engine/link_{}", rod);
  const Eigen::Matrix3d y_as_z = rotation_z_to(Eigen::Vector3d::UnitY());
  pin.frame_a.R = y_as_z, pin.frame_b = {y_as_z, Eigen::Vector3d(0.5, 0, 0)};
  build.add_loop(pin);
  expect_assembled(build.finish(), 1, "slider-crank");
}

Eigen::Vector3d on_circle(double radius, double angle, double height) {
  return {radius * std::cos(angle), radius * std::sin(angle), height};
}

/// Six legs (universal joint, slider) under a free plate, each ending in a ball joint: six degrees of freedom, none of them
/// idle because the legs cannot spin.
TEST(Assemble, StewartPlatformHasSixDegreesOfFreedom) {
  SceneBuilder build;
  BodySpec plate;
  plate.name = "plate";
  plate.inertial = {3, Eigen::Vector3d::Zero(), Eigen::Vector3d(0.1, 0.1, 0.2).asDiagonal()};
  plate.pose = at(0.02, -0.01, 0.95);
  build.add_body(plate);
  for (int i = 0; i < 6; ++i) {
    const double foot = (i / 2) * 2 * M_PI / 3 + (i % 2 ? 0.2 : -0.2), head = (i / 2) * 2 * M_PI / 3 + (i % 2 ? 0.8 : -0.8);
    const Eigen::Vector3d from = on_circle(1, foot, 0), to = on_circle(0.5, head, 1);
    test::Sketch sketch("leg");
    const int x = sketch.hinge(0, Eigen::Vector3d::UnitX(), Eigen::Vector3d::Zero());
    const int y = sketch.hinge(x, Eigen::Vector3d::UnitY(), Eigen::Vector3d::Zero());
    const int rod = sketch.slider(y, Eigen::Vector3d::UnitZ(), {0, 0, (to - from).norm()});
    ModelOptions options;
    options.name = fmt::format("leg_{}", i);
    options.base = Base::fixed;
    options.pose = {rotation_z_to(to - from), from};
    build.add_model(sketch.model(), options);
    LoopSpec ball;
    ball.name = fmt::format("ball_{}", i), ball.kind = ClosureKind::spherical;
    ball.body_a = fmt::format("leg_{}/link_{}", i, rod), ball.body_b = "plate";
    ball.frame_b.p = on_circle(0.5, head, 0);
    build.add_loop(ball);
  }
  expect_assembled(build.finish(), 6, "stewart, 18 rows on 24");
}

/// Three arms, each a parallelogram of two rods with ball joints at both ends, carry a plate that can only translate. A rod
/// between two balls may spin about itself: six idle degrees of freedom on top of three.
TEST(Assemble, DeltaRobotHasThreeDegreesOfFreedomAndSixIdleOnes) {
  for (const bool rods_spin : {true, false}) {
    SceneBuilder build;
    BodySpec plate;
    plate.name = "plate";
    plate.inertial = {1, Eigen::Vector3d::Zero(), Eigen::Vector3d(0.01, 0.01, 0.02).asDiagonal()};
    plate.pose = at(0.03, 0.02, -0.72);
    build.add_body(plate);
    for (int i = 0; i < 3; ++i) {
      const Eigen::Matrix3d turn = Eigen::AngleAxisd(i * 2 * M_PI / 3, Eigen::Vector3d::UnitZ()).toRotationMatrix();
      test::Sketch sketch("arm");
      const int upper = sketch.hinge(0, Eigen::Vector3d::UnitY(), {0.2, 0, 0});
      int rods[2] = {0, 0};
      if (rods_spin)
        for (const int k : {0, 1})
          rods[k] = sketch.add(upper, JointKind::ball, Eigen::Vector3d::UnitZ(), at(0.3, k ? 0.1 : -0.1, 0));
      ModelOptions options;
      options.name = fmt::format("arm_{}", i);
      options.base = Base::fixed;
      options.pose.R = turn;
      options.joints = {{"joint_1", 0.3}};
      build.add_model(sketch.model(), options);
      for (const int k : {0, 1}) {
        const Eigen::Vector3d on_plate = turn * Eigen::Vector3d(0.1, k ? 0.1 : -0.1, 0);
        LoopSpec end;
        end.name = fmt::format("rod_{}_{}", i, k);
        end.body_b = "plate";
        end.frame_b.p = on_plate;
        if (rods_spin) {  // the rod hangs straight down from its ball at the start: from (0.3, y, 0) on the upper arm
          end.kind = ClosureKind::spherical;
          end.body_a = fmt::format("arm_{}/link_{}", i, rods[k]);
          end.frame_a.p = Eigen::Vector3d(0, 0, -0.7);
        } else {  // without a body of its own
          end.kind = ClosureKind::distance;
          end.body_a = fmt::format("arm_{}/link_{}", i, upper);
          end.frame_a.p = Eigen::Vector3d(0.3, k ? 0.1 : -0.1, 0);
          end.length = 0.7;
        }
        build.add_loop(end);
      }
    }
    expect_assembled(build.finish(), rods_spin ? 9 : 3, rods_spin ? "delta with rods" : "delta, rods as distances");
  }
}

TEST(Assemble, SceneWithoutLoopsIsLeftAsItIs) {
  SceneBuilder build;
  build.add_model(test::chain(3, 0.5, 1, true), {.base = Base::free});
  const Scene scene = build.finish();
  test::Random random(3);
  State x = scene.initial_state();
  x.v = random.vector(scene.nv());
  const AssembleResult result = assemble(scene, x);
  EXPECT_TRUE(result.converged);
  EXPECT_TRUE(result.state == x);
  EXPECT_EQ(result.mobility, scene.nv());
}

TEST(Assemble, RefusesAStateOfAnotherSceneInWords) {
  const Scene scene = test::planar_linkage({0.3, 0.7, 0.5}, 0.8, {-1.2, 0.9, 1.0}, ClosureKind::revolute);
  State x = scene.initial_state();
  x.q.conservativeResize(2);
  EXPECT_THROW(assemble(scene, x), Error);
}

}  // namespace
}  // namespace condyle
