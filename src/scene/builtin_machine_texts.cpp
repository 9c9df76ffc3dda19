// Built-in scenes of free mechanisms with the counts of CRBD table II: a droid on two legs, a wheeled digger, a walking
// machine on six legs with a parallelogram in each.
#include "scene/builtin_texts.hpp"
#include "scene/linkage.hpp"

#include <fmt/format.h>

namespace condyle {
namespace {

using Kind = SceneParameter::Kind;
using Vector3d = Eigen::Vector3d;
using L = Linkage;

const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();

std::string run_line(double end) {
  return gravity_line(true) + fmt::format("time: {{step: 0.001, end: {}, integrator: symplectic}}\n", end);
}

std::string biped(const ParameterValues& p) {
  const double turn = radians(p.at("turn_deg"));
  Linkage m("biped", "trunk", {0, 0, 0.62}, L::touching(L::box({0, 0, 0.62}, {0.2, 0.18, 0.2})), 0.2 * 42.49);
  for (const int s : {1, -1}) {
    const std::string side = s > 0 ? "left_" : "right_";
    const Vector3d hip(0, s * 0.08, 0.51), leg(0, s * 0.1, 0.45), knee(0.06, s * 0.1, 0.25), ankle(-0.02, s * 0.1, 0.05);
    m.hinge(side + "hip_yaw", "trunk", hip, z, L::rod(hip, hip - 0.04 * z, 0.03), 0.6);
    m.hinge(side + "hip_roll", side + "hip_yaw", leg - s * 0.02 * y, x, L::rod(leg - s * 0.02 * y, leg, 0.03), 0.5);
    m.hinge(side + "thigh", side + "hip_roll", leg, y, L::rod(leg, knee, 0.03), 1);
    m.hinge(side + "shank", side + "thigh", knee, y, L::rod(knee, ankle, 0.025), 0.6);
    m.hinge(side + "foot", side + "shank", ankle, y, L::touching(L::box({0.03, s * 0.1, 0.015}, {0.2, 0.09, 0.03})), 0.4);
    for (const char* joint : {"hip_yaw", "hip_roll", "thigh", "shank", "foot"}) m.servo(side + joint, 400);
  }
  const Vector3d neck(0.05, 0, 0.73), nape(0.08, 0, 0.85);
  m.hinge("neck_pitch", "trunk", neck, y, L::rod(neck, nape, 0.02), 0.5);
  m.hinge("head_pitch", "neck_pitch", nape, y, L::rod(nape, nape + 0.02 * z, 0.02), 0.2);
  m.hinge("head_yaw", "head_pitch", nape + 0.04 * z, z, L::rod(nape + 0.04 * z, nape + 0.06 * z, 0.02), 0.2);
  m.hinge("head_roll", "head_yaw", nape + 0.08 * z, x, L::touching(L::box({0.1, 0, 1}, {0.18, 0.14, 0.12})), 1.2);
  m.servo("neck_pitch", 60, 0.5 * turn);
  m.servo("head_pitch", 40, -0.5 * turn);
  m.servo("head_yaw", 20, turn);
  m.servo("head_roll", 20, 0.5 * turn);
  return run_line(2) + m.text(true);
}

std::string machine(const ParameterValues& p) {
  Linkage m("machine", "chassis", {0, 0, 0.6}, L::box({0, 0, 0.6}, {1.5, 0.7, 0.25}), 321.39);
  for (const int s : {1, -1})
    for (const int f : {1, -1}) {
      const std::string corner = fmt::format("{}_{}_", f > 0 ? "front" : "rear", s > 0 ? "left" : "right");
      const Vector3d hub(f * 0.55, s * 0.5, 0.3), stay(f * 0.82, s * 0.3, 0.6);
      m.hinge(corner + "knuckle", "chassis", hub - s * 0.08 * y, z,
              L::rod(hub - s * 0.08 * y, hub - s * 0.08 * y + 0.2 * z, 0.05), 8);
      m.hinge(corner + "wheel", corner + "knuckle", hub, y, L::touching(L::wheel(hub, 0.3, 0.16)), 15);
      m.hinge(corner + "stay", "chassis", stay, x, L::rod(stay, stay + Vector3d(0, s * 0.12, 0.35), 0.04), 4);
      m.servo(corner + "knuckle", 5000, f * radians(p.at("steer_deg")));
      m.motor(corner + "wheel", 100, p.at("speed_m_s") / 0.3);
      m.servo(corner + "stay", 2000);
    }
  const Vector3d foot(0.3, 0, 1), elbow(0.95, 0, 1.7), wrist(1.55, 0, 1.2), grab(1.55, 0, 1.05);
  m.hinge("turret", "chassis", {0, 0, 0.75}, z, L::box({0, 0, 1}, {0.6, 0.55, 0.5}), 60);
  m.hinge("boom", "turret", foot, y, L::rod(foot, elbow, 0.06), 25);
  m.hinge("arm", "boom", elbow, y, L::rod(elbow, wrist, 0.045), 15);
  m.hinge("grab", "arm", wrist, y, L::rod(wrist, grab, 0.04), 3);
  m.servo("turret", 20000, radians(p.at("slew_deg")));
  m.servo("boom", 40000, 0.2);
  m.servo("arm", 15000, -0.3);
  m.servo("grab", 1000, 0.1);
  const char* const claws[] = {"claw_front", "claw_left", "claw_rear", "claw_right"};
  for (int i = 0; i < 4; ++i) {
    const Vector3d out = i % 2 ? Vector3d((2 - i) * y) : Vector3d((1 - i) * x), root = grab + 0.08 * out;
    m.hinge(claws[i], "grab", root, z.cross(out), L::rod(root, root + 0.1 * out - 0.22 * z, 0.02), 1);
    m.servo(claws[i], 200, 0.6);
  }
  return run_line(3) + m.text(true);
}

/// Three legs stand and push while the other three are lifted forward.
std::string walker(const ParameterValues& p) {
  constexpr double period = 1.2, reach_m = 0.3;  // s, from the axis of a hip to its foot
  const double swing = p.at("stride_m") / (2 * reach_m), lift = radians(p.at("lift_deg"));
  Linkage m("walker", "trunk", {0, 0, 0.5}, L::box({0, 0, 0.5}, {0.9, 0.3, 0.12}), 0.25 * 99.55);
  for (int i = 0; i < 6; ++i) {
    const int s = i % 2 ? -1 : 1, row = 1 - i / 2;
    const std::string leg = fmt::format("{}_{}_", row > 0 ? "front" : row < 0 ? "rear" : "middle", s > 0 ? "left" : "right");
    const Vector3d hip(0.36 * row, s * 0.16, 0.5), upper(hip.x(), s * 0.26, 0.53), lower = upper - 0.08 * z;
    const Vector3d reach(0, s * 0.2, 0.07), knee = upper + reach, ankle(knee.x(), knee.y(), 0.12);
    m.hinge(leg + "coxa", "trunk", hip, z, L::rod(hip, {hip.x(), upper.y(), 0.5}, 0.035), 0.8);
    m.hinge(leg + "femur", leg + "coxa", upper, x, L::rod(upper, knee, 0.02), 1);
    m.hinge(leg + "guide", leg + "coxa", lower, x, L::rod(lower, lower + reach, 0.015), 0.5);
    m.hinge(leg + "shank", leg + "femur", knee, x, L::rod(knee, ankle, 0.02), 0.8);
    m.hinge(leg + "foot", leg + "shank", ankle, y, L::touching(L::rod(ankle, ankle - 0.09 * z, 0.03)), 0.25);
    m.close_by_hinge(leg + "parallelogram", leg + "guide", leg + "shank", lower + reach, x);
    // The start is in the middle of a stride, so that no foot must slide: the first three legs push, the others are up.
    const bool first = (row + (s > 0)) % 2 == 0;
    const double push = first ? s * swing : -s * swing, up = s * lift;
    const std::string quarters = fmt::format("{}, {}", period / 4, 3 * period / 4);
    const std::string hips =
        fmt::format("{{times: [{}], values: [{}, {}], period: {}, interpolation: smooth}}", quarters, push, -push, period);
    const std::string lifts = fmt::format(
        "{{times: [{}], values: [{}], period: {}, interpolation: smooth}}",
        first ? fmt::format("{}, {}, {}", period / 4, period / 2, 3 * period / 4) : fmt::format("0, {}", quarters),
        first ? fmt::format("0, {}, 0", up) : fmt::format("{}, 0, 0", up), period);
    m.servo(leg + "coxa", 400, hips);
    m.servo(leg + "femur", 400, lifts);
    m.servo(leg + "guide", 400, lifts);
    m.servo(leg + "foot", 100);
  }
  return run_line(3) + m.text(true);
}

}  // namespace

std::vector<SceneRecipe> machine_recipes() {
  return {
      {"biped",
       "A droid stands on two legs and turns its head: 15 bodies, 14 servos (counts of CRBD table II).",
       {{"turn_deg", Kind::number, 30, -60, 60, "by which the servos turn the head, degrees"}},
       biped},
      {"machine",
       "A digger drives a bend on four steered wheels while its boom swings: 21 bodies, 20 servos (CRBD table II).",
       {{"speed_m_s", Kind::number, 0.6, -3, 3, "m/s, of the wheels' rims"},
        {"steer_deg", Kind::number, 10, -30, 30, "of all four wheels, degrees"},
        {"slew_deg", Kind::number, 60, -180, 180, "by which the boom swings, degrees"}},
       machine},
      {"walker",
       "A machine walks on six legs with a parallelogram each, three by three: 31 bodies, 6 loops (CRBD table II).",
       {{"stride_m", Kind::number, 0.1, -0.2, 0.2, "of the feet in a period of 1.2 s, m"},
        {"lift_deg", Kind::number, 15, 2, 30, "by which the upper legs rise, degrees"}},
       walker},
  };
}

}  // namespace condyle
