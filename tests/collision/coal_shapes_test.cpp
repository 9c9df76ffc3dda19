#include "collision/coal_shapes.hpp"
#include "collision/overlap.hpp"
#include "test_shapes.hpp"

#include <coal/distance.h>
#include <gtest/gtest.h>

#include <cmath>

namespace condyle {
namespace {

/// Distance of two shapes that are apart.
double distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  CoalShapes made;
  const CoalShape x = made.make(a), y = made.make(b);
  coal::DistanceRequest request;
  coal::DistanceResult result;
  return coal::distance(x.parts.at(0).get(), coal::Transform3s(pose_a.R, pose_a.p), y.parts.at(0).get(),
                        coal::Transform3s(pose_b.R, pose_b.p), request, result);
}

double depth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  CoalShapes made;
  const Overlap found = overlap(made.make(a), pose_a, made.make(b), pose_b);
  EXPECT_EQ(found.unsupported, "");
  return found.depth;
}

const Shape ball = make(ShapeKind::sphere, 0.2);
const Shape floor = make(ShapeKind::halfspace);

TEST(Sphere, SinksIntoAHalfspaceByRadiusMinusHeight) {
  EXPECT_NEAR(depth(ball, at(3, 4, 0.15), floor, Pose()), 0.05, 1e-12);
  EXPECT_EQ(depth(ball, at(3, 4, 0.25), floor, Pose()), 0);
  EXPECT_NEAR(distance(ball, at(3, 4, 0.25), floor, Pose()), 0.05, 1e-12);
}

TEST(Sphere, OfRadiusZeroIsAPoint) {
  EXPECT_NEAR(depth(make(ShapeKind::sphere, 0), at(0, 0, -0.3), floor, Pose()), 0.3, 1e-12);
}

TEST(Halfspace, IsSolidBelowItsOwnZAxis) {
  const Pose wall{rotation_z_to(Eigen::Vector3d(1, 0, 0)), Eigen::Vector3d(2, 0, 0)};
  EXPECT_NEAR(depth(ball, at(-7, 0, 0), floor, wall), 9.2, 1e-12);
  EXPECT_NEAR(distance(ball, at(3, 0, 0), floor, wall), 0.8, 1e-12);
}

TEST(Plane, PushesABodyOutOnTheSideOfItsCentre) {
  EXPECT_NEAR(depth(ball, at(0, 0, -0.05), make(ShapeKind::plane), Pose()), 0.15, 1e-12);
  EXPECT_EQ(depth(ball, at(0, 0, -3), make(ShapeKind::plane), Pose()), 0);
}

TEST(Box, HasFullLengths) {
  const Shape box = make(ShapeKind::box, 1, 2, 3);
  EXPECT_NEAR(depth(ball, at(0.6, 0, 0), box, Pose()), 0.1, 1e-9);
  EXPECT_NEAR(distance(ball, at(0, 1.5, 0), box, Pose()), 0.3, 1e-9);
  EXPECT_NEAR(distance(ball, at(0, 0, 2), box, Pose()), 0.3, 1e-9);
  EXPECT_NEAR(distance(ball, at(1, 1.5, 2), box, Pose()), std::sqrt(0.75) - 0.2, 1e-9);
}

TEST(Capsule, HasItsLengthWithoutCapsAlongZ) {
  const Shape capsule = make(ShapeKind::capsule, 0.1, 1);
  EXPECT_NEAR(depth(capsule, at(0, 0, 0.55), floor, Pose()), 0.05, 1e-12);
  EXPECT_NEAR(distance(ball, at(0.5, 0, 0.4), capsule, Pose()), 0.2, 1e-9);
}

TEST(Cylinder, StandsOnItsFlatEnd) {
  const Shape cylinder = make(ShapeKind::cylinder, 0.3, 1);
  EXPECT_NEAR(depth(cylinder, at(0, 0, 0.45), floor, Pose()), 0.05, 1e-9);
  EXPECT_NEAR(distance(ball, at(0.6, 0.8, 0), cylinder, Pose()), 0.5, 1e-6);
}

TEST(Cone, HasItsTipOnPositiveZ) {
  const Shape cone = make(ShapeKind::cone, 0.3, 1);
  const Pose upside_down{Eigen::Vector3d(1, -1, -1).asDiagonal(), Eigen::Vector3d(0, 0, 0.45)};
  EXPECT_NEAR(depth(cone, upside_down, floor, Pose()), 0.05, 1e-12);
  EXPECT_NEAR(distance(ball, at(0, 0, 1), cone, Pose()), 0.3, 1e-6);
  EXPECT_NEAR(distance(ball, at(0.3, 0, -1), cone, Pose()), 0.3, 1e-6);
}

TEST(Ellipsoid, HasHalfAxes) {
  const Shape egg = make(ShapeKind::ellipsoid, 0.3, 0.4, 0.5);
  EXPECT_NEAR(depth(egg, at(0, 0, 0.45), floor, Pose()), 0.05, 1e-12);
  const Pose lying{rotation_z_to(Eigen::Vector3d(1, 0, 0)), Eigen::Vector3d(0, 0, 0.35)};
  EXPECT_NEAR(distance(egg, lying, floor, Pose()), 0.05, 1e-12);
}

TEST(HeightFieldShape, HasRowsAlongYAndColumnsAlongXFromTheSmallest) {
  // y ^  0 0 0        a step of 1 m where x is largest and y smallest
  //   |  0 0 0
  //   |  0 0 1
  //   +-------> x
  auto field = std::make_shared<HeightField>();
  field->heights = Eigen::MatrixXd::Zero(3, 3);
  field->heights(0, 2) = 1;
  field->extent = {4, 4};
  Shape shape = make(ShapeKind::heightfield);
  shape.field = field;
  const Shape point = make(ShapeKind::sphere, 0.01);
  EXPECT_GT(depth(shape, Pose(), point, at(1.95, -1.95, 0.5)), 0);
  EXPECT_EQ(depth(shape, Pose(), point, at(1.95, 1.95, 0.5)), 0);
  EXPECT_EQ(depth(shape, Pose(), point, at(-1.95, -1.95, 0.5)), 0);
  EXPECT_NEAR(depth(shape, Pose(), point, at(-1.5, 1.5, -0.02)), 0.03, 1e-6);
}

TEST(HeightFieldShape, KeepsNegativeHeights) {
  auto field = std::make_shared<HeightField>();
  field->heights = Eigen::MatrixXd::Constant(2, 2, -3);
  field->extent = {2, 2};
  Shape shape = make(ShapeKind::heightfield);
  shape.field = field;
  EXPECT_EQ(depth(shape, Pose(), ball, at(0.2, 0.1, -2.7)), 0);
  EXPECT_NEAR(depth(shape, Pose(), ball, at(0.2, 0.1, -2.85)), 0.05, 1e-6);
}

TEST(CoalShapes, RefusesLengthsThatAreNone) {
  CoalShapes made;
  const double nan = std::nan("");
  for (const Shape& bad :
       {make(ShapeKind::sphere, -1), make(ShapeKind::box, 1, nan, 1), make(ShapeKind::ellipsoid, 1, 1, INFINITY),
        make(ShapeKind::cylinder, 1, -2), make(ShapeKind::heightfield), cube_mesh(MeshPolicy::hull, {1, nan, 1})})
    try {
      made.make(bad, {"robot.urdf", 7, "<geometry>"});
      ADD_FAILURE() << to_string(bad.kind) << " with size " << bad.size.transpose() << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "bad-shape");
      EXPECT_NE(std::string(error.what()).find("robot.urdf:7 <geometry>"), std::string::npos) << error.what();
    }
}

TEST(CoalShapes, SaysThatAMeshWasNotRead) {
  CoalShapes made;
  const CoalShape shape = made.make(make(ShapeKind::mesh));
  EXPECT_TRUE(shape.parts.empty());
  EXPECT_NE(shape.note.find("not read"), std::string::npos) << shape.note;
}

TEST(CoalShapes, MakesASharedMeshOnceForEachScaleAndPolicy) {
  CoalShapes made;
  Shape shape = cube_mesh();
  const CoalShape first = made.make(shape);
  for (int i = 0; i < 17; ++i) {
    shape.pose.p.x() = i;
    EXPECT_EQ(made.make(shape).parts.at(0), first.parts.at(0));
  }
  EXPECT_EQ(made.meshes_made(), 1);
  shape.size.z() = 2;
  EXPECT_NE(made.make(shape).parts.at(0), first.parts.at(0));
  shape.policy = MeshPolicy::bvh;
  made.make(shape);
  EXPECT_EQ(made.meshes_made(), 3);
}

TEST(Overlap, OfTwoEqualCapsulesInOnePlaceIsFinite) {
  const Shape capsule = make(ShapeKind::capsule, 0.1, 1);
  const double found = depth(capsule, Pose(), capsule, Pose());
  EXPECT_TRUE(std::isfinite(found) && found > 0.1) << found;
}

TEST(Overlap, OfTrianglesIsThatOfTheDeepest) {
  for (const double left : {-0.01, -0.3}) {  // two boxes in one mesh, one just below the floor and one deep in it
    Mesh mesh;
    add_box(mesh, {-3, 0, left}, {1, 1, 1});
    add_box(mesh, {3, 0, -0.31 - left}, {1, 1, 1});
    EXPECT_NEAR(depth(mesh_shape(mesh, MeshPolicy::bvh), Pose(), floor, Pose()), 0.3, 1e-9) << left;
  }
}

TEST(Overlap, SaysWhichKindsCoalCannotTest) {
  auto field = std::make_shared<HeightField>();
  field->heights = Eigen::MatrixXd::Zero(2, 2);
  field->extent = {2, 2};
  Shape shape = make(ShapeKind::heightfield);
  shape.field = field;
  CoalShapes made;
  for (const Shape& other : {floor, cube_mesh(MeshPolicy::bvh), shape}) {
    const Overlap found = overlap(made.make(shape), Pose(), made.make(other), at(0, 0, 0.1));
    EXPECT_NE(found.unsupported, "") << to_string(other.kind);
    EXPECT_EQ(found.depth, 0);
  }
}

}  // namespace
}  // namespace condyle
