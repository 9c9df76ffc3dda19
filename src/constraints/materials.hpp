#pragma once
#include "scene/scene_data.hpp"

#include <vector>

namespace condyle {

/// The material of every pair of shapes, worked out once: the step looks up two numbers and no names.
class MaterialTable {
 public:
  explicit MaterialTable(const SceneData& scene);
  /// Of a contact between two shapes of the scene.
  const Material& of(int shape_a, int shape_b) const {
    return table_[static_cast<std::size_t>(kind_[static_cast<std::size_t>(shape_a)] * kinds_ +
                                           kind_[static_cast<std::size_t>(shape_b)])];
  }

 private:
  int kinds_ = 0;
  std::vector<int> kind_;        ///< of each shape
  std::vector<Material> table_;  ///< kinds × kinds
};

}  // namespace condyle
