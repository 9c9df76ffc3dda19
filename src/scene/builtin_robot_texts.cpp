// Built-in scenes of whole robots: where their joints start, how fast, and the springs that hold them.
#include "scene/builtin_texts.hpp"

#include <fmt/format.h>

#include <numbers>
#include <string_view>

namespace condyle {

std::string arm_text(const ParameterValues& p) {
  struct Joint {
    double start, rest, stiffness, damping;
  };
  constexpr Joint joints[] = {{-1.2, 1.2, 12, 1.5},   {0.1, 0.3, 110, 5},  {0.8, -0.6, 6, 0.6},     {-1.5, 0.6, 32, 1.5},
                              {0.9, -0.9, 0.4, 0.04}, {-1.1, 0.4, 5, 0.1}, {-1.2, 1.2, 0.02, 0.001}};
  std::string start, springs;
  for (int i = 0; i < 7; ++i) {
    const Joint& joint = joints[i];
    start += fmt::format("{}joint{}: {}", i ? ", " : "", i + 1, joint.start);
    springs += fmt::format("  - {{joint: arm/joint{}, stiffness: {}, reference: {}, damping: {}}}\n", i + 1,
                           joint.stiffness * p.at("stiffness_scale"), joint.rest, joint.damping * p.at("damping_scale"));
  }
  return fill_in(R"(gravity: [0, 0, -9.81]
time: {step: 0.001, end: 2, integrator: symplectic}
models:
  - name: arm
    file: condyle:robots/arm.urdf
    base: fixed
    joints: {$start}
# Springs pull every joint from where it starts towards where they are slack; gravity and damping do the rest.
joint_properties:
$springs)",
                 {{"start", start}, {"springs", springs}});
}

std::string quadruped_text(const ParameterValues& p) {
  std::string start, speeds, springs;
  for (const char* leg : {"fl", "fr", "hl", "hr"}) {
    const double front = leg[0] == 'f' ? 1 : -1, left = leg[1] == 'l' ? 1 : -1;
    start += fmt::format("{}{}_hip_pitch: 0.7, {}_knee: -1.3", start.empty() ? "" : ", ", leg, leg);
    speeds += fmt::format("{}{}_abduction: {}, {}_hip_pitch: {}, {}_knee: {}", speeds.empty() ? "" : ", ", leg, 2 * left,
                          leg, 5 * front * left, leg, -6 * front * left);
    springs += fmt::format(
        "  - {{joint: quadruped/{0}_abduction, stiffness: 8}}\n  - {{joint: quadruped/{0}_hip_pitch, stiffness: 8, "
        "reference: 0.7}}\n"
        "  - {{joint: quadruped/{0}_knee, stiffness: 4, reference: -1.3}}\n",
        leg);
  }
  const bool gravity = p.at("gravity") != 0;
  return gravity_line(gravity) + fill_in(R"(time: {step: 0.001, end: 2, integrator: symplectic}
models:
  - name: quadruped
    file: condyle:robots/quadruped.urdf
    base: free
    pose: {xyz: [0, 0, 1]}
    velocity: {linear: [0.3, 0, $up], angular: [0.4, $spin, 0.2]}
    joints: {$start}
    joint_velocities: {$speeds}
joint_properties:
$springs)",
                                         {{"up", gravity ? "9" : "0"},
                                          {"spin", number_text(p.at("spin_rad_s"))},
                                          {"start", start},
                                          {"speeds", speeds},
                                          {"springs", springs}});
}

std::string humanoid_text(const ParameterValues& p) {
  struct Joint {
    const char* name;
    double start, speed, stiffness;
  };
  constexpr Joint middle[] = {{"waist_yaw", 0, 1, 60},
                              {"waist_pitch", 0.3, 0, 80},
                              {"waist_roll", 0, 0.4, 80},
                              {"neck_yaw", 0, -1, 5},
                              {"neck_pitch", 0, 0, 8}};
  // Right-hand joints about x and z mirror the left ones; the speeds are opposite, so that the limbs scissor.
  constexpr Joint sides[] = {{"shoulder_pitch", -0.8, 3, 15}, {"shoulder_roll", 0.7, 1, 15}, {"shoulder_yaw", 0, 1, 6},
                             {"elbow", -1.1, 2, 8},           {"wrist_yaw", 0, 1, 1},        {"wrist_pitch", 0, 0.5, 1},
                             {"wrist_roll", 0, 0.3, 1},       {"hip_yaw", 0, 0.3, 40},       {"hip_roll", 0.25, 0.3, 50},
                             {"hip_pitch", -0.7, 3, 60},      {"knee", 1.1, -2, 40},         {"ankle_pitch", 0, 0.5, 8},
                             {"ankle_roll", 0, 0.2, 5}};
  std::string start, speeds, springs;
  const auto add = [&](const std::string& name, double q, double v, double k) {
    start += fmt::format("{}{}: {}", start.empty() ? "" : ", ", name, q);
    speeds += fmt::format("{}{}: {}", speeds.empty() ? "" : ", ", name, v);
    springs += fmt::format("  - {{joint: humanoid/{}, stiffness: {}, reference: {}}}\n", name, k, q);
  };
  for (const Joint& joint : middle) add(joint.name, joint.start, joint.speed, joint.stiffness);
  for (const Joint& joint : sides) {
    const std::string_view name = joint.name;
    const double mirror = name.ends_with("roll") || name.ends_with("yaw") ? -1 : 1;
    add(fmt::format("left_{}", name), joint.start, joint.speed, joint.stiffness);
    add(fmt::format("right_{}", name), mirror * joint.start, -joint.speed, joint.stiffness);
  }
  const bool gravity = p.at("gravity") != 0;
  return gravity_line(gravity) + fill_in(R"(time: {step: 0.001, end: 2, integrator: symplectic}
models:
  - name: humanoid
    file: condyle:robots/humanoid.urdf
    base: free
    pose: {xyz: [0, 0, 1.2]}
    velocity: {linear: [0.4, 0, $up], angular: [0.3, $spin, 0.5]}
    joints: {$start}
    joint_velocities: {$speeds}
joint_properties:
$springs)",
                                         {{"up", gravity ? "9" : "0"},
                                          {"spin", number_text(p.at("spin_rad_s"))},
                                          {"start", start},
                                          {"speeds", speeds},
                                          {"springs", springs}});
}

std::string quadruped_drop_text(const ParameterValues& p) {
  std::string start, motors;
  for (const char* leg : {"fl", "fr", "hl", "hr"}) {
    start += fmt::format("{}{}_hip_pitch: 0.7, {}_knee: -1.3", start.empty() ? "" : ", ", leg, leg);
    motors += fmt::format(
        "  - {{joint: quadruped/{0}_abduction, kind: pd, kp: 80, kd: 3, target: 0, effort: 40}}\n"
        "  - {{joint: quadruped/{0}_hip_pitch, kind: pd, kp: 80, kd: 3, target: 0.7, effort: 40}}\n"
        "  - {{joint: quadruped/{0}_knee, kind: pd, kp: 80, kd: 3, target: -1.3, effort: 40}}\n",
        leg);
  }
  return gravity_line(true) + fill_in(R"(time: {step: 0.001, end: 2, integrator: symplectic}
materials:
  ground: {friction: 0.7}
models:
  - name: quadruped
    file: condyle:robots/quadruped.urdf
    base: free
    pose: {xyz: [0, 0, $z], rpy: [$roll, 0, 0]}
    joints: {$start}
    material: ground
bodies:
  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: ground}
actuators:
$motors)",
                                      {{"z", number_text(0.45 + p.at("height_m"))},
                                       {"roll", number_text(p.at("roll_deg") * std::numbers::pi / 180)},
                                       {"start", start},
                                       {"motors", motors}});
}

std::string humanoid_fall_text(const ParameterValues& p) {
  return gravity_line(true) +
         fill_in(R"(time: {step: 0.001, end: 3, integrator: symplectic}
materials:
  ground: {friction: 0.7}
models:
  - name: humanoid
    file: condyle:robots/humanoid.urdf
    base: free
    pose: {xyz: [0, 0, $z]}
    velocity: {linear: [0, 0, 0], angular: [0.3, $push, 0]}
    joints: {left_knee: 0.4, right_knee: 0.3, left_hip_pitch: -0.3, right_hip_pitch: -0.2, waist_pitch: 0.1}
    material: ground
bodies:
  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: ground}
)",
                 {{"z", number_text(1.02 + p.at("height_m"))}, {"push", number_text(p.at("push_rad_s"))}});
}

}  // namespace condyle
