// Built-in scenes after the MLCP paper (its section 5 and the cable of 6.5): walls, rings and chains that small errors in
// the impulses make fall apart. Sizes are chosen here where the paper has none.
#include "scene/builtin_texts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

namespace condyle {
namespace {

using Kind = SceneParameter::Kind;

constexpr double g = 9.81;
constexpr const char* half_pi = "1.5707963267948966";

/// Steps of 1/60 s as the paper has them. `compliant`: its contacts of 1e5 N/m and 1e4 kg/s in place of rigid ones.
std::string heading(double end, double friction, bool compliant, double step = 1. / 60) {
  return gravity_line(true) + fmt::format("time: {{step: {}, end: {}, integrator: symplectic}}\n", step, end) +
         fmt::format("materials:\n  matter: {{friction: {}{}}}\n", friction,
                     compliant ? ", stiffness: 1e5, dissipation_time: 0.1" : "");
}

constexpr double whole = 500. / 60;  ///< s: the paper's 500 steps
constexpr const char* floor_body =
    "bodies:\n  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: matter}\n";

std::string brick_wall(const ParameterValues& p) {
  constexpr double length = 0.4, depth = 0.2, height = 0.2, beside = 0.002;
  const double above = p.at("gap_m");
  std::string bricks;
  for (int row = 0; row < static_cast<int>(p.at("rows")); ++row) {
    const int n = row % 2 ? 2 : 3;
    for (int i = 0; i < n; ++i)
      bricks += fmt::format(
          "  - {{name: brick{}_{}, shape: {{box: [{}, {}, {}]}}, mass: 30, pose: {{xyz: [{:.15g}, 0, {:.15g}]}}, material: "
          "matter}}\n",
          row, i, length, depth, height, (i - (n - 1) / 2.0) * (length + beside),
          height / 2 + above + row * (height + above));
  }
  return heading(whole, 1, p.at("compliant") != 0) + floor_body + bricks;
}

/// Cubes on the corners' midpoints of a regular polygon; hinges with upright axes on its corners.
std::string hinged_ring(const ParameterValues& p) {
  constexpr double edge = 0.2, pitch = 0.25, mass = 8;
  const int n = static_cast<int>(p.at("n"));
  const double radius = pitch / 2 / std::tan(pi / n), drop = std::sqrt(2 * edge / g);
  std::string cubes, hinges, pushes;
  for (int i = 0; i < n; ++i) {
    const double a = 2 * pi * i / n;
    cubes += fmt::format(
        "  - {{name: cube{}, shape: {{box: [{}, {}, {}]}}, mass: {}, pose: {{xyz: [{:.17g}, {:.17g}, {}], rpy: [0, 0, "
        "{:.17g}]}}, material: matter}}\n",
        i, edge, edge, edge, mass, radius * std::cos(a), radius * std::sin(a), 1.5 * edge, a);
    hinges += fmt::format(
        "  - {{name: hinge{0}, kind: revolute, frames: [{{body: cube{0}, pose: {{xyz: [0, {1}, 0]}}}}, {{body: cube{2}, "
        "pose: {{xyz: [0, {3}, 0]}}}}]}}\n",
        i, pitch / 2, (i + 1) % n, -pitch / 2);
    pushes += fmt::format("  - {{body: cube{}, force: [0, {}, 0], axes: body, until: {:.6f}}}\n", i, p.at("push_n"), drop);
  }
  return heading(whole, 1, p.at("compliant") != 0) + floor_body + cubes + "loops:\n" + hinges +
         "# along the ring, while it falls\nforces:\n" + pushes;
}

/// A spool between two flanges winds up a chain. Every five links are one tree with ball joints that have a little damping,
/// loops join the trees: under a tension T a link without damping would swing with sqrt(12 T / m l), some 200 rad/s, between
/// its neighbours, too fast for long steps.
std::string winch(const ParameterValues& p) {
  constexpr double pitch = 0.1, radius = 0.02, mass = 0.2, damping = 0.08;  // m, m, kg, N m s/rad
  constexpr double drum = 0.1, flange = 0.3, width = 0.06, height = 0.36;
  constexpr int together = 5;
  const int n = static_cast<int>(p.at("n"));
  const double speed = p.at("rpm") * 2 * pi / 60;
  std::string models, balls, loops, apart, last;
  for (int first = 0; first < n; first += together) {
    const std::string name = first == 0 ? "winch" : fmt::format("chain{}", first / together);
    std::string links, before = "drum";
    std::string at = fmt::format("0 0 {}\" rpy=\"0 {} 0", -(drum + radius), half_pi);
    if (first == 0) {
      const auto disc = [](double r, double length, double y) {
        return fmt::format(
            "          <collision><origin xyz=\"0 {} 0\" rpy=\"{} 0 0\"/><geometry><cylinder radius=\"{}\" "
            "length=\"{}\"/></geometry></collision>\n",
            y, half_pi, r, length);
      };
      links = R"(        <link name="frame"/>
        <link name="drum">
          <inertial><mass value="40"/><inertia ixx="0.8" ixy="0" ixz="0" iyy="1" iyz="0" izz="0.8"/></inertial>
)" + disc(drum, width, 0) +
              disc(flange, 0.02, -width / 2 - 0.01) + disc(flange, 0.02, width / 2 + 0.01) +
              fmt::format(R"(        </link>
        <joint name="axle" type="continuous">
          <parent link="frame"/><child link="drum"/><origin xyz="0 0 {}"/><axis xyz="0 1 0"/>
        </joint>
)",
                          height);
    }
    for (int i = first; i < std::min(n, first + together); ++i) {
      const std::string link = fmt::format("link{}", i);
      links += capsule_link(link, radius, pitch, mass, pitch / 2);
      if (i > first || first == 0) {
        links += fmt::format(R"(        <joint name="ball{}" type="continuous">
          <parent link="{}"/><child link="{}"/><origin xyz="{}"/><axis xyz="0 1 0"/><dynamics damping="{}"/>
        </joint>
)",
                             i, before, link, at, damping);
        balls += fmt::format("  - {{joint: {}/ball{}, kind: spherical}}\n", name, i);
      } else {
        loops +=
            fmt::format("  - {{name: pin{}, kind: spherical, frames: [{{body: {}, pose: {{xyz: [0, 0, {}]}}}}, {}/{}]}}\n",
                        i, last, pitch, name, link);
        apart += fmt::format("{}[{}, {}/{}]", apart.empty() ? "" : ", ", last, name, link);
      }
      before = link;
      at = fmt::format("0 0 {}", pitch);
    }
    last = name + "/" + before;
    models += fmt::format("  - name: {}\n    base: {}\n    material: matter\n", name, first == 0 ? "fixed" : "free");
    if (first > 0)
      models += fmt::format("    pose: {{xyz: [{:.15g}, 0, {:.15g}], rpy: [0, {}, 0]}}\n", pitch * first,
                            height - drum - radius, half_pi);
    models += fmt::format("    inline_urdf: |\n      <robot name=\"{}\" version=\"1.1\">\n{}      </robot>\n", name, links);
  }
  return heading(p.at("end_s"), 1, true, 1. / 240) + "retype:\n" + balls + "models:\n" + models + floor_body +
         (loops.empty() ? "" : "loops:\n" + loops) +
         fill_in(R"(# the chain falls first; the motor holds its speed until the chain is wound
actuators:
  - {joint: winch/axle, kind: pd, kp: 0, kd: 1e4, target_velocity: {times: [0.3, 0.8, $stop, $end], values: [0, $w, $w, 0]}}
actuated: [winch/axle]
)",
                 {{"w", number_text(speed)},
                  {"stop", number_text(p.at("stop_s"))},
                  {"end", number_text(p.at("stop_s") + 0.5)}}) +
         (apart.empty() ? "" : "pairs:\n  exclude: [" + apart + "]\n");
}

/// A cable lies over a rod; both its ends are pulled down by sliders. The rod is drawn along its axis. Links meet in two
/// hinges at right angles, so they bend but do not roll on the rod.
std::string cable_rod(const ParameterValues& p) {
  constexpr double rod = 0.1, radius = 0.01, mass = 0.05, damping = 0.06, block = 1, above = 1;
  constexpr int over = 10, leg = 8;  // links on the rod and on each side
  constexpr double turn = pi / over;
  const double corner = (rod + radius) / std::cos(turn / 2), pitch = 2 * (rod + radius) * std::tan(turn / 2);
  std::vector<std::pair<double, double>> joints;  // x, z from the rod's axis
  for (int i = 0; i < leg; ++i) joints.emplace_back(-corner, (i - leg) * pitch);
  for (int i = 0; i <= over; ++i) joints.emplace_back(-corner * std::cos(i * turn), corner * std::sin(i * turn));
  for (int i = 1; i <= leg; ++i) joints.emplace_back(corner, -i * pitch);

  std::string links, start, before = "left", at = "0";
  double angle = 0;
  for (std::size_t i = 0; i + 1 < joints.size(); ++i) {
    const double next = std::atan2(joints[i + 1].first - joints[i].first, joints[i + 1].second - joints[i].second);
    const std::string link = fmt::format("link{}", i);
    links +=
        capsule_link(link, radius, pitch, mass, pitch / 2) +
        fill_in(
            R"(        <link name="knuckle$i"/>
        <joint name="bend$i" type="continuous">
          <parent link="$before"/><child link="knuckle$i"/><origin xyz="0 0 $at"/><axis xyz="0 1 0"/>
          <dynamics damping="$damping"/>
        </joint>
        <joint name="lean$i" type="continuous">
          <parent link="knuckle$i"/><child link="link$i"/><axis xyz="1 0 0"/><dynamics damping="$damping"/>
        </joint>
)",
            {{"i", number_text(static_cast<double>(i))}, {"before", before}, {"at", at}, {"damping", number_text(damping)}});
    start += fmt::format("{}bend{}: {}", i ? ", " : "", i, next - angle);
    angle = next;
    before = link;
    at = number_text(pitch);
  }
  const auto slider = [](const std::string& name, const std::string& link, const std::string& from, const char* axis) {
    return fmt::format(R"(        <joint name="{}" type="prismatic">
          <parent link="frame"/><child link="{}"/><origin xyz="{}"/><axis xyz="{}"/>
          <limit lower="-10" upper="10" effort="1e9" velocity="1e9"/>
        </joint>
)",
                       name, link, from, axis);
  };
  const auto down = [&](double x) { return fmt::format("{} 0 {}", x, -leg * pitch); };
  return heading(whole, p.at("friction"), false) +
         fill_in(
             R"(models:
  - name: rig
    base: fixed
    material: matter
    pose: {xyz: [0, 0, $above]}
    joints: {$start}
    inline_urdf: |
      <robot name="rig" version="1.1">
        <link name="frame"/>
        <link name="rod">
          <inertial><mass value="20"/><inertia ixx="26" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="26"/></inertial>
          <collision>
            <origin rpy="1.5707963267948966 0 0"/><geometry><cylinder radius="$rod" length="4"/></geometry>
          </collision>
        </link>
$links      </robot>
loops:
  - {name: end, kind: spherical, frames: [{body: rig/$last, pose: {xyz: [0, 0, $pitch]}}, rig/right]}
# the sliders pull with the tension that is asked for; the rod goes at an even speed
actuators:
  - {joint: rig/draw, kind: pd, kp: 0, kd: 1e5, target_velocity: $speed}
  - {joint: rig/pull_left, kind: torque, value: $left}
  - {joint: rig/pull_right, kind: torque, value: $right}
actuated: [rig/draw, rig/pull_left, rig/pull_right]
)",
             {{"above", number_text(above)},
              {"start", start},
              {"rod", number_text(rod)},
              {"links", box_link("left", {0.05, 0.05, 0.05}, {0, 0, 0}, block, false) +
                            box_link("right", {0.05, 0.05, 0.05}, {0, 0, 0}, block, false) +
                            slider("draw", "rod", "0 0 0", "0 1 0") + slider("pull_left", "left", down(-corner), "0 0 -1") +
                            slider("pull_right", "right", down(corner), "0 0 -1") + links},
              {"last", before},
              {"pitch", number_text(pitch)},
              {"speed", number_text(p.at("speed_m_s"))},
              {"left", number_text(p.at("tension_n") - block * g)},
              {"right", number_text(p.at("tension_n") * p.at("ratio") - block * g)}});
}

}  // namespace

std::vector<SceneRecipe> heavy_recipes() {
  const SceneParameter compliant{
      "compliant", Kind::boolean, 0, 0, 1, "contacts of 1e5 N/m and 1e4 kg/s as in the paper; otherwise rigid"};
  return {
      {"brick_wall",
       "A wall of 30 loose bricks in 12 rows of three and two, which closes its gaps and stands.",
       {{"rows", Kind::integer, 12, 1, 100, "of bricks"},
        {"gap_m", Kind::number, 5e-4, 0, 0.1, "between the rows at the start, m"},
        compliant},
       brick_wall},
      {"hinged_ring",
       "A ring of 20 cubes on upright hinges is spun while it falls, lands and is braked by the floor.",
       {{"n", Kind::integer, 20, 3, 200, "number of cubes"},
        {"push_n", Kind::number, 100, -1e4, 1e4, "along the ring on every cube until it lands, N"},
        compliant},
       hinged_ring},
      {"winch",
       "A chain of 50 capsules falls to the ground and is dragged in and wound up by a motor of even speed.",
       {{"n", Kind::integer, 50, 1, 500, "number of links of 0.1 m and 0.2 kg"},
        {"rpm", Kind::number, 160, 0, 1000, "of the winch, revolutions per minute"},
        {"stop_s", Kind::number, 1.6, 0.9, 1e3, "when the motor begins to stop, s"},
        {"end_s", Kind::number, 2.6, 0.1, 1e3, "of the run, s"}},
       winch},
      {"cable_rod",
       "A cable over a rod, both ends pulled down, while the rod is drawn out of the sling.",
       {{"tension_n", Kind::number, 40, 0, 1e4, "with which the left end is pulled, N"},
        {"ratio", Kind::number, 1, 0, 100, "pull of the right end over that of the left one"},
        {"friction", Kind::number, 0.3, 0, 10, "Coulomb coefficient of the contact"},
        {"speed_m_s", Kind::number, 0.2, -10, 10, "of the rod along its axis, m/s"}},
       cable_rod},
      {"log_grasp",
       "A forwarder's arm with three cylinders lowers its claw, grips a log, lifts it and turns it by a right angle.",
       {{"friction", Kind::number, 1, 0, 10, "Coulomb coefficient of the log"},
        {"mass_kg", Kind::number, 145, 1, 1e4, "of the log, kg"},
        {"grip_n", Kind::number, 8000, 0, 1e6, "at most, of the claw's cylinder, N"}},
       log_grasp_text},
  };
}

}  // namespace condyle
