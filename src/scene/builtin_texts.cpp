#include "scene/builtin_texts.hpp"

#include "scene/mass_properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string_view>

namespace condyle {

std::string number_text(double value) { return fmt::format("{}", value); }

std::string fill_in(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      out += text[i];
      continue;
    }
    const bool braces = i + 1 < text.size() && text[i + 1] == '{';
    if (braces) ++i;
    std::size_t end = i + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
    out += values.at(std::string(text.substr(i + 1, end - i - 1)));
    i = braces ? end : end - 1;
  }
  return out;
}

std::string box_link(const std::string& name, const Eigen::Vector3d& size, const Eigen::Vector3d& centre, double mass,
                     bool collide) {
  Shape shape;
  shape.kind = ShapeKind::box;
  shape.size = size;
  const Eigen::Matrix3d inertia = solid({shape}, mass, Place{}).inertia;
  const auto three = [](const Eigen::Vector3d& x) { return fmt::format("{} {} {}", x.x(), x.y(), x.z()); };
  const std::string geometry =
      fmt::format(R"(<origin xyz="{}"/><geometry><box size="{}"/></geometry>)", three(centre), three(size));
  return fill_in(R"(        <link name="$name">
          <inertial>
            <origin xyz="$centre"/><mass value="$mass"/>
            <inertia ixx="$ixx" ixy="0" ixz="0" iyy="$iyy" iyz="0" izz="$izz"/>
          </inertial>
          <visual>$geometry</visual>
$collision        </link>
)",
                 {{"name", name},
                  {"centre", three(centre)},
                  {"mass", number_text(mass)},
                  {"ixx", number_text(inertia(0, 0))},
                  {"iyy", number_text(inertia(1, 1))},
                  {"izz", number_text(inertia(2, 2))},
                  {"geometry", geometry},
                  {"collision", collide ? "          <collision>" + geometry + "</collision>\n" : ""}});
}

std::string gravity_line(bool on) { return on ? "gravity: [0, 0, -9.81]\n" : "gravity: [0, 0, 0]\n"; }

namespace {

using Kind = SceneParameter::Kind;

/// <inertial> and <collision> of a link of one shape, centred at z = `middle`.
std::string link_of(const std::string& name, const Shape& shape, const std::string& geometry, double mass, double middle) {
  const Inertial body = solid({shape}, mass, Place{});
  return fill_in(R"(        <link name="$name">
          <inertial>
            <origin xyz="0 0 $z"/>
            <mass value="$mass"/>
            <inertia ixx="$ixx" ixy="0" ixz="0" iyy="$iyy" iyz="0" izz="$izz"/>
          </inertial>
          <collision><origin xyz="0 0 $z"/><geometry>$geometry</geometry></collision>
        </link>
)",
                 {{"name", name},
                  {"z", number_text(middle)},
                  {"mass", number_text(mass)},
                  {"ixx", number_text(body.inertia(0, 0))},
                  {"iyy", number_text(body.inertia(1, 1))},
                  {"izz", number_text(body.inertia(2, 2))},
                  {"geometry", geometry}});
}

}  // namespace

std::string capsule_link(const std::string& name, double radius, double length, double mass, double middle) {
  Shape shape;
  shape.kind = ShapeKind::capsule;
  shape.size << radius, length, 1;
  return link_of(name, shape, fmt::format(R"(<capsule radius="{}" length="{}"/>)", radius, length), mass, middle);
}

namespace {

std::string hinge(const std::string& name, const std::string& parent, const std::string& child, double z, const char* axis,
                  double damping) {
  return fmt::format(R"(        <joint name="{}" type="continuous">
          <parent link="{}"/><child link="{}"/>
          <origin xyz="0 0 {}"/><axis xyz="{}"/>
          <dynamics damping="{}"/>
        </joint>
)",
                     name, parent, child, z, axis, damping);
}

std::string pendulum(const ParameterValues& p) {
  return fill_in(R"(gravity: [0, 0, -9.81]
time: {step: 0.001, end: 5, integrator: symplectic}
models:
  - {name: pendulum, file: "condyle:robots/pendulum.urdf", base: fixed, pose: {xyz: [0, 0, 1]}, joints: {swing: $angle}}
joint_properties:
  - {joint: pendulum/swing, damping: $damping}
)",
                 {{"angle", number_text(radians(p.at("angle_deg")))}, {"damping", number_text(p.at("damping"))}});
}

std::string double_pendulum(const ParameterValues& p) {
  return fill_in(
      R"(gravity: [0, 0, -9.81]
time: {step: 0.001, end: 10, integrator: midpoint}
models:
  - name: double_pendulum
    file: condyle:robots/double_pendulum.urdf
    base: fixed
    pose: {xyz: [0, 0, 1]}
    joints: {shoulder: $angle1, elbow: $angle2}
)",
      {{"angle1", number_text(radians(p.at("angle1_deg")))}, {"angle2", number_text(radians(p.at("angle2_deg")))}});
}

std::string tumbling_plate(const ParameterValues& p) {
  const bool gravity = p.at("gravity") != 0;
  return gravity_line(gravity) + fill_in(R"(time: {step: 0.001, end: $end, integrator: midpoint}
bodies:
  - name: plate
    shape: {box: [0.3, 0.2, 0.02]}
    mass: 0.9
    pose: {xyz: [0, 0, 1]}
    # y is the axis of the middle moment of inertia: the least push about x makes it turn over
    velocity: {linear: [0, 0, $up], angular: [$push, $spin, 0]}
)",
                                         {{"end", gravity ? "2" : "10"},
                                          {"up", gravity ? "9" : "0"},
                                          {"push", number_text(p.at("push_rad_s"))},
                                          {"spin", number_text(p.at("spin_rad_s"))}});
}

std::string chain(const ParameterValues& p) {
  const int n = static_cast<int>(p.at("n"));
  const bool hanging = p.at("hanging") != 0;
  const double length = p.at("length_m"), radius = 0.1 * length, damping = p.at("damping");
  std::string links = hanging ? "        <link name=\"hook\"/>\n" : "";
  for (int i = 0; i < n; ++i) {
    links += capsule_link(fmt::format("link{}", i + 1), radius, length, p.at("mass_kg"), -length / 2);
    if (i == 0 && hanging) links += hinge("hinge0", "hook", "link1", 0, "0 1 0", damping);
    if (i > 0)
      links += hinge(fmt::format("hinge{}", i), fmt::format("link{}", i), fmt::format("link{}", i + 1), -length,
                     i % 2 ? "1 0 0" : "0 1 0", damping);
  }
  std::string turning;
  for (int i = 1; i < n; ++i) turning += fmt::format("{}hinge{}: {}", i > 1 ? ", " : "", i, i % 3 == 0 ? -1.5 : 1);
  return gravity_line(hanging) +
         fill_in(R"(time: {step: 0.001, end: 5, integrator: midpoint}
models:
  - name: chain
    base: $base
    pose: {xyz: [0, 0, 1], rpy: [0, $pitch, 0]}
$start    inline_urdf: |
      <robot name="chain" version="1.1">
$links      </robot>
)",
                 {{"base", hanging ? "fixed" : "free"},
                  {"pitch", number_text(-radians(p.at("angle_deg")))},
                  {"start",
                   hanging ? ""
                           : fmt::format("    velocity: {{angular: [0, 1, 0.5]}}\n    joint_velocities: {{{}}}\n", turning)},
                  {"links", links}});
}

std::string slider(const ParameterValues& p, const char* step) {
  const double mass = p.at("mass_kg"), w = 2 * pi * p.at("frequency_hz");
  Shape cube;
  cube.kind = ShapeKind::box;
  cube.size.setConstant(0.1);
  return fill_in(R"(gravity: [0, 0, 0]
time: {step: $step, end: 2, integrator: symplectic}
models:
  - name: slider
    base: fixed
    joints: {spring: $stretch}
    inline_urdf: |
      <robot name="slider">
        <link name="rail"/>
$block        <joint name="spring" type="prismatic">
          <parent link="rail"/><child link="block"/>
          <axis xyz="1 0 0"/>
          <limit lower="-10" upper="10" effort="1e9" velocity="1e9"/>
        </joint>
      </robot>
joint_properties:
  - {joint: slider/spring, stiffness: $stiffness, reference: 0, damping: $damping}
)",
                 {{"step", step},
                  {"stretch", number_text(p.at("stretch_m"))},
                  {"block", link_of("block", cube, R"(<box size="0.1 0.1 0.1"/>)", mass, 0)},
                  {"stiffness", number_text(mass * w * w)},
                  {"damping", number_text(p.at("damping"))}});
}

std::string spring_mass(const ParameterValues& p) { return slider(p, "0.001"); }
std::string stiff_spring(const ParameterValues& p) { return slider(p, "0.002"); }

std::string free_bodies(const ParameterValues& p) {
  std::mt19937_64 random(static_cast<std::uint64_t>(p.at("seed")));
  // The library's distributions differ between vendors; the generator itself does not.
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
  };
  const auto three = [&](double low, double high) {
    const double x = uniform(low, high), y = uniform(low, high), z = uniform(low, high);
    return fmt::format("[{:.6f}, {:.6f}, {:.6f}]", x, y, z);
  };
  const int n = static_cast<int>(p.at("n"));
  const double side = 0.4 * std::cbrt(static_cast<double>(n));
  std::string out = gravity_line(false) + "time: {step: 0.001, end: 5, integrator: midpoint}\nbodies:\n";
  for (int i = 0; i < n; ++i) {
    std::string shape;
    const double size = uniform(0.05, 0.15);
    switch (i % 4) {
      case 0: shape = fmt::format("box: [{:.6f}, {:.6f}, {:.6f}]", size, 1.5 * size, 0.4 * size); break;
      case 1: shape = fmt::format("capsule: {{radius: {:.6f}, length: {:.6f}}}", 0.3 * size, size); break;
      case 2: shape = fmt::format("cylinder: {{radius: {:.6f}, length: {:.6f}}}", 0.6 * size, 0.3 * size); break;
      default: shape = fmt::format("ellipsoid: [{:.6f}, {:.6f}, {:.6f}]", 0.7 * size, 0.5 * size, 0.3 * size); break;
    }
    const double mass = uniform(0.1, 2);
    const std::string at = three(-side, side), turned = three(-3, 3), linear = three(-0.2, 0.2), angular = three(-6, 6);
    out += fmt::format(
        "  - {{name: body{}, shape: {{{}}}, mass: {:.6f}, pose: {{xyz: {}, rpy: {}}}, velocity: {{linear: {}, angular: "
        "{}}}}}\n",
        i + 1, shape, mass, at, turned, linear, angular);
  }
  return out;
}

std::string nunchuk(const ParameterValues& p) {
  const bool gravity = p.at("gravity") != 0;
  return gravity_line(gravity) +
         fill_in(R"(time: {step: 0.001, end: 2, integrator: midpoint}
models:
  - name: nunchuk
    base: free
    pose: {xyz: [0, 0, 1], rpy: [0, -0.6, 0]}
    velocity: {linear: [0, 0, $up], angular: [1, $spin, 2]}
    inline_urdf: |
      <robot name="nunchuk" version="1.1">
$links      </robot>
retype:
  - {joint: nunchuk/ball1, kind: spherical}
  - {joint: nunchuk/ball2, kind: spherical}
)",
                 {{"up", gravity ? "9" : "0"},
                  {"spin", number_text(p.at("spin_rad_s"))},
                  {"links", capsule_link("grip", 0.015, 0.25, 0.3, -0.125) + capsule_link("cord", 0.015, 0.08, 0.3, -0.04) +
                                hinge("ball1", "grip", "cord", -0.29, "0 0 1", 0) +
                                capsule_link("stick", 0.015, 0.25, 0.3, -0.125) +
                                hinge("ball2", "cord", "stick", -0.12, "0 0 1", 0)}});
}

SceneParameter gravity_parameter() {
  return {"gravity", Kind::boolean, 0, 0, 1, "with gravity it is thrown up and falls back, without it floats"};
}
SceneParameter spin_parameter(double usual) {
  return {"spin_rad_s", Kind::number, usual, -100, 100, "angular speed about y, rad/s"};
}

std::vector<SceneParameter> slider_parameters(double frequency, double stretch) {
  return {{"frequency_hz", Kind::number, frequency, 0, 1e5, "of the undamped spring"},
          {"mass_kg", Kind::number, 1, 1e-6, 1e6, "of the block, kg"},
          {"stretch_m", Kind::number, stretch, -1, 1, "of the spring at the start, m"},
          {"damping", Kind::number, 0, 0, 1e6, "of the joint, N s/m"}};
}

}  // namespace

namespace {

std::vector<SceneRecipe> free_motion_recipes() {
  return {
      {"arm",
       "A desk arm of seven joints released from a folded pose, drawn by joint springs against gravity.",
       {{"stiffness_scale", Kind::number, 1, 0, 100, "multiplies all joint springs"},
        {"damping_scale", Kind::number, 1, 0, 100, "multiplies all joint dampings"}},
       arm_text},
      {"chain",
       "A chain of capsules whose hinges alternate; it hangs from a hook or tumbles in free space.",
       {{"n", Kind::integer, 10, 1, 200, "number of links"},
        {"mass_kg", Kind::number, 0.2, 1e-6, 1e6, "of one link, kg"},
        {"length_m", Kind::number, 0.15, 1e-3, 100, "from hinge to hinge, m"},
        {"angle_deg", Kind::number, 75, -180, 180, "from straight down at the start, degrees"},
        {"damping", Kind::number, 0, 0, 1e3, "of each hinge, N m s/rad"},
        {"hanging", Kind::boolean, 1, 0, 1, "on a fixed hook under gravity; otherwise free and without gravity"}},
       chain},
      {"double_pendulum",
       "Two capsules on parallel hinges: a chaotic swing with constant energy.",
       {{"angle1_deg", Kind::number, 120, -180, 180, "of the upper link from straight down, degrees"},
        {"angle2_deg", Kind::number, -10, -180, 180, "of the lower link from the upper one, degrees"}},
       double_pendulum},
      {"free_bodies",
       "Bodies of four shapes, each turning freely about all axes, without gravity and contact.",
       {{"n", Kind::integer, 20, 1, 2000, "number of bodies"},
        {"seed", Kind::integer, 1, 0, 1e9, "of shapes, masses and motions"}},
       free_bodies},
      {"humanoid",
       "A person-sized humanoid turns a somersault in free flight while its limbs scissor.",
       {spin_parameter(4), gravity_parameter()},
       humanoid_text},
      {"nunchuk",
       "Three bodies of equal mass on two ball joints, thrown with a spin.",
       {spin_parameter(8), gravity_parameter()},
       nunchuk},
      {"pendulum",
       "A rod with a ball on a fixed hinge.",
       {{"angle_deg", Kind::number, 60, -180, 180, "from straight down at the start, degrees"},
        {"damping", Kind::number, 0, 0, 1e3, "of the hinge, N m s/rad"}},
       pendulum},
      {"quadruped_drop",
       "A four-legged robot lands on its feet and stands, held by servos with a bounded effort.",
       {{"height_m", Kind::number, 0.3, 0, 10, "that it falls, m"},
        {"roll_deg", Kind::number, 8, -90, 90, "at the start, degrees"}},
       quadruped_drop_text},
      {"humanoid_fall",
       "A limp humanoid of 37 degrees of freedom collapses onto the floor, limb against limb and floor.",
       {{"height_m", Kind::number, 0.05, 0, 10, "of the feet above the floor, m"},
        {"push_rad_s", Kind::number, 0.5, -10, 10, "forward, rad/s"}},
       humanoid_fall_text},
      {"quadruped",
       "A four-legged robot spins in free flight while its legs swing.",
       {spin_parameter(3), gravity_parameter()},
       quadruped_text},
      {"spring_mass", "A block on a rail and a spring; its motion is a cosine.", slider_parameters(1, 0.1), spring_mass},
      {"stiff_spring", "A block on a spring of 200 Hz with a step of 2 ms: too stiff for an explicit spring.",
       slider_parameters(200, 0.001), stiff_spring},
      {"tumbling_plate",
       "A plate that spins about its unstable axis and turns over again and again.",
       {spin_parameter(8), {"push_rad_s", Kind::number, 0.01, -10, 10, "angular speed about x, rad/s"}, gravity_parameter()},
       tumbling_plate},
  };
}

}  // namespace

const std::vector<SceneRecipe>& scene_recipes() {
  static const std::vector<SceneRecipe> recipes = [] {
    std::vector<SceneRecipe> all = free_motion_recipes();
    for (const auto& more : {contact_recipes(), pile_recipes(), mechanism_recipes(), many_tree_recipes(), heavy_recipes(),
                             machine_recipes(), figure_recipes(), package_recipes()})
      all.insert(all.end(), more.begin(), more.end());
    std::sort(all.begin(), all.end(), [](const SceneRecipe& a, const SceneRecipe& b) { return a.name < b.name; });
    return all;
  }();
  return recipes;
}

}  // namespace condyle
