#include "collision/drawn_surface.hpp"

#include "collision/shape_from_coal.hpp"

namespace condyle {

namespace {
Mesh grid_of(const HeightField& field) {
  Mesh out;
  const int rows = static_cast<int>(field.heights.rows()), columns = static_cast<int>(field.heights.cols());
  if (rows < 2 || columns < 2) return out;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      out.vertices.emplace_back(field.extent[0] * (j / (columns - 1.0) - 0.5), field.extent[1] * (i / (rows - 1.0) - 0.5),
                                field.heights(i, j));
  for (int i = 0; i + 1 < rows; ++i)
    for (int j = 0; j + 1 < columns; ++j) {
      const int k = i * columns + j;
      out.triangles.emplace_back(k, k + 1, k + columns + 1);
      out.triangles.emplace_back(k, k + columns + 1, k + columns);
    }
  return out;
}
}  // namespace

Mesh drawn_surface(const Shape& shape) {
  if (shape.kind == ShapeKind::heightfield) return shape.field ? grid_of(*shape.field) : Mesh{};
  Mesh out;
  if (shape.kind != ShapeKind::mesh || !shape.mesh) return out;
  out.path = shape.mesh->path;
  const CoalShape made = CoalShapes().make(shape);
  for (const auto& part : made.parts) {
    const Shape surface = shape_from_coal(*part, made.policy, {});
    const int first = static_cast<int>(out.vertices.size());
    out.vertices.insert(out.vertices.end(), surface.mesh->vertices.begin(), surface.mesh->vertices.end());
    for (const Eigen::Vector3i& t : surface.mesh->triangles) out.triangles.push_back(t + Eigen::Vector3i::Constant(first));
  }
  return out;
}

}  // namespace condyle
