#include "collision/mesh_geometry.hpp"
#include "collision/overlap.hpp"
#include "test_shapes.hpp"

#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace condyle {
namespace {

const coal::Convex<coal::Triangle>& convex(const CoalShape& shape, std::size_t part = 0) {
  const auto* out = dynamic_cast<const coal::Convex<coal::Triangle>*>(shape.parts.at(part).get());
  if (!out) throw std::runtime_error("not a convex polytope");
  return *out;
}

double depth(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  CoalShapes made;
  return overlap(made.make(a), pose_a, made.make(b), pose_b).depth;
}

TEST(Hull, OfACubeMeshIsTheBox) {
  CoalShapes made;
  const CoalShape hull = made.make(cube_mesh());
  EXPECT_EQ(hull.policy, MeshPolicy::hull);
  EXPECT_EQ(hull.note, "");
  EXPECT_EQ(convex(hull).num_points, 8u);
  EXPECT_NEAR(convex(hull).computeVolume(), 1, 1e-12);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-0.8, 0.8);
  for (int i = 0; i < 100; ++i) {
    const Pose where{rotation_z_to(Eigen::Vector3d(number(random), number(random), 1)),
                     Eigen::Vector3d(number(random), number(random), number(random))};
    const Shape other = make(ShapeKind::box, 0.4, 0.3, 0.2);
    EXPECT_NEAR(depth(cube_mesh(), Pose(), other, where), depth(make(ShapeKind::box), Pose(), other, where), 2e-6)
        << "at " << where.p.transpose();
  }
}

TEST(Hull, ScalesEachAxis) {
  const Shape ball = make(ShapeKind::sphere, 0.2);
  const Shape plank = cube_mesh(MeshPolicy::hull, {0.2, 4, 1});
  EXPECT_NEAR(depth(plank, Pose(), ball, at(0.25, 0, 0)), 0.05, 1e-6);
  EXPECT_NEAR(depth(plank, Pose(), ball, at(0, -2.1, 0)), 0.1, 1e-6);
}

TEST(Hull, OfANegativeScaleIsTheMirrorImage) {
  Mesh mesh;
  add_box(mesh, {0, 0, 0}, {1, 2, 3});
  const Shape ball = make(ShapeKind::sphere, 0.2);
  for (const MeshPolicy policy : {MeshPolicy::hull, MeshPolicy::convex_parts, MeshPolicy::bvh}) {
    const Shape mirrored = mesh_shape(mesh, policy, {-1, 1, 1});
    EXPECT_NEAR(depth(mirrored, Pose(), ball, at(-1.1, 1, 1.5)), 0.1, 1e-6) << to_string(policy);
    EXPECT_EQ(depth(mirrored, Pose(), ball, at(0.5, 1, 1.5)), 0) << to_string(policy);
  }
  CoalShapes made;
  EXPECT_NEAR(convex(made.make(mesh_shape(mesh, MeshPolicy::hull, {-1, 1, 1}))).computeVolume(), 6, 1e-9);
  EXPECT_NEAR(made.make(mesh_shape(mesh, MeshPolicy::bvh, {-1, 1, 1})).parts.at(0)->computeVolume(), 6, 1e-9)
      << "triangles must not be inside out";
}

TEST(Hull, DoesNotDependOnTheOrderOfTheVertices) {
  std::mt19937 random(2);
  std::normal_distribution<double> number;
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < 200; ++i) points.emplace_back(number(random), number(random), number(random));
  CoalShapes made;
  const CoalShape first = made.make(mesh_shape({"", points, {}}));
  std::shuffle(points.begin(), points.end(), random);
  const CoalShape second = made.make(mesh_shape({"", points, {}}));
  EXPECT_EQ(*convex(first).points, *convex(second).points);
}

TEST(Hull, OfARoundMeshWithManySidesIsBuiltWithoutFans) {
  Mesh mesh;  // Qhull alone splits each end into a fan of 600 triangles around one vertex
  for (int i = 0; i < 600; ++i)
    for (const double z : {-1.0, 1.0}) mesh.vertices.emplace_back(std::cos(M_PI * i / 300), std::sin(M_PI * i / 300), z);
  CoalShapes made;
  const CoalShape hull = made.make(mesh_shape(mesh));
  EXPECT_EQ(hull.policy, MeshPolicy::hull);
  EXPECT_NE(hull.note.find("1e-10"), std::string::npos) << hull.note;
  EXPECT_NEAR(convex(hull).computeVolume(), 600 * std::sin(M_PI / 300), 1e-7);
}

TEST(Hull, WithATrueFanOfTooManyEdgesStaysTriangles) {
  Mesh mesh;  // the tip of the cone has 400 neighbours, more than Coal can hold
  mesh.vertices.emplace_back(0, 0, 1);
  for (int i = 0; i < 400; ++i) {
    mesh.vertices.emplace_back(std::cos(M_PI * i / 200), std::sin(M_PI * i / 200), 0);
    mesh.triangles.emplace_back(0, i + 1, (i + 1) % 400 + 1);
  }
  CoalShapes made;
  const CoalShape shape = made.make(mesh_shape(mesh));
  EXPECT_EQ(shape.policy, MeshPolicy::bvh);
  EXPECT_NE(shape.note.find("254"), std::string::npos) << shape.note;
  EXPECT_EQ(shape.parts.size(), 1u);
}

TEST(ConvexParts, AreTheConnectedPartsOfTheMesh) {
  Mesh mesh;  // two unit boxes 1 m apart, one with a lid that touches it in an edge
  add_box(mesh, {0, 0, 0}, {1, 1, 1});
  add_box(mesh, {2, 0, 0}, {1, 1, 1});
  mesh.vertices.insert(mesh.vertices.end(), {{3, 0, 1}, {3, 1, 1}, {4, 0, 2}});
  mesh.triangles.emplace_back(72, 73, 74);
  ASSERT_EQ(connected_parts(mesh).size(), 2u);
  CoalShapes made;
  const CoalShape parts = made.make(mesh_shape(mesh, MeshPolicy::convex_parts));
  ASSERT_EQ(parts.parts.size(), 2u);
  EXPECT_EQ(parts.policy, MeshPolicy::convex_parts);
  EXPECT_EQ(parts.note, "");
  EXPECT_NEAR(convex(parts).computeVolume(), 1, 1e-12);
  const Shape ball = make(ShapeKind::sphere, 0.2);
  const Shape shape = mesh_shape(mesh, MeshPolicy::convex_parts);
  EXPECT_EQ(depth(shape, Pose(), ball, at(1.5, 0.5, 0.5)), 0) << "the gap between the parts is free";
  EXPECT_GT(depth(mesh_shape(mesh), Pose(), ball, at(1.5, 0.5, 0.5)), 0.1) << "one hull fills it";
}

TEST(ConvexParts, SayWhichPartsHaveNoHull) {
  Mesh mesh;
  add_box(mesh, {0, 0, 0}, {1, 1, 1});
  add_box(mesh, {2, 0, 0}, {1, 1, 0});
  mesh.vertices.insert(mesh.vertices.end(), {{5, 0, 0}, {6, 0, 0}, {7, 0, 0}});
  mesh.triangles.emplace_back(72, 73, 74);
  CoalShapes made;
  const CoalShape shape = made.make(mesh_shape(mesh, MeshPolicy::convex_parts));
  EXPECT_EQ(shape.parts.size(), 2u);
  EXPECT_EQ(shape.note, "1 part: no hull, used as triangles; 1 part: no area, left out");
}

TEST(SpanDimension, CountsWhatThePointsSpan) {
  EXPECT_EQ(span_dimension({}), -1);
  EXPECT_EQ(span_dimension({{1, 2, 3}, {1, 2, 3}}), 0);
  EXPECT_EQ(span_dimension({{1e6, 0, 0}, {1e6, 1e-7, 0}, {1e6, 0, 1e-7}, {1e6 + 1e-7, 0, 0}}), 0);
  EXPECT_EQ(span_dimension({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {2, 2, 2}}), 1);
  EXPECT_EQ(span_dimension({{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {2, 2, 2.1}}), 2);
  EXPECT_EQ(span_dimension({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-7}}), 2);
  EXPECT_EQ(span_dimension({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-4}}), 3);
}

struct Degenerate {
  const char* name;
  Mesh mesh;
  std::size_t parts;  // with any policy
};

TEST(DegenerateMesh, NeverCrashesAndIsSaid) {
  const Eigen::Vector3d o(0, 0, 0), x(1, 0, 0), y(0, 1, 0);
  const std::vector<Degenerate> cases = {
      {"empty", {}, 0},
      {"one point", {"", {o, o, o}, {{0, 1, 2}}}, 0},
      {"a line", {"", {o, x, 2 * x, 3 * x}, {{0, 1, 2}, {1, 2, 3}}}, 0},
      {"flat", {"", {o, x, y, x + y}, {{0, 1, 2}, {1, 3, 2}}}, 1},
      {"flat and tilted, in single precision",
       {"", {o, {1, 0.1f, 0.3f}, {0.2f, 1, 0.7f}, {1.2f, 1.1f, 1}}, {{0, 1, 2}, {1, 3, 2}}},
       1},
      {"flat without triangles", {"", {o, x, y, x + y}, {}}, 0},
      {"repeated corner", {"", {o, x, y, x + y}, {{0, 0, 1}, {0, 1, 2}}}, 1},
  };
  CoalShapes made;
  for (const Degenerate& c : cases)
    for (const MeshPolicy policy : {MeshPolicy::hull, MeshPolicy::convex_parts, MeshPolicy::bvh}) {
      const CoalShape shape = made.make(mesh_shape(c.mesh, policy));
      EXPECT_EQ(shape.parts.size(), c.parts) << c.name << ", " << to_string(policy) << ": " << shape.note;
      if (policy == MeshPolicy::hull) {
        EXPECT_EQ(shape.policy, MeshPolicy::bvh) << c.name;
        EXPECT_NE(shape.note, "") << c.name;
      }
      if (c.parts == 0) {
        EXPECT_NE(shape.note.find("touches nothing"), std::string::npos) << c.name << ": " << shape.note;
      }
      const double found = overlap(shape, Pose(), made.make(make(ShapeKind::sphere, 0.3)), at(0.2, 0.2, 0.1)).depth;
      EXPECT_TRUE(std::isfinite(found)) << c.name;
    }
}

TEST(DegenerateMesh, OfAScaleOfZeroIsFlat) {
  CoalShapes made;
  const CoalShape shape = made.make(cube_mesh(MeshPolicy::hull, {1, 0, 1}));
  EXPECT_EQ(shape.policy, MeshPolicy::bvh);
  EXPECT_NE(shape.note.find("is flat"), std::string::npos) << shape.note;
}

TEST(DegenerateMesh, WithBadNumbersIsRefused) {
  CoalShapes made;
  const std::vector<Mesh> meshes = {{"m.stl", {{0, 0, std::nan("")}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}},
                                    {"m.stl", {{0, 0, 1e200}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}},
                                    {"m.stl", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 3}}},
                                    {"m.stl", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, -1, 2}}}};
  for (const Mesh& mesh : meshes) try {
      made.make(mesh_shape(mesh));
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "bad-mesh");
      EXPECT_NE(std::string(error.what()).find("m.stl"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace condyle
