#pragma once
// An order of everything in a scene that depends on names alone, not on who was added first: sums taken in it have the same
// bits however the scene was built. Numbers in names count as numbers, so b2 comes before b10.
#include "scene/scene_data.hpp"

#include <string_view>
#include <vector>

namespace condyle {

bool name_comes_before(std::string_view a, std::string_view b);

struct CanonicalOrder {
  explicit CanonicalOrder(const SceneData& scene);

  std::vector<int> trees, free_bodies, closures, couplings, springs, actuators;  ///< indices, in this order
  std::vector<int> shape_rank;  ///< place of each shape; what never moves comes first
};

}  // namespace condyle
