// Built-in scenes of single contacts and joint constraints, each with a truth that can be written down.
#include "scene/builtin_texts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace condyle {
namespace {

using Kind = SceneParameter::Kind;

std::string floor_of(const std::string& material) {
  return "  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: " + material + "}\n";
}

/// Heading of a scene under gravity whose bodies are all of one material.
std::string heading(const char* step, const char* end, double friction, double restitution = 0) {
  return gravity_line(true) + fmt::format("time: {{step: {}, end: {}, integrator: symplectic}}\n", step, end) +
         fmt::format("materials:\n  matter: {{friction: {}, restitution: {}}}\nbodies:\n", friction, restitution);
}

std::string sphere_drop(const ParameterValues& p) {
  return heading("0.001", "3", 0.8, p.at("restitution")) + floor_of("matter") +
         fmt::format("  - {{name: ball, shape: {{sphere: 0.1}}, mass: 1, pose: {{xyz: [0, 0, {}]}}, material: matter}}\n",
                     0.1 + p.at("height_m"));
}

std::string box_on_plane(const ParameterValues& p) {
  return heading("0.001", "1", p.at("friction")) + floor_of("matter") +
         fmt::format(
             "  - {{name: box, shape: {{box: [0.2, 0.2, 0.1]}}, mass: {}, pose: {{xyz: [0, 0, 0.05]}}, material: matter}}\n",
             p.at("mass_kg"));
}

std::string incline(const ParameterValues& p) {
  const double a = radians(p.at("angle_deg")), s = std::sin(a), c = std::cos(a);
  return heading("0.002", "1", p.at("friction")) + fill_in(R"(  # the slope falls towards +x
  - {name: slope, static: true, shape: {halfspace: {normal: [$s, 0, $c]}}, material: matter}
  - {name: block, shape: {box: [0.2, 0.2, 0.1]}, mass: 1, pose: {xyz: [$x, 0, $z], rpy: [0, $a, 0]}, material: matter}
)",
                                                           {{"s", number_text(s)},
                                                            {"c", number_text(c)},
                                                            {"x", number_text(0.05 * s)},
                                                            {"z", number_text(0.05 * c)},
                                                            {"a", number_text(a)}});
}

/// A body on the floor with a velocity along x and a spin about z.
std::string sliding(const char* step, const char* shape, double z, const ParameterValues& p) {
  return heading(step, "2", p.at("friction")) + floor_of("matter") +
         fill_in(R"(  - name: block
    shape: {$shape}
    mass: 1
    pose: {xyz: [0, 0, $z]}
    velocity: {linear: [$speed, 0, 0], angular: [0, 0, $spin]}
    material: matter
)",
                 {{"shape", shape},
                  {"z", number_text(z)},
                  {"speed", number_text(p.at("speed_m_s"))},
                  {"spin", number_text(p.at("spin_rad_s"))}});
}

std::string spinning_disc(const ParameterValues& p) {
  return sliding("0.001", "cylinder: {radius: 0.1, length: 0.02}", 0.01, p);
}
std::string thrown_block(const ParameterValues& p) { return sliding("0.005", "box: [0.2, 0.2, 0.1]", 0.05, p); }
std::string spinning_block(const ParameterValues& p) { return sliding("0.002", "box: [0.2, 0.2, 0.05]", 0.025, p); }
std::string rolling_ball(const ParameterValues& p) { return sliding("0.001", "sphere: 0.1", 0.1, p); }

std::string rigid_soft_pair(const ParameterValues& p) {
  return gravity_line(true) + fill_in(R"(time: {step: 0.001, end: 2, integrator: symplectic}
materials:
  hard: {friction: 0.5}
  soft: {friction: 0.5, stiffness: $k, dissipation_time: $t}
bodies:
  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: hard}
  # balls, so that each touches in one point and the soft one sinks by its weight over the stiffness
  - {name: rigid, shape: {sphere: 0.1}, mass: 1, pose: {xyz: [-0.2, 0, $z]}, material: hard}
  - {name: compliant, shape: {sphere: 0.1}, mass: 1, pose: {xyz: [0.2, 0, $z]}, material: soft}
)",
                                      {{"k", number_text(p.at("stiffness"))},
                                       {"t", number_text(p.at("dissipation_s"))},
                                       {"z", number_text(0.1 + p.at("height_m"))}});
}

std::string boxes_fixed(const ParameterValues& p) {
  return heading("0.001", "2", 0.8) + floor_of("matter") +
         fill_in(R"(  - {name: lower, shape: {box: [0.1, 0.1, 0.1]}, mass: 1, pose: {xyz: [0, 0, $low]}, material: matter}
  - {name: upper, shape: {box: [0.1, 0.1, 0.1]}, mass: $ratio, pose: {xyz: [0, 0, $high]}, material: matter}
loops:
  - {name: glue, kind: weld, frames: [{body: lower, pose: {xyz: [0, 0, 0.06]}}, {body: upper, pose: {xyz: [0, 0, -0.06]}}]}
pairs: {exclude: [[lower, upper]]}
)",
                 {{"ratio", number_text(p.at("ratio"))},
                  {"low", number_text(0.05 + p.at("height_m"))},
                  {"high", number_text(0.17 + p.at("height_m"))}});
}

std::string pinch(const ParameterValues& p) {
  return gravity_line(true) + fill_in(R"(time: {step: 0.002, end: 2, integrator: symplectic}
materials:
  matter: {friction: $mu}
models:
  - name: gripper
    base: fixed
    material: matter
    inline_urdf: |
      <robot name="gripper">
        <link name="rail"/>
$jaws      </robot>
bodies:
  - {name: block, shape: {box: [0.06, 0.06, 0.06]}, mass: 0.2, pose: {xyz: [0, 0, 0.5]}, material: matter}
# each jaw presses with 2000 N/m x 0.01 m = 20 N
actuators:
  - {joint: gripper/left, kind: pd, kp: 2000, kd: 20, target: 0.01}
  - {joint: gripper/right, kind: pd, kp: 2000, kd: 20, target: 0.01}
)",
                                      {{"mu", number_text(p.at("friction"))},
                                       {"jaws", [] {
                                          std::string jaws;
                                          for (const double side : {-1.0, 1.0}) {
                                            const std::string name = side < 0 ? "left" : "right";
                                            jaws += box_link(name + "_jaw", {0.02, 0.06, 0.06}, {0, 0, 0}, 0.1, true) +
                                                    fmt::format(R"(        <joint name="{0}" type="prismatic">
          <parent link="rail"/><child link="{0}_jaw"/>
          <origin xyz="{1} 0 0.5"/><axis xyz="{2} 0 0"/>
          <limit lower="-10" upper="10" effort="1e9" velocity="1e9"/>
        </joint>
)",
                                                                name, 0.04 * side, -side);
                                          }
                                          return jaws;
                                        }()}});
}

std::string spring_cylinder(const ParameterValues& p) {
  constexpr double radius = 0.05, mass = 0.5, stiffness = 1e4, g = 9.81;
  const double across = mass * (radius * radius / 4 + 0.1 * 0.1 / 12), along = mass * radius * radius / 2;
  return gravity_line(true) + fill_in(R"(time: {step: 0.02, end: 5, integrator: midpoint}
solver: {sigma_slip: 0.001}
materials:
  hard: {friction: $mu}
  soft: {friction: $mu, stiffness: 10000, dissipation_time: 0.02}
models:
  # A cylinder that can slide, sink and roll in a plane. It touches as a ball of the same radius does, in one point; its
  # inertia is the cylinder's. The spring acts along x and is slack at 0.
  - name: roller
    base: fixed
    pose: {xyz: [0, 0, $z]}
    joints: {slide: $start}
    material: soft
    inline_urdf: |
      <robot name="roller">
        <link name="rail"/>
        <link name="carriage"/>
        <link name="fork"/>
        <link name="cylinder">
          <inertial><mass value="0.5"/><inertia ixx="$across" ixy="0" ixz="0" iyy="$along" iyz="0" izz="$across"/></inertial>
          <visual><origin rpy="1.5707963267948966 0 0"/><geometry><cylinder radius="0.05" length="0.1"/></geometry></visual>
          <collision><geometry><sphere radius="0.05"/></geometry></collision>
        </link>
        <joint name="slide" type="prismatic">
          <parent link="rail"/><child link="carriage"/><axis xyz="1 0 0"/>
          <limit lower="-10" upper="10" effort="1e9" velocity="1e9"/>
        </joint>
        <joint name="sink" type="prismatic">
          <parent link="carriage"/><child link="fork"/><axis xyz="0 0 1"/>
          <limit lower="-10" upper="10" effort="1e9" velocity="1e9"/>
        </joint>
        <joint name="roll" type="continuous">
          <parent link="fork"/><child link="cylinder"/><axis xyz="0 1 0"/>
        </joint>
      </robot>
joint_properties:
  - {joint: roller/slide, stiffness: 100, reference: 0}
bodies:
  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: hard}
)",
                                      {{"mu", number_text(p.at("friction"))},
                                       {"start", number_text(p.at("stretch_m"))},
                                       {"z", number_text(radius - mass * g / stiffness)},
                                       {"across", number_text(across)},
                                       {"along", number_text(along)}});
}

std::string spring_pair(const ParameterValues& p) {
  return gravity_line(false) + fill_in(R"(time: {step: 0.001, end: 3, integrator: symplectic}
bodies:
  - {name: left, shape: {sphere: 0.05}, mass: 1, pose: {xyz: [$left, 0, 1]}}
  - {name: right, shape: {sphere: 0.05}, mass: 3, pose: {xyz: [$right, 0, 1]}}
# their distance swings about 0.5 m with the reduced mass of 0.75 kg
springs:
  - name: spring
    between: [left, right]
    at: [[0, 0, 0], [0, 0, 0]]
    stiffness: 75
    damping: $damping
    length: 0.5
)",
                                       {{"left", number_text(-0.75 * (0.5 + p.at("stretch_m")))},
                                        {"right", number_text(0.25 * (0.5 + p.at("stretch_m")))},
                                        {"damping", number_text(p.at("damping"))}});
}

std::string hard_stop(const ParameterValues& p) {
  return gravity_line(true) + fill_in(R"(time: {step: 0.001, end: 2, integrator: symplectic}
models:
  - name: arm
    base: fixed
    pose: {xyz: [0, 0, 1]}
    joints: {hinge: $start}
    inline_urdf: |
      <robot name="arm">
        <link name="hook"/>
$bar        <joint name="hinge" type="revolute">
          <parent link="hook"/><child link="rod"/><origin rpy="0 $stop 0"/><axis xyz="0 -1 0"/>
          <limit lower="0" upper="3" effort="1e9" velocity="1e9"/>
        </joint>
      </robot>
)",
                                      {{"start", number_text(radians(p.at("fall_deg")))},
                                       {"stop", number_text(-radians(p.at("stop_deg")))},
                                       {"bar", box_link("rod", {0.04, 0.04, 0.4}, {0, 0, -0.2}, 1, false)}});
}

std::string friction_arm(const ParameterValues& p) {
  return gravity_line(true) + fill_in(R"(time: {step: 0.001, end: 2, integrator: symplectic}
models:
  - name: arms
    base: fixed
    pose: {xyz: [0, 0, 1]}
    joint_velocities: {turntable: $speed}
    inline_urdf: |
      <robot name="arms">
        <link name="post"/>
$links        <joint name="turntable" type="continuous">
          <parent link="post"/><child link="sweeping"/><axis xyz="0 0 1"/>
          <dynamics friction="$turn"/>
        </joint>
        <joint name="boom" type="continuous">
          <parent link="post"/><child link="holding"/><origin xyz="0 0 -0.3"/><axis xyz="0 -1 0"/>
          <dynamics friction="$hold"/>
        </joint>
      </robot>
)",
                                      {{"speed", number_text(p.at("speed_rad_s"))},
                                       {"turn", number_text(p.at("turntable_nm"))},
                                       {"hold", number_text(p.at("boom_nm"))},
                                       {"links", box_link("sweeping", {0.4, 0.04, 0.04}, {0.2, 0, 0}, 1, false) +
                                                     box_link("holding", {0.4, 0.04, 0.04}, {0.2, 0, 0}, 1, false)}});
}

std::string servo(const ParameterValues& p) {
  constexpr double mass = 1, length = 0.3;
  const double w = 2 * pi * p.at("frequency_hz");
  std::string links, motors;
  for (int i = 0; i < 3; ++i) {
    double carried = 0;  // inertia about the joint in the straight pose
    for (int k = 0; k < 3 - i; ++k)
      carried += mass * (length * (k + 0.5)) * (length * (k + 0.5)) + mass * length * length / 12;
    links += box_link(fmt::format("link{}", i), {length, 0.05, 0.05}, {length / 2, 0, 0}, mass, false) +
             fmt::format(R"(        <joint name="joint{}" type="continuous">
          <parent link="{}"/><child link="link{}"/><origin xyz="{} 0 0"/><axis xyz="0 1 0"/>
        </joint>
)",
                         i, i ? fmt::format("link{}", i - 1) : "post", i, i ? length : 0);
    motors += fmt::format("  - {{joint: arm/joint{}, kind: pd, kp: {}, kd: {}, target: {}, effort: {}}}\n", i,
                          carried * w * w, 2 * p.at("damping_ratio") * w * carried, p.at("target_rad"), p.at("effort_nm"));
  }
  return gravity_line(true) + fill_in(R"(time: {step: 0.002, end: 2, integrator: symplectic}
models:
  - name: arm
    base: fixed
    pose: {xyz: [0, 0, 1]}
    inline_urdf: |
      <robot name="arm">
        <link name="post"/>
$links      </robot>
actuators:
$motors)",
                                      {{"links", links}, {"motors", motors}});
}

SceneParameter friction_parameter(double usual) {
  return {"friction", Kind::number, usual, 0, 10, "Coulomb coefficient of the contact"};
}

std::vector<SceneParameter> sliding_parameters(double friction, double speed, double spin) {
  return {friction_parameter(friction),
          {"speed_m_s", Kind::number, speed, -100, 100, "along x at the start, m/s"},
          {"spin_rad_s", Kind::number, spin, -1000, 1000, "about the vertical at the start, rad/s"}};
}

}  // namespace

std::vector<SceneRecipe> contact_recipes() {
  const SceneParameter height{"height_m", Kind::number, 1, 0, 100, "of the lowest point above the floor, m"};
  SceneParameter low = height;
  low.usual = 0.05;
  return {
      {"sphere_drop",
       "A ball falls and bounces: each apex is restitution squared times the last.",
       {{"restitution", Kind::number, 0.5, 0, 1, "speed after over speed before the impact"}, height},
       sphere_drop},
      {"box_on_plane",
       "A box rests with its face on the floor: four contacts that share its weight.",
       {{"mass_kg", Kind::number, 1, 1e-6, 1e6, "of the box, kg"}, friction_parameter(0.5)},
       box_on_plane},
      {"incline",
       "A block on a slope: it sticks while friction is above the tangent of the angle, else it slides evenly faster.",
       {{"angle_deg", Kind::number, 20, 0, 89, "of the slope, degrees"}, friction_parameter(0.5)},
       incline},
      {"spinning_disc", "A disc spins on the floor and friction on its rim stops it.", sliding_parameters(0.3, 0, 20),
       spinning_disc},
      {"thrown_block", "A block slides along the floor until friction has stopped it.", sliding_parameters(0.5, 2, 0),
       thrown_block},
      {"spinning_block", "A flat block slides and spins: its energy may only fall.", sliding_parameters(0.3, 1, 20),
       spinning_block},
      {"rolling_ball", "A ball that slides at first and rolls with 5/7 of its speed in the end.",
       sliding_parameters(0.3, 2, 0), rolling_ball},
      {"rigid_soft_pair",
       "The same ball twice, rigid and compliant: the compliant one comes to rest sunk by its weight over the stiffness.",
       {{"stiffness", Kind::number, 1e4, 1, 1e12, "of the soft ball, N/m"},
        {"dissipation_s", Kind::number, 0.02, 0, 10, "dissipation time of the soft ball, s"},
        low},
       rigid_soft_pair},
      {"boxes_fixed",
       "Two boxes glued together by a weld, a heavy one on a light one, dropped on the floor.",
       {{"ratio", Kind::number, 1000, 1e-6, 1e6, "mass of the upper box over that of the lower one"}, low},
       boxes_fixed},
      {"pinch", "A block held in the air between two sprung jaws, by friction alone.", {friction_parameter(0.8)}, pinch},
      {"spring_cylinder",
       "A cylinder on a compliant floor, pulled to and fro by a spring; without friction it slides, with friction it rolls.",
       {friction_parameter(1), {"stretch_m", Kind::number, 0.1, -1, 1, "of the spring at the start, m"}},
       spring_cylinder},
      {"spring_pair",
       "Two balls on a spring float in space; their distance is a cosine.",
       {{"stretch_m", Kind::number, 0.1, -0.3, 1, "of the spring at the start, m"},
        {"damping", Kind::number, 0, 0, 1e3, "of the spring, N s/m"}},
       spring_pair},
      {"hard_stop",
       "A rod falls onto the stop of its hinge and leans on it.",
       {{"stop_deg", Kind::number, 15, 1, 80, "where the stop is, from straight down, degrees"},
        {"fall_deg", Kind::number, 45, 0, 90, "above the stop at the start, degrees"}},
       hard_stop},
      {"friction_arm",
       "Two arms with dry friction in their hinges: one is braked evenly, the other holds its own weight.",
       {{"speed_rad_s", Kind::number, 5, -100, 100, "of the turning arm at the start, rad/s"},
        {"turntable_nm", Kind::number, 0.2, 0, 1e3, "dry friction of the turning arm, N m"},
        {"boom_nm", Kind::number, 3, 0, 1e3, "dry friction of the holding arm, N m; its weight needs 1.962"}},
       friction_arm},
      {"servo",
       "Three links on servos that are too stiff for an explicit step.",
       {{"frequency_hz", Kind::number, 200, 0.1, 1e4, "of each servo with what it carries"},
        {"damping_ratio", Kind::number, 0.1, 0, 10, "of each servo"},
        {"target_rad", Kind::number, 0.1, -1, 1, "of every joint, rad"},
        {"effort_nm", Kind::number, 60, 1, 1e6, "that no servo exceeds, N m; the first one needs 13.3 to hold"}},
       servo},
  };
}

}  // namespace condyle
