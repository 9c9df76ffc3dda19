#include "scene/scene_data.hpp"

#include <condyle/scene.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace condyle {
namespace {

Scene with(const std::string& name, std::map<std::string, std::string> parameters = {}) {
  SceneOptions options;
  options.parameters = std::move(parameters);
  return load_scene(name, options);
}

/// Corners of a box, or the lowest point of a ball along -n.
std::vector<Eigen::Vector3d> feet(const Shape& shape, const Pose& body, const Eigen::Vector3d& n) {
  const Pose at = body * shape.pose;
  std::vector<Eigen::Vector3d> out;
  if (shape.kind == ShapeKind::sphere) out.push_back(at.p - shape.size[0] * n);
  if (shape.kind == ShapeKind::box)
    for (int k = 0; k < 8; ++k)
      out.push_back(at * Eigen::Vector3d(0.5 * (k & 1 ? 1 : -1) * shape.size[0], 0.5 * (k & 2 ? 1 : -1) * shape.size[1],
                                         0.5 * (k & 4 ? 1 : -1) * shape.size[2]));
  if (shape.kind == ShapeKind::cylinder)  // upright: its lower face
    for (const double x : {-1.0, 1.0}) out.push_back(at * Eigen::Vector3d(x * shape.size[0], 0, -0.5 * shape.size[1]));
  return out;
}

const SceneShape& shape_of(const SceneData& data, const std::string& body) {
  BodyRef ref;
  EXPECT_TRUE(data.find_body(body, ref)) << body;
  return *std::find_if(data.shapes.begin(), data.shapes.end(), [&](const SceneShape& s) { return s.body == ref; });
}

/// Heights of a free body's feet above the half-space named `ground`.
std::vector<double> gaps(const Scene& scene, const std::string& body, const std::string& ground = "floor") {
  const SceneData& data = scene.data();
  const Shape& plane = shape_of(data, ground).shape;
  const Eigen::Vector3d n = plane.pose.R.col(2);
  const SceneShape& shape = shape_of(data, body);
  const Pose pose = data.free_bodies[static_cast<std::size_t>(shape.body.index)].pose;
  std::vector<double> out;
  for (const Eigen::Vector3d& foot : feet(shape.shape, pose, n)) out.push_back(n.dot(foot - plane.pose.p));
  return out;
}

double lowest(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }

TEST(BuiltinContacts, WhatRestsTouchesTheGroundWithGapZero) {
  for (const char* name : {"box_on_plane", "thrown_block", "spinning_block", "spinning_disc", "rolling_ball"}) {
    const Scene scene = with(name);
    const std::string body = scene.data().free_bodies.at(0).name;
    EXPECT_EQ(lowest(gaps(scene, body)), 0) << name;
  }
  EXPECT_NEAR(lowest(gaps(with("stack"), "b0")), 0, 0);
  EXPECT_NEAR(lowest(gaps(with("cube_stack_15"), "cube00")), 0, 0);
}

TEST(BuiltinContacts, TheBlockLiesFlatOnEverySlope) {
  for (const char* angle : {"0", "5", "20", "45", "89"}) {
    std::vector<double> g = gaps(with("incline", {{"angle_deg", angle}}), "block", "slope");
    std::sort(g.begin(), g.end());
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(g[static_cast<std::size_t>(k)], 0, 1e-16) << angle << " degrees, corner " << k;
    EXPECT_NEAR(g[4], 0.1, 1e-15) << angle;
  }
  const Scene scene = with("incline", {{"angle_deg", "30"}, {"friction", "0.25"}});
  const Eigen::Vector3d n = shape_of(scene.data(), "slope").shape.pose.R.col(2);
  EXPECT_NEAR(n.x(), 0.5, 1e-15) << "it falls towards +x";
  EXPECT_EQ(scene.data().pair_material("matter", "matter").friction, 0.25);
}

TEST(BuiltinContacts, DropsStartAtTheHeightThatIsAsked) {
  EXPECT_NEAR(gaps(with("sphere_drop", {{"height_m", "0.7"}, {"restitution", "0.25"}}), "ball")[0], 0.7, 1e-15);
  EXPECT_EQ(with("sphere_drop", {{"restitution", "0.25"}}).data().pair_material("matter", "matter").restitution, 0.25);
  const Scene pair = with("rigid_soft_pair", {{"height_m", "0.3"}, {"stiffness", "500"}});
  for (const char* ball : {"rigid", "compliant"}) EXPECT_NEAR(gaps(pair, ball)[0], 0.3, 1e-15);
  EXPECT_EQ(pair.data().pair_material("hard", "soft").stiffness, 500) << "a rigid floor adds no compliance";
  EXPECT_EQ(pair.data().pair_material("hard", "soft").dissipation_time, 0.02);
  EXPECT_EQ(pair.data().pair_material("hard", "hard").stiffness, unlimited);
  EXPECT_NEAR(lowest(gaps(with("boxes_fixed", {{"height_m", "0.25"}}), "lower")), 0.25, 1e-15);
}

TEST(BuiltinContacts, StackedBoxesTouchEachOtherWithGapZero) {
  const Scene scene = with("stack", {{"n", "7"}, {"ratio", "50"}});
  const auto& bodies = scene.data().free_bodies;
  ASSERT_EQ(bodies.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(bodies[i].pose.p.z(), 0.05 + 0.1 * static_cast<double>(i), 1e-15);
    EXPECT_EQ(bodies[i].inertial.mass, i % 2 ? 50 : 1);
  }
  const Scene wall = with("cube_stack_15");
  ASSERT_EQ(wall.data().free_bodies.size(), 16u);
  EXPECT_NEAR(wall.total_mass(), 3 * 11111 + 1000, 1e-9);
  EXPECT_EQ(wall.data().free_bodies[14].inertial.mass, 1e4) << "the highest row is the heaviest";
  EXPECT_NEAR(wall.data().free_bodies[14].pose.p.z(), 0.9, 1e-15);
}

TEST(BuiltinContacts, TheJawsTouchTheBlockAndPressWithTwentyNewton) {
  const Scene scene = with("pinch");
  EXPECT_EQ(scene.nv(), 2 + 6);
  const SceneData& data = scene.data();
  const Tree& tree = data.trees[0];
  for (const char* side : {"left", "right"}) {
    const JointSpec& joint = tree.description->joints[static_cast<std::size_t>(tree.description->find_joint(side))];
    EXPECT_NEAR(std::abs(joint.origin.p.x()), 0.03 + 0.01, 1e-15) << "half the block and half the jaw";
    EXPECT_LT(joint.origin.p.x() * joint.axis.x(), 0) << "forwards is towards the block";
    EXPECT_EQ(joint.origin.p.z(), data.free_bodies[0].pose.p.z());
  }
  for (const SceneActuator& jaw : data.actuators) EXPECT_NEAR(jaw.spec.kp * jaw.spec.target, 20, 1e-12);
}

TEST(BuiltinContacts, TheCylinderStartsAtItsStaticPenetration) {
  for (const char* friction : {"0", "1"}) {
    const Scene scene = with("spring_cylinder", {{"friction", friction}});
    const SceneData& data = scene.data();
    const Material contact = data.pair_material("hard", "soft");
    EXPECT_EQ(contact.friction, std::stod(friction));
    EXPECT_EQ(contact.stiffness, 1e4);
    EXPECT_EQ(contact.dissipation_time, 0.02);
    EXPECT_NEAR(data.trees[0].base.p.z(), 0.05 - 0.5 * 9.81 / 1e4, 1e-16);
    EXPECT_NEAR(scene.total_mass(), 0.5, 1e-15);
    EXPECT_EQ(scene.nv(), 3);
    EXPECT_EQ(scene.initial_state().q[0], 0.1);
    EXPECT_EQ(data.trees[0].stiffness[0], 100);
    const LinkSpec& link = data.trees[0].description->links[3];
    EXPECT_NEAR(link.inertial.inertia(1, 1) / (0.5 * 0.05 * 0.05), 0.5, 1e-12) << "rolls with 1.5 times its mass";
  }
}

/// Smallest distance between centres; enough to see overlap of balls, and of boxes by their diagonals.
double nearest(const SceneData& data) {
  double out = 1e9;
  for (std::size_t i = 0; i < data.free_bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      out = std::min(out, (data.free_bodies[i].pose.p - data.free_bodies[j].pose.p).norm());
  return out;
}

TEST(BuiltinContacts, PilesStartApartFromEachOtherTheFloorAndTheWalls) {
  struct Case {
    const char* name;
    double reach;  // from the centre to the farthest point, m
    std::vector<const char*> n;
  };
  for (const Case& c : {Case{"box_pile", 0.04 * std::sqrt(3.0), {"1", "8", "40", "300"}},
                        Case{"sphere_pile", 0.04, {"1", "9", "100", "300"}},
                        Case{"clutter", 0.05 * std::sqrt(3.0), {"1", "8", "40", "300"}}})
    for (const char* n : c.n) {
      SCOPED_TRACE(std::string(c.name) + " n=" + n);
      const Scene scene = with(c.name, {{"n", n}});
      const SceneData& data = scene.data();
      ASSERT_EQ(data.free_bodies.size(), static_cast<std::size_t>(std::stoi(n)));
      ASSERT_EQ(data.static_bodies.size(), 5u);
      EXPECT_GE(nearest(data), 2 * c.reach);
      double inner = 1e9;
      for (const SceneShape& shape : data.shapes) {
        if (shape.body.kind != BodyRef::Kind::static_body || shape.shape.kind != ShapeKind::box) continue;
        const Eigen::Vector3d& at = data.static_bodies[static_cast<std::size_t>(shape.body.index)].pose.p;
        inner = std::min(inner, at.head<2>().norm() - 0.5 * shape.shape.size.head<2>().minCoeff());
      }
      for (const FreeBody& body : data.free_bodies) {
        EXPECT_GT(body.pose.p.z(), c.reach);
        EXPECT_LE(body.pose.p.head<2>().cwiseAbs().maxCoeff() + c.reach, inner);
      }
    }
}

TEST(BuiltinContacts, ClutterHasTheStatedObjectsAndMaterial) {
  const Scene scene = with("clutter", {{"walls", "false"}});
  const SceneData& data = scene.data();
  EXPECT_EQ(data.static_bodies.size(), 1u) << "the open floor";
  int balls = 0;
  for (const FreeBody& body : data.free_bodies) balls += body.inertial.mass == 0.524;
  EXPECT_EQ(balls, 20);
  EXPECT_NEAR(scene.total_mass(), 20 * 1.524, 1e-9);
  const Material material = data.materials.at("matter");
  EXPECT_EQ(material.friction, 1);
  EXPECT_EQ(material.stiffness, 1e12);
  EXPECT_EQ(material.dissipation_time, scene.defaults().dt);
  EXPECT_EQ(scene.defaults().laws.kind, LawKind::near_rigid);
  EXPECT_NE(scene.identity(), with("clutter", {{"walls", "false"}, {"seed", "2"}}).identity());
}

TEST(BuiltinContacts, JointConstraintsHaveTheNumbersOfTheirTruths) {
  const Scene stop = with("hard_stop");
  const TreeJoint& hinge = stop.data().trees[0].model->joints[0];
  EXPECT_EQ(hinge.lower, 0);
  EXPECT_NEAR(stop.initial_state().q[0], std::acos(-1) / 4, 1e-15);

  const Scene arms = with("friction_arm");
  const Tree& tree = arms.data().trees[0];
  EXPECT_EQ(tree.friction[arms.v_index("arms/turntable")], 0.2);
  EXPECT_EQ(tree.friction[arms.v_index("arms/boom")], 3);
  EXPECT_EQ(arms.initial_state().v[arms.v_index("arms/turntable")], 5);

  const Scene servo = with("servo");
  ASSERT_EQ(servo.data().actuators.size(), 3u);
  const double last = 0.3 * 0.3 / 3, w = 400 * std::acos(-1);  // the last link about its own joint: m l² / 3
  EXPECT_NEAR(servo.data().actuators[2].spec.kp / (last * w * w), 1, 1e-12);
  EXPECT_NEAR(servo.data().actuators[2].spec.kd / (2 * 0.1 * last * w), 1, 1e-12);

  const Scene pair = with("spring_pair", {{"stretch_m", "0.2"}});
  const SceneData& data = pair.data();
  ASSERT_EQ(data.springs.size(), 1u);
  const Eigen::Vector3d apart = data.free_bodies[1].pose.p - data.free_bodies[0].pose.p;
  EXPECT_NEAR(apart.norm() - data.springs[0].length, 0.2, 1e-15);
  EXPECT_NEAR(1 * data.free_bodies[0].pose.p.x() + 3 * data.free_bodies[1].pose.p.x(), 0, 1e-15) << "centre at the origin";
}

}  // namespace
}  // namespace condyle
