#include "collision/contact_finder.hpp"
#include "finder_scenes.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

using test::at_rest;
using test::loose;
using test::motion_of;
using test::scene_of;
using test::standing;

TEST(ContactFinder, SetsABoxOnAHalfSpaceOnItsFourCorners) {
  const Scene scene = scene_of({standing("floor", make(ShapeKind::halfspace)),
                                loose("box", make(ShapeKind::box, 1, 2, 3), at(0, 0, 1.5 - 1e-4))});
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
  const Scene scene = scene_of({standing("wall", make(ShapeKind::box, 0.001, 1, 1)),
                                loose("ball", make(ShapeKind::sphere, 0.01), at(-0.05, 0, 0))});
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
  const Scene scene = scene_of({standing("block", make(ShapeKind::box, 1, 1, 1)),
                                loose("ball", make(ShapeKind::sphere, 0.01), at(0.45, 0.6, 0))});
  ContactFinder finder(scene.data());
  auto motions = at_rest(scene);
  motion_of(motions, scene, "ball").linear = {150, -150, 0};  // passes (0.525, 0.525), 0.035 from the corner
  EXPECT_EQ(finder.find(motions, 1e-3).size(), 0u);
  EXPECT_EQ(finder.stats().pairs_tested, 1) << "the boxes were meant to overlap";
  motion_of(motions, scene, "ball").pose.p = {0.45, 0.56, 0};  // passes (0.505, 0.505), 0.007 from the corner
  EXPECT_EQ(finder.find(motions, 1e-3).size(), 1u);
}

}  // namespace
}  // namespace condyle
