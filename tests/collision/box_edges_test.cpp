// Two boxes edge on edge, without iterating, against the iterations that know nothing of edges.
#include "collision/box_edges.hpp"
#include "collision/gjk.hpp"
#include "collision/penetration.hpp"
#include "support/random_state.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace condyle {
namespace {

using Eigen::Vector3d;

/// Two boxes of random size whose nearest edges cross at a random angle, `gap` apart (m).
struct EdgeOnEdge {
  Piece a, b;
  Pose place;
  double gap;

  EdgeOnEdge(test::Random& random, double apart) : gap(apart) {
    const auto box = [&] {
      Shape shape;
      shape.kind = ShapeKind::box;
      shape.size = Vector3d(random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1));
      return make_piece(shape);
    };
    a = box();
    b = box();
    // A's edge along x at its top right; B rests on it with an edge, turned so that no face is level
    const Vector3d n = Vector3d(0, random.uniform(0.3, 0.7), 1).normalized();
    const Vector3d along =
        (Eigen::AngleAxisd(random.uniform(0.2, 2.9), n) * Vector3d::UnitX()).normalized();  // of B's edge, square to n
    const double lean = random.uniform(0.5, 1.07);                                          // of B's faces about its edge
    const Vector3d up = std::cos(lean) * n + std::sin(lean) * n.cross(along);
    place.R.col(0) = along;
    place.R.col(1) = up.cross(along);
    place.R.col(2) = up;
    const Vector3d ha = 0.5 * a.size, hb = 0.5 * b.size;
    const Vector3d corner(random.uniform(-0.8, 0.8) * ha[0], ha[1], ha[2]);
    Vector3d lowest(random.uniform(-0.8, 0.8) * hb[0], hb[1], hb[2]);  // of B against n, in its frame
    for (int k = 1; k < 3; ++k)
      if (place.R.col(k).dot(n) > 0) lowest[k] = -lowest[k];
    place.p = corner + gap * n - place.R * lowest;
  }
  ConvexPair pair() const { return {Convex(a), Convex(b), place.R, place.p, a.radius + b.radius}; }
};

TEST(BoxEdges, HaveTheGapAndTheNormalThatIterationsFind) {
  test::Random random(3);
  int found = 0;
  double worst = 0;
  for (int k = 0; k < 20000; ++k) {
    const double apart = (k % 2 ? 1 : -1) * std::pow(10, random.uniform(-9, -2));
    const EdgeOnEdge made(random, apart);
    const ConvexPair pair = made.pair();
    CoreGap direct, iterated;
    const FaceAnswer answer = box_edges(pair, 1, 1e-9 * pair.size, direct);
    ASSERT_NE(answer, FaceAnswer::apart);
    if (answer == FaceAnswer::unknown) continue;
    ++found;
    Simplex simplex;
    const GjkResult gjk_found = gjk(pair, 1, 0, simplex);
    if (gjk_found.status == GjkResult::Status::apart) {
      iterated = {gjk_found.lower, gjk_found.normal, gjk_found.on_a};
    } else {
      PolytopeWork work;
      bool converged = true;
      iterated = penetration(pair, simplex, 1e-14 * pair.size, work, converged);
    }
    worst = std::max(worst, std::abs(direct.gap - iterated.gap));
    ASSERT_NEAR(direct.gap, iterated.gap, 1e-11) << "m, pair " << k << ", made " << apart << " apart";
    ASSERT_NEAR(pair.gap(direct.normal), direct.gap, 1e-13) << "m along its normal";
    const Vector3d on_b = made.place.R.transpose() * (direct.on_a + direct.gap * direct.normal - made.place.p);
    ASSERT_LT((direct.on_a.cwiseAbs() - 0.5 * made.a.size).maxCoeff(), 1e-14) << "m outside A";
    ASSERT_LT((on_b.cwiseAbs() - 0.5 * made.b.size).maxCoeff(), 1e-13) << "m outside B";
  }
  fmt::print("{} of 20000 by their edges, gap off by at most {:.1e} m\n", found, worst);
  EXPECT_GT(found, 19000);
}

TEST(BoxEdges, LeaveFacesAndCornersToOthersAndSayWhatIsApart) {
  test::Random random(4);
  CoreGap out;
  const EdgeOnEdge made(random, 1e-3);
  EXPECT_EQ(box_edges(made.pair(), 0.9e-3, 1e-9, out), FaceAnswer::apart);
  EXPECT_EQ(box_edges(made.pair(), 1.1e-3, 1e-9, out), FaceAnswer::found);
  ConvexPair level = made.pair();
  level.R.setIdentity();
  level.t = {0.1, 0.1, level.a.h[2] + level.b.h[2]};
  EXPECT_EQ(box_edges(level, 1e-3, 1e-9, out), FaceAnswer::unknown) << "face on face";
  ConvexPair corners = made.pair();
  corners.R.setIdentity();
  corners.t = corners.a.h + corners.b.h + Vector3d::Constant(1e-4);
  EXPECT_EQ(box_edges(corners, 1e-3, 1e-9, out), FaceAnswer::unknown) << "corner to corner";
}

}  // namespace
}  // namespace condyle
