#include "scene/scene_data.hpp"
#include "support/mechanisms.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

Scene falling_chain() {
  ModelOptions options;
  options.base = Base::free;
  options.joints["joint_1"] = 0.7;
  options.joint_velocities["joint_2"] = 3;
  SceneBuilder build;
  return build.add_model(test::chain(3, 0.3, 1, true, false), options).finish();
}

TEST(Step, RejectsANonFiniteStateAndLeavesItAlone) {
  const Scene scene = falling_chain();
  Simulator sim(scene);
  State x = scene.initial_state();
  x.v[7] = std::nan("");
  const State before = x;
  const StepReport& report = sim.step(x);
  EXPECT_EQ(report.status, StepStatus::rejected);
  EXPECT_NE(report.message().find("not finite"), std::string::npos) << report.message();
  EXPECT_TRUE(x == before);
}

TEST(Step, RejectsForcesOfTheWrongSizeOrNotFinite) {
  const Scene scene = falling_chain();
  Simulator sim(scene);
  State x = scene.initial_state();
  EXPECT_EQ(sim.step(x, Eigen::VectorXd::Zero(2)).status, StepStatus::rejected);
  EXPECT_EQ(sim.step(x, Eigen::VectorXd::Constant(scene.nv(), INFINITY)).status, StepStatus::rejected);
  EXPECT_TRUE(sim.step(x).certified()) << "and goes on afterwards";
}

TEST(Step, NeverPutsNaNIntoTheStateEvenWhereTheMotionExplodes) {
  const Scene scene = falling_chain();
  SimulatorOptions options;
  options.dt = 10;
  options.integrator = Integrator::explicit_euler;
  Simulator sim(scene, options);
  State x = scene.initial_state();
  x.v *= 1e100;
  int rejected = 0;
  for (int i = 0; i < 200; ++i) {
    rejected += sim.step(x).status == StepStatus::rejected;
    ASSERT_TRUE(x.finite()) << "step " << i;
  }
  EXPECT_GT(rejected, 0);
}

TEST(Step, GivesTheSameBitsFromACopiedStateInANewSimulator) {
  const Scene scene = falling_chain();
  Simulator sim(scene);
  State x = scene.initial_state();
  for (int i = 0; i < 137; ++i) sim.step(x);
  State copy = x;
  Simulator fresh(scene);
  for (int i = 0; i < 10000; ++i) {
    sim.step(x);
    fresh.step(copy);
    ASSERT_TRUE(x == copy) << "step " << i;
  }
  EXPECT_EQ(hash(x), hash(copy));
}

TEST(Step, GivesTheSameBitsAfterTheCallerWentBackInTime) {
  const Scene scene = falling_chain();
  Simulator sim(scene);
  State x = scene.initial_state();
  sim.step(x);
  const State marked = x;
  for (int i = 0; i < 10; ++i) sim.step(x);
  State again = marked;
  for (int i = 0; i < 10; ++i) sim.step(again);
  EXPECT_TRUE(x == again);
}

TEST(Step, MovesEveryBodyTheSameWhateverTheOrderTheyWereAddedIn) {
  test::Random random(5);
  std::vector<BodySpec> bodies(4);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].name = "stone_" + std::to_string(i);
    bodies[i].inertial = random.inertial(1 + static_cast<double>(i));
    bodies[i].pose = random.pose();
    bodies[i].velocity = random.vector(6, 4);
  }
  const auto first = test::chain(3, 0.3, 1, true, false), second = test::chain(5, 0.2, 2, false);
  ModelOptions one, two;
  one.name = "one";
  one.base = Base::free;
  one.joint_velocities["joint_2"] = 2;
  two.name = "two";
  two.joints["joint_1"] = 1;
  SceneBuilder forward, backward;
  forward.add_model(first, one).add_model(second, two);
  backward.add_model(second, two);
  for (const BodySpec& body : bodies) forward.add_body(body);
  for (auto body = bodies.rbegin(); body != bodies.rend(); ++body) backward.add_body(*body);
  backward.add_model(first, one);
  const Scene a = forward.finish(), b = backward.finish();
  Simulator sim_a(a), sim_b(b);
  State x = a.initial_state(), y = b.initial_state();
  for (int i = 0; i < 1000; ++i) {
    sim_a.step(x);
    sim_b.step(y);
  }
  const auto same = [&](const std::string& name, int nq, int nv) {
    EXPECT_EQ((x.q.segment(a.q_index(name), nq) - y.q.segment(b.q_index(name), nq)).cwiseAbs().maxCoeff(), 0) << name;
    EXPECT_EQ((x.v.segment(a.v_index(name), nv) - y.v.segment(b.v_index(name), nv)).cwiseAbs().maxCoeff(), 0) << name;
  };
  for (const BodySpec& body : bodies) same(body.name, 7, 6);
  same("one", 10, 9);
  same("two/joint_1", 5, 5);
}

TEST(Step, StopsAJointAtItsLimitAndNamesIt) {
  auto model = test::chain(1, 1, 1, false);
  model->joints[0].lower = -0.1;
  model->joints[0].upper = 0.1;
  ModelOptions options;
  options.name = "arm";
  options.joint_velocities["joint_1"] = 1;
  SceneBuilder build;
  build.set_gravity({9.81, 0, 0});  // towards the limit
  const Scene scene = build.add_model(model, options).finish();
  Simulator sim(scene);
  State x = scene.initial_state();
  for (int i = 0; i < 300; ++i) ASSERT_TRUE(sim.step(x).certified()) << sim.report().message();
  EXPECT_NEAR(std::abs(x.q[0]), 0.1, 1e-9);
  EXPECT_LT(sim.report().limit_violation, 1e-9);
  EXPECT_EQ(sim.report().worst, "limit of 'arm/joint_1'");
  ASSERT_EQ(sim.constraints().size(), 1u);
  EXPECT_EQ(sim.constraints()[0].mode, ContactMode::active);
}

TEST(Step, TakesAJointThatStartsBeyondItsLimitBackWithoutSpeed) {
  auto model = test::chain(1, 1, 1, false);
  model->joints[0].lower = -0.1;
  model->joints[0].upper = 0.1;
  ModelOptions options;
  options.name = "arm";
  options.joints["joint_1"] = 0.15;
  SceneBuilder build;
  build.set_gravity(Eigen::Vector3d::Zero());
  const Scene scene = build.add_model(model, options).finish();
  Simulator sim(scene);
  State x = scene.initial_state();
  double speed = 0;
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(sim.step(x).certified()) << sim.report().message();
    speed = std::max(speed, std::abs(x.v[0]));
  }
  EXPECT_LT(speed, 1e-9);
  EXPECT_LT(x.q[0], 0.1 + 1e-6);
}

TEST(Step, HoldsACouplingOfContinuousJointsAcrossATurn) {
  auto model = test::chain(2, 1, 1, false);
  for (JointSpec& joint : model->joints) joint.kind = JointKind::continuous;
  model->couplings.push_back({"joint_2", "joint_1", {0.1, 2}, {}});
  ModelOptions options;
  options.name = "arm";
  options.joints = {{"joint_1", 2.0}, {"joint_2", 4.1 - 2 * M_PI}};  // 0.1 + 2·2, a turn less
  SceneBuilder build;
  build.set_gravity(Eigen::Vector3d::Zero());
  const Scene scene = build.add_model(model, options).finish();
  Simulator sim(scene);
  State x = scene.initial_state();
  x.v << 3, 6;
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(sim.step(x).certified()) << sim.report().message();
    const double one = std::atan2(x.q[1], x.q[0]), two = std::atan2(x.q[3], x.q[2]);
    ASSERT_LT(std::abs(std::remainder(two - 0.1 - 2 * one, 2 * M_PI)), 1e-9) << "step " << i;
  }
}

TEST(Options, NameTheBadField) {
  SimulatorOptions options;
  options.dt = -1;
  try {
    options.check();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("dt is -1"), std::string::npos) << error.what();
  }
}

TEST(Instances, OfOneFloatingRobotShareTheirPinocchioModel) {
  const auto robot = test::chain(3, 0.3, 1, true);
  SceneBuilder build;
  for (int i = 0; i < 3; ++i) {
    ModelOptions options;
    options.base = Base::free;
    options.name = "robot_" + std::to_string(i);
    options.pose.p.x() = i;
    build.add_model(robot, options);
  }
  const Scene scene = build.finish();
  EXPECT_EQ(scene.nv(), 27);
  for (const Tree& tree : scene.data().trees) EXPECT_EQ(tree.model, scene.data().trees[0].model);
  for (const std::string& name : scene.v_names()) EXPECT_FALSE(name.empty());
  EXPECT_EQ(scene.v_names().size(), 27u);
  EXPECT_EQ(scene.q_names().size(), 30u);
}

}  // namespace
}  // namespace condyle
