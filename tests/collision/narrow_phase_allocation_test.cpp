// Nothing allocates in the narrow phase after the first calls. The test's own malloc stands before the C library's for the
// whole process and counts while it is told to; weak, should another test of this program count too.
#include "collision/narrow_phase.hpp"
#include "collision/test_shapes.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
thread_local bool counting = false;
thread_local long allocations = 0;
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
__attribute__((weak)) void* malloc(std::size_t n) {
  allocations += counting;
  return __libc_malloc(n);
}
__attribute__((weak)) void* memalign(std::size_t alignment, std::size_t n) {
  allocations += counting;
  return __libc_memalign(alignment, n);
}
}

namespace condyle {
namespace {

TEST(NarrowPhaseAllocation, NothingIsTakenFromTheHeapAfterTheFirstCalls) {
  test::Random random(6);
  Mesh stone;
  for (int i = 0; i < 50; ++i) stone.vertices.push_back(0.5 * random.vector3());
  const std::vector<Piece> pieces{
      make_piece(make(ShapeKind::sphere, 0.5)),          make_piece(make(ShapeKind::box)),
      make_piece(make(ShapeKind::capsule, 0.2, 1)),      make_piece(make(ShapeKind::cylinder, 0.5, 1)),
      make_piece(make(ShapeKind::cone, 0.5, 1)),         make_piece(make(ShapeKind::ellipsoid, 0.5, 0.4, 0.3)),
      make_piece(mesh_shape(std::move(stone))),          make_piece(make(ShapeKind::halfspace))};
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
  counting = true;
  delete new std::vector<int>(100);
  counting = false;
  if (allocations == 0) GTEST_SKIP() << "another test of this program has the counter";
  allocations = 0;
  counting = true;
  all();
  counting = false;
  EXPECT_EQ(allocations, 0);
  EXPECT_GT(points, 1000);
}

}  // namespace
}  // namespace condyle

#endif
