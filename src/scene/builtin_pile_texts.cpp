// Built-in scenes of many bodies in contact.
#include "scene/builtin_draw.hpp"
#include "scene/builtin_texts.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace condyle {
namespace {

using Kind = SceneParameter::Kind;

std::string floor_and(const std::string& bodies) {
  return "bodies:\n  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}, material: matter}\n" + bodies;
}

/// One body of the only material; `more` are further keys.
std::string body_line(const std::string& name, const std::string& shape, double mass, const std::string& pose,
                      const std::string& more = "") {
  return fmt::format("  - {{name: {}, shape: {{{}}}, mass: {}, pose: {{{}}}, {}material: matter}}\n", name, shape, mass,
                     pose, more);
}

std::string heading(const char* step, const char* end, double friction) {
  return gravity_line(true) + fmt::format("time: {{step: {}, end: {}, integrator: symplectic}}\n", step, end) +
         fmt::format("materials:\n  matter: {{friction: {}}}\n", friction);
}

/// Four walls of thickness t round a square of the given side, from the floor up.
std::string walls_round(double side, double t, double height) {
  std::string out;
  int number = 0;
  for (const bool along_x : {true, false})
    for (const int sign : {-1, 1}) {
      const double at = sign * (side + t) / 2, length = side + 2 * t;
      out += fmt::format(
          "  - {{name: wall{}, static: true, shape: {{box: [{}, {}, {}]}}, pose: {{xyz: [{}, {}, {}]}}, "
          "material: matter}}\n",
          ++number, along_x ? t : length, along_x ? length : t, height, along_x ? at : 0, along_x ? 0 : at, height / 2);
    }
  return out;
}

std::string stack(const ParameterValues& p) {
  const int n = static_cast<int>(p.at("n"));
  std::string boxes;
  for (int i = 0; i < n; ++i)
    boxes += body_line(fmt::format("b{}", i), "box: [0.1, 0.1, 0.1]", i % 2 ? p.at("ratio") : 1,
                       fmt::format("xyz: [0, 0, {:.15g}]", 0.05 + 0.1 * i));
  return heading("0.005", "2", 0.8) + floor_and(boxes);
}

std::string pile(const ParameterValues& p, bool boxes) {
  constexpr double width = 0.08, density = 500;
  const int n = static_cast<int>(p.at("n"));
  int root = 1;
  while (root * root * root < n) ++root;
  const double pitch = boxes ? 0.142 : 0.12;  // boxes: just above their diagonal of 0.1386 m
  const double side = std::max(width * root * 1.6, pitch);
  const int k = std::max(1, static_cast<int>(side / pitch));
  const double mass = density * (boxes ? width * width * width : pi / 6 * width * width * width);
  Draw draw(p.at("seed"));
  std::string bodies;
  for (int i = 0; i < n; ++i) {
    const int layer = i / (k * k), row = i % (k * k) / k, column = i % k;
    const double x = (row - (k - 1) / 2.0) * pitch, y = (column - (k - 1) / 2.0) * pitch, z = 0.1 + layer * pitch;
    const std::string name = fmt::format("b{}", i);
    if (boxes) {
      bodies += body_line(name, fmt::format("box: [{0}, {0}, {0}]", width), mass,
                          fmt::format("xyz: [{:.15g}, {:.15g}, {:.15g}], quaternion: {}", x, y, z, draw.quaternion()));
    } else {
      const double dx = draw.uniform(-0.015, 0.015), dy = draw.uniform(-0.015, 0.015), dz = draw.uniform(-0.015, 0.015);
      bodies += body_line(name, fmt::format("sphere: {}", width / 2), mass,
                          fmt::format("xyz: [{:.15g}, {:.15g}, {:.15g}]", x + dx, y + dy, z + dz));
    }
  }
  return heading("0.005", "5", 0.8) + floor_and(walls_round(side, 0.2, 4)) + bodies;
}

std::string box_pile(const ParameterValues& p) { return pile(p, true); }
std::string sphere_pile(const ParameterValues& p) { return pile(p, false); }

std::string clutter(const ParameterValues& p) {
  const int n = static_cast<int>(p.at("n"));
  Draw draw(p.at("seed"));
  std::string bodies;
  for (int i = 0; i < n; ++i) {
    const int column = i % 4, level = i / 4;
    const double x = (column % 2 ? 0.2 : -0.2) + draw.uniform(-0.02, 0.02),
                 y = (column / 2 ? 0.2 : -0.2) + draw.uniform(-0.02, 0.02);
    const bool box = (column + level) % 2;
    bodies += body_line(
        fmt::format("{}{}", box ? "box" : "ball", i), box ? "box: [0.1, 0.1, 0.1]" : "sphere: 0.05", box ? 1 : 0.524,
        fmt::format("xyz: [{:.6f}, {:.6f}, {:.6f}], quaternion: {}", x, y, 0.1 + 0.18 * level, draw.quaternion()));
  }
  // A cube of 0.8 m, made higher where the heap would flow over: half of it is air, an object has 0.76 litres on average.
  const double height = std::max(0.8, n * 0.76e-3 / 0.5 / 0.64);
  return gravity_line(true) +
         "time: {step: 0.01, end: 10, integrator: symplectic}\nsolver: {law: near_rigid}\n"
         "materials:\n  matter: {friction: 1, stiffness: 1e12, dissipation_time: 0.01}\n" +
         floor_and(p.at("walls") != 0 ? walls_round(0.8, 0.2, height) : "") + bodies;
}

std::string cube_stack(const ParameterValues& p) {
  std::string bodies;
  double mass = 1;
  for (int row = 0; row < 5; ++row, mass *= 10)
    for (int column = 0; column < 3; ++column)
      bodies += body_line(fmt::format("cube{}{}", row, column), "box: [0.2, 0.2, 0.2]", mass,
                          fmt::format("xyz: [{:.15g}, 0, {:.15g}]", 0.201 * (column - 1), 0.1 + 0.2 * row));
  bodies += body_line("ball", "sphere: 0.2", 1000, "xyz: [0, -1.3, 0.6]",
                      fmt::format("velocity: {{linear: [0, {}, 1]}}, ", p.at("speed_m_s")));
  return heading("0.001", "2", 0.5) + floor_and(bodies);
}

/// Columns of five boxes, none quite above the other: they land one after another and lean on their neighbours.
std::string box_stacks(const ParameterValues& p) {
  constexpr double width = 0.1, pitch = 0.125;
  const int n = static_cast<int>(p.at("n")), columns = (n + 4) / 5;
  int side = 1;
  while (side * side < columns) ++side;
  Draw draw(p.at("seed"));
  std::string bodies;
  for (int i = 0; i < n; ++i) {
    const int column = i / 5, level = i % 5;
    const double x = pitch * (column % side) + draw.uniform(-0.01, 0.01),
                 y = pitch * (column / side) + draw.uniform(-0.01, 0.01), z = width / 2 + 0.001 + level * (width + 0.004);
    bodies +=
        body_line(fmt::format("b{}", i), fmt::format("box: [{0}, {0}, {0}]", width), draw.uniform(0.5, 2),
                  fmt::format("xyz: [{:.15g}, {:.15g}, {:.15g}], rpy: [0, 0, {:.15g}]", x, y, z, draw.uniform(-0.1, 0.1)));
  }
  return heading("0.005", "1", 0.7) + floor_and(bodies);
}

std::string capsule_heap(const ParameterValues& p) {
  constexpr double radius = 0.03, length = 0.08, pitch = length + 2 * radius + 0.002;
  const int n = static_cast<int>(p.at("n"));
  const int side = n <= 8 ? 2 : 3;
  Draw draw(p.at("seed"));
  std::string bodies;
  for (int i = 0; i < n; ++i) {
    const int layer = i / (side * side), row = i % (side * side) / side, column = i % side;
    bodies += body_line(fmt::format("c{}", i), fmt::format("capsule: {{radius: {}, length: {}}}", radius, length), 0.4,
                        fmt::format("xyz: [{:.15g}, {:.15g}, {:.15g}], quaternion: {}", (row - (side - 1) / 2.0) * pitch,
                                    (column - (side - 1) / 2.0) * pitch, 0.08 + layer * pitch, draw.quaternion()));
  }
  return heading("0.005", "2", 0.7) + floor_and(walls_round(side * pitch, 0.2, 2)) + bodies;
}

/// Frames of four round bars, each through the next, as links of an iron chain: contacts alone hold it together.
std::string link_chain(const ParameterValues& p) {
  constexpr double r = 0.008, half_length = 0.035, half_width = 0.022;
  const int n = static_cast<int>(p.at("n"));
  const auto bar = [&](const char* turned, double length, double x, double z) {
    return fmt::format("{{capsule: {{radius: {}, length: {}}}, pose: {{xyz: [{:.15g}, 0, {:.15g}], rpy: [0, {}, 0]}}}}", r,
                       length, x, z, turned);
  };
  const std::string frame = bar("0", 2 * half_length, -half_width, 0) + ", " + bar("0", 2 * half_length, half_width, 0) +
                            ", " + bar("1.5707963267948966", 2 * half_width, 0, -half_length) + ", " +
                            bar("1.5707963267948966", 2 * half_width, 0, half_length);
  Draw draw(p.at("seed"));
  std::string bodies =
      "  - {name: hook, static: true, shape: {capsule: {radius: 0.008, length: 0.1}}, pose: {rpy: [1.5707963267948966, 0, "
      "0]}, "
      "material: matter}\n";
  for (int i = 0; i < n; ++i)  // 0.2 mm of slack: every link falls into the one above it
    bodies += fmt::format(
        "  - {{name: link{}, shapes: [{}], mass: 0.1, pose: {{xyz: [0, 0, {:.15g}], rpy: [0, 0, {}]}}, "
        "velocity: {{linear: [{:.6f}, {:.6f}, 0], angular: [0, 0, {:.6f}]}}, material: matter}}\n",
        i + 1, frame, 2 * r - half_length + 2e-4 - i * (2 * half_length - 2 * r - 2e-4), i % 2 ? "1.5707963267948966" : "0",
        draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(-3, 3));
  return heading("0.001", "1", 0.3) + "bodies:\n" + bodies;
}

}  // namespace

std::vector<SceneRecipe> pile_recipes() {
  const auto count = [](double usual) { return SceneParameter{"n", Kind::integer, usual, 1, 2000, "number of bodies"}; };
  const SceneParameter seed{"seed", Kind::integer, 1, 0, 1e9, "of where they start"};
  return {
      {"stack",
       "Boxes on each other, every second one heavy: a small force below decides whether a large weight above stands.",
       {{"n", Kind::integer, 10, 1, 100, "number of boxes"},
        {"ratio", Kind::number, 1000, 1e-6, 1e6, "mass of every second box, kg; the others have 1 kg"}},
       stack},
      {"box_pile", "Cubes of 8 cm dropped into a bin.", {count(40), seed}, box_pile},
      {"sphere_pile", "Balls of 8 cm dropped into a bin.", {count(100), seed}, sphere_pile},
      {"clutter",
       "Four columns of balls and boxes fall into a bin or onto the open floor and come to rest.",
       {count(40), seed, {"walls", Kind::boolean, 1, 0, 1, "with a bin; otherwise the open floor"}},
       clutter},
      {"box_stacks",
       "Leaning columns of five boxes each, which settle against each other.",
       {{"n", Kind::integer, 25, 1, 200, "number of boxes"}, seed},
       box_stacks},
      {"capsule_heap",
       "Capsules dropped into a narrow bin.",
       {{"n", Kind::integer, 12, 1, 200, "number of capsules"}, seed},
       capsule_heap},
      {"link_chain",
       "An iron chain on a hook: closed links that only contacts hold together.",
       {{"n", Kind::integer, 9, 1, 100, "number of links"}, seed},
       link_chain},
      {"cube_stack_15",
       "A wall of 15 cubes, from 1 kg in the lowest row to 10 tonnes in the highest, hit by a ball of a tonne.",
       {{"speed_m_s", Kind::number, 6, 0, 100, "of the ball, m/s"}},
       cube_stack},
  };
}

}  // namespace condyle
