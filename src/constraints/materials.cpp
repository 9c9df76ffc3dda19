#include "constraints/materials.hpp"

#include <algorithm>

namespace condyle {

MaterialTable::MaterialTable(const SceneData& scene) {
  std::vector<std::string> names;
  for (const auto& [name, material] : scene.materials) names.push_back(name);
  kinds_ = static_cast<int>(names.size());
  for (const SceneShape& shape : scene.shapes)
    kind_.push_back(static_cast<int>(std::lower_bound(names.begin(), names.end(), shape.material) - names.begin()));
  for (const std::string& a : names)
    for (const std::string& b : names) table_.push_back(scene.pair_material(a, b));
}

}  // namespace condyle
