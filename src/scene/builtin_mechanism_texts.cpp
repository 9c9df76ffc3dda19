// Built-in scenes of mechanisms with loops. Planar ones lie in the x-z plane; all their hinges turn x towards z (axis -y).
// Every loop is closed by its own geometry: the start positions are solved here, the frames are plain lengths of the bars.
#include "scene/builtin_texts.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <array>
#include <cmath>
#include <utility>

namespace condyle {
namespace {

using Kind = SceneParameter::Kind;
using Eigen::Vector2d;

constexpr const char* axis_y = "rpy: [-1.5707963267948966, 0, 0]";  // turns z, the axis of a closure's frame, to y

Vector2d direction(double angle) { return {std::cos(angle), std::sin(angle)}; }
Vector2d quarter_turn(const Vector2d& x) { return {-x.y(), x.x()}; }
double angle_of(const Vector2d& x) { return std::atan2(x.y(), x.x()); }

/// The point at distance ra from a and rb from b, to the left of the way from a to b.
Vector2d dyad(const Vector2d& a, double ra, const Vector2d& b, double rb) {
  const Vector2d ab = b - a;
  const double d = ab.norm(), along = (ra * ra - rb * rb + d * d) / (2 * d);
  return a + along / d * ab + std::sqrt(ra * ra - along * along) / d * quarter_turn(ab);
}

std::string bar(const std::string& name, double length, double mass, bool collide) {
  return box_link(name, {length, 0.02, 0.02}, {length / 2, 0, 0}, mass, collide);
}

/// A hinge at `at`, written as three numbers, in the parent.
std::string hinge(const std::string& name, const std::string& parent, const std::string& child, const std::string& at,
                  const char* axis = "0 -1 0", const std::string& rpy = "0 0 0") {
  return fmt::format(R"(        <joint name="{}" type="continuous">
          <parent link="{}"/><child link="{}"/><origin xyz="{}" rpy="{}"/><axis xyz="{}"/>
        </joint>
)",
                     name, parent, child, at, rpy, axis);
}

std::string slider(const std::string& name, const std::string& parent, const std::string& child, const std::string& at,
                   const char* axis) {
  return fmt::format(R"(        <joint name="{}" type="prismatic">
          <parent link="{}"/><child link="{}"/><origin xyz="{}"/><axis xyz="{}"/>
          <limit lower="-10" upper="10" effort="1e9" velocity="1e9"/>
        </joint>
)",
                     name, parent, child, at, axis);
}

std::string at_x(double x) { return fmt::format("{} 0 0", x); }

/// A crank-rocker: frame 0.4 m, crank 0.15, coupler 0.35, rocker 0.3; the crank can go round.
struct FourBar {
  static constexpr double frame = 0.4, crank = 0.15, coupler = 0.35, rocker = 0.3;
  std::array<double, 3> q, v;  ///< hinge angles and rates of crank, coupler, rocker, each from the bar before

  FourBar(double angle, double speed) {
    const Vector2d B = crank * direction(angle), D(frame, 0), C = dyad(B, coupler, D, rocker);
    const double second = angle_of(C - B), third = angle_of(D - C);
    // crank + coupler + rocker = frame, once differentiated
    Eigen::Matrix2d rates;
    rates << coupler * quarter_turn(direction(second)), rocker * quarter_turn(direction(third));
    const Vector2d w = rates.inverse() * (-crank * speed * quarter_turn(direction(angle)));
    q = {angle, second - angle, third - second};
    v = {speed, w[0] - speed, w[1] - w[0]};
  }
};

std::string fourbar(const FourBar& start, const std::string& base, const std::string& more_bodies, const char* integrator) {
  constexpr double mass = 0.5;
  return fill_in(
      R"(time: {step: 0.001, end: 10, integrator: $integrator}
models:
  - name: fourbar
$base    joints: {crank: $q0, coupler: $q1, rocker: $q2}
    joint_velocities: {crank: $v0, coupler: $v1, rocker: $v2}
    inline_urdf: |
      <robot name="fourbar">
$links      </robot>
${bodies}loops:
  - name: rocker_foot
    kind: revolute
    frames: [{body: fourbar/rocker, pose: {xyz: [$c, 0, 0], $axis}}, {body: fourbar/frame, pose: {xyz: [$d, 0, 0], $axis}}]
pairs:
  exclude: [[fourbar/frame, fourbar/coupler], [fourbar/frame, fourbar/rocker], [fourbar/crank, fourbar/rocker]]
)",
      {{"integrator", integrator},
       {"base", base},
       {"bodies", more_bodies},
       {"axis", axis_y},
       {"c", number_text(FourBar::rocker)},
       {"d", number_text(FourBar::frame)},
       {"q0", number_text(start.q[0])},
       {"q1", number_text(start.q[1])},
       {"q2", number_text(start.q[2])},
       {"v0", number_text(start.v[0])},
       {"v1", number_text(start.v[1])},
       {"v2", number_text(start.v[2])},
       {"links", bar("frame", FourBar::frame, mass, true) + bar("crank", FourBar::crank, mass, true) +
                     bar("coupler", FourBar::coupler, mass, true) + bar("rocker", FourBar::rocker, mass, true) +
                     hinge("crank", "frame", "crank", "0 0 0") + hinge("coupler", "crank", "coupler", at_x(FourBar::crank)) +
                     hinge("rocker", "coupler", "rocker", at_x(FourBar::coupler))}});
}

std::string fourbar_fixed(const ParameterValues& p) {
  return gravity_line(true) + fourbar({radians(p.at("angle_deg")), p.at("speed_rad_s")},
                                      "    base: fixed\n    pose: {xyz: [0, 0, 0.5]}\n", "", "symplectic");
}

std::string fourbar_free(const ParameterValues& p) {
  const bool floor = p.at("floor") != 0;
  const std::string bodies =
      floor ? "bodies:\n  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}}\n" : "";
  return gravity_line(floor) +
         fourbar({radians(p.at("angle_deg")), p.at("speed_rad_s")},
                 fmt::format("    base: free\n    pose: {{xyz: [0, 0, 0.5]}}\n    velocity: {{angular: [0.5, {}, 0.3]}}\n",
                             p.at("spin_rad_s")),
                 bodies, "symplectic");
}

std::string fivebar(const ParameterValues& p) {
  constexpr double gap = 0.2, crank = 0.2, rod = 0.3;
  const double left = radians(p.at("left_deg")), right = radians(p.at("right_deg"));
  const Vector2d A = crank * direction(left), B = Vector2d(gap, 0) + crank * direction(right), C = dyad(A, rod, B, rod);
  return gravity_line(true) +
         fill_in(R"(time: {step: 0.001, end: 5, integrator: symplectic}
models:
  - name: fivebar
    base: fixed
    pose: {xyz: [0, 0, 0.2]}
    joints: {left_crank: $l, left_rod: $lr, right_crank: $r, right_rod: $rr}
    inline_urdf: |
      <robot name="fivebar">
$links      </robot>
loops:
  - name: tip
    kind: revolute
    frames:
      - {body: fivebar/left_rod, pose: {xyz: [$rod, 0, 0], $axis}}
      - {body: fivebar/right_rod, pose: {xyz: [$rod, 0, 0], $axis}}
# servos on the cranks draw figures with the tip; their targets are where they start
actuators:
  - {joint: fivebar/left_crank, kind: pd, kp: $kp, kd: $kd, target: $l}
  - {joint: fivebar/right_crank, kind: pd, kp: $kp, kd: $kd, target: $r}
actuated: [fivebar/left_crank, fivebar/right_crank]
)",
                 {{"axis", axis_y},
                  {"rod", number_text(rod)},
                  {"kp", number_text(p.at("kp"))},
                  {"kd", number_text(0.05 * p.at("kp"))},
                  {"l", number_text(left)},
                  {"lr", number_text(angle_of(C - A) - left)},
                  {"r", number_text(right)},
                  {"rr", number_text(angle_of(C - B) - right)},
                  {"links", "        <link name=\"frame\"/>\n" + bar("left_crank", crank, 0.3, false) +
                                bar("left_rod", rod, 0.3, false) + bar("right_crank", crank, 0.3, false) +
                                bar("right_rod", rod, 0.3, false) + hinge("left_crank", "frame", "left_crank", "0 0 0") +
                                hinge("left_rod", "left_crank", "left_rod", at_x(crank)) +
                                hinge("right_crank", "frame", "right_crank", at_x(gap)) +
                                hinge("right_rod", "right_crank", "right_rod", at_x(crank))}});
}

std::string slider_crank(const ParameterValues& p) {
  constexpr double crank = 0.1, rod = 0.3;
  const double angle = radians(p.at("angle_deg")), w = p.at("speed_rad_s");
  const double tilt = std::asin(-crank * std::sin(angle) / rod);
  const double tilt_rate = -crank * std::cos(angle) * w / (rod * std::cos(tilt));
  return gravity_line(true) +
         fill_in(R"(time: {step: 0.001, end: 5, integrator: symplectic}
models:
  - name: engine
    base: fixed
    pose: {xyz: [0, 0, 0.3]}
    joints: {crank: $q, rod: $rod_q, piston: $x}
    joint_velocities: {crank: $w, rod: $rod_w, piston: $x_rate}
    inline_urdf: |
      <robot name="engine">
$links      </robot>
loops:
  - name: wrist
    kind: revolute
    frames: [{body: engine/rod, pose: {xyz: [$rod, 0, 0], $axis}}, {body: engine/piston, pose: {$axis}}]
)",
                 {{"axis", axis_y},
                  {"rod", number_text(rod)},
                  {"q", number_text(angle)},
                  {"w", number_text(w)},
                  {"rod_q", number_text(tilt - angle)},
                  {"rod_w", number_text(tilt_rate - w)},
                  {"x", number_text(crank * std::cos(angle) + rod * std::cos(tilt))},
                  {"x_rate", number_text(-crank * std::sin(angle) * w - rod * std::sin(tilt) * tilt_rate)},
                  {"links", "        <link name=\"block\"/>\n" + bar("crank", crank, 1, false) +
                                bar("rod", rod, 0.5, false) + box_link("piston", {0.06, 0.06, 0.06}, {0, 0, 0}, 0.5, false) +
                                hinge("crank", "block", "crank", "0 0 0") + hinge("rod", "crank", "rod", at_x(crank)) +
                                slider("piston", "block", "piston", "0 0 0", "1 0 0")}});
}

/// n crank-rockers (0.10, 0.20, 0.16 on a base of 0.20), each standing on the coupler of the last; all hinges start at zero.
std::string fourbars(const ParameterValues& p) {
  constexpr double a = 0.10, b = 0.20, c = 0.16, d = 0.20;
  const double crank = radians(60);
  const Vector2d B = a * direction(crank), C = dyad(B, b, {d, 0}, c);
  const double coupler = angle_of(C - B), rocker = angle_of(Vector2d(d, 0) - C);
  const int n = static_cast<int>(p.at("n"));
  std::string links = "        <link name=\"world\"/>\n", loops;
  const auto add = [&](const std::string& name, const std::string& parent, double x, double turn, double length) {
    links += box_link(name, {length, 0.01, 0.01}, {length / 2, 0, 0}, length, false) +
             hinge("j_" + name, parent, name, at_x(x), "0 1 0", fmt::format("0 {} 0", -turn));
  };
  std::string base = "world";
  for (int i = 0; i < n; ++i) {
    add(fmt::format("crank{}", i), base, 0, crank, a);
    add(fmt::format("coupler{}", i), fmt::format("crank{}", i), a, coupler - crank, b);
    add(fmt::format("rocker{}", i), fmt::format("coupler{}", i), b, rocker - coupler, c);
    loops += fmt::format(
        "  - {{name: loop{0}, kind: spherical, frames: [{{body: linkage/rocker{0}, pose: {{xyz: [{1}, 0, 0]}}}}, "
        "{{body: linkage/{2}, pose: {{xyz: [{3}, 0, 0]}}}}]}}\n",
        i, c, base, d);
    base = fmt::format("coupler{}", i);
  }
  return gravity_line(true) + fill_in(R"(time: {step: 0.001, end: 2, integrator: symplectic}
models:
  - name: linkage
    base: fixed
    inline_urdf: |
      <robot name="linkage">
$links      </robot>
loops:
$loops)",
                                      {{"links", links}, {"loops", loops}});
}

/// Bodies held together by ball joints alone, each a loop closure, hung from the world and straight at the start. Under its
/// tension T a rod swings between its neighbours with sqrt(12 T / m l), here 3400 rad/s: a millisecond is beyond the 2 / ω
/// that the symplectic scheme bears.
std::string loaded_chain(const ParameterValues& p) {
  constexpr double pitch = 0.1, link = 0.01, hook = 0.15;  // m, kg, m from the load's centre
  const int n = static_cast<int>(p.at("n"));
  const double a = radians(p.at("angle_deg"));
  std::string bodies, loops, above = "world", at = "0, 0, 0";
  double along = 0;
  const auto add = [&](const std::string& name, const std::string& shape, double mass, double half) {
    along += half;
    bodies += fmt::format(
        "  - {{name: {}, shape: {{{}}}, mass: {}, pose: {{xyz: [{:.17g}, 0, {:.17g}], rpy: [0, {:.17g}, 0]}}}}\n", name,
        shape, mass, along * std::sin(a), -along * std::cos(a), -a);
    loops += fmt::format(
        "  - {{name: to_{0}, kind: spherical, frames: [{{body: {1}, pose: {{xyz: [{2}]}}}}, {{body: {0}, pose: {{xyz: [0, "
        "0, "
        "{3}]}}}}]}}\n",
        name, above, at, half);
    along += half;
    above = name;
    at = fmt::format("0, 0, {}", -half);
  };
  for (int i = 0; i < n; ++i)
    add(fmt::format("link{}", i), fmt::format("capsule: {{radius: 0.005, length: {}}}", 0.8 * pitch), link, 0.5 * pitch);
  add("load", "sphere: 0.1", link * p.at("ratio"), hook);
  return gravity_line(true) + "time: {step: 0.0002, end: 2, integrator: symplectic}\nbodies:\n" + bodies + "loops:\n" +
         loops;
}

/// Six legs of two hinges and a slider carry a platform.
std::string stewart(const ParameterValues& p) {
  constexpr double base = 0.3, top = 0.2, height = 0.4, zero = 0.4;  // m; length of a leg at slider position zero
  std::string links = "        <link name=\"ground\"/>\n", start, loops, motors, names;
  for (int i = 0; i < 6; ++i) {
    const int side = i % 2 ? 1 : -1;
    const double middle = 2 * pi / 3 * (i / 2);
    const Vector2d foot = base * direction(middle + side * radians(40)), head = top * direction(middle + side * radians(15));
    const Eigen::Vector3d leg(head.x() - foot.x(), head.y() - foot.y(), height);
    const double length = leg.norm();
    const Eigen::Vector3d u = leg / length;  // = Rx(roll) Ry(pitch) z
    links += box_link(fmt::format("cross{}", i), {0.03, 0.03, 0.03}, {0, 0, 0}, 0.1, false) +
             box_link(fmt::format("lower{}", i), {0.03, 0.03, 0.25}, {0, 0, 0.125}, 0.5, false) +
             box_link(fmt::format("upper{}", i), {0.02, 0.02, 0.25}, {0, 0, -0.125}, 0.3, false) +
             hinge(fmt::format("roll{}", i), "ground", fmt::format("cross{}", i), fmt::format("{} {} 0", foot.x(), foot.y()),
                   "1 0 0") +
             hinge(fmt::format("pitch{}", i), fmt::format("cross{}", i), fmt::format("lower{}", i), "0 0 0", "0 1 0") +
             slider(fmt::format("leg{}", i), fmt::format("lower{}", i), fmt::format("upper{}", i),
                    fmt::format("0 0 {}", zero), "0 0 1");
    start += fmt::format("{}roll{}: {}, pitch{}: {}, leg{}: {}", i ? ", " : "", i, std::atan2(-u.y(), u.z()), i,
                         std::asin(u.x()), i, length - zero);
    loops += fmt::format(
        "  - {{name: ball{0}, kind: spherical, frames: [stewart/upper{0}, "
        "{{body: platform, pose: {{xyz: [{1}, {2}, 0]}}}}]}}\n",
        i, head.x(), head.y());
    motors += fmt::format("  - {{joint: stewart/leg{}, kind: pd, kp: 20000, kd: 400, target: {}}}\n", i,
                          length - zero + p.at("lift_m"));
    names += fmt::format("{}stewart/leg{}", i ? ", " : "", i);
  }
  return gravity_line(true) +
         fill_in(R"(time: {step: 0.001, end: 2, integrator: symplectic}
models:
  - name: stewart
    base: fixed
    joints: {$start}
    inline_urdf: |
      <robot name="stewart">
$links      </robot>
bodies:
  - {name: platform, shape: {cylinder: {radius: 0.22, length: 0.02}}, mass: 5, pose: {xyz: [0, 0, 0.4]}}
loops:
$loops# all legs grow by as much as is asked, and the platform rises
actuators:
${motors}actuated: [$names]
)",
                 {{"start", start}, {"links", links}, {"loops", loops}, {"motors", motors}, {"names", names}});
}

/// Three driven arms, each with two thin rods to a small platform that keeps level.
std::string delta(const ParameterValues& p) {
  constexpr double base = 0.15, arm = 0.2, rod = 0.45, top = 0.05, apart = 0.03;
  const double angle = radians(p.at("angle_deg"));
  const double out = base + arm * std::cos(angle) - top;
  const double drop = std::sqrt(rod * rod - out * out), below = arm * std::sin(angle) + drop;
  std::string links = "        <link name=\"ceiling\"/>\n", start, loops, motors, names;
  for (int i = 0; i < 3; ++i) {
    const double azimuth = 2 * pi / 3 * i;
    const Vector2d radial = direction(azimuth), tangent = quarter_turn(radial);
    const std::string name = fmt::format("arm{}", i);
    // axis y is tangential: the arm's x goes down as it turns
    links += bar(name, arm, 0.3, false) + hinge(name, "ceiling", name,
                                                fmt::format("{} {} 0", base * radial.x(), base * radial.y()), "0 1 0",
                                                fmt::format("0 0 {}", azimuth));
    start += fmt::format("{}{}: {}", i ? ", " : "", name, angle);
    motors += fmt::format("  - {{joint: delta/{}, kind: pd, kp: 100, kd: 2, target: {}}}\n", name, angle + p.at("move_rad"));
    names += fmt::format("{}delta/{}", i ? ", " : "", name);
    for (const int side : {-1, 1}) {
      const std::string which = fmt::format("{}{}", i, side < 0 ? "a" : "b");
      links += box_link("cross" + which, {0.02, 0.02, 0.02}, {0, 0, 0}, 0.02, false) +
               box_link("rod" + which, {rod, 0.01, 0.01}, {rod / 2, 0, 0}, 0.05, false) +
               hinge("bend" + which, name, "cross" + which, fmt::format("{} {} 0", arm, side * apart), "0 1 0") +
               hinge("sway" + which, "cross" + which, "rod" + which, "0 0 0", "0 0 1");
      start += fmt::format(", bend{}: {}, sway{}: 0", which, std::atan2(drop, -out) - angle, which);
      const Vector2d joint = top * radial + side * apart * tangent;
      loops += fmt::format(
          "  - {{name: ball{0}, kind: spherical, frames: [{{body: delta/rod{0}, pose: {{xyz: [{1}, 0, 0]}}}}, "
          "{{body: platform, pose: {{xyz: [{2}, {3}, 0]}}}}]}}\n",
          which, rod, joint.x(), joint.y());
    }
  }
  return gravity_line(true) + fill_in(R"(time: {step: 0.001, end: 2, integrator: symplectic}
models:
  - name: delta
    base: fixed
    pose: {xyz: [0, 0, 1]}
    joints: {$start}
    inline_urdf: |
      <robot name="delta">
$links      </robot>
bodies:
  - {name: platform, shape: {cylinder: {radius: 0.06, length: 0.02}}, mass: 0.3, pose: {xyz: [0, 0, $z]}}
loops:
$loops# the arms turn by as much as is asked; the platform stays level
actuators:
${motors}actuated: [$names]
)",
                                      {{"start", start},
                                       {"links", links},
                                       {"z", number_text(1 - below)},
                                       {"loops", loops},
                                       {"motors", motors},
                                       {"names", names}});
}

}  // namespace

std::vector<SceneRecipe> mechanism_recipes() {
  const SceneParameter angle{"angle_deg", Kind::number, 60, -180, 180, "of the crank from the frame at the start, degrees"};
  const SceneParameter speed{"speed_rad_s", Kind::number, 6, -100, 100, "of the crank at the start, rad/s"};
  return {
      {"fourbar_fixed",
       "A crank-rocker on a fixed frame swings round under gravity; its loop is closed by a hinge.",
       {angle, speed},
       fourbar_fixed},
      {"fourbar_free",
       "The same four bars tumble freely, or fall on a floor.",
       {angle,
        speed,
        {"spin_rad_s", Kind::number, 2, -100, 100, "angular speed of the frame about y, rad/s"},
        {"floor", Kind::boolean, 0, 0, 1, "with gravity and a floor; otherwise in free space"}},
       fourbar_free},
      {"fivebar",
       "Two cranks and two rods that meet in a tip; servos hold the cranks.",
       {{"left_deg", Kind::number, 120, 80, 150, "of the left crank, degrees"},
        {"right_deg", Kind::number, 60, 30, 100, "of the right crank, degrees"},
        {"kp", Kind::number, 20, 0, 1e5, "of the servos, N m/rad"}},
       fivebar},
      {"slider_crank", "A piston, a rod and a crank: an engine that nobody drives.", {angle, speed}, slider_crank},
      {"fourbars",
       "Linkages that stand on the couplers of each other, released from rest.",
       {{"n", Kind::integer, 20, 1, 200, "number of four-bars"}},
       fourbars},
      {"loaded_chain",
       "A chain of loose links, held together by loops alone, swings with a heavy load at its end.",
       {{"n", Kind::integer, 50, 1, 500, "number of links of 0.1 m and 10 g"},
        {"ratio", Kind::number, 1e4, 1e-3, 1e6, "mass of the load over that of a link"},
        {"angle_deg", Kind::number, 20, -80, 80, "from straight down at the start, degrees"}},
       loaded_chain},
      {"stewart",
       "A platform on six legs of servo-driven length.",
       {{"lift_m", Kind::number, 0.05, -0.1, 0.1, "by which every leg grows, m"}},
       stewart},
      {"delta",
       "A parallel robot: three arms move a platform that keeps level.",
       {{"angle_deg", Kind::number, 20, 0, 60, "of the arms below the horizontal, degrees"},
        {"move_rad", Kind::number, 0.3, -0.5, 0.5, "by which the servos turn every arm, rad"}},
       delta},
  };
}

}  // namespace condyle
