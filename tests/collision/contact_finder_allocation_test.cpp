// Nothing allocates in find once its numbers of pairs and points have been reached.
#include "finder_scenes.hpp"
#include "support/allocation_counter.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

#ifdef CONDYLE_COUNTS_ALLOCATIONS

namespace condyle {
namespace {

TEST(ContactFinderAllocation, DoesNotHappenOnceAllHasBeenSeen) {
  Shape field;
  field.kind = ShapeKind::heightfield;
  field.field = std::make_shared<const HeightField>(HeightField{Eigen::MatrixXd::Zero(9, 7), {4, 4}});
  const std::vector<Shape> shapes = {make(ShapeKind::sphere, 0.1),
                                     make(ShapeKind::box, 0.3, 0.2, 0.1),
                                     make(ShapeKind::capsule, 0.05, 0.3),
                                     make(ShapeKind::cylinder, 0.1, 0.2),
                                     make(ShapeKind::cone, 0.1, 0.2),
                                     make(ShapeKind::ellipsoid, 0.1, 0.2, 0.15),
                                     cube_mesh(MeshPolicy::hull, {0.2, 0.2, 0.3}),
                                     mesh_shape(test::fine_box({0.2, 0.3, 0.2}, 2), MeshPolicy::bvh)};
  std::vector<BodySpec> bodies = {test::standing("field", field),
                                  test::standing("plane", make(ShapeKind::halfspace), at(0, 0, -0.1)),
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
  EXPECT_GT(test::allocations_of([&] { ContactFinder another(scene.data()); }), 0) << "the counter must see an allocation";
  EXPECT_EQ(test::allocations_of([&] {
              for (const auto& motions : steps) finder.find(motions, 1e-2);
            }),
            0);
}

}  // namespace
}  // namespace condyle

#endif
