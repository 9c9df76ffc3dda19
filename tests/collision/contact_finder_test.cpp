#include "collision/contact_finder.hpp"
#include "finder_scenes.hpp"

#include "support/random_state.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

namespace condyle {
namespace {

using test::at_rest;
using test::loose;
using test::motion_of;
using test::scene_of;
using test::standing;

TEST(ContactFinder, SetsABoxOnAHalfSpaceOnItsFourCorners) {
  const Scene scene = scene_of(
      {standing("floor", make(ShapeKind::halfspace)), loose("box", make(ShapeKind::box, 1, 2, 3), at(0, 0, 1.5 - 1e-4))});
  ContactFinder finder(scene.data());
  const auto& found = finder.find(at_rest(scene), 1e-3);
  ASSERT_EQ(found.size(), 4u);
  const int floor = test::shape_named(scene, "floor");
  for (const Contact& c : found) {
    EXPECT_LT(c.pair.a, c.pair.b);
    EXPECT_NEAR(c.at.gap, -1e-4, 1e-12);
    EXPECT_LT((c.at.normal - Eigen::Vector3d(0, 0, c.pair.a == floor ? 1 : -1)).norm(), 1e-12);
    EXPECT_NEAR(std::abs(c.at.point[0]), 0.5, 1e-12);
    EXPECT_NEAR(std::abs(c.at.point[1]), 1.0, 1e-12);
    EXPECT_NE(c.id, 0u);
  }
}

TEST(ContactFinder, StopsAFastBallAtAThinWall) {
  const Scene scene = scene_of(
      {standing("wall", make(ShapeKind::box, 0.001, 1, 1)), loose("ball", make(ShapeKind::sphere, 0.01), at(-0.05, 0, 0))});
  ContactFinder finder(scene.data());
  auto motions = at_rest(scene);
  motion_of(motions, scene, "ball").linear = {100, 0, 0};
  const auto& found = finder.find(motions, 1e-3);
  ASSERT_EQ(found.size(), 1u);
  const double sign = found[0].pair.a == test::shape_named(scene, "wall") ? -1 : 1;
  EXPECT_NEAR(sign * found[0].at.normal[0], 1, 1e-9);
  EXPECT_NEAR(found[0].at.gap, 0.05 - 0.01 - 0.0005, 2e-6) << "the free way until the wall";
}

TEST(ContactFinder, LetsABallPassThatMissesACorner) {
  // Flies along the diagonal past the corner of a box: the swept boxes overlap, the paths do not.
  const Scene scene = scene_of(
      {standing("block", make(ShapeKind::box, 1, 1, 1)), loose("ball", make(ShapeKind::sphere, 0.01), at(0.45, 0.6, 0))});
  ContactFinder finder(scene.data());
  auto motions = at_rest(scene);
  motion_of(motions, scene, "ball").linear = {150, -150, 0};  // passes (0.525, 0.525), 0.035 from the corner
  EXPECT_EQ(finder.find(motions, 1e-3).size(), 0u);
  EXPECT_EQ(finder.stats().pairs_tested, 1) << "the boxes were meant to overlap";
  motion_of(motions, scene, "ball").pose.p = {0.45, 0.56, 0};  // passes (0.505, 0.505), 0.007 from the corner
  EXPECT_EQ(finder.find(motions, 1e-3).size(), 1u);
}

TEST(ContactFinder, CarriesAnImpactBackToTheStartSoThatItsGapClosesWithinTheStep) {
  // Two balls, both moving: 0.1 m between the surfaces, closing at 200 m/s; they meet after 0.5 ms.
  const Scene scene =
      scene_of({loose("a", make(ShapeKind::sphere, 0.05)), loose("b", make(ShapeKind::sphere, 0.05), at(0.2, 0, 0))});
  ContactFinder finder(scene.data());
  auto motions = at_rest(scene);
  motion_of(motions, scene, "a").linear = {150, 0, 0};
  motion_of(motions, scene, "b").linear = {-50, 0, 0};
  const auto& found = finder.find(motions, 1e-3);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].at.gap, 0.1, 1e-9);
  EXPECT_LT((found[0].at.normal - Eigen::Vector3d::UnitX()).norm(), 1e-9);
  EXPECT_LT((found[0].at.point - Eigen::Vector3d(0.1, 0, 0)).norm(), 2e-6) << "midway between where the two points began";
  EXPECT_EQ(finder.find(motions, 4.9e-4).size(), 0u) << "not within a shorter step";
}

TEST(ContactFinder, FindsTheEndOfASwingingRod) {
  const Scene scene = scene_of(
      {standing("floor", make(ShapeKind::halfspace)), loose("rod", make(ShapeKind::box, 2, 0.02, 0.02), at(0, 0, 0.5))});
  ContactFinder finder(scene.data());
  auto motions = at_rest(scene);
  motion_of(motions, scene, "rod").angular = {0, 100, 0};
  const auto& found = finder.find(motions, 0.01);
  ASSERT_FALSE(found.empty());
  for (const Contact& c : found) EXPECT_GT(c.at.point[0], 0.9) << "the end that goes down";
  EXPECT_EQ(finder.find(motions, 0.004).size(), 0u) << "0.4 rad are not enough";
}

TEST(ContactFinder, KeepsWhatIsWithinTheMarginWhateverItsVelocity) {
  const Scene scene = scene_of(
      {standing("floor", make(ShapeKind::halfspace)), loose("ball", make(ShapeKind::sphere, 0.1), at(0, 0, 0.1009))});
  ContactFinder finder(scene.data());
  auto motions = at_rest(scene);
  for (const double speed : {-1.0, 0.0, 1.0, 100.0}) {
    motion_of(motions, scene, "ball").linear = {0, 0, speed};
    ASSERT_EQ(finder.find(motions, 1e-3).size(), 1u) << speed;
    EXPECT_NEAR(finder.find(motions, 1e-3)[0].at.gap, 9e-4, 1e-12);
  }
  motion_of(motions, scene, "ball") = {at(0, 0, 0.1011), {0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(finder.find(motions, 1e-3).size(), 0u);
}

TEST(ContactFinder, PushesOffAPlaneToTheSideWhereTheBodyIs) {
  const Scene scene = scene_of({standing("sheet", make(ShapeKind::plane)), loose("ball", make(ShapeKind::sphere, 0.1))});
  ContactFinder finder(scene.data());
  for (const double side : {-1.0, 1.0}) {
    auto motions = at_rest(scene);
    motion_of(motions, scene, "ball").pose.p = {0, 0, side * 0.09};
    const auto& found = finder.find(motions, 1e-3);
    ASSERT_EQ(found.size(), 1u);
    const double sign = found[0].pair.a == test::shape_named(scene, "sheet") ? 1 : -1;
    EXPECT_NEAR(sign * found[0].at.normal[2], side, 1e-12);
    EXPECT_NEAR(found[0].at.gap, -0.01, 1e-12);
    motion_of(motions, scene, "ball") = {at(0, 0, side * 0.2), {0, 0, -side * 500}, {0, 0, 0}};
    EXPECT_EQ(finder.find(motions, 1e-3).size(), 1u) << "fast through the sheet";
  }
}

/// A heap of all kinds of shapes, turned and moving at random, on a floor.
std::vector<BodySpec> heap(int count) {
  const std::vector<Shape> shapes = {make(ShapeKind::sphere, 0.1),
                                     make(ShapeKind::box, 0.3, 0.2, 0.1),
                                     make(ShapeKind::capsule, 0.05, 0.3),
                                     make(ShapeKind::cylinder, 0.1, 0.2),
                                     make(ShapeKind::cone, 0.1, 0.2),
                                     make(ShapeKind::ellipsoid, 0.1, 0.2, 0.15),
                                     cube_mesh(MeshPolicy::hull, {0.2, 0.2, 0.3}),
                                     mesh_shape(test::fine_box({0.2, 0.3, 0.2}, 2), MeshPolicy::bvh)};
  test::Random random(11);
  std::vector<BodySpec> out = {standing("floor", make(ShapeKind::halfspace), at(0, 0, -0.3)),
                               standing("sheet", mesh_shape(test::flat_floor(4), MeshPolicy::bvh), at(0, 0, -0.2))};
  for (int i = 0; i < count; ++i)
    out.push_back(loose("body " + std::to_string(i), shapes[static_cast<std::size_t>(i) % shapes.size()], random.pose(0.5)));
  return out;
}

std::vector<ShapeMotion> stirred(const Scene& scene) {
  auto out = at_rest(scene);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const BodyRef& body = scene.data().shapes[i].body;
    if (body.kind != BodyRef::Kind::free_body) continue;
    test::Random random(std::hash<std::string>{}(scene.data().body_name(body)));
    out[i].linear = random.vector3(10);
    out[i].angular = random.vector3(10);
  }
  return out;
}

TEST(ContactFinder, OrdersByPairAndFeatureWithIdsThatAreUnique) {
  const Scene scene = scene_of(heap(32));
  ContactFinder finder(scene.data());
  const auto& found = finder.find(stirred(scene), 5e-3);
  ASSERT_GT(found.size(), 60u);
  std::set<std::uint64_t> ids;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NE(found[i].id, 0u);
    EXPECT_TRUE(ids.insert(found[i].id).second);
    EXPECT_LT(found[i].pair.a, found[i].pair.b);
    EXPECT_TRUE(found[i].at.point.allFinite() && std::isfinite(found[i].at.gap));
    EXPECT_NEAR(found[i].at.normal.norm(), 1, 1e-12);
    if (i == 0) continue;
    EXPECT_TRUE(std::tuple(found[i - 1].pair, found[i - 1].at.feature) < std::tuple(found[i].pair, found[i].at.feature))
        << i;
  }
  EXPECT_EQ(finder.stats().points, static_cast<int>(found.size()));
}

TEST(ContactFinder, GivesTheSameWhateverWasAskedBefore) {
  const Scene scene = scene_of(heap(32));
  ContactFinder used(scene.data()), fresh(scene.data());
  auto elsewhere = stirred(scene);
  for (ShapeMotion& m : elsewhere) m.pose.p *= 1.3;
  used.find(elsewhere, 1e-2);
  used.find(elsewhere, 0);
  const auto& a = used.find(stirred(scene), 5e-3);
  const auto& b = fresh.find(stirred(scene), 5e-3);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].pair, b[i].pair);
    EXPECT_EQ(a[i].id, b[i].id);
    EXPECT_EQ(a[i].at.point, b[i].at.point);
    EXPECT_EQ(a[i].at.normal, b[i].at.normal);
    EXPECT_EQ(a[i].at.gap, b[i].at.gap);
  }
}

TEST(ContactFinder, FindsTheSameContactsInWhateverOrderTheBodiesAre) {
  const std::vector<BodySpec> bodies = heap(32);
  std::vector<BodySpec> reversed(bodies.rbegin(), bodies.rend());
  using Row = std::tuple<std::string, std::string, std::array<double, 7>>;
  const auto rows = [](const std::vector<BodySpec>& list) {
    const Scene scene = scene_of(list);
    ContactFinder finder(scene.data());
    std::vector<Row> out;
    for (const Contact& c : finder.find(stirred(scene), 5e-3)) {
      const auto name = [&](int i) { return scene.data().body_name(scene.data().shapes[static_cast<std::size_t>(i)].body); };
      std::string a = name(c.pair.a), b = name(c.pair.b);
      Eigen::Vector3d n = c.at.normal;
      if (b < a) std::swap(a, b), n = -n;
      out.push_back({a, b, {c.at.point[0], c.at.point[1], c.at.point[2], n[0], n[1], n[2], c.at.gap}});
    }
    return out;
  };
  const auto a = rows(bodies);
  auto b = rows(reversed);
  ASSERT_GT(a.size(), 60u);
  EXPECT_EQ(a.size(), b.size());
  for (const Row& row : a) {
    double best = 1e300;
    for (const Row& other : b) {
      if (std::get<0>(row) != std::get<0>(other) || std::get<1>(row) != std::get<1>(other)) continue;
      double worst = 0;
      for (std::size_t k = 0; k < 7; ++k) worst = std::max(worst, std::abs(std::get<2>(row)[k] - std::get<2>(other)[k]));
      best = std::min(best, worst);
    }
    EXPECT_LT(best, 1e-9) << std::get<0>(row) << " on " << std::get<1>(row);
  }
}

TEST(ContactFinder, LooksOnlyAtPairsThatMayTouch) {
  // Three balls in one place, one of them seen only; two statics in one place; a pair excluded by name.
  SceneBuilder build;
  const Shape ball = make(ShapeKind::sphere, 0.1);
  for (const char* name : {"a", "b", "c"}) build.add_body(loose(name, ball, at(0, 0.01 * name[0], 0)));
  build.add_body(standing("s", ball)).add_body(standing("t", ball));
  build.exclude_pair("a", "b");
  const Scene scene = build.finish();
  ContactFinder finder(scene.data());
  std::set<std::string> pairs;
  auto motions = at_rest(scene);
  for (auto& m : motions) m.pose.p.setZero();
  for (std::size_t i = 0; i < motions.size(); ++i) motions[i].pose.p[0] = 0.01 * static_cast<double>(i);
  for (const Contact& c : finder.find(motions, 1e-3)) {
    const auto name = [&](int i) { return scene.data().body_name(scene.data().shapes[static_cast<std::size_t>(i)].body); };
    std::string a = name(c.pair.a), b = name(c.pair.b);
    pairs.insert(std::min(a, b) + std::max(a, b));
  }
  const std::set<std::string> expected = {"ac", "bc", "as", "at", "bs", "bt", "cs", "ct"};
  EXPECT_EQ(pairs, expected);
}

TEST(ContactFinder, TouchesWithEachConvexPartOfAMesh) {
  Mesh table;  // two legs apart
  add_box(table, {-0.5, -0.1, 0}, {0.1, 0.2, 0.5});
  add_box(table, {0.4, -0.1, 0}, {0.1, 0.2, 0.5});
  const Scene scene = scene_of({standing("floor", make(ShapeKind::halfspace)),
                                loose("table", mesh_shape(table, MeshPolicy::convex_parts), at(0, 0, -1e-5)),
                                loose("ball", make(ShapeKind::sphere, 0.1), at(0, 0, 0.3))});
  ContactFinder finder(scene.data());
  const auto& found = finder.find(at_rest(scene), 1e-3);
  EXPECT_EQ(found.size(), 8u) << "four corners of each leg; the ball between them touches nothing";
  std::set<std::uint64_t> ids;
  for (const Contact& c : found) ids.insert(c.id);
  EXPECT_EQ(ids.size(), found.size());
}

TEST(ContactFinder, IsMadeInLessThanASecondForThousandsOfShapes) {
  SceneBuilder build;
  build.add_body(standing("floor", make(ShapeKind::halfspace)));
  for (int i = 0; i < 4000; ++i)
    build.add_body(
        loose("ball " + std::to_string(i), make(ShapeKind::sphere, 0.1), at(0.3 * (i % 60), 0.3 * (i / 60), 0.1)));
  const Scene scene = build.finish();
  const auto start = std::chrono::steady_clock::now();
  ContactFinder finder(scene.data());
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(took, 1.0);
  EXPECT_EQ(finder.find(at_rest(scene), 1e-3).size(), 4000u);
}

TEST(ContactFinder, SaysNothingOfShapesWhosePoseIsNoNumber) {
  const Scene scene = scene_of(heap(16));
  ContactFinder finder(scene.data());
  auto motions = stirred(scene);
  motions[5].pose.p[1] = std::numeric_limits<double>::quiet_NaN();
  motions[6].linear[0] = std::numeric_limits<double>::infinity();
  for (const Contact& c : finder.find(motions, 1e-3)) {
    EXPECT_TRUE(c.pair.a != 5 && c.pair.b != 5 && c.pair.a != 6 && c.pair.b != 6);
    EXPECT_TRUE(c.at.point.allFinite());
  }
}

TEST(ContactFinder, RefusesANegativeMargin) {
  FinderOptions options;
  options.margin = -1;
  EXPECT_THROW(ContactFinder(scene_of(heap(1)).data(), options), Error);
}

}  // namespace
}  // namespace condyle
