// Built-in scenes of figures on a fixed base with the counts of CRBD table II: a bust, a gazelle and a person, moved by
// cranks and rods as stage figures are.
#include "scene/builtin_texts.hpp"
#include "scene/linkage.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <cmath>

namespace condyle {
namespace {

using Kind = SceneParameter::Kind;
using Vector3d = Eigen::Vector3d;
using L = Linkage;

const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();

std::string run_line() { return gravity_line(true) + "time: {step: 0.001, end: 2, integrator: symplectic}\n"; }
std::string side_of(int s) { return s > 0 ? "left_" : "right_"; }

/// A forearm that a crank high on the upper arm bends through a rod: a four-bar about y.
void elbow(Linkage& m, const std::string& side, const Vector3d& shoulder, const Vector3d& joint, double share) {
  const Vector3d root = shoulder + Vector3d(-0.02, 0, -0.06), pin = root + Vector3d(-0.04, 0, -0.01);
  const Vector3d heel = joint + Vector3d(-0.05, 0, -0.02), wrist = joint + Vector3d(0.2, 0, -0.06);
  m.hinge(side + "elbow_crank", side + "upper_arm", root, y, L::rod(root, pin, 0.01), 0.1 * share);
  m.hinge(side + "elbow_rod", side + "elbow_crank", pin, y, L::rod(pin, heel, 0.008), 0.1 * share);
  m.hinge(side + "forearm", side + "upper_arm", joint, y, L::rod(heel, wrist, 0.025), share);
  m.close_by_hinge(side + "elbow", side + "elbow_rod", side + "forearm", heel, y);
}

std::string bust(const ParameterValues& p) {
  const double turn = radians(p.at("turn_deg"));
  Linkage m("bust", "torso", {0, 0, 1.1}, L::box({0, 0, 1.1}, {0.22, 0.3, 0.5}), 0.06 * 90.67);
  for (const int s : {1, -1}) {
    const std::string side = side_of(s);
    const Vector3d neck(0, s * 0.19, 1.28), shoulder(0, s * 0.24, 1.28), joint(0, s * 0.26, 1);
    const Vector3d arm(0, s * 0.26, 1.28), wrist = joint + Vector3d(0.2, 0, -0.06);
    m.hinge(side + "shoulder", "torso", neck, y, L::rod(neck, shoulder, 0.04), 0.7);
    m.hinge(side + "upper_arm", side + "shoulder", shoulder, x, L::rod(shoulder, joint, 0.03), 1.4);
    elbow(m, side, arm, joint, 1);
    m.hinge(side + "wrist", side + "forearm", wrist, x, L::rod(wrist, wrist + 0.04 * x, 0.02), 0.2);
    m.hinge(side + "hand", side + "wrist", wrist + 0.05 * x, y, L::rod(wrist + 0.06 * x, wrist + 0.13 * x, 0.022), 0.4);
    m.servo(side + "shoulder", 100, -turn);
    m.servo(side + "upper_arm", 100, s * 0.5 * turn);
    for (const char* joint_name : {"elbow_crank", "elbow_rod", "forearm"}) m.servo(side + joint_name, 20);
    m.servo(side + "wrist", 10, s * turn);
    m.servo(side + "hand", 10, -turn);
  }
  const Vector3d nape(0.02, 0, 1.5), brow(0.1, 0, 1.71);
  m.hinge("neck_yaw", "torso", {0, 0, 1.38}, z, L::rod({0, 0, 1.38}, {0, 0, 1.42}, 0.035), 0.3);
  m.hinge("neck_pitch", "neck_yaw", {0, 0, 1.43}, y, L::rod({0, 0, 1.43}, nape, 0.03), 0.4);
  m.hinge("head", "neck_pitch", nape, x, L::box({0.02, 0, 1.65}, {0.16, 0.15, 0.22}), 3.2);
  m.hinge("jaw", "head", {0.03, 0, 1.56}, y, L::box({0.08, 0, 1.52}, {0.08, 0.1, 0.03}), 0.25);
  m.hinge("brow", "head", brow, y, L::box(brow, {0.02, 0.12, 0.02}), 0.08);
  m.servo("neck_yaw", 40, turn);
  m.servo("neck_pitch", 80, 0.5 * turn);
  m.servo("head", 40, 0.3 * turn);
  m.servo("jaw", 10, 0.5 * turn);
  m.servo("brow", 1, -0.5 * turn);
  for (const int s : {1, -1}) {
    const Vector3d eye(0.1, s * 0.035, 1.66);
    m.hinge(side_of(s) + "eye", "head", eye, z, L::ball(eye, 0.018), 0.06);
    m.servo(side_of(s) + "eye", 0.5, turn);
  }
  return run_line() + m.text(false);
}

/// Hip, thigh, shank and cannon; a crank at the hip bends the knee through a rod.
void gazelle_leg(Linkage& m, bool fore, int s, double step) {
  const std::string leg = (fore ? "fore_" : "hind_") + side_of(s);
  const double d = fore ? 1 : -1;
  const Vector3d root(0.32 * d, s * 0.1, 0.86), hip = root + s * 0.04 * y, knee(hip.x() - 0.08 * d, hip.y(), 0.58);
  const Vector3d hock(hip.x() + (fore ? 0 : -0.08), hip.y(), 0.32), toe(hip.x(), hip.y(), 0.06);
  const Vector3d crank = hip + s * 0.03 * y, pin = crank - 0.06 * x, heel = knee + Vector3d(-0.055, s * 0.03, 0.01);
  m.hinge(leg + "hip", "trunk", root, x, L::rod(root, hip, 0.03), 0.4);
  m.hinge(leg + "thigh", leg + "hip", hip, y, L::rod(hip, knee, fore ? 0.035 : 0.05), fore ? 1.6 : 0.003 * 1012.54);
  m.hinge(leg + "shank", leg + "thigh", knee, y, L::rod(knee, hock, 0.02), 0.6);
  m.hinge(leg + "cannon", leg + "shank", hock, y, L::rod(hock, toe, 0.013), 0.25);
  m.hinge(leg + "crank", leg + "hip", crank, y, L::rod(crank, pin, 0.01), 0.08);
  m.push_rod(leg + "rod", leg + "crank", leg + "shank", pin, heel, y, 0.007, 0.05);
  const double swing = fore == (s > 0) ? step : -step;  // a trot: opposite legs go together
  m.servo(leg + "hip", 200);
  m.servo(leg + "thigh", 200, swing);
  m.servo(leg + "crank", 100, 0.5 * swing);
  m.servo(leg + "cannon", 20, -0.5 * swing);
}

std::string gazelle(const ParameterValues& p) {
  const double turn = radians(p.at("turn_deg"));
  Linkage m("gazelle", "trunk", {0, 0, 0.95}, L::box({0, 0, 0.95}, {0.8, 0.2, 0.22}), 3);
  for (const bool fore : {true, false})
    for (const int s : {1, -1}) gazelle_leg(m, fore, s, radians(p.at("step_deg")));
  const Vector3d base(0.42, 0, 1.08), front(0.46, 0, 1.12), back(0.38, 0, 1.12), up(0.16, 0, 0.3), head(0.62, 0, 1.46);
  m.hinge("neck_yaw", "trunk", base, z, L::rod(back, front, 0.02), 0.3);
  m.hinge("neck_front", "neck_yaw", front, y, L::rod(front, front + up, 0.03), 0.7);
  m.hinge("neck_back", "neck_yaw", back, y, L::rod(back, back + up, 0.025), 0.5);
  m.hinge("neck_top", "neck_front", front + up, y, L::rod(front + up, back + up, 0.02), 0.2);
  m.close_by_hinge("neck", "neck_back", "neck_top", back + up, y);
  m.hinge("head", "neck_top", head, y, L::rod(head, {0.82, 0, 1.4}, 0.04), 1);
  m.hinge("ears", "head", {0.6, 0, 1.5}, y, L::box({0.58, 0, 1.57}, {0.01, 0.14, 0.12}), 0.03);
  const Vector3d jaw(0.66, 0, 1.4), lip(0.645, 0, 1.365), jaw_root(0.62, 0, 1.43), jaw_pin(0.6, 0, 1.4);
  m.hinge("jaw", "head", jaw, y, L::rod(jaw, {0.82, 0, 1.34}, 0.015), 0.1);
  m.hinge("jaw_crank", "head", jaw_root, y, L::rod(jaw_root, jaw_pin, 0.006), 0.01);
  m.hinge("jaw_rod", "jaw_crank", jaw_pin, y, L::rod(jaw_pin, lip, 0.004), 0.003);
  m.close_by_hinge("chin", "jaw_rod", "jaw", lip, y);
  const Vector3d tail(-0.42, 0, 1.05), tip(-0.55, 0, 0.95), tail_root(-0.36, 0, 1.07), lever = 0.04 * z;
  m.hinge("tail", "trunk", tail, y, L::rod(tail + lever, tip, 0.015), 0.15);
  m.hinge("tail_crank", "trunk", tail_root, y, L::rod(tail_root, tail_root + lever, 0.008), 0.03);
  m.hinge("tail_rod", "tail_crank", tail_root + lever, y, L::rod(tail_root + lever, tail + lever, 0.005), 0.02);
  m.close_by_hinge("rump", "tail_rod", "tail", tail + lever, y);
  m.hinge("tail_tip", "tail", tip, y, L::rod(tip, {-0.6, 0, 0.8}, 0.01), 0.05);
  m.servo("neck_yaw", 60, turn);
  m.servo("neck_front", 150, 0.5 * turn);
  m.servo("head", 30, 0.5 * turn);
  m.servo("ears", 1, -turn);
  m.servo("jaw_crank", 1, turn);
  m.servo("tail_crank", 5, turn);
  return run_line() + m.text(false);
}

/// The foot hangs on a cross; two cranks at the shin tilt it through rods.
void figure_leg(Linkage& m, int s, double move) {
  const std::string side = side_of(s);
  const Vector3d hip(0, s * 0.1, 0.94), knee(0.03, s * 0.1, 0.54), ankle(0, s * 0.1, 0.1);
  m.hinge(side + "thigh", "pelvis", hip, y, L::rod(hip, knee, 0.06), 7);
  m.hinge(side + "shin", side + "thigh", knee, y, L::rod(knee, ankle + 0.05 * z, 0.04), 3.5);
  m.hinge(side + "ankle", side + "shin", ankle, y, L::rod(ankle - 0.02 * y, ankle + 0.02 * y, 0.012), 0.1);
  m.hinge(side + "foot", side + "ankle", ankle, x, L::box(ankle + Vector3d(0.05, 0, -0.06), {0.22, 0.09, 0.04}), 1.1);
  const Vector3d toe = ankle + Vector3d(0.17, 0, -0.06);
  m.hinge(side + "toe", side + "foot", toe, y, L::box(toe + 0.03 * x, {0.06, 0.09, 0.03}), 0.1);
  m.spring(side + "toe", 2, 0.02);
  for (const int k : {1, -1}) {
    const std::string end = side + (k > 0 ? "outer_" : "inner_");
    const Vector3d root = ankle + Vector3d(0, k * s * 0.045, 0.3), pin = root - 0.05 * x;
    m.hinge(end + "crank", side + "shin", root, y, L::rod(root, pin, 0.01), 0.06);
    m.push_rod(end + "rod", end + "crank", side + "foot", pin, ankle + Vector3d(-0.05, k * s * 0.05, -0.02), y, 0.006, 0.02);
    m.servo(end + "crank", 60, (k > 0 ? 1 : 0.3) * move);
  }
  m.servo(side + "thigh", 300, -s * move);
  m.servo(side + "shin", 200, move);
}

std::string figure(const ParameterValues& p) {
  const double move = radians(p.at("move_deg"));
  Linkage m("figure", "pelvis", {0, 0, 1}, L::box({0, 0, 0.98}, {0.18, 0.3, 0.14}), 12);
  const Vector3d waist(0, 0, 1.12);
  m.ball_joint("torso", "pelvis", waist, L::box({0, 0, 1.38}, {0.2, 0.36, 0.36}), 0.001 * 25544.44);
  for (int i = 0; i < 3; ++i) {
    // Upright rods could not hold the torso's turn about z: each leans to a side.
    const double angle = 2 * pi / 3 * i, lean = radians(i == 1 ? -50 : 50);
    const Vector3d out(std::cos(angle), std::sin(angle), 0), aside(std::cos(angle + lean), std::sin(angle + lean), 0);
    const Vector3d root = 0.1 * out + 1.04 * z, pin = root + 0.05 * out;
    m.hinge(fmt::format("waist_crank{}", i), "pelvis", root, z.cross(out), L::rod(root, pin, 0.015), 0.2);
    m.push_rod(fmt::format("waist_rod{}", i), fmt::format("waist_crank{}", i), "torso", pin, 0.14 * aside + 1.2 * z,
               z.cross(out), 0.01, 0.06);
    m.servo(fmt::format("waist_crank{}", i), 600, (1 - i) * 0.5 * move);
  }
  const Vector3d neck(0, 0, 1.6), skull(0, 0, 1.64), head(0, 0, 1.7);
  m.hinge("neck", "torso", neck, y, L::rod(neck, skull, 0.02), 0.2);
  m.hinge("skull", "neck", skull, x, L::rod(skull, head, 0.02), 0.3);
  for (const int s : {1, -1}) {
    const Vector3d root(-0.06, s * 0.05, 1.52), pin = root - 0.04 * x;
    m.hinge(side_of(s) + "neck_crank", "torso", root, y, L::rod(root, pin, 0.008), 0.04);
    m.push_rod(side_of(s) + "neck_rod", side_of(s) + "neck_crank", "skull", pin, {-0.06, s * 0.06, 1.67}, y, 0.005, 0.008);
    m.servo(side_of(s) + "neck_crank", 30, s * move);
  }
  m.hinge("head", "skull", head, z, L::box({0.01, 0, 1.82}, {0.17, 0.14, 0.22}), 3.5);
  const Vector3d jaw(0.02, 0, 1.75), jaw_root(-0.01, 0.08, 1.79), jaw_pin = jaw_root - 0.02 * x;
  m.hinge("jaw", "head", jaw, y, L::box({0.08, 0, 1.72}, {0.07, 0.1, 0.02}), 0.15);
  m.hinge("jaw_crank", "head", jaw_root, y, L::rod(jaw_root, jaw_pin, 0.005), 0.01);
  m.push_rod("jaw_rod", "jaw_crank", "jaw", jaw_pin, {-0.01, 0.08, 1.75}, y, 0.003, 0.001);
  const Vector3d visor(0.06, 0, 1.9), visor_root(0, 0, 1.9), lever = 0.03 * z;
  m.hinge("visor", "head", visor, y, L::box({0.11, 0, 1.86}, {0.01, 0.14, 0.1}), 0.05);
  m.hinge("visor_crank", "head", visor_root, y, L::rod(visor_root, visor_root + lever, 0.005), 0.01);
  m.hinge("visor_rod", "visor_crank", visor_root + lever, y, L::rod(visor_root + lever, visor + lever, 0.004), 0.005);
  m.close_by_hinge("visor_link", "visor_rod", "visor", visor + lever, y);
  const Vector3d antenna(-0.05, 0.05, 1.93);
  m.hinge("antenna", "head", antenna, y, L::rod(antenna, antenna + 0.08 * z, 0.003), 0.002);
  m.spring("antenna", 0.02, 0.0001);
  m.servo("head", 40, move);
  m.servo("jaw_crank", 2, move);
  m.servo("visor_crank", 2, -move);
  for (const int s : {1, -1}) {
    figure_leg(m, s, move);
    const std::string side = side_of(s);
    const Vector3d shoulder(0, s * 0.23, 1.5), joint(0, s * 0.25, 1.22), hand = joint + Vector3d(0.2, 0, -0.06);
    m.hinge(side + "upper_arm", "torso", shoulder, y, L::rod(shoulder, joint, 0.035), 2.2);
    elbow(m, side, {0, s * 0.25, 1.5}, joint, 1.4);
    m.hinge(side + "hand", side + "forearm", hand, y, L::rod(hand, hand + 0.06 * x, 0.025), 0.4);
    m.spring(side + "hand", 5, 0.05);
    for (const int k : {1, -1}) {
      const std::string finger = side + (k > 0 ? "outer_finger" : "inner_finger");
      const Vector3d root = hand + Vector3d(0.08, k * s * 0.02, 0);
      m.hinge(finger, side + "hand", root, y, L::rod(root, root + 0.07 * x, 0.008), 0.03);
      m.spring(finger, 0.3, 0.002);
    }
    m.servo(side + "upper_arm", 100, s * move);
    m.servo(side + "elbow_crank", 60, move);
  }
  return run_line() + m.text(false);
}

}  // namespace

std::vector<SceneRecipe> figure_recipes() {
  return {
      {"bust",
       "An upper body turns its head and lifts its arms, whose elbows are four-bars: 22 bodies, 2 loops (CRBD table II).",
       {{"turn_deg", Kind::number, 25, -40, 40, "by which the servos turn the joints, degrees"}},
       bust},
      {"figure",
       "A stage figure moved by cranks and rods: 54 bodies, 13 loops, masses from 1 g to 25.5 kg (CRBD table II).",
       {{"move_deg", Kind::number, 12, -20, 20, "by which the servos turn the cranks and joints, degrees"}},
       figure},
      {"gazelle",
       "A gazelle on a stand strides and turns its neck: 38 bodies, 7 loops, masses from 3 g to 3 kg (CRBD table II).",
       {{"step_deg", Kind::number, 20, -30, 30, "by which the servos turn the thighs, degrees"},
        {"turn_deg", Kind::number, 20, -30, 30, "by which they turn neck, head, jaw, ears and tail, degrees"}},
       gazelle},
  };
}

}  // namespace condyle
