#include "collision/narrow_phase.hpp"

#include "collision/convex_oracle.hpp"
#include "collision/test_shapes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>
#include <set>

namespace condyle {
namespace {

using std::numbers::pi;
using test::Random;
using test::Solid;

Piece piece(ShapeKind kind, double x = 1, double y = 1, double z = 1) { return make_piece(make(kind, x, y, z)); }

Piece hull_piece(std::shared_ptr<const Hull> hull) {
  Piece out;
  out.kind = ShapeKind::mesh;
  out.radius = hull->radius;
  out.hull = std::move(hull);
  return out;
}

Pose turned(double x, double y, double z, double roll, double pitch = 0, double yaw = 0) {
  return Pose::from_xyz_rpy({x, y, z}, {roll, pitch, yaw});
}

Manifold collide(const Piece& a, const Pose& pa, const Piece& b, const Pose& pb, double margin = 1e-3) {
  NarrowPhase phase;
  Manifold out;
  phase.collide(a, pa, b, pb, margin, out);
  return out;
}

Separation separation(const Piece& a, const Pose& pa, const Piece& b, const Pose& pb) {
  return NarrowPhase().separation(a, pa, b, pb);
}

std::set<std::uint64_t> features(const Manifold& m) {
  std::set<std::uint64_t> out;
  for (int i = 0; i < m.size; ++i) out.insert(m.points[static_cast<std::size_t>(i)].feature);
  return out;
}

std::string text(const Manifold& m) {
  std::string out = fmt::format("{} points", m.size);
  for (int i = 0; i < m.size; ++i) {
    const ContactPoint& p = m.points[static_cast<std::size_t>(i)];
    out += fmt::format("\n  ({}, {}, {}) normal ({}, {}, {}) gap {} feature {:x}", p.point[0], p.point[1], p.point[2],
                       p.normal[0], p.normal[1], p.normal[2], p.gap, p.feature);
  }
  return out;
}

/// Area of the triangle of three points that is largest, seen along the normal.
double area(const Manifold& m) {
  double most = 0;
  for (int i = 0; i < m.size; ++i)
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < j; ++k) {
        const auto& p = m.points;
        const Eigen::Vector3d a = p[static_cast<std::size_t>(j)].point - p[static_cast<std::size_t>(i)].point;
        const Eigen::Vector3d b = p[static_cast<std::size_t>(k)].point - p[static_cast<std::size_t>(i)].point;
        most = std::max(most, 0.5 * std::abs(p[0].normal.dot(a.cross(b))));
      }
  return most;
}

const Piece floor_piece = piece(ShapeKind::halfspace), unit_box = piece(ShapeKind::box),
            can = piece(ShapeKind::cylinder, 0.5, 1);

TEST(NarrowPhase, DistancesOfRoundPiecesAreTheTextbooks) {
  const Piece ball = piece(ShapeKind::sphere, 0.5), pill = piece(ShapeKind::capsule, 0.2, 1);
  EXPECT_NEAR(separation(ball, {}, ball, at(0, 0, 1.5)).distance, 0.5, 1e-15);
  EXPECT_NEAR(separation(ball, {}, ball, at(0.6, 0, 0)).distance, -0.4, 1e-15);
  EXPECT_NEAR(separation(pill, {}, ball, at(1, 0, 0.3)).distance, 0.3, 1e-15);
  EXPECT_NEAR(separation(pill, {}, ball, at(0, 0, 2)).distance, 0.8, 1e-15);
  EXPECT_NEAR(separation(pill, {}, pill, turned(1, 0, 0, pi / 2)).distance, 0.6, 1e-15);
  EXPECT_NEAR(separation(pill, {}, pill, at(0.3, 0, 0.2)).distance, -0.1, 1e-15);
  EXPECT_NEAR(separation(unit_box, {}, ball, at(1.5, 1.5, 1.5)).distance, std::sqrt(3.0) - 0.5, 1e-15);
  EXPECT_NEAR(separation(unit_box, {}, ball, at(0.3, 0, 0)).distance, -0.7, 1e-15);
  EXPECT_NEAR(separation(can, {}, ball, at(0.8, 0, 0.9)).distance, 0, 1e-15);
  const Piece cone = piece(ShapeKind::cone, 0.5, 1), egg = piece(ShapeKind::ellipsoid, 1, 2, 3);
  EXPECT_NEAR(separation(cone, {}, ball, at(0, 0, 1.2)).distance, 0.2, 1e-15);
  EXPECT_NEAR(separation(cone, {}, ball, at(0, 0, -1.2)).distance, 0.2, 1e-15);
  EXPECT_NEAR(separation(cone, {}, ball, at(1, 0, 0)).distance, 0.75 * 2 / std::sqrt(5.0) - 0.5, 1e-15);
  EXPECT_NEAR(separation(egg, {}, ball, at(0, 0, 4)).distance, 0.5, 1e-15);
  EXPECT_NEAR(separation(egg, {}, ball, {}).distance, -1.5, 1e-15);
}

TEST(NarrowPhase, ABoxOnTheFloorTouchesWithFourCornersThatHaveGapsOfTheirOwn) {
  const double tilt = 1e-4;
  const Manifold m = collide(floor_piece, {}, unit_box, turned(0, 0, 0.5, tilt));
  ASSERT_EQ(m.size, 4) << text(m);
  int below = 0;
  for (int i = 0; i < 4; ++i) {
    const ContactPoint& p = m.points[static_cast<std::size_t>(i)];
    EXPECT_EQ(p.normal, Eigen::Vector3d::UnitZ());
    const double side = p.point[1] > 0 ? 1 : -1;
    EXPECT_NEAR(p.gap, 0.5 - 0.5 * std::cos(tilt) + side * 0.5 * std::sin(tilt), 1e-15) << text(m);
    below += p.gap < 0;
    EXPECT_NEAR(p.point[2], 0.5 * p.gap, 1e-15) << "midway";
  }
  EXPECT_EQ(below, 2);
}

TEST(NarrowPhase, ATiltedBoxHasNoCornersBeyondTheMargin) {
  EXPECT_EQ(collide(floor_piece, {}, unit_box, turned(0, 0, 0.5, 0.01)).size, 2);
  EXPECT_EQ(collide(floor_piece, {}, unit_box, at(0, 0, 0.502)).size, 0);
  EXPECT_EQ(collide(floor_piece, {}, unit_box, at(0, 0, 0.502), 3e-3).size, 4);
}

TEST(NarrowPhase, APlanePushesABodyToTheSideOnWhichItIs) {
  const Piece plane = piece(ShapeKind::plane), ball = piece(ShapeKind::sphere, 0.5);
  EXPECT_NEAR(separation(plane, {}, ball, at(0, 0, 0.3)).distance, -0.2, 1e-15);
  EXPECT_EQ(separation(plane, {}, ball, at(0, 0, 0.3)).normal, Eigen::Vector3d::UnitZ());
  EXPECT_NEAR(separation(plane, {}, ball, at(0, 0, -0.3)).distance, -0.2, 1e-15);
  EXPECT_EQ(separation(plane, {}, ball, at(0, 0, -0.3)).normal, Eigen::Vector3d(0, 0, -1));
  EXPECT_EQ(collide(plane, {}, unit_box, at(0, 0, -0.499)).size, 4);
}

TEST(NarrowPhase, ABoxOnABoxKeepsItsPointsUnderNoise) {
  NarrowPhase phase;
  Random random(3);
  for (const Pose& rest :
       {at(0, 0, 1), at(0, 0, 0.9999), at(0, 0, 1.0001), at(0.5, 0.5, 1), at(0.25, 0, 1), turned(0, 0, 1, 0, 0, 0.3)}) {
    Manifold first, m;
    phase.collide(unit_box, {}, unit_box, rest, 1e-3, first);
    ASSERT_GE(first.size, 4) << text(first);
    for (int i = 0; i < 2000; ++i) {
      Pose pose = rest;
      pose.p += 1e-10 * random.vector3();
      pose.R = pose.R * Pose::from_xyz_rpy({}, 1e-10 * random.vector3()).R;
      phase.collide(unit_box, {}, unit_box, pose, 1e-3, m);
      ASSERT_EQ(features(m), features(first)) << text(first) << "\nbecame\n" << text(m);
      for (int k = 0; k < m.size; ++k) {
        const ContactPoint &p = m.points[static_cast<std::size_t>(k)], &q = first.points[static_cast<std::size_t>(k)];
        ASSERT_LT((p.point - q.point).norm(), 1e-9) << text(first) << "\nbecame\n" << text(m);
        ASSERT_LT((p.normal - q.normal).norm(), 1e-9);
      }
    }
  }
}

TEST(NarrowPhase, ATiltedBoxOnABoxHasFourPointsWithTrueGaps) {
  const Piece slab = piece(ShapeKind::box, 4, 4, 1);
  const Manifold m = collide(slab, {}, unit_box, turned(0, 0, 1, 1e-4, 2e-4));
  ASSERT_EQ(m.size, 4) << text(m);
  const Pose pose = turned(0, 0, 1, 1e-4, 2e-4);
  std::multiset<double> expected, got;
  for (int i = 0; i < 4; ++i) {
    expected.insert((pose * Eigen::Vector3d(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, -0.5))[2] - 0.5);
    got.insert(m.points[static_cast<std::size_t>(i)].gap);
  }
  for (auto e = expected.begin(), g = got.begin(); e != expected.end(); ++e, ++g) EXPECT_NEAR(*e, *g, 1e-12);
}

TEST(NarrowPhase, EveryFaceContactHasThreePointsThatAreNotOnOneLine) {
  const Piece cube = make_piece(cube_mesh()), cone = piece(ShapeKind::cone, 0.5, 1), floor = floor_piece;
  const Piece triangle = hull_piece(make_triangle({-2, -2, 0.5}, {2, -2, 0.5}, {0, 3, 0.5}));
  struct Case {
    const char* name;
    const Piece &a, &b;
  };
  for (const Case& c : {Case{"box-box", unit_box, unit_box},
                        {"box-hull", unit_box, cube},
                        {"hull-hull", cube, cube},
                        {"box-cylinder", unit_box, can},
                        {"cylinder-cylinder", can, can},
                        {"box-cone", unit_box, cone},
                        {"cylinder-cone", can, cone},
                        {"triangle-box", triangle, unit_box},
                        {"triangle-cylinder", triangle, can}})
    for (const double gap : {-1e-3, -1e-9, 0.0, 1e-9, 5e-4}) {
      const Manifold m = collide(c.a, {}, c.b, at(0.1, 0.05, 1 + gap));
      ASSERT_GE(m.size, 3) << c.name << " at gap " << gap << ": " << text(m);
      EXPECT_GT(area(m), 0.1) << c.name << text(m);
      for (int i = 0; i < m.size; ++i) {
        EXPECT_NEAR(m.points[static_cast<std::size_t>(i)].gap, gap, 1e-12) << c.name << text(m);
        EXPECT_EQ(m.points[static_cast<std::size_t>(i)].normal, Eigen::Vector3d::UnitZ()) << c.name << text(m);
      }
    }
}

TEST(NarrowPhase, AStandingCylinderKeepsEightPointsAndALyingOneTwo) {
  NarrowPhase phase;
  Random random(4);
  Manifold m, first;
  for (const bool lying : {false, true})
    for (const bool on_box : {false, true}) {
      const Pose rest = on_box ? turned(0, 0, 1, lying ? pi / 2 : 0) : turned(0, 0, 0.5, lying ? pi / 2 : 0);
      const Piece slab = piece(ShapeKind::box, 3, 3, 1);
      const Piece& ground = on_box ? slab : floor_piece;
      phase.collide(ground, {}, can, rest, 1e-3, first);
      ASSERT_EQ(first.size, lying ? 2 : 8) << text(first);
      Eigen::Vector3d middle = Eigen::Vector3d::Zero();
      for (int i = 0; i < first.size; ++i) middle += first.points[static_cast<std::size_t>(i)].point / first.size;
      EXPECT_LT(middle.head<2>().norm(), 1e-12) << text(first);
      for (int i = 0; i < 1000; ++i) {
        Pose pose = rest;
        pose.p += 1e-10 * random.vector3();
        pose.R = pose.R * Pose::from_xyz_rpy({}, 1e-11 * random.vector3()).R;
        phase.collide(ground, {}, can, pose, 1e-3, m);
        ASSERT_EQ(features(m), features(first)) << text(first) << "\nbecame\n" << text(m);
        for (int k = 0; k < m.size; ++k)
          ASSERT_LT((m.points[static_cast<std::size_t>(k)].point - first.points[static_cast<std::size_t>(k)].point).norm(),
                    1e-4)
              << text(first) << "\nbecame\n"
              << text(m);
      }
    }
}

TEST(NarrowPhase, ATiltedCylinderTouchesWithTheLowestPointOfItsRim) {
  for (const double tilt : {1e-6, 1e-4, 0.1, 0.7})
    for (const double yaw : {0.0, 0.2, 0.39, 1.0}) {
      Pose pose = turned(0, 0, 0, tilt);
      pose.R = pose.R * turned(0, 0, 0, 0, 0, yaw).R;
      pose.p[2] = 0.5 * std::cos(tilt) + 0.5 * std::sin(tilt);
      const Manifold m = collide(floor_piece, {}, can, pose);
      ASSERT_GE(m.size, 1);
      double least = 1;
      for (int i = 0; i < m.size; ++i) least = std::min(least, m.points[static_cast<std::size_t>(i)].gap);
      EXPECT_NEAR(least, 0, 1e-14) << "tilt " << tilt << " yaw " << yaw << text(m);
    }
}

TEST(NarrowPhase, LyingCapsulesTouchWithTwoPoints) {
  const Piece pill = piece(ShapeKind::capsule, 0.2, 1);
  EXPECT_EQ(collide(floor_piece, {}, pill, turned(0, 0, 0.2, pi / 2)).size, 2);
  EXPECT_EQ(collide(unit_box, {}, pill, turned(0, 0, 0.7, pi / 2)).size, 2);
  EXPECT_EQ(collide(pill, {}, pill, at(0.4, 0, 0.3)).size, 2);
  EXPECT_EQ(collide(pill, {}, pill, turned(0.4, 0, 0, 0.5)).size, 1);
  EXPECT_EQ(collide(floor_piece, {}, pill, at(0, 0, 0.7)).size, 1);
}

TEST(NarrowPhase, FeaturesStayWhileABodySlides) {
  NarrowPhase phase;
  const Piece slab = piece(ShapeKind::box, 4, 4, 1), cube = make_piece(cube_mesh());
  for (const Piece* body : {&unit_box, &cube, &can}) {
    Manifold first, m;
    phase.collide(slab, {}, *body, at(0, 0, 1), 1e-3, first);
    for (int i = 1; i < 100; ++i) {
      phase.collide(slab, {}, *body, turned(0.01 * i, 0.005 * i, 1 - 1e-6 * i, 0, 0, 1e-3 * i), 1e-3, m);
      ASSERT_EQ(features(first), features(m)) << i << text(first) << text(m);
    }
  }
}

TEST(NarrowPhase, NoMoreThanEightPointsKeepTheDeepestAndTheArea) {
  std::vector<Eigen::Vector3d> prism;
  for (int i = 0; i < 24; ++i)
    for (const double z : {-0.5, 0.5}) prism.push_back({std::cos(i * pi / 12), std::sin(i * pi / 12), z});
  const Piece drum = hull_piece(make_hull(prism)), slab = piece(ShapeKind::box, 4, 4, 1);
  EXPECT_EQ(drum.hull->faces(), 26) << "coplanar triangles are one face";
  for (const Piece* ground : {&slab, &floor_piece}) {
    const Manifold m = collide(*ground, {}, drum, turned(0.1, 0, ground == &slab ? 1 : 0.5, 1e-5));
    ASSERT_EQ(m.size, 8) << text(m);
    double least = 1;
    for (int i = 0; i < 8; ++i) least = std::min(least, m.points[static_cast<std::size_t>(i)].gap);
    EXPECT_NEAR(least, -std::sin(1e-5), 1e-9);
    EXPECT_GT(area(m), 1.2) << "of at most " << 0.75 * std::sqrt(3.0);
  }
}

TEST(NarrowPhase, NoDirectionIsBetterThanTheOneFound) {
  Random random(8);
  NarrowPhase phase;
  std::vector<Eigen::Vector3d> points;
  for (int i = 0; i < 20; ++i) points.push_back(0.5 * random.vector3());
  const std::vector<Piece> pieces{unit_box,
                                  can,
                                  piece(ShapeKind::cone, 0.5, 1),
                                  piece(ShapeKind::ellipsoid, 0.5, 0.4, 0.3),
                                  piece(ShapeKind::capsule, 0.2, 1),
                                  piece(ShapeKind::sphere, 0.5),
                                  hull_piece(make_hull(points))};
  double worst = 0, unreached = 0;
  for (const Piece& a : pieces)
    for (const Piece& b : pieces)
      for (int i = 0; i < 4; ++i) {
        const Pose pa = random.pose(), pb{random.pose().R, pa.p + random.uniform(0, 1.2) * random.vector3()};
        const Separation s = phase.separation(a, pa, b, pb);
        const double best = test::search_gap(Solid(a, pa), Solid(b, pb), 2000, 6, 600, random), size = a.radius + b.radius;
        worst = std::max(worst, (best - s.distance) / size);
        unreached = std::max(unreached, (s.distance - best) / size);
        EXPECT_LT(best, s.distance + 1e-7 * size) << to_string(a.kind) << "-" << to_string(b.kind);
        EXPECT_GT(best, s.distance - 1e-3 * size)
            << to_string(a.kind) << "-" << to_string(b.kind) << ": the search is blind";
      }
  fmt::print("search better by at most {:.1e}, worse by at most {:.1e} of the size\n", worst, unreached);
}

TEST(NarrowPhase, ABadPoseGivesNoPointsAndNoNumberThatIsNotOne) {
  Pose bad;
  bad.p[1] = std::numeric_limits<double>::quiet_NaN();
  for (const ShapeKind kind : {ShapeKind::sphere, ShapeKind::box, ShapeKind::cylinder, ShapeKind::halfspace}) {
    EXPECT_EQ(collide(piece(kind), {}, unit_box, bad).size, 0);
    EXPECT_FALSE(std::isnan(separation(piece(kind), {}, unit_box, bad).normal.sum()));
  }
}

}  // namespace
}  // namespace condyle
