// Numbers that follow keyframes: their values, and what is refused.
#include "scene/scene_data.hpp"

#include <condyle/scene.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace condyle {
namespace {

using Interpolation = Schedule::Interpolation;

const Schedule once{{1, 2, 4}, {10, 20, -20}};

TEST(Schedule, GoesStraightFromKeyframeToKeyframeAndRestsOutside) {
  EXPECT_EQ(once.value(0), 10);
  EXPECT_EQ(once.value(1), 10);
  EXPECT_NEAR(once.value(1.25), 12.5, 1e-14);
  EXPECT_NEAR(once.value(3), 0, 1e-14);
  EXPECT_EQ(once.value(4), -20);
  EXPECT_EQ(once.value(1e9), -20);
  EXPECT_EQ(once.rate(0.5), 0);
  EXPECT_NEAR(once.rate(1.5), 10, 1e-14);
  EXPECT_NEAR(once.rate(3), -20, 1e-14);
  EXPECT_EQ(once.rate(5), 0);
}

TEST(Schedule, HoldsTheLastKeyframe) {
  Schedule s = once;
  s.interpolation = Interpolation::hold;
  for (const auto& [t, value] : std::vector<std::pair<double, double>>{{0, 10}, {1.99, 10}, {2, 20}, {3.9, 20}, {4, -20}}) {
    EXPECT_EQ(s.value(t), value) << t;
    EXPECT_EQ(s.rate(t), 0) << t;
  }
}

TEST(Schedule, GoesSmoothlyAndRestsAtEveryKeyframe) {
  Schedule s = once;
  s.interpolation = Interpolation::smooth;
  for (const double t : {1.0, 2.0, 4.0}) {
    EXPECT_NEAR(s.value(t), once.value(t), 1e-14) << t;
    EXPECT_NEAR(s.rate(t), 0, 1e-14) << t;
  }
  EXPECT_NEAR(s.value(3), 0, 1e-14) << "half way at half time";
  EXPECT_NEAR(s.value(2.5), 20 - 40 * (3. / 16 - 2. / 64), 1e-13) << "x²(3 - 2x) at x = 1/4";
  for (double t = 0.05; t < 5; t += 0.1)
    EXPECT_NEAR(s.rate(t), (s.value(t + 1e-6) - s.value(t - 1e-6)) / 2e-6, 1e-6) << "rate against differences at " << t;
}

TEST(Schedule, RepeatsAndLeadsFromTheLastKeyframeToTheFirst) {
  const Schedule s{{0.5, 1}, {0, 2}, 2};
  EXPECT_NEAR(s.value(0.75), 1, 1e-14);
  EXPECT_NEAR(s.value(1.75), 1, 1e-14) << "half way back";
  EXPECT_NEAR(s.rate(1.75), -2 / 1.5, 1e-14) << "back in 1.5 s, from 1 to 2.5";
  EXPECT_NEAR(s.value(0.25), 1. / 3, 1e-14) << "before the first keyframe it is still on its way from the last one";
  for (double t = 0.01; t < 2; t += 0.13)
    for (const int round : {1, 7}) {
      EXPECT_NEAR(s.value(t + 2 * round), s.value(t), 1e-13) << t;
      EXPECT_NEAR(s.rate(t + 2 * round), s.rate(t), 1e-13) << t;
    }
  const Schedule closed{{0, 1, 2}, {3, 5, 3}, 2};
  EXPECT_NEAR(closed.value(3.5), 4, 1e-14);
  const Schedule square{{0, 4.5}, {16, 1}, 6, Interpolation::hold};
  EXPECT_EQ(square.value(4.4), 16);
  EXPECT_EQ(square.value(5.9), 1);
  EXPECT_EQ(square.value(6.1), 16);
}

const std::string rig = R"(condyle: 1
models:
  - name: rig
    base: fixed
    inline_urdf: |
      <robot name="rig">
        <link name="rail"/>
        <link name="block">
          <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
        </link>
        <joint name="slide" type="prismatic">
          <parent link="rail"/><child link="block"/><axis xyz="1 0 0"/>
          <limit lower="-1" upper="1" effort="10" velocity="10"/>
        </joint>
      </robot>
)";
std::string pd(const std::string& keys) {
  return rig + "actuators:\n  - {joint: rig/slide, kind: pd, kp: 5, kd: 6, " + keys + "}\n";
}
std::string torque(const std::string& keys) {
  return rig + "actuators:\n  - {joint: rig/slide, kind: torque, " + keys + "}\n";
}
std::string force(const std::string& keys) {
  return rig + "forces:\n  - {body: rig/block, force: [1, 2, 3], " + keys + "}\n";
}
Scene read(const std::string& text) { return read_scene_text(text, "folder/test.yaml"); }

TEST(Schedule, StandsInASceneFileInPlaceOfANumber) {
  const ActuatorSpec both = read(pd("target: {times: [0, 1], values: [0.1, 0.2], period: 3, interpolation: smooth}, "
                                    "target_velocity: {times: [0.5], values: [7]}"))
                                .data()
                                .actuators[0]
                                .spec;
  EXPECT_EQ(both.target_schedule, (Schedule{{0, 1}, {0.1, 0.2}, 3, Interpolation::smooth}));
  EXPECT_EQ(both.velocity_schedule, (Schedule{{0.5}, {7}}));
  const ActuatorSpec plain = read(pd("target: {times: [0, 1], values: [0, 2]}")).data().actuators[0].spec;
  EXPECT_TRUE(plain.velocity_schedule.empty());
  EXPECT_NEAR(actuator_aim(plain, 0.2, 0.1).target, 0.6, 1e-14) << "of the end of the step";
  EXPECT_NEAR(actuator_aim(plain, 0.2, 0.1).velocity, 2, 1e-14) << "its rate";
  const ActuatorSpec given =
      read(pd("target: {times: [0, 1], values: [0, 2]}, target_velocity: 0")).data().actuators[0].spec;
  EXPECT_EQ(actuator_aim(given, 0.2, 0.1).velocity, 0) << "a velocity that is given stands";
  const ActuatorSpec motor =
      read(torque("value: {times: [0, 1], values: [4, 8], interpolation: hold}, effort: 5")).data().actuators[0].spec;
  EXPECT_EQ(actuator_aim(motor, 0.9, 0.1).value, 4) << "the step that ends at the keyframe";
  EXPECT_EQ(actuator_aim(motor, 1, 0.1).value, 5) << "bounded by the effort";
  const SceneForce push = read(force("until: 2, factor: {times: [0, 1], values: [0, 1]}")).data().forces[0];
  EXPECT_NEAR(push.factor_in(0.2, 0.2), 0.3, 1e-14);
  EXPECT_EQ(push.factor_in(1.5, 0.2), 1);
  EXPECT_EQ(push.factor_in(2, 0.2), 0);
}

TEST(Schedule, IsRefusedWithItsLineAndACure) {
  struct Case {
    std::string text, element, reason;
  };
  const auto schedule = [](const std::string& keys) { return pd("target: {" + keys + "}"); };
  const std::string at = "actuators[0].target";
  for (const Case& bad : {
           Case{schedule("times: [0, 1], values: [1]"), at + ".values", "1 values for 2 times"},
           {schedule("times: [], values: []"), at + ".times", "no keyframe"},
           {schedule("times: [0, 2, 2], values: [1, 2, 3]"), at + ".times[2]", "2 s comes after 2 s"},
           {schedule("times: [0, -1], values: [1, 2]"), at + ".times[1]", "-1 s"},
           {schedule("times: [0, 3], values: [1, 2], period: 2"), at + ".period", "the last keyframe at 3 s"},
           {schedule("times: [0, 3], values: [1, 2], period: 3"), at + ".period",
            "ends at 2 where the next one begins at 1"},
           {schedule("times: [0, 3], values: [1, 2], period: 0"), at + ".period", "greater than zero"},
           {schedule("times: [0, 3], values: [1, up]"), at + ".values[1]", "needs a number"},
           {schedule("times: [0, 3], values: [1, 2], interpolation: sooth"), at + ".interpolation", "smooth"},
           {schedule("times: [0, 3], values: [1, 2], perod: 4"), at + ".perod", "period"},
           {schedule("values: [1, 2]"), at, "'times' is missing"},
           {pd("target: [1, 2]"), at, "needs a number"},
           {pd("value: {times: [0], values: [1]}"), "actuators[0].value", "unknown key"},
           {torque("value: {times: [1, 0], values: [1, 2]}"), "actuators[0].value.times[1]", "0 s comes after 1 s"},
           {force("factor: 2"), "forces[0].factor", "map"},
           {force("factor: {times: [0], values: []}"), "forces[0].factor.values", "0 values for 1 times"},
       }) {
    try {
      read(bad.text);
      ADD_FAILURE() << "accepted: " << bad.text;
    } catch (const Error& e) {
      EXPECT_EQ(e.place().file, "folder/test.yaml") << e.what();
      EXPECT_EQ(e.place().line, 17) << e.what();
      EXPECT_EQ(e.place().element, bad.element) << e.what();
      EXPECT_NE(std::string(e.what()).find(bad.reason), std::string::npos) << e.what() << "\nhas not: " << bad.reason;
    }
  }
}

TEST(Schedule, IsCheckedInCppAsWell) {
  const auto refuses = [](ActuatorSpec spec, const std::string& reason) {
    const Scene scene = read(rig);
    SceneBuilder build;
    ModelOptions options;
    options.name = "rig";
    build.add_model(scene.data().trees[0].description, options);
    spec.joint = "rig/slide";
    try {
      build.add_actuator(spec);
      ADD_FAILURE() << "accepted, without: " << reason;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), "bad-schedule");
      EXPECT_NE(std::string(e.what()).find(reason), std::string::npos) << e.what();
    }
  };
  ActuatorSpec servo;
  servo.kind = ActuatorKind::pd;
  servo.target_schedule = {{0, 1}, {0, NAN}};
  refuses(servo, "the value at 1 s is nan");
  servo.target_schedule = {{}, {1}};
  refuses(servo, "there is no keyframe");
  servo.target_schedule = {{0, 1}, {0, 1}};
  servo.target_velocity = 1;
  refuses(servo, "as well");
  servo.target_velocity = 0;
  servo.value_schedule = {{0}, {1}};
  refuses(servo, "is pd and has no value");
  ActuatorSpec motor;
  motor.target_schedule = {{0}, {1}};
  refuses(motor, "is a torque and has no target");
}

TEST(Schedule, DecidesTheIdentity) {
  const std::string text =
      pd("target: {times: [0, 1], values: [2, 3], period: 4}, target_velocity: {times: [0], values: [5]}");
  const auto differs = [&](const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    EXPECT_NE(read(text).identity(), read(std::string(text).replace(at, from.size(), to)).identity()) << from;
  };
  differs("times: [0, 1]", "times: [0, 1.5]");
  differs("values: [2, 3]", "values: [2, 3.5]");
  differs("period: 4", "period: 5");
  differs(", period: 4", "");
  differs("period: 4", "period: 4, interpolation: hold");
  differs("values: [5]", "values: [6]");
  EXPECT_NE(read(force("factor: {times: [0], values: [1]}")).identity(),
            read(force("factor: {times: [0], values: [2]}")).identity());
  EXPECT_NE(read(torque("value: {times: [0], values: [1]}")).identity(),
            read(torque("value: {times: [0], values: [2]}")).identity());
}

}  // namespace
}  // namespace condyle
