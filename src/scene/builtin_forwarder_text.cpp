// Built-in scene log_grasp (MLCP 5.1): a forwarder's arm of 13 bodies on 12 revolute, 2 prismatic and 2 cylindrical joints.
// Three hydraulic cylinders close three loops: boom, stick and claw. The arm lies in the x-z plane and all its hinges turn x
// towards z (axis -y); slewing column and rotator turn about the vertical, since the stick always points straight down.
#include "scene/builtin_texts.hpp"
#include "scene/mass_properties.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <cmath>
#include <functional>
#include <vector>

namespace condyle {
namespace {

using Eigen::Vector2d;

constexpr const char* axis_y = "rpy: [-1.5707963267948966, 0, 0]";  // turns z, the axis of a closure's frame, to y

// Points in the plane of the arm: x forwards, second coordinate up; m.
const Vector2d shoulder(0, 1.5);           // on the column
const Vector2d boom_foot(0.25, 0.6);       // of the boom's cylinder, on the column
const Vector2d boom_pin(0.9, -0.1);        // its rod's end, on the boom
constexpr double boom = 2.5, stick = 1.2;  // lengths
const Vector2d stick_foot(1.4, 0.25);      // of the stick's cylinder, on the boom
const Vector2d stick_pin(-0.3, 0);         // its rod's end, on the stick, behind its hinge
constexpr double reach = 1.4;              // from the stick's hinge to the rotator with the telescope drawn in
constexpr double down = -pi / 2;           // the stick's direction

// The claw, from the rotator's centre line; the log's centre is `log_below` under the rotator when it is held.
constexpr double log_radius = 0.16, tine = 0.03, log_below = 0.5;
const Vector2d lever(0.14, 0.15);  // end of the claw's cylinder from the claw's hinge

Vector2d turned(const Vector2d& x, double angle) {
  return {x.x() * std::cos(angle) - x.y() * std::sin(angle), x.x() * std::sin(angle) + x.y() * std::cos(angle)};
}

/// A cylinder from its foot to its pin, in the axes of the plane.
struct Cylinder {
  double length, angle;
  Cylinder(const Vector2d& foot, const Vector2d& pin)
      : length((pin - foot).norm()), angle(std::atan2(pin.y() - foot.y(), pin.x() - foot.x())) {}
};
Cylinder boom_cylinder(double boom_angle) { return {boom_foot, shoulder + turned(boom_pin, boom_angle)}; }
Cylinder stick_cylinder(double boom_angle) {
  return {turned(stick_foot, boom_angle), turned({boom, 0}, boom_angle) + turned(stick_pin, down)};
}

/// Corners of a tine from its hinge: straight pieces that touch the held log all round, from the log's centre.
std::vector<Vector2d> tine_corners() {
  // directions in which the pieces touch the log, and that of both ends
  constexpr double touch[] = {20, -35, -80}, first = 62, last = -100;
  const double r = log_radius + tine;
  const auto corner = [&](double at, double touched) {
    const double a = radians(at);
    return Vector2d(Vector2d(std::cos(a), std::sin(a)) * (r / std::cos(radians(at - touched))));
  };
  return {corner(first, touch[0]), corner((touch[0] + touch[1]) / 2, touch[0]), corner((touch[1] + touch[2]) / 2, touch[1]),
          corner(last, touch[2])};
}
Vector2d claw_hinge() { return tine_corners().front() - Vector2d(0, log_below); }  // of the right claw
/// Between the ends of both levers with the claws open by an angle.
double claw_cylinder(double open) { return 2 * (claw_hinge().x() + turned(lever, open).x()); }

std::string numbers(const Eigen::Vector3d& x) { return fmt::format("{} {} {}", x.x(), x.y(), x.z()); }
std::string in_plane(const Vector2d& x) { return fmt::format("{} 0 {}", x.x(), x.y()); }

std::string joint(const char* type, const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& at, const char* axis, const std::string& more = "") {
  const bool slides = std::string(type) == "prismatic";
  return fmt::format(
      "        <joint name=\"{}\" type=\"{}\">\n          <parent link=\"{}\"/><child link=\"{}\"/><origin {}/><axis "
      "xyz=\"{}\"/>{}{}\n        </joint>\n",
      name, type, parent, child, at, axis, slides ? "<limit lower=\"0\" upper=\"10\" effort=\"1e9\" velocity=\"1e9\"/>" : "",
      more);
}
std::string hinge(const std::string& name, const std::string& parent, const std::string& child, const Vector2d& at) {
  return joint("continuous", name, parent, child, "xyz=\"" + in_plane(at) + "\"", "0 -1 0");
}

/// Barrel and rod; the position of joint NAME_slide is the cylinder's length. A cylindrical one can also turn about itself.
std::string cylinder(const std::string& name, const std::string& parent, const Vector2d& foot, double barrel, double mass,
                     bool turns) {
  const std::string moved = turns ? name + "_sleeve" : name + "_rod";
  std::string out = box_link(name + "_barrel", {barrel, 0.09, 0.09}, {barrel / 2, 0, 0}, mass, false) +
                    box_link(name + "_rod", {barrel, 0.05, 0.05}, {-barrel / 2, 0, 0}, mass / 2, false) +
                    hinge(name + "_foot", parent, name + "_barrel", foot);
  if (turns) out += fmt::format("        <link name=\"{}\"/>\n", moved);
  out += joint("prismatic", name + "_slide", name + "_barrel", moved, "xyz=\"0 0 0\"", "1 0 0");
  if (turns) out += joint("continuous", name + "_turn", moved, name + "_rod", "xyz=\"0 0 0\"", "1 0 0");
  return out;
}

/// A claw: the lever for its cylinder is seen only, the tines touch. `side` is 1 on the right, -1 on the left.
std::string claw(const std::string& name, double side, const std::vector<double>& places) {
  std::vector<Shape> shapes;
  std::string seen;
  const std::vector<Vector2d> corners = tine_corners();
  for (const double y : places)
    for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
      const Vector2d a = corners[i] - corners[0], b = corners[i + 1] - corners[0], middle = (a + b) / 2;
      const double length = (b - a).norm(), angle = std::atan2(side * (b - a).x(), (b - a).y());
      Shape shape;
      shape.kind = ShapeKind::capsule;
      shape.size << tine, length, 1;
      shape.pose = Pose::from_xyz_rpy({side * middle.x(), y, middle.y()}, {0, angle, 0});
      shapes.push_back(shape);
      const std::string geometry =
          fmt::format(R"(<origin xyz="{}" rpy="0 {} 0"/><geometry><capsule radius="{}" length="{}"/></geometry>)",
                      numbers(shape.pose.p), angle, tine, length);
      seen += fmt::format("          <visual>{0}</visual>\n          <collision>{0}</collision>\n", geometry);
    }
  const Inertial body = solid(shapes, 20 * static_cast<double>(places.size()), Place{});
  const Eigen::Matrix3d& I = body.inertia;
  return fmt::format(
      "        <link name=\"{}\">\n          <inertial><origin xyz=\"{}\"/><mass value=\"{}\"/><inertia ixx=\"{}\" "
      "ixy=\"{}\" "
      "ixz=\"{}\" iyy=\"{}\" iyz=\"{}\" izz=\"{}\"/></inertial>\n{}          <visual><origin xyz=\"{} 0 {}\" rpy=\"0 {} "
      "0\"/><geometry><box size=\"0.05 0.1 {}\"/></geometry></visual>\n        </link>\n",
      name, numbers(body.com), body.mass, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2), seen, side * lever.x() / 2,
      lever.y() / 2, side * std::atan2(lever.x(), lever.y()), lever.norm());
}

/// Keyframes of a length that follows an angle which goes smoothly from one value to another.
std::string follow(double begin, double end, double from, double to, const std::function<double(double)>& length) {
  constexpr int pieces = 20;
  std::string times, values;
  for (int i = 0; i <= pieces; ++i) {
    const double s = static_cast<double>(i) / pieces;
    times += fmt::format("{}{:.4g}", i ? ", " : "", begin + s * (end - begin));
    values += fmt::format("{}{:.7g}", i ? ", " : "", length(from + (to - from) * s * s * (3 - 2 * s)));
  }
  return fmt::format("{{times: [{}], values: [{}]}}", times, values);
}

}  // namespace

std::string log_grasp_text(const ParameterValues& p) {
  constexpr double low = pi / 6, high = pi / 4;  // of the boom, before and after lifting
  constexpr double open = 50 * pi / 180;         // of each claw
  constexpr double above = 0.05, at_log = 0.39;  // of the telescope, before and after lowering
  const Vector2d tip = shoulder + turned({boom, 0}, low);
  const double log_height = tip.y() - reach - at_log - log_below;
  const double bunk = log_height - log_radius;
  const Cylinder first = boom_cylinder(low), second = stick_cylinder(low);
  const Vector2d hinge_at = claw_hinge(), left_lever(-lever.x(), lever.y());
  const auto column_box = [](const std::string& name, const Eigen::Vector3d& size, const Eigen::Vector3d& at, double mass) {
    return box_link(name, size, at, mass, false);
  };
  const std::string links =
      "        <link name=\"vehicle\"/>\n" + column_box("column", {0.4, 0.4, 1.5}, {0, 0, 0.75}, 300) +
      column_box("boom", {boom, 0.2, 0.25}, {boom / 2, 0, 0}, 250) +
      column_box("stick", {stick + 0.3, 0.18, 0.18}, {(stick - 0.3) / 2, 0, 0}, 120) +
      column_box("telescope", {1, 0.12, 0.12}, {-0.5, 0, 0}, 60) +
      column_box("rotator", {0.2, 0.2, 0.25}, {0, 0, -0.125}, 60) + claw("right", 1, {0}) + claw("left", -1, {-0.12, 0.12}) +
      joint("continuous", "slew", "vehicle", "column", "xyz=\"0 0 0\"", "0 0 1") +
      hinge("boom", "column", "boom", shoulder) + hinge("stick", "boom", "stick", {boom, 0}) +
      joint("prismatic", "telescope", "stick", "telescope", fmt::format("xyz=\"{} 0 0\"", reach), "1 0 0") +
      joint("continuous", "rotator", "telescope", "rotator", fmt::format("xyz=\"0 0 0\" rpy=\"0 {} 0\"", down), "0 0 1") +
      joint("continuous", "right", "rotator", "right", "xyz=\"" + in_plane(hinge_at) + "\"", "0 -1 0",
            "<dynamics damping=\"50\"/>") +
      joint("continuous", "left", "rotator", "left", "xyz=\"" + in_plane({-hinge_at.x(), hinge_at.y()}) + "\"", "0 1 0",
            "<dynamics damping=\"50\"/>") +
      cylinder("lift", "column", boom_foot, 0.7, 40, true) + cylinder("bend", "boom", stick_foot, 0.7, 30, true) +
      cylinder("grip", "left", left_lever, 0.15, 10, false);
  const auto angle = [](double x) { return number_text(x); };
  return gravity_line(true) +
         fill_in(R"(time: {step: 0.016666666666666666, end: 8.333333333333334, integrator: symplectic}
materials:
  matter: {friction: $friction}
models:
  - name: arm
    base: fixed
    material: matter
    joints: {boom: $boom, stick: $stick, telescope: $above, right: $open, left: $open, lift_foot: $lift_foot, lift_slide: $lift,
      bend_foot: $bend_foot, bend_slide: $bend, grip_foot: $open, grip_slide: $grip}
    inline_urdf: |
      <robot name="arm" version="1.1">
$links      </robot>
bodies:
  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: matter}
  - {name: bunk1, static: true, shape: {box: [0.6, 0.2, $bunk]}, pose: {xyz: [$x, -1, $half_bunk]}, material: matter}
  - {name: bunk2, static: true, shape: {box: [0.6, 0.2, $bunk]}, pose: {xyz: [$x, 1, $half_bunk]}, material: matter}
  - name: log
    shape: {cylinder: {radius: $radius, length: 3}}
    mass: $mass
    pose: {xyz: [$x, 0, $z], rpy: [1.5707963267948966, 0, 0]}
    material: matter
loops:
  - {name: lift_pin, kind: revolute, frames: [{body: arm/lift_rod, pose: {$axis}}, {body: arm/boom, pose: {xyz: [$boom_pin], $axis}}]}
  - {name: bend_pin, kind: revolute, frames: [{body: arm/bend_rod, pose: {$axis}}, {body: arm/stick, pose: {xyz: [$stick_pin], $axis}}]}
  - {name: grip_pin, kind: revolute, frames: [{body: arm/grip_rod, pose: {$axis}}, {body: arm/right, pose: {xyz: [$lever], $axis}}]}
# lower, grip, lift with the stick kept upright, turn
actuators:
  - {joint: arm/telescope, kind: pd, kp: 1e6, kd: 1e5, target: {times: [0, 1, 2.5, 4.5], values: [$above, $at_log, $at_log, 0.1],
      interpolation: smooth}}
  - {joint: arm/grip_slide, kind: pd, kp: 1e6, kd: 1e4, effort: $effort, target: {times: [1, 2], values: [$grip, $closed],
      interpolation: smooth}}
  - {joint: arm/lift_slide, kind: pd, kp: 1e7, kd: 1e6, target: $lift_path}
  - {joint: arm/bend_slide, kind: pd, kp: 1e7, kd: 1e6, target: $bend_path}
  - {joint: arm/slew, kind: pd, kp: 1e6, kd: 1e5, target: {times: [4.5, 7.5], values: [0, 1.5707963267948966],
      interpolation: smooth}}
  - {joint: arm/rotator, kind: pd, kp: 1e5, kd: 1e4, target: 0}
actuated: [arm/telescope, arm/grip_slide, arm/lift_slide, arm/bend_slide, arm/slew, arm/rotator]
)",
                 {{"friction", number_text(p.at("friction"))},
                  {"boom", angle(low)},
                  {"stick", angle(down - low)},
                  {"above", number_text(above)},
                  {"at_log", number_text(at_log)},
                  {"open", angle(open)},
                  {"lift_foot", angle(first.angle)},
                  {"lift", number_text(first.length)},
                  {"bend_foot", angle(second.angle - low)},
                  {"bend", number_text(second.length)},
                  {"grip", number_text(claw_cylinder(open))},
                  {"closed", number_text(claw_cylinder(0) + 0.02)},
                  {"links", links},
                  {"bunk", number_text(bunk)},
                  {"half_bunk", number_text(bunk / 2)},
                  {"x", number_text(tip.x())},
                  {"z", number_text(log_height)},
                  {"radius", number_text(log_radius)},
                  {"mass", number_text(p.at("mass_kg"))},
                  {"axis", axis_y},
                  {"boom_pin", fmt::format("{}, 0, {}", boom_pin.x(), boom_pin.y())},
                  {"stick_pin", fmt::format("{}, 0, {}", stick_pin.x(), stick_pin.y())},
                  {"lever", fmt::format("{}, 0, {}", lever.x(), lever.y())},
                  {"effort", number_text(p.at("grip_n"))},
                  {"lift_path", follow(2.5, 4.5, low, high, [](double a) { return boom_cylinder(a).length; })},
                  {"bend_path", follow(2.5, 4.5, low, high, [](double a) { return stick_cylinder(a).length; })}});
}

}  // namespace condyle
