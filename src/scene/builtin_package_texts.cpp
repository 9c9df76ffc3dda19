// Built-in scenes with robots of the installed robot package: the robots of the ADMM paper's section V. They fall limp, walk
// by a stored gait, or hold what lies in a hand.
#include "scene/builtin_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace condyle {
namespace {

using Kind = SceneParameter::Kind;

std::string run_line(double end) {
  return gravity_line(true) + fmt::format("time: {{step: 0.001, end: {}, integrator: symplectic}}\n", end);
}

constexpr const char* floor_line =
    "bodies:\n  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: ground}\n";

std::string ur5_fall(const ParameterValues& p) {
  return run_line(2) + fill_in(R"(materials:
  ground: {friction: 0.5}
models:
  - name: ur5
    file: robot:ur5
    base: fixed
    material: ground
    joints: {shoulder_pan_joint: 0.3, shoulder_lift_joint: $lift, elbow_joint: 0.9, wrist_1_joint: -0.5, wrist_2_joint: 0.4}
$floor)",
                               {{"lift", number_text(-radians(p.at("lift_deg")))}, {"floor", floor_line}});
}

std::string talos_fall(const ParameterValues& p) {
  return run_line(2) + fill_in(R"(materials:
  ground: {friction: 0.7}
models:
  - name: talos
    file: robot:talos
    base: free
    material: ground
    pose: {xyz: [0, 0, $z]}
    velocity: {linear: [0, 0, 0], angular: [0.2, $push, 0]}
    joints:
      leg_left_3_joint: -0.4
      leg_left_4_joint: 0.8
      leg_left_5_joint: -0.4
      leg_right_3_joint: -0.4
      leg_right_4_joint: 0.8
      leg_right_5_joint: -0.4
      arm_left_1_joint: 0.2
      arm_left_2_joint: 0.3
      arm_left_4_joint: -0.5
      arm_right_1_joint: -0.2
      arm_right_2_joint: -0.3
      arm_right_4_joint: -0.5
      gripper_left_joint: -0.1
      gripper_right_joint: -0.1
$floor)",
                               {{"z", number_text(1.03 + p.at("height_m"))},
                                {"push", number_text(p.at("push_rad_s"))},
                                {"floor", floor_line}});
}

/// The package's Cassie has its loops in the file, and starts as it is drawn there, where they are closed and where crank
/// and foot are beyond their limits. There a rod has a hinge at one end, which a leg could only bend by twisting it, or
/// whose axis is parallel to the others but for the last digit written; the rods of the real one have balls at both ends, as
/// here.
std::string cassie_fall(const ParameterValues& p) {
  return run_line(2) + fill_in(R"(materials:
  ground: {friction: 0.7}
models:
  - name: cassie
    file: robot:cassie_v2
    base: free
    limits: false
    material: ground
    pose: {xyz: [0, 0, $z]}
    velocity: {linear: [0, 0, 0], angular: [0.2, $push, 0]}
${floor}retype:
  - {joint: cassie/left-achilles-spring-joint, kind: spherical}
  - {joint: cassie/left-crank-rod-joint, kind: spherical}
  - {joint: cassie/right-achilles-spring-joint, kind: spherical}
  - {joint: cassie/right-crank-rod-joint, kind: spherical}
)",
                               {{"z", number_text(1.1025 + p.at("height_m"))},
                                {"push", number_text(p.at("push_rad_s"))},
                                {"floor", floor_line}});
}

/// Angles of hip and knee that put the foot of a leg of two equal parts at (x, z) from the hip, knee to the back or the
/// front.
struct LegAngles {
  double hip, knee;
};
LegAngles leg_angles(double x, double z, double part, double bend) {
  const double reach = std::hypot(x, z),
               knee = bend * std::acos(std::clamp(reach * reach / (2 * part * part) - 1, -1.0, 1.0));
  return {std::atan2(-x, -z) - 0.5 * knee, knee};
}

std::string solo_slope(const ParameterValues& p) {
  constexpr double part = 0.16, height = 0.24, lift = 0.04, period = 0.4, stance = 0.6;  // m, m, m, s, share of a period
  constexpr int frames = 20;
  const double slope = radians(p.at("slope_deg")), stride = p.at("speed_m_s") * period * stance;
  std::string start, motors;
  for (const char* leg : {"FL", "FR", "HL", "HR"}) {
    const std::string_view name = leg;
    const bool pair = name == "FL" || name == "HR";  // a trot: feet that face each other go together
    const double bend = name[0] == 'F' ? -1 : 1;
    // The trunk's weight pulls downhill: the feet stand that much behind the hips, below its middle.
    const double lean = -height * std::tan(slope);
    std::string times, hips, knees;
    LegAngles first{};
    for (int i = 0; i < frames; ++i) {
      const double phase = std::fmod(static_cast<double>(i) / frames + (pair ? 0 : 0.5), 1);
      const double swing = (phase - stance) / (1 - stance);
      const double x = phase < stance ? stride * (0.5 - phase / stance) : -0.5 * stride * std::cos(pi * swing);
      const double z = phase < stance ? 0 : lift * std::sin(pi * swing) * std::sin(pi * swing);
      const LegAngles angles = leg_angles(x + lean, z - height, part, bend);
      if (i == 0) first = angles;
      times += fmt::format("{}{:.6g}", i ? ", " : "", period * i / frames);
      hips += fmt::format("{}{:.6f}", i ? ", " : "", angles.hip);
      knees += fmt::format("{}{:.6f}", i ? ", " : "", angles.knee);
    }
    start += fmt::format("{}{}_HFE: {:.6f}, {}_KFE: {:.6f}", start.empty() ? "" : ", ", leg, first.hip, leg, first.knee);
    const auto motor = [&](const char* joint, const std::string& target) {
      motors +=
          fmt::format("  - {{joint: solo/{}_{}, kind: pd, kp: 30, kd: 0.5, effort: 8, target: {}}}\n", leg, joint, target);
    };
    const auto schedule = [&](const std::string& values) {
      return fmt::format("{{times: [{}], values: [{}], period: {}}}", times, values, period);
    };
    motor("HAA", "0");
    motor("HFE", schedule(hips));
    motor("KFE", schedule(knees));
  }
  return run_line(4) + fill_in(R"(materials:
  ground: {friction: 0.9}
models:
  - name: solo
    file: robot:solo12
    base: free
    material: ground
    pose: {xyz: [$x, 0, $z], rpy: [0, $pitch, 0]}
    joints: {$start}
bodies:
  - {name: slope, static: true, shape: {halfspace: {normal: [$nx, 0, $nz]}}, material: ground}
# a stored trot: hip and knee angles of a stride, the same again and again
actuators:
$motors)",
                               {{"x", number_text(-0.27 * std::sin(slope))},
                                {"z", number_text(0.27 * std::cos(slope))},
                                {"pitch", number_text(-slope)},
                                {"start", start},
                                {"nx", number_text(-std::sin(slope))},
                                {"nz", number_text(std::cos(slope))},
                                {"motors", motors}});
}

/// Upright, palm to the front; between the palm and each of three fingertips a row of cubes that only friction holds.
std::string allegro_cubes(const ParameterValues& p) {
  constexpr double edge = 0.02, palm = 0.0111, up = 0.3, below = -0.02;  // m; the palm's face and the fingertips' height
  struct Finger {
    int first;       // number of its first joint
    double y;        // m, of its tip
    double bend[3];  // rad: the last part hangs down, half a millimetre from the outermost cube
  };
  constexpr Finger fingers[] = {{0, 0.04188513, {1.29032382, 0.92917006, 0.88050612}},
                                {4, 0, {1.32116269, 0.91690803, 0.86192928}},
                                {8, -0.04188513, {1.29032382, 0.92917006, 0.88050612}}};
  std::string start, properties, motors, cubes;
  const auto joint = [&](int number, double q, double target) {
    start += fmt::format("{}joint_{}.0: {}", start.empty() ? "" : ", ", number, q);
    // in place of the file's dry friction of 5 to 12 N m, which would hold a finger against anything
    properties += fmt::format("  - {{joint: hand/joint_{}.0, damping: 0.01, friction: 0}}\n", number);
    motors +=
        fmt::format("  - {{joint: hand/joint_{}.0, kind: pd, kp: 3, kd: 0.05, effort: 0.7, target: {}}}\n", number, target);
  };
  for (const Finger& finger : fingers) {
    joint(finger.first, 0, 0);
    joint(finger.first + 1, finger.bend[0], finger.bend[0]);
    for (const int k : {1, 2}) joint(finger.first + 1 + k, finger.bend[k], finger.bend[k] + p.at("press_rad"));
    for (int i = 0; i < 3; ++i)
      cubes += fmt::format(
          "  - {{name: cube{}_{}, shape: {{box: [{}, {}, {}]}}, mass: {}, material: rubber, pose: {{xyz: [{:.6g}, "
          "{:.6g}, {:.6g}]}}}}\n",
          finger.first / 4, i, edge, edge, edge, p.at("mass_kg"), palm + (i + 0.5) * edge, finger.y, up + below);
  }
  joint(12, 0.3, 0.3);
  for (const int number : {13, 14, 15}) joint(number, 0.1, 0.1);
  return run_line(2) + fill_in(R"(materials:
  rubber: {friction: 0.8}
models:
  - {name: hand, file: robot:allegro_right_hand, base: fixed, material: rubber, pose: {xyz: [0, 0, 0.3]}, joints: {$start}}
bodies:
${cubes}joint_properties:
${properties}actuators:
$motors)",
                               {{"start", start}, {"cubes", cubes}, {"properties", properties}, {"motors", motors}});
}

}  // namespace

std::vector<SceneRecipe> package_recipes() {
  return {
      {"allegro_cubes",
       "An Allegro hand holds three rows of cubes between palm and fingertips, against gravity by friction alone.",
       {{"press_rad", Kind::number, 0.1, 0.02, 0.2, "by which the servos would bend the fingers through the cubes, rad"},
        {"mass_kg", Kind::number, 0.02, 1e-4, 0.1, "of a cube, kg"}},
       allegro_cubes,
       "allegro_right_hand"},
      {"cassie_fall",
       "Cassie, limp, falls with its four loops closed and its leaf springs bending.",
       {{"height_m", Kind::number, 0.02, 0, 10, "of the feet above the floor, m"},
        {"push_rad_s", Kind::number, 0.5, -10, 10, "forward, rad/s"}},
       cassie_fall,
       "cassie_v2"},
      {"solo_slope",
       "Solo12 trots up a slope by a stored gait.",
       {{"slope_deg", Kind::number, 8, 0, 20, "of the slope, degrees"},
        {"speed_m_s", Kind::number, 0.25, 0, 0.6, "of the feet in stance, m/s"}},
       solo_slope,
       "solo12"},
      {"talos_fall",
       "Talos, limp, sinks to the floor: 38 degrees of freedom, meshes as convex hulls.",
       {{"height_m", Kind::number, 0.02, 0, 10, "of the feet above the floor, m"},
        {"push_rad_s", Kind::number, 0.5, -10, 10, "forward, rad/s"}},
       talos_fall,
       "talos"},
      {"ur5_fall",
       "A UR5, limp, falls from its pose onto the floor that it stands on.",
       {{"lift_deg", Kind::number, 80, 10, 170, "of the upper arm above the horizontal, degrees"}},
       ur5_fall,
       "ur5"},
  };
}

}  // namespace condyle
