#include "collision/time_of_impact.hpp"

#include "support/random_state.hpp"
#include "test_shapes.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

ShapeMotion moving(const Pose& pose, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular = {0, 0, 0}) {
  return {pose, linear, angular};
}

TEST(Moved, TurnsAtAConstantRateAboutTheOriginThatGoesStraight) {
  const ShapeMotion m = moving(at(1, 2, 3), {1, 0, 0}, {0, 0, 2});
  const Pose later = moved(m, 0.25);
  EXPECT_LT((later.p - Eigen::Vector3d(1.25, 2, 3)).norm(), 1e-15);
  EXPECT_NEAR(later.R(0, 0), std::cos(0.5), 1e-15);
  EXPECT_NEAR(later.R(1, 0), std::sin(0.5), 1e-15);
}

TEST(TimeOfImpact, OfTwoBallsIsTheRootOfTheirDistance) {
  NarrowPhase narrow;
  const Piece ball = make_piece(make(ShapeKind::sphere, 0.1));
  // 1 m apart along x, offset 0.12 in y, closing at 4 m/s: contact when dx² + 0.12² = 0.2²
  const Impact hit =
      time_of_impact(narrow, ball, moving(at(0, 0, 0), {3, 0, 0}), ball, moving(at(1, 0.12, 0), {-1, 0, 0}), 1, 1e-7);
  ASSERT_TRUE(hit.meets);
  EXPECT_NEAR(hit.time, (1 - 0.16) / 4, 1e-7);
  EXPECT_NEAR(hit.at.distance, 0, 1e-7);
  EXPECT_FALSE(
      time_of_impact(narrow, ball, moving(at(0, 0, 0), {3, 0, 0}), ball, moving(at(1, 0.12, 0), {-1, 0, 0}), 0.2, 1e-7)
          .meets)
      << "too short a step";
  EXPECT_FALSE(
      time_of_impact(narrow, ball, moving(at(0, 0, 0), {3, 0, 0}), ball, moving(at(1, 0.2001, 0), {-1, 0, 0}), 1, 1e-7)
          .meets)
      << "passes at 0.1 mm";
  EXPECT_FALSE(
      time_of_impact(narrow, ball, moving(at(0, 0, 0), {-3, 0, 0}), ball, moving(at(1, 0, 0), {1, 0, 0}), 1, 1e-7).meets)
      << "flies apart";
}

TEST(TimeOfImpact, OfARodThatSwingsOntoAFloorIsWhenItsEndArrives) {
  NarrowPhase narrow;
  const Piece floor = make_piece(make(ShapeKind::halfspace)), rod = make_piece(make(ShapeKind::box, 2, 0.02, 0.02));
  // turns about y with its middle 0.5 m above the floor: the lower end is at 0.5 - sin(a) - 0.01 cos(a)
  const Impact hit =
      time_of_impact(narrow, floor, moving({}, {0, 0, 0}), rod, moving(at(0, 0, 0.5), {0, 0, 0}, {0, 10, 0}), 0.1, 1e-7);
  ASSERT_TRUE(hit.meets);
  const double a = 10 * hit.time;
  EXPECT_NEAR(0.5 - std::sin(a) - 0.01 * std::cos(a), 0, 1e-6);
  EXPECT_FALSE(
      time_of_impact(narrow, floor, moving({}, {0, 0, 0}), rod, moving(at(0, 0, 1.1), {0, 0, 0}, {0, 100, 0}), 0.1, 1e-7)
          .meets)
      << "reaches down to 0.1 m only";
}

TEST(TimeOfImpact, AgreesWithSmallStepsForTumblingBoxes) {
  NarrowPhase narrow;
  test::Random random(5);
  const Piece a = make_piece(make(ShapeKind::box, 0.4, 0.1, 0.2)), b = make_piece(make(ShapeKind::box, 0.3, 0.3, 0.05));
  int hits = 0, misses = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const ShapeMotion ma = moving(random.pose(0.2), random.vector(3, 1), random.vector(3, 5));
    ShapeMotion mb = moving(random.pose(0.8), random.vector(3, 2), random.vector(3, 5));
    if (narrow.separation(a, ma.pose, b, mb.pose).distance < 1e-3) continue;
    if (trial % 2 == 0) mb.linear = 6 * (ma.pose.p - mb.pose.p);
    const Impact impact = time_of_impact(narrow, a, ma, b, mb, 0.2, 1e-6);
    double first = -1, nearest = 1e300;
    for (int k = 0; k <= 500 && first < 0; ++k) {
      const double t = 4e-4 * k, d = narrow.separation(a, moved(ma, t), b, moved(mb, t)).distance;
      nearest = std::min(nearest, d);
      if (d <= 0) first = t;
    }
    if (first >= 0) {
      ++hits;
      EXPECT_TRUE(impact.meets) << trial;
      EXPECT_LE(impact.time, first) << trial;
      EXPECT_GT(impact.time, first - 5e-4) << trial;
    } else if (nearest > 1e-3) {
      ++misses;
      EXPECT_FALSE(impact.meets) << trial << ": nearest " << nearest;
    }
  }
  EXPECT_GT(hits, 5);
  EXPECT_GT(misses, 5);
}

}  // namespace
}  // namespace condyle
