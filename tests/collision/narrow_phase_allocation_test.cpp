// Nothing allocates in the narrow phase after the first calls.
#include "collision/narrow_phase.hpp"
#include "collision/test_shapes.hpp"
#include "support/allocation_counter.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

#ifdef CONDYLE_COUNTS_ALLOCATIONS

namespace condyle {
namespace {

TEST(NarrowPhaseAllocation, NothingIsTakenFromTheHeapAfterTheFirstCalls) {
  test::Random random(6);
  Mesh stone;
  for (int i = 0; i < 50; ++i) stone.vertices.push_back(0.5 * random.vector3());
  const std::vector<Piece> pieces{
      make_piece(make(ShapeKind::sphere, 0.5)),     make_piece(make(ShapeKind::box)),
      make_piece(make(ShapeKind::capsule, 0.2, 1)), make_piece(make(ShapeKind::cylinder, 0.5, 1)),
      make_piece(make(ShapeKind::cone, 0.5, 1)),    make_piece(make(ShapeKind::ellipsoid, 0.5, 0.4, 0.3)),
      make_piece(mesh_shape(std::move(stone))),     make_piece(make(ShapeKind::halfspace))};
  std::vector<std::pair<Pose, Pose>> poses;
  for (int i = 0; i < 50; ++i) poses.emplace_back(random.pose(0.3), random.pose(0.3));
  NarrowPhase phase;
  Manifold m;
  int points = 0;
  const auto all = [&] {
    for (std::size_t a = 0; a + 1 < pieces.size(); ++a)
      for (const Piece& b : pieces)
        for (const auto& [pa, pb] : poses) {
          phase.collide(pieces[a], pa, b, pb, 1e-3, m);
          points += m.size;
          phase.separation(pieces[a], pa, b, pb);
        }
  };
  all();
  EXPECT_GT(test::allocations_of([] { delete new std::vector<int>(100); }), 0) << "the counter must see an allocation";
  EXPECT_EQ(test::allocations_of(all), 0);
  EXPECT_GT(points, 1000);
}

}  // namespace
}  // namespace condyle

#endif
