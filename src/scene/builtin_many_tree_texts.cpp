// Built-in scenes in which many trees or bodies meet a few heavy ones: CANAL's cases for solvers that divide.
#include "scene/builtin_draw.hpp"
#include "scene/builtin_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace condyle {
namespace {

using Kind = SceneParameter::Kind;

constexpr const char* step_240 = "0.004166666666666667";  // 1/240 s, as in all of that paper's cases

/// Limp robots above each other, each turned a little, so that they land in a heap with their legs between each other.
std::string quadrupeds(const ParameterValues& p) {
  const int n = static_cast<int>(p.at("n"));
  int side = 1;
  while (side * side * side < n) ++side;
  Draw draw(p.at("seed"));
  std::string models;
  for (int i = 0; i < n; ++i) {
    const int layer = i / (side * side), row = i % (side * side) / side, column = i % side;
    const double half = (side - 1) / 2.0;
    std::string joints;
    for (const char* leg : {"fl", "fr", "hl", "hr"})
      joints += fmt::format("{}{}_hip_pitch: {:.6f}, {}_knee: {:.6f}", joints.empty() ? "" : ", ", leg,
                            draw.uniform(0.5, 0.9), leg, draw.uniform(-1.5, -1.1));
    models += fill_in(R"(  - name: q$i
    file: condyle:robots/quadruped.urdf
    base: free
    pose: {xyz: [$x, $y, $z], rpy: [$roll, $pitch, $yaw]}
    joints: {$joints}
    material: matter
)",
                      {{"i", fmt::format("{}", i)},
                       {"x", fmt::format("{:.6f}", (row - half) * 0.72 + draw.uniform(-0.03, 0.03))},
                       {"y", fmt::format("{:.6f}", (column - half) * 0.58 + draw.uniform(-0.03, 0.03))},
                       {"z", fmt::format("{:.6f}", 0.5 + 0.62 * layer)},
                       {"roll", fmt::format("{:.6f}", draw.uniform(-0.2, 0.2))},
                       {"pitch", fmt::format("{:.6f}", draw.uniform(-0.2, 0.2))},
                       {"yaw", fmt::format("{:.6f}", draw.uniform(-0.2, 0.2))},
                       {"joints", joints}});
  }
  return gravity_line(true) + fmt::format("time: {{step: {}, end: 2, integrator: symplectic}}\n", step_240) +
         "materials:\n  matter: {friction: 0.7}\nmodels:\n" + models +
         "bodies:\n  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: matter}\n";
}

/// Eight walls and a bottom of a bottle of inner radius r and height h, thickness t, open above; its axis is z from zero up.
std::string bottle_shapes(double r, double h, double t) {
  std::string out;
  const auto add = [&](double x, double y, double z, double yaw, double sx, double sy, double sz) {
    const std::string geometry = fmt::format(
        R"(<origin xyz="{:.12g} {:.12g} {:.12g}" rpy="0 0 {:.12g}"/><geometry><box size="{:.12g} {:.12g} {:.12g}"/></geometry>)",
        x, y, z, yaw, sx, sy, sz);
    out += fmt::format("          <visual>{0}</visual>\n          <collision>{0}</collision>\n", geometry);
  };
  add(0, 0, -t / 2, 0, 2 * (r + t), 2 * (r + t), t);
  for (int k = 0; k < 8; ++k) {
    const double angle = k * pi / 4, out_by = r + t / 2;
    add(out_by * std::cos(angle), out_by * std::sin(angle), h / 2, angle, t, 2 * (r + t) * std::tan(pi / 8), h);
  }
  return out;
}

std::string pouring(const ParameterValues& p) {
  constexpr double radius = 0.005, density = 10000, pitch = 0.0105, inner = 0.024, wall = 0.004, mass = 0.2, pivot = 0.2;
  const int n = static_cast<int>(p.at("n")), layers = (n + 8) / 9;
  const double height = layers * pitch + 0.03;
  Draw draw(p.at("seed"));
  std::string balls;
  for (int i = 0; i < n; ++i) {  // nine in a layer, from the bottom of the bottle up, not quite above each other
    const int layer = i / 9, row = i % 9 / 3, column = i % 3;
    balls += fmt::format(
        "  - {{name: ball{}, shape: {{sphere: {}}}, mass: {:.12g}, pose: {{xyz: [{:.9f}, {:.9f}, {:.9f}]}}, "
        "material: glass}}\n",
        i + 1, radius, density * 4 / 3 * pi * radius * radius * radius, (row - 1) * pitch + draw.uniform(-2e-4, 2e-4),
        (column - 1) * pitch + draw.uniform(-2e-4, 2e-4), pivot + radius + 1e-4 + layer * pitch);
  }
  // a box of 0.24 m by 0.16 m that catches them
  std::string cup;
  const auto cup_wall = [&](double x, double y, double sx, double sy) {
    cup += fmt::format(
        "  - {{name: cup{}, static: true, shape: {{box: [{}, {}, 0.08]}}, pose: {{xyz: [{}, {}, 0.04]}}, material: "
        "glass}}\n",
        cup.empty() ? 1 : static_cast<int>(std::count(cup.begin(), cup.end(), '\n')) + 1, sx, sy, x, y);
  };
  for (const double sign : {-1.0, 1.0}) cup_wall(0.12 + sign * 0.125, 0, 0.01, 0.18);
  for (const double sign : {-1.0, 1.0}) cup_wall(0.12, sign * 0.085, 0.24, 0.01);
  return gravity_line(true) + fill_in(R"(time: {step: $step, end: 3, integrator: symplectic}
materials:
  glass: {friction: 0.3}
models:
  - name: arm
    base: fixed
    pose: {xyz: [0, 0, $pivot]}
    material: glass
    inline_urdf: |
      <robot name="arm">
        <link name="stand"/>
        <link name="bottle">
          <inertial>
            <origin xyz="0 0 $middle"/><mass value="$mass"/>
            <inertia ixx="$across" ixy="0" ixz="0" iyy="$across" iyz="0" izz="$along"/>
          </inertial>
$shapes        </link>
        <joint name="wrist" type="revolute">
          <parent link="stand"/><child link="bottle"/><axis xyz="0 1 0"/>
          <limit lower="-0.1" upper="2.4" effort="50" velocity="20"/>
        </joint>
      </robot>
bodies:
  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: glass}
$cup${balls}actuators:
  - {joint: arm/wrist, kind: pd, kp: 0, kd: 50, target: 0, target_velocity: $speed, effort: 50}
)",
                                      {{"step", step_240},
                                       {"pivot", number_text(pivot)},
                                       {"middle", fmt::format("{:.12g}", height / 2)},
                                       {"mass", number_text(mass)},
                                       {"across", fmt::format("{:.12g}", mass * (inner * inner / 2 + height * height / 12))},
                                       {"along", fmt::format("{:.12g}", mass * inner * inner)},
                                       {"shapes", bottle_shapes(inner, height, wall)},
                                       {"cup", cup},
                                       {"balls", balls},
                                       {"speed", number_text(p.at("speed_rad_s"))}});
}

}  // namespace

std::vector<SceneRecipe> many_tree_recipes() {
  const SceneParameter seed{"seed", Kind::integer, 1, 0, 1e9, "of where they start"};
  return {
      {"quadrupeds",
       "Limp four-legged robots fall into a heap, legs between legs.",
       {{"n", Kind::integer, 8, 1, 64, "number of robots"}, seed},
       quadrupeds},
      {"pouring",
       "A servo tilts a bottle of small steel-heavy balls, which pour into a box.",
       {{"n", Kind::integer, 27, 1, 500, "number of balls, nine in a layer"},
        {"speed_rad_s", Kind::number, 1.5, 0.01, 20, "of the wrist, rad/s"},
        seed},
       pouring},
  };
}

}  // namespace condyle
