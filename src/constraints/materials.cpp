#include "constraints/materials.hpp"

#include <algorithm>

namespace condyle {

Material combined(const Material& a, const Material& b) {
  Material out;
  const double friction = a.friction + b.friction;
  out.friction = friction > 0 ? 2 * a.friction * b.friction / friction : 0;
  out.restitution = std::max(a.restitution, b.restitution);
  const double ca = 1 / a.stiffness, cb = 1 / b.stiffness, c = ca + cb;
  out.stiffness = c > 0 ? 1 / c : unlimited;
  out.dissipation_time = c > 0 ? (ca * a.dissipation_time + cb * b.dissipation_time) / c
                               : std::max(a.dissipation_time, b.dissipation_time);
  return out;
}

MaterialTable::MaterialTable(const SceneData& scene) {
  std::vector<std::string> names;
  for (const auto& [name, material] : scene.materials) names.push_back(name);
  kinds_ = static_cast<int>(names.size());
  for (const SceneShape& shape : scene.shapes)
    kind_.push_back(static_cast<int>(std::lower_bound(names.begin(), names.end(), shape.material) - names.begin()));
  for (const std::string& a : names)
    for (const std::string& b : names) {
      const auto given = scene.pair_materials.find(std::minmax(a, b));
      table_.push_back(given != scene.pair_materials.end() ? given->second
                                                           : combined(scene.materials.at(a), scene.materials.at(b)));
    }
}

}  // namespace condyle
