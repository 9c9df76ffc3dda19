// Nothing allocates in find once its numbers of pairs and points have been reached. The test's own malloc stands before the C
// library's for the whole process and counts while it is told to.
#include "finder_scenes.hpp"
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
void* __libc_realloc(void*, std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t n) {
  allocations += counting;
  return __libc_malloc(n);
}
void* realloc(void* p, std::size_t n) {
  allocations += counting;
  return __libc_realloc(p, n);
}
void* calloc(std::size_t n, std::size_t size) {
  allocations += counting;
  return __libc_calloc(n, size);
}
void* memalign(std::size_t alignment, std::size_t n) {
  allocations += counting;
  return __libc_memalign(alignment, n);
}
}

namespace condyle {
namespace {

TEST(ContactFinderAllocation, DoesNotHappenOnceAllHasBeenSeen) {
  Shape field;
  field.kind = ShapeKind::heightfield;
  field.field = std::make_shared<const HeightField>(HeightField{Eigen::MatrixXd::Zero(9, 7), {4, 4}});
  const std::vector<Shape> shapes = {make(ShapeKind::sphere, 0.1),        make(ShapeKind::box, 0.3, 0.2, 0.1),
                                     make(ShapeKind::capsule, 0.05, 0.3), make(ShapeKind::cylinder, 0.1, 0.2),
                                     make(ShapeKind::cone, 0.1, 0.2),     make(ShapeKind::ellipsoid, 0.1, 0.2, 0.15),
                                     cube_mesh(MeshPolicy::hull, {0.2, 0.2, 0.3}),
                                     mesh_shape(test::fine_box({0.2, 0.3, 0.2}, 2), MeshPolicy::bvh)};
  std::vector<BodySpec> bodies = {test::standing("field", field), test::standing("plane", make(ShapeKind::halfspace), at(0, 0, -0.1)),
                                  test::standing("mesh", mesh_shape(test::flat_floor(5), MeshPolicy::bvh), at(0, 0, -0.05))};
  for (int i = 0; i < 24; ++i)
    bodies.push_back(test::loose("body " + std::to_string(i), shapes[static_cast<std::size_t>(i) % shapes.size()]));
  const Scene scene = test::scene_of(bodies);
  ContactFinder finder(scene.data());
  test::Random random(1);
  std::vector<std::vector<ShapeMotion>> steps;
  for (int k = 0; k < 4; ++k) {
    steps.push_back(test::at_rest(scene));
    for (std::size_t i = 3; i < steps.back().size(); ++i) {
      steps.back()[i].pose = random.pose(0.5);
      steps.back()[i].linear = random.vector3(20);
      steps.back()[i].angular = random.vector3(20);
    }
  }
  int points = 0;
  for (int k = 0; k < 2; ++k)
    for (const auto& motions : steps) points = std::max(points, static_cast<int>(finder.find(motions, 1e-2).size()));
  EXPECT_GT(points, 50) << "the scene was meant to be crowded";
  allocations = 0;
  counting = true;
  for (const auto& motions : steps) finder.find(motions, 1e-2);
  counting = false;
  EXPECT_EQ(allocations, 0);
}

}  // namespace
}  // namespace condyle

#endif
