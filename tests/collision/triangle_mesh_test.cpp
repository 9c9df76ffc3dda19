#include "collision/triangle_mesh.hpp"
#include "collision/narrow_phase.hpp"

#include "finder_scenes.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

#include <set>

namespace condyle {
namespace {

using test::at_rest;
using test::fine_box;
using test::flat_floor;
using test::loose;
using test::motion_of;
using test::scene_of;
using test::standing;

TriangleMesh made(const Mesh& mesh) { return {mesh.vertices, mesh.triangles, false}; }

TEST(TriangleMesh, WeldsCornersAndKnowsWhetherItIsClosed) {
  const TriangleMesh box = made(fine_box({1, 2, 3}, 3));
  EXPECT_EQ(box.triangles(), 6 * 9 * 2);
  EXPECT_EQ(box.vertices(), 56);
  EXPECT_TRUE(box.solid());
  std::set<int> regions;
  for (int t = 0; t < box.triangles(); ++t) regions.insert(box.region(t));
  EXPECT_EQ(regions.size(), 6u) << "one flat piece for each side";
  const TriangleMesh floor = made(flat_floor(4));
  EXPECT_FALSE(floor.solid());
  EXPECT_EQ(floor.region(31), 0);
}

TEST(TriangleMesh, FindsTheTrianglesOfABoxAsBruteForceDoes) {
  test::Random random(1);
  const TriangleMesh mesh = made(fine_box({1, 2, 3}, 7));
  for (int k = 0; k < 200; ++k) {
    const Eigen::Vector3d c = random.vector(3, 2), h = random.vector(3, 0.5).cwiseAbs();
    const Aabb box{c - h, c + h};
    std::vector<int> found, expected;
    mesh.query(box, found);
    std::sort(found.begin(), found.end());
    for (int t = 0; t < mesh.triangles(); ++t) {
      Aabb own;
      for (const int v : mesh.corners(t)) own.add(mesh.vertex(v));
      if (own.overlaps(box)) expected.push_back(t);
    }
    ASSERT_EQ(found, expected) << k;
  }
}

TEST(TriangleMesh, LeavesOutTrianglesWithoutAreaAndBearsEdgesOfThree) {
  Mesh mesh = flat_floor(1);
  mesh.vertices.emplace_back(0, 0, 1);
  mesh.vertices.push_back(mesh.vertices[0]);
  mesh.triangles.emplace_back(0, 3, 4);  // a fin on the diagonal: three triangles at one edge
  mesh.triangles.emplace_back(0, 0, 1);
  mesh.triangles.emplace_back(0, 5, 1);  // two corners at one place
  const TriangleMesh made_mesh = made(mesh);
  EXPECT_EQ(made_mesh.triangles(), 3);
  EXPECT_EQ(made_mesh.vertices(), 5);
  EXPECT_FALSE(made_mesh.solid());
}

struct Found {
  std::vector<Contact> list;
  int ghosts = 0;  ///< normals that are not +-z
};

Found find(ContactFinder& finder, const std::vector<ShapeMotion>& motions, double dt = 1e-3) {
  Found out{finder.find(motions, dt), 0};
  for (const Contact& c : out.list) out.ghosts += std::abs(c.at.normal[2]) < 1 - 1e-9;
  return out;
}

std::set<std::uint64_t> ids(const std::vector<Contact>& list) {
  std::set<std::uint64_t> out;
  for (const Contact& c : list) out.insert(c.id);
  return out;
}

TEST(MeshContact, OfABoxAtRestStaysTheSameFourPointsUnderNoise) {
  test::Random random(2);
  for (const int cells : {1, 2, 7, 16})
    for (const bool solid : {false, true}) {
      const Mesh mesh = solid ? fine_box({2, 2, 0.2}, cells) : flat_floor(cells);
      const double top = solid ? 0.1 : 0;
      const Scene scene = scene_of({standing("floor", mesh_shape(mesh, MeshPolicy::bvh)),
                                    loose("box", make(ShapeKind::box, 0.5, 0.25, 0.2), at(0, 0, top + 0.1 - 1e-6))});
      ContactFinder finder(scene.data());
      const auto rest = at_rest(scene);
      const auto first = ids(finder.find(rest, 1e-3));
      ASSERT_EQ(first.size(), 4u) << cells << " cells, solid " << solid;
      for (int k = 0; k < 50; ++k) {
        auto motions = rest;
        ShapeMotion& box = motion_of(motions, scene, "box");
        box.pose.p += random.vector(3, 1e-10);
        box.pose.R = test::turn(random.vector(3, 1e-10)) * box.pose.R;
        const Found found = find(finder, motions);
        ASSERT_EQ(found.list.size(), 4u) << cells << " cells, solid " << solid << ", noise " << k;
        EXPECT_EQ(found.ghosts, 0);
        EXPECT_EQ(ids(found.list), first);
        for (const Contact& c : found.list) EXPECT_NEAR(c.at.gap, -1e-6, 1e-9);
      }
    }
}

TEST(MeshContact, OfABallThatRollsOverInnerEdgesHasTheNormalOfTheFloorAlways) {
  for (const bool solid : {false, true}) {
    const Scene scene =
        scene_of({standing("floor", mesh_shape(solid ? fine_box({2, 2, 0.2}, 8) : flat_floor(8), MeshPolicy::bvh)),
                  loose("ball", make(ShapeKind::sphere, 0.1))});
    ContactFinder finder(scene.data());
    auto motions = at_rest(scene);
    std::set<std::uint64_t> seen;
    for (int k = 0; k < 400; ++k) {
      ShapeMotion& ball = motion_of(motions, scene, "ball");
      const double s = -0.8 + 0.004 * k;  // crosses edges, corners and diagonals
      ball.pose.p = {s, 0.5 * s * (k % 2), (solid ? 0.1 : 0) + 0.1 + (k % 3 == 0 ? -1e-4 : 1e-4)};
      ball.linear = {10, 5.0 * (k % 2), 0};
      const Found found = find(finder, motions);
      ASSERT_EQ(found.list.size(), 1u) << "step " << k << ", solid " << solid;
      EXPECT_EQ(found.ghosts, 0) << k << ": " << found.list[0].at.normal.transpose();
      EXPECT_NEAR(found.list[0].at.gap, k % 3 == 0 ? -1e-4 : 1e-4, 1e-9);
      seen.insert(found.list[0].id);
    }
    EXPECT_EQ(seen.size(), 1u) << "one flat floor, one ball: one id";
  }
}

TEST(MeshContact, OfEveryPieceIsAsDeepAsOnAHalfSpace) {
  test::Random random(6);
  const std::vector<Shape> shapes = {make(ShapeKind::sphere, 0.1),
                                     make(ShapeKind::box, 0.3, 0.2, 0.1),
                                     make(ShapeKind::capsule, 0.05, 0.3),
                                     make(ShapeKind::cylinder, 0.1, 0.2),
                                     make(ShapeKind::cone, 0.1, 0.2),
                                     make(ShapeKind::ellipsoid, 0.1, 0.2, 0.15),
                                     cube_mesh(MeshPolicy::hull, {0.2, 0.2, 0.3})};
  for (const Shape& shape : shapes) {
    const Scene on_mesh = scene_of(
        {standing("floor", mesh_shape(fine_box({4, 4, 2}, 9), MeshPolicy::bvh), at(0, 0, -1)), loose("thing", shape)});
    const Scene on_plane = scene_of({standing("floor", make(ShapeKind::halfspace)), loose("thing", shape)});
    ContactFinder mesh(on_mesh.data()), plane(on_plane.data());
    for (int k = 0; k < 40; ++k) {
      auto motions = at_rest(on_plane);
      ShapeMotion& thing = motion_of(motions, on_plane, "thing");
      thing.pose = random.pose(0.3);
      NarrowPhase narrow;
      const double lowest =
          narrow.separation(make_piece(make(ShapeKind::halfspace)), {}, make_piece(shape), thing.pose).distance;
      thing.pose.p[2] -= lowest + random.uniform(-2e-4, 1e-3);
      auto same = at_rest(on_mesh);
      motion_of(same, on_mesh, "thing") = thing;
      const Found a = find(mesh, same), b = find(plane, motions);
      const auto deepest = [](const Found& f) {
        double out = 1;
        for (const Contact& c : f.list) out = std::min(out, c.at.gap);
        return out;
      };
      ASSERT_FALSE(b.list.empty());
      ASSERT_FALSE(a.list.empty()) << to_string(shape.kind) << " " << k;
      EXPECT_EQ(a.ghosts, 0) << to_string(shape.kind) << " " << k;
      EXPECT_NEAR(deepest(a), deepest(b), 1e-8) << to_string(shape.kind) << " " << k;
      EXPECT_LE(a.list.size(), 16u);
    }
  }
}

TEST(MeshContact, WithAClosedBoxIsThatOfTheBoxItDescribes) {
  // Balls around faces, edges and corners: one nearest direction, which the triangles together must have.
  test::Random random(7);
  const Scene on_mesh = scene_of({standing("thing", mesh_shape(fine_box({1, 0.6, 0.4}, 4), MeshPolicy::bvh)),
                                  loose("ball", make(ShapeKind::sphere, 0.05))});
  const Scene on_box =
      scene_of({standing("thing", make(ShapeKind::box, 1, 0.6, 0.4)), loose("ball", make(ShapeKind::sphere, 0.05))});
  FinderOptions wide;
  wide.margin = 0.01;
  ContactFinder mesh(on_mesh.data(), wide), box(on_box.data(), wide);
  int touching = 0;
  for (int k = 0; k < 3000; ++k) {
    auto motions = at_rest(on_box);
    motion_of(motions, on_box, "ball").pose.p =
        Eigen::Vector3d(random.uniform(-0.58, 0.58), random.uniform(-0.38, 0.38), random.uniform(-0.28, 0.28));
    auto same = at_rest(on_mesh);
    motion_of(same, on_mesh, "ball") = motion_of(motions, on_box, "ball");
    const auto& b = box.find(motions, 0);
    const auto& a = mesh.find(same, 0);
    if (b.size() != 1 || b[0].at.gap < -0.02) continue;
    ++touching;
    const Eigen::Vector3d p = motion_of(motions, on_box, "ball").pose.p;
    ASSERT_GE(a.size(), 1u) << p.transpose();
    double best = 1;
    for (const Contact& c : a)
      best = std::min(best, (c.at.normal - b[0].at.normal).norm() + std::abs(c.at.gap - b[0].at.gap));
    EXPECT_LT(best, 1e-6) << "ball at " << p.transpose() << ", box normal " << b[0].at.normal.transpose() << " gap "
                          << b[0].at.gap << ", mesh normal " << a[0].at.normal.transpose() << " gap " << a[0].at.gap;
  }
  EXPECT_GT(touching, 300);
}

TEST(MeshContact, PushesOutOfASolidAndToTheNearSideOfASheet) {
  const Shape ball = make(ShapeKind::sphere, 0.1);
  for (const bool solid : {false, true}) {
    const Scene scene =
        scene_of({standing("floor", mesh_shape(solid ? fine_box({2, 2, 2}, 5) : flat_floor(5), MeshPolicy::bvh),
                           at(0, 0, solid ? -1 : 0)),
                  loose("ball", ball, at(0.03, 0.05, -0.06))});
    ContactFinder finder(scene.data());
    const auto& found = finder.find(at_rest(scene), 1e-3);
    ASSERT_EQ(found.size(), 1u) << solid;
    const double up = found[0].pair.a == test::shape_named(scene, "floor") ? 1 : -1;
    EXPECT_NEAR(up * found[0].at.normal[2], solid ? 1 : -1, 1e-9);
    EXPECT_NEAR(found[0].at.gap, solid ? -0.16 : -0.04, 1e-9);
  }
}

TEST(MeshContact, OfAMovingMeshStandsOnItsCornersOnEverything) {
  Shape field;
  field.kind = ShapeKind::heightfield;
  field.field = std::make_shared<const HeightField>(HeightField{Eigen::MatrixXd::Zero(9, 7), {4, 4}});
  const std::vector<std::pair<Shape, double>> floors = {{make(ShapeKind::halfspace), 0},
                                                        {make(ShapeKind::plane), 0},
                                                        {make(ShapeKind::box, 4, 4, 1), 0.5},
                                                        {mesh_shape(fine_box({4, 4, 1}, 6), MeshPolicy::bvh), 0.5},
                                                        {mesh_shape(flat_floor(6), MeshPolicy::bvh), 0},
                                                        {field, 0}};
  test::Random random(8);
  for (const auto& [floor, top] : floors) {
    const Scene scene =
        scene_of({standing("floor", floor),
                  loose("mesh", mesh_shape(fine_box({0.4, 0.3, 0.2}, 3), MeshPolicy::bvh), at(0, 0, top + 0.1 - 1e-6))});
    ContactFinder finder(scene.data());
    std::set<std::uint64_t> first;
    for (int k = 0; k < 10; ++k) {
      auto motions = at_rest(scene);
      ShapeMotion& mesh = motion_of(motions, scene, "mesh");
      if (k > 0) {
        mesh.pose.p += random.vector3(1e-10);
        mesh.pose.R = test::turn(random.vector3(1e-10)) * mesh.pose.R;
      }
      const Found found = find(finder, motions);
      ASSERT_EQ(found.list.size(), 4u) << to_string(floor.kind) << ", top " << top << ", noise " << k;
      EXPECT_EQ(found.ghosts, 0) << to_string(floor.kind);
      for (const Contact& c : found.list) {
        EXPECT_NEAR(c.at.gap, -1e-6, 1e-9) << to_string(floor.kind);
        EXPECT_NEAR(std::abs(c.at.point[0]), 0.2, 1e-6);
        EXPECT_NEAR(std::abs(c.at.point[1]), 0.15, 1e-6);
      }
      if (k == 0) first = ids(found.list);
      EXPECT_EQ(ids(found.list), first) << to_string(floor.kind);
    }
  }
}

TEST(MeshContact, StopsAFastBallThatRollsOnTheSameMesh) {
  // A floor and a wall at x = 1 in one mesh; the ball touches the floor and would be past the wall after the step.
  Mesh mesh = flat_floor(6);
  const int n = static_cast<int>(mesh.vertices.size());
  for (const auto& x :
       {Eigen::Vector3d(1, -1, 0), Eigen::Vector3d(1, 1, 0), Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(1, -1, 1)})
    mesh.vertices.push_back(x);
  mesh.triangles.emplace_back(n, n + 1, n + 2);
  mesh.triangles.emplace_back(n, n + 2, n + 3);
  const Scene scene = scene_of({standing("room", mesh_shape(mesh, MeshPolicy::bvh)),
                                loose("ball", make(ShapeKind::sphere, 0.01), at(0.9, 0.123, 0.01 - 1e-7))});
  ContactFinder finder(scene.data());
  auto motions = at_rest(scene);
  motion_of(motions, scene, "ball").linear = {300, 0, 0};
  int floor = 0, wall = 0;
  for (const Contact& c : finder.find(motions, 1e-3)) {
    const double sign = c.pair.a == test::shape_named(scene, "room") ? 1 : -1;
    if (sign * c.at.normal[2] > 0.999)
      ++floor;
    else if (sign * c.at.normal[0] < -0.999) {
      ++wall;
      EXPECT_NEAR(c.at.gap, 0.09, 5e-6);
    } else {
      ADD_FAILURE() << "ghost normal " << c.at.normal.transpose();
    }
  }
  EXPECT_EQ(floor, 1);
  EXPECT_EQ(wall, 1);
}

TEST(MeshContact, BearsDegenerateMeshes) {
  test::Random random(9);
  for (int trial = 0; trial < 20; ++trial) {
    Mesh mesh;
    for (int i = 0; i < 12; ++i) mesh.vertices.push_back(random.vector3(0.3));
    for (int i = 0; i < 12; ++i)
      mesh.vertices[static_cast<std::size_t>(random.uniform(0, 12))] = mesh.vertices[static_cast<std::size_t>(i)];
    mesh.vertices[3] = 0.5 * (mesh.vertices[1] + mesh.vertices[2]);
    for (int i = 0; i < 40; ++i)
      mesh.triangles.emplace_back(static_cast<int>(random.uniform(0, 12)), static_cast<int>(random.uniform(0, 12)),
                                  static_cast<int>(random.uniform(0, 12)));
    const Scene scene =
        scene_of({standing("soup", mesh_shape(mesh, MeshPolicy::bvh)), loose("soup 2", mesh_shape(mesh, MeshPolicy::bvh)),
                  loose("box", make(ShapeKind::box, 0.2, 0.2, 0.2)), standing("floor", make(ShapeKind::halfspace))});
    ContactFinder finder(scene.data());
    auto motions = at_rest(scene);
    for (const char* name : {"soup 2", "box"}) {
      motion_of(motions, scene, name).pose = random.pose(0.2);
      motion_of(motions, scene, name).linear = random.vector3(10);
      motion_of(motions, scene, name).angular = random.vector3(10);
    }
    for (const Contact& c : finder.find(motions, 1e-2)) {
      EXPECT_TRUE(c.at.point.allFinite() && std::isfinite(c.at.gap));
      EXPECT_NEAR(c.at.normal.norm(), 1, 1e-9);
    }
  }
}

}  // namespace
}  // namespace condyle
