#include "collision/height_field.hpp"

#include "finder_scenes.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

namespace condyle {
namespace {

using test::at_rest;
using test::loose;
using test::motion_of;
using test::scene_of;
using test::standing;

HeightField make_field(int rows, int columns, const Eigen::Vector2d& extent,
                       const std::function<double(double, double)>& height) {
  HeightField out{Eigen::MatrixXd(rows, columns), extent};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      out.heights(i, j) =
          height(-0.5 * extent[0] + j * extent[0] / (columns - 1), -0.5 * extent[1] + i * extent[1] / (rows - 1));
  return out;
}

Shape field_shape(HeightField field) {
  Shape out;
  out.kind = ShapeKind::heightfield;
  out.field = std::make_shared<const HeightField>(std::move(field));
  return out;
}

HeightField hills(int rows = 12, int columns = 17) {
  return make_field(rows, columns, {4, 3},
                    [](double x, double y) { return 0.3 * std::sin(3 * x) * std::cos(2 * y) + 0.1 * x; });
}

TEST(HeightSurface, HasItsGridPointsAsCornersAndLooksUp) {
  const HeightField field = hills();
  const HeightSurface surface(field);
  EXPECT_EQ(surface.triangles(), 2 * 11 * 16);
  double area = 0;
  for (int t = 0; t < surface.triangles(); ++t) {
    EXPECT_GT(surface.normal(t)[2], 0);
    const auto c = surface.corners(t);
    const Eigen::Vector3d u = surface.vertex(c[1]) - surface.vertex(c[0]), v = surface.vertex(c[2]) - surface.vertex(c[0]);
    area += 0.5 * (u[0] * v[1] - u[1] * v[0]);
  }
  EXPECT_NEAR(area, 12, 1e-12) << "covers the ground once";
  EXPECT_LT((surface.vertex(17 * 2 + 3) - Eigen::Vector3d(-2 + 3 * 0.25, -1.5 + 2 * 3.0 / 11, field.heights(2, 3))).norm(),
            1e-15);
}

TEST(HeightSurface, KnowsTheTrianglesAroundEachCorner) {
  const HeightSurface surface(hills(4, 5));
  for (int v = 0; v < surface.vertices(); ++v) {
    std::vector<int> found, expected;
    surface.around(v, found);
    std::sort(found.begin(), found.end());
    for (int t = 0; t < surface.triangles(); ++t) {
      const auto c = surface.corners(t);
      if (std::find(c.begin(), c.end(), v) != c.end()) expected.push_back(t);
    }
    EXPECT_EQ(found, expected) << v;
  }
}

TEST(HeightSurface, FindsAllTrianglesThatReachIntoABoxOrAboveIt) {
  test::Random random(1);
  const HeightSurface surface(hills());
  for (int k = 0; k < 100; ++k) {
    const Eigen::Vector3d c = random.vector3(2), h = random.vector3(0.4).cwiseAbs();
    std::vector<int> found;
    surface.query({c - h, c + h}, found);
    const std::set<int> list(found.begin(), found.end());
    EXPECT_EQ(list.size(), found.size()) << "each once";
    for (int t = 0; t < surface.triangles(); ++t) {
      Aabb own;
      for (const int v : surface.corners(t)) own.add(surface.vertex(v));
      EXPECT_TRUE(!own.overlaps({c - h, c + h}) || list.count(t)) << k << " " << t;
    }
  }
}

TEST(HeightSurface, HoldsWhatIsBelowIt) {
  const HeightSurface plane(make_field(5, 9, {2, 2}, [](double x, double y) { return 0.3 * x - 0.2 * y + 1; }));
  test::Random random(2);
  for (int k = 0; k < 200; ++k) {
    const double x = random.uniform(), y = random.uniform(), z = 0.3 * x - 0.2 * y + 1;
    EXPECT_TRUE(plane.holds({x, y, z - 1e-9}));
    EXPECT_FALSE(plane.holds({x, y, z + 1e-9}));
  }
  EXPECT_FALSE(plane.holds({1.1, 0, -5})) << "nothing is beside the field";
}

TEST(FieldContact, OfABoxAtRestStaysTheSameFourPointsUnderNoise) {
  test::Random random(3);
  for (const int cells : {2, 5, 17, 33}) {
    const Scene scene =
        scene_of({standing("field", field_shape(make_field(cells, cells, {2, 2}, [](double, double) { return 0.25; }))),
                  loose("box", make(ShapeKind::box, 0.5, 0.25, 0.2), at(0, 0, 0.25 + 0.1 - 1e-6))});
    ContactFinder finder(scene.data());
    std::set<std::uint64_t> first;
    for (int k = 0; k < 30; ++k) {
      auto motions = at_rest(scene);
      ShapeMotion& box = motion_of(motions, scene, "box");
      if (k > 0) {
        box.pose.p += random.vector3(1e-10);
        box.pose.R = test::turn(random.vector3(1e-10)) * box.pose.R;
      }
      std::set<std::uint64_t> ids;
      for (const Contact& c : finder.find(motions, 1e-3)) {
        ids.insert(c.id);
        EXPECT_NEAR(c.at.gap, -1e-6, 1e-9);
        EXPECT_GT(std::abs(c.at.normal[2]), 1 - 1e-12);
      }
      ASSERT_EQ(ids.size(), 4u) << cells << " cells, noise " << k;
      if (k == 0) first = ids;
      EXPECT_EQ(ids, first);
    }
  }
}

TEST(FieldContact, OfABallOnASlopeIsThatOfThePlane) {
  // z = 0.5 x: the normal is (-0.5, 0, 1) / |.|, whatever edges the ball is near.
  const Scene scene =
      scene_of({standing("field", field_shape(make_field(9, 11, {2, 2}, [](double x, double) { return 0.5 * x; }))),
                loose("ball", make(ShapeKind::sphere, 0.07))});
  ContactFinder finder(scene.data());
  const Eigen::Vector3d n = Eigen::Vector3d(-0.5, 0, 1).normalized();
  test::Random random(4);
  for (int k = 0; k < 200; ++k) {
    auto motions = at_rest(scene);
    const double x = 0.1 * static_cast<int>(random.uniform(-8, 8)), y = 0.125 * static_cast<int>(random.uniform(-6, 6));
    const double gap = random.uniform(-0.02, 9e-4);
    motion_of(motions, scene, "ball").pose.p = Eigen::Vector3d(x, y, 0.5 * x) + (0.07 + gap) * n;
    const auto& found = finder.find(motions, 0);
    ASSERT_EQ(found.size(), 1u) << k;
    const double sign = found[0].pair.a == test::shape_named(scene, "field") ? 1 : -1;
    EXPECT_LT((sign * found[0].at.normal - n).norm(), 1e-9) << k;
    EXPECT_NEAR(found[0].at.gap, gap, 1e-9) << k;
  }
}

TEST(FieldContact, LiftsWhatIsFarBelowTheSurface) {
  const Scene scene = scene_of({standing("field", field_shape(make_field(9, 9, {2, 2}, [](double, double) { return 0; }))),
                                loose("ball", make(ShapeKind::sphere, 0.05))});
  ContactFinder finder(scene.data());
  for (const double depth : {0.01, 0.06, 0.12, 0.5, 1.5}) {
    auto motions = at_rest(scene);
    motion_of(motions, scene, "ball").pose.p = {0.3, 0.2, 0.05 - depth};
    const auto& found = finder.find(motions, 1e-3);
    ASSERT_EQ(found.size(), 1u) << depth;
    EXPECT_NEAR(found[0].at.gap, -depth, 1e-9);
    EXPECT_NEAR((found[0].pair.a == test::shape_named(scene, "field") ? 1 : -1) * found[0].at.normal[2], 1, 1e-12);
  }
}

TEST(FieldContact, StopsAFastBallAndSparesOneThatFliesOver) {
  const Scene scene = scene_of(
      {standing("field",
                field_shape(make_field(21, 21, {2, 2}, [](double x, double) { return std::abs(x) < 0.06 ? 0.5 : 0.0; }))),
       loose("ball", make(ShapeKind::sphere, 0.01), at(-0.5, 0, 0.2))});
  ContactFinder finder(scene.data());
  auto motions = at_rest(scene);
  motion_of(motions, scene, "ball").linear = {1000, 0, 0};  // through the wall in one step
  EXPECT_GE(finder.find(motions, 1e-3).size(), 1u);
  motion_of(motions, scene, "ball").pose.p[2] = 0.52;  // over it
  EXPECT_EQ(finder.find(motions, 1e-3).size(), 0u);
  motion_of(motions, scene, "ball") = {at(0.5, 0, 0.1), {0, 0, -200}, {0, 0, 0}};
  const auto& found = finder.find(motions, 1e-3);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].at.gap, 0.09, 2e-6);
}

TEST(FieldContact, OfRandomPiecesOnHillsIsFiniteAndHoldsThemUp) {
  test::Random random(5);
  const std::vector<Shape> shapes = {make(ShapeKind::sphere, 0.1),
                                     make(ShapeKind::box, 0.3, 0.2, 0.1),
                                     make(ShapeKind::capsule, 0.05, 0.3),
                                     make(ShapeKind::cylinder, 0.1, 0.2),
                                     make(ShapeKind::cone, 0.1, 0.2),
                                     make(ShapeKind::ellipsoid, 0.1, 0.2, 0.15),
                                     cube_mesh(MeshPolicy::hull, {0.2, 0.2, 0.3}),
                                     cube_mesh(MeshPolicy::bvh, {0.2, 0.2, 0.3})};
  for (const Shape& shape : shapes) {
    const Scene scene = scene_of({standing("field", field_shape(hills())), loose("thing", shape)});
    ContactFinder finder(scene.data());
    for (int k = 0; k < 30; ++k) {
      auto motions = at_rest(scene);
      ShapeMotion& thing = motion_of(motions, scene, "thing");
      thing.pose = random.pose(1);
      const HeightSurface surface(hills());
      thing.pose.p[2] = 3;
      while (!surface.holds(thing.pose.p)) thing.pose.p[2] -= 0.01;  // the middle is on the surface: surely in touch
      const auto& found = finder.find(motions, 1e-3);
      ASSERT_GE(found.size(), 1u) << to_string(shape.kind) << " " << k;
      EXPECT_LE(found.size(), 16u);
      for (const Contact& c : found) {
        EXPECT_TRUE(c.at.point.allFinite() && std::isfinite(c.at.gap));
        EXPECT_NEAR(c.at.normal.norm(), 1, 1e-9);
        EXPECT_LT(c.at.gap, 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace condyle
