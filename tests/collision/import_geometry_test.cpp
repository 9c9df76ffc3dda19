#include "collision/default_pairs.hpp"
#include "collision/overlap.hpp"
#include "collision/shape_from_coal.hpp"
#include "collision/tree_joints.hpp"
#include "test_shapes.hpp"

#include <coal/shape/geometric_shapes.h>
#include <gtest/gtest.h>
#include <pinocchio/geometry.hpp>
#include <pinocchio/multibody.hpp>

namespace condyle {
namespace {

namespace pin = pinocchio;

/// world ──hinge z──  arm (body frame "arm" 0.5 m along x)  ──slide x──  hand (no body frame)
pin::Model two_joints() {
  pin::Model model;
  const pin::Inertia inertia(1, Eigen::Vector3d::Zero(), 0.1 * Eigen::Matrix3d::Identity());
  const auto shifted = [](double x) { return pin::SE3(Eigen::Matrix3d::Identity(), Eigen::Vector3d(x, 0, 0)); };
  const auto first = model.addJoint(0, pin::JointModel(pin::JointModelRZ()), shifted(1), "turn");
  model.addJointFrame(first);
  model.appendBodyToJoint(first, inertia, shifted(0.5));
  model.addBodyFrame("arm", first, shifted(0.5));
  const auto second = model.addJoint(first, pin::JointModel(pin::JointModelPX()), shifted(1), "slide");
  model.appendBodyToJoint(second, inertia, pin::SE3::Identity());
  return model;
}

pin::GeometryObject object(const std::string& name, std::size_t joint, double x,
                           std::shared_ptr<coal::CollisionGeometry> geometry) {
  return pin::GeometryObject(name, joint, pin::SE3(Eigen::Matrix3d::Identity(), Eigen::Vector3d(x, 0, 0)), geometry);
}

TEST(ImportedGeometry, RidesOnTheRightLinkAtTheRightPlace) {
  pin::GeometryModel geometry;
  geometry.addGeometryObject(object("post", 0, 0.25, std::make_shared<coal::Sphere>(0.1)));
  geometry.addGeometryObject(object("elbow", 1, 0.75, std::make_shared<coal::Box>(1, 2, 3)));
  geometry.addGeometryObject(object("finger", 2, 0.5, std::make_shared<coal::Capsule>(0.1, 2)));
  ModelOptions options;
  options.name = "crane";
  options.pose = at(0, 0, 5);
  options.joints["turn"] = M_PI / 2;
  options.joints["slide"] = 0.125;
  const Scene scene = SceneBuilder().add_model(two_joints(), geometry, options).finish();
  const SceneData& data = scene.data();
  ASSERT_EQ(data.shapes.size(), 3u);
  EXPECT_EQ(data.body_name(data.shapes[0].body), "world");
  EXPECT_EQ(data.body_name(data.shapes[1].body), "crane/arm");
  EXPECT_EQ(data.body_name(data.shapes[2].body), "crane/slide");
  const std::vector<Pose> poses = initial_shape_poses(data);
  const Eigen::Vector3d expected[] = {{0.25, 0, 5}, {1, 0.75, 5}, {1, 1.625, 5}};
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(poses[i].p.isApprox(expected[i], 1e-12)) << i << ": " << poses[i].p.transpose();
  EXPECT_EQ(data.shapes[1].shape.size, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(data.shapes[2].shape.size.head<2>(), Eigen::Vector2d(0.1, 2));
  EXPECT_EQ(candidate_pairs(data).candidates, 2) << "the post belongs to the world, not to the crane: it has no neighbours";
}

TEST(ImportedGeometry, SharesAMeshBetweenLinks) {
  CoalShapes made;
  const auto bvh = std::const_pointer_cast<coal::CollisionGeometry>(made.make(cube_mesh(MeshPolicy::bvh)).parts.at(0));
  pin::GeometryModel geometry;
  geometry.addGeometryObject(object("a", 1, 0, bvh));
  geometry.addGeometryObject(object("b", 2, 0, bvh));
  const Scene scene = SceneBuilder().add_model(two_joints(), geometry).finish();
  const SceneData& data = scene.data();
  EXPECT_EQ(data.shapes.at(0).shape.mesh, data.shapes.at(1).shape.mesh);
  EXPECT_EQ(data.shapes.at(0).shape.policy, MeshPolicy::hull) << "the default policy for triangles";
}

TEST(ImportedGeometry, ThatIsSwitchedOffIsReported) {
  pin::GeometryModel geometry;
  pin::GeometryObject ghost = object("ghost", 1, 0, std::make_shared<coal::Sphere>(0.1));
  ghost.disableCollision = true;
  geometry.addGeometryObject(ghost);
  const Scene scene = SceneBuilder().add_model(two_joints(), geometry).finish();
  EXPECT_TRUE(scene.data().shapes.empty());
  bool said = false;
  for (const ReportEntry& entry : scene.report().entries) said = said || entry.code == "collision-disabled";
  EXPECT_TRUE(said);
}

TEST(ImportedGeometry, ThatIsEmptyIsRefusedByName) {
  pin::GeometryModel geometry;
  geometry.addGeometryObject(object("nothing", 1, 0, nullptr));
  try {
    SceneBuilder().add_model(two_joints(), geometry);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'nothing'"), std::string::npos) << error.what();
  }
}

TEST(ShapeFromCoal, GivesBackEveryKind) {
  auto field = std::make_shared<HeightField>();
  field->heights = (Eigen::MatrixXd(2, 3) << 1, 2, 3, 4, 5, 6).finished();
  field->extent = {2, 3};
  Shape terrain = make(ShapeKind::heightfield);
  terrain.field = field;
  CoalShapes made;
  for (const Shape& shape :
       {make(ShapeKind::sphere, 0.2, 0, 0), make(ShapeKind::box, 1, 2, 3), make(ShapeKind::capsule, 0.1, 0.7, 0),
        make(ShapeKind::cylinder, 0.1, 0.7, 0), make(ShapeKind::cone, 0.1, 0.7, 0), make(ShapeKind::ellipsoid, 1, 2, 3)}) {
    const Shape back = shape_from_coal(*made.make(shape).parts.at(0), MeshPolicy::hull, {});
    EXPECT_EQ(back.kind, shape.kind);
    EXPECT_TRUE(back.size.isApprox(shape.size, 1e-15)) << to_string(shape.kind) << " " << back.size.transpose();
  }
  const Shape back = shape_from_coal(*made.make(terrain).parts.at(0), MeshPolicy::hull, {});
  ASSERT_EQ(back.kind, ShapeKind::heightfield);
  EXPECT_EQ(back.field->heights, field->heights);
  EXPECT_EQ(back.field->extent, field->extent);
  for (const MeshPolicy policy : {MeshPolicy::hull, MeshPolicy::bvh}) {
    const Shape mesh = shape_from_coal(*made.make(cube_mesh(policy)).parts.at(0), MeshPolicy::bvh, {});
    EXPECT_EQ(mesh.policy, policy);
    EXPECT_EQ(mesh.mesh->triangles.size(), 12u);
  }
}

TEST(ShapeFromCoal, TurnsNormalAndOffsetIntoAPose) {
  const Eigen::Vector3d normal = Eigen::Vector3d(1, 2, 2) / 3;
  CoalShapes made;
  const CoalShape ball = made.make(make(ShapeKind::sphere, 0.5));
  for (const bool solid : {true, false}) {
    std::unique_ptr<coal::CollisionGeometry> given;
    if (solid)
      given = std::make_unique<coal::Halfspace>(normal, 0.7);
    else
      given = std::make_unique<coal::Plane>(normal, 0.7);
    const Shape shape = shape_from_coal(*given, MeshPolicy::hull, {});
    EXPECT_EQ(shape.kind, solid ? ShapeKind::halfspace : ShapeKind::plane);
    Pose where;
    where.p = 0.9 * normal + Eigen::Vector3d(2, -2, 1);
    EXPECT_NEAR(overlap(made.make(shape), shape.pose, ball, where).depth, 0.3, 1e-12);
  }
}

TEST(ShapeFromCoal, RefusesWhatHasNoCounterpart) {
  coal::Box rounded(1, 1, 1);
  rounded.setSweptSphereRadius(0.1);
  EXPECT_THROW(shape_from_coal(rounded, MeshPolicy::hull, {}), Error);
  coal::Sphere thick(0.5);
  thick.setSweptSphereRadius(0.1);
  EXPECT_NEAR(shape_from_coal(thick, MeshPolicy::hull, {}).size[0], 0.6, 1e-15);
}

}  // namespace
}  // namespace condyle
