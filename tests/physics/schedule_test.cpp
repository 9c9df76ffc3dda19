// Servos, motors and forces that follow a schedule.
#include "physics/contact_run.hpp"
#include "scene/scene_data.hpp"

#include <filesystem>

namespace condyle {
namespace {

using test::ContactRun;

/// A block of 2 kg on a rail along x, pushed as `more` says.
Scene rail(const std::string& more, const char* integrator = "symplectic") {
  return read_scene_text(std::string(R"(condyle: 1
gravity: [0, 0, 0]
time: {step: 0.01, end: 4, integrator: )") +
                             integrator + R"(}
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
          <limit lower="-100" upper="100" effort="1000" velocity="1000"/>
        </joint>
      </robot>
)" + more,
                         "rail.yaml");
}

SimulatorOptions centiseconds() {
  SimulatorOptions out;
  out.dt = 0.01;
  return out;
}

TEST(ScheduledServo, IsFollowedByAStiffJoint) {
  for (const char* interpolation : {"linear", "smooth"}) {
    ContactRun run(rail(std::string("actuators: [{joint: rig/slide, kind: pd, kp: 1e8, kd: 1e4, target: {times: [0.5, 1.5, "
                                    "2], values: [0, 1, -1], period: 3, interpolation: ") +
                        interpolation + "}}]\n"),
                   centiseconds());
    const Schedule& schedule = run.scene.data().actuators[0].spec.target_schedule;
    run.x.q[0] = schedule.value(0);
    double most = 0, fastest = 0;
    run.until(6, [&] {
      most = std::max(most, std::abs(run.x.q[0] - schedule.value(run.x.t)));
      fastest = std::max(fastest, std::abs(run.x.v[0]));
    });
    EXPECT_LT(most, 1e-4) << interpolation << ": m off its target, in a run that goes at " << fastest << " m/s";
    EXPECT_GT(fastest, 3.9) << "the block moved";
  }
}

// kp = 0: nothing pulls to a place, only the speed counts. kd is the slope of the motor's torque over its speed.
TEST(ScheduledServo, WithoutKpIsAMotorOfConstantSpeed) {
  ContactRun run(rail("actuators: [{joint: rig/slide, kind: pd, kp: 0, kd: 1e6, target_velocity: 3}]\n"), centiseconds());
  run.until(1, [&] { ASSERT_NEAR(run.x.v[0], 3, 1e-3); });
  EXPECT_NEAR(run.x.q[0], 3, 1e-3);
  ContactRun weak(rail("actuators: [{joint: rig/slide, kind: pd, kp: 0, kd: 1e6, target_velocity: 3, effort: 4}]\n"),
                  centiseconds());
  weak.until(1);
  EXPECT_NEAR(weak.x.v[0], 4. / 2 * 1, 1e-9) << "m/s: the bound decides until the speed is reached";
  weak.until(2);
  EXPECT_NEAR(weak.x.v[0], 3, 1e-3);
  ContactRun ramp(rail("actuators: [{joint: rig/slide, kind: pd, kp: 0, kd: 1e6, target_velocity: {times: [0, 1, 2], "
                       "values: [0, 2, 2]}}]\n"),
                  centiseconds());
  ramp.until(0.5);
  EXPECT_NEAR(ramp.x.v[0], 1, 1e-3);
  ramp.until(2);
  EXPECT_NEAR(ramp.x.v[0], 2, 1e-3);
}

TEST(ScheduledTorque, GivesTheImpulseOfItsSchedule) {
  for (const char* integrator : {"symplectic", "midpoint"}) {
    SimulatorOptions options = centiseconds();
    options.integrator = integrator_from(integrator);
    // a triangle of 1 s and 10 N, then a square wave of 2 N and period 0.5 s by hold
    ContactRun triangle(
        rail("actuators: [{joint: rig/slide, kind: torque, value: {times: [0, 0.5, 1], values: [0, 10, 0]}}]\n", integrator),
        options);
    triangle.until(2);
    EXPECT_NEAR(triangle.x.v[0], 5. / 2, 1e-12) << integrator << ": m/s, half base times height over the mass";
    ContactRun wave(
        rail("forces: [{body: rig/block, force: [2, 0, 0], until: 1, factor: {times: [0, 0.25], values: [1, -1], "
             "period: 0.5, interpolation: hold}}]\n",
             integrator),
        options);
    double most = 0;
    wave.until(2, [&] { most = std::max(most, wave.x.v[0]); });
    EXPECT_NEAR(most, 0.25, 1e-12) << integrator << ": m/s, after a quarter of a second";
    EXPECT_NEAR(wave.x.v[0], 0, 1e-12) << integrator;
  }
}

TEST(Force, TurnsWithItsBodyIfItIsToldTo) {
  // a wheel spun up by a force that stays tangential: its torque does not fade as it turns
  const auto spun = [](const std::string& axes) {
    const Scene scene = read_scene_text(
        "condyle: 1\ngravity: [0, 0, 0]\nbodies:\n  - {name: stone, shape: {sphere: 0.05}, mass: 2, pose: {xyz: [1, 0, "
        "0]}}\n"
        "  - {name: hub, static: true, shape: {sphere: 0.01}}\n"
        "loops: [{name: arm, kind: revolute, between: [hub, stone], at: {xyz: [0, 0, 0]}}]\n"
        "forces: [{body: stone, force: [0, 4, 0], axes: " +
            axes + "}]\n",
        "wheel.yaml");
    Simulator sim(scene, {});
    State x = scene.initial_state();
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(sim.step(x).certified()) << sim.report().message();
    return x.v[5];
  };
  const double inertia = 2 * 1 + 0.4 * 2 * 0.05 * 0.05;
  EXPECT_NEAR(spun("body"), 4 / inertia, 1e-3) << "rad/s after a second";
  EXPECT_LT(spun("world"), 0.95 * 4 / inertia) << "the push along y has become radial";
}

TEST(ScheduledServo, GoesOnBitForBitFromASavedState) {
  const Scene scene = rail(
      "actuators: [{joint: rig/slide, kind: pd, kp: 900, kd: 30, target: {times: [0, 0.4, 0.7], values: [0, 1, -1], "
      "period: 1.1, interpolation: smooth}}]\n"
      "forces: [{body: rig/block, force: [5, 0, 0], factor: {times: [0, 0.3], values: [1, 0], period: 0.6}}]\n");
  Simulator sim(scene, centiseconds());
  State x = scene.initial_state();
  for (int i = 0; i < 57; ++i) ASSERT_TRUE(sim.step(x).certified());
  const std::string file = CONDYLE_TEST_OUTPUT "/schedule.state";
  save(x, scene.identity(), file);
  State y = restore(file, scene.identity());
  std::filesystem::remove(file);
  Simulator other(scene, centiseconds());
  for (int i = 0; i < 200; ++i) {
    sim.step(x);
    other.step(y);
    ASSERT_TRUE(x == y) << "step " << i;
  }
  EXPECT_GT(std::abs(x.v[0]), 0.01) << "it still moves";
}

}  // namespace
}  // namespace condyle
