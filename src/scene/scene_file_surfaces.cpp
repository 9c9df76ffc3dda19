// Shapes of a scene file that are made of many numbers: meshes and height fields.
#include "scene/mesh_files.hpp"
#include "scene/scene_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace condyle {
namespace {

std::shared_ptr<const Mesh> read_mesh_file(SceneFile& scene, const YamlView& file, Shape& shape) {
  shape.mesh_uri = file.text();
  const FoundFile found = FileSearch(scene.file, scene.options.read.package_path).find(shape.mesh_uri);
  if (found.path.empty())
    file.fail("mesh-missing", fmt::format("the mesh {} is not found", in_quotes(shape.mesh_uri)),
              fmt::format("{}; tried: {}", found.rule, fmt::join(found.tried, ", ")));
  auto& mesh = scene.meshes[found.path];
  if (!mesh) mesh = read_mesh(found.path, file.place());
  scene.build.report().meshes.push_back({shape.mesh_uri, found.path, found.rule, "collision", to_string(shape.policy),
                                         static_cast<int>(mesh->vertices.size())});
  return mesh;
}

std::shared_ptr<const Mesh> read_inline_mesh(const YamlView& value) {
  auto mesh = std::make_shared<Mesh>();
  const YamlView vertices = value.at("vertices"), triangles = value.at("triangles");
  for (const YamlView& vertex : vertices.items()) mesh->vertices.push_back(vertex.vector3());
  if (mesh->vertices.size() < 3)
    vertices.fail("bad-shape", fmt::format("a mesh of {} vertices has no triangle", mesh->vertices.size()));
  const int last = static_cast<int>(mesh->vertices.size()) - 1;
  for (const YamlView& triangle : triangles.items()) {
    const std::vector<YamlView> corners = triangle.items(3);
    const Eigen::Vector3i t(corners[0].integer(0, last), corners[1].integer(0, last), corners[2].integer(0, last));
    if (t[0] == t[1] || t[1] == t[2] || t[0] == t[2]) triangle.fail("bad-shape", "a triangle uses a vertex twice");
    mesh->triangles.push_back(t);
  }
  if (mesh->triangles.empty()) triangles.fail("bad-shape", "a mesh needs at least one triangle");
  return mesh;
}

Eigen::MatrixXd read_heights(const YamlView& value) {
  const std::vector<YamlView> rows = value.items();
  if (rows.size() < 2) value.fail("bad-shape", fmt::format("needs at least 2 rows, here are {}", rows.size()));
  const std::size_t columns = rows[0].items().size();
  if (columns < 2) rows[0].fail("bad-shape", fmt::format("needs at least 2 heights, here are {}", columns));
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<YamlView> row = rows[i].items(columns);
    for (std::size_t j = 0; j < columns; ++j)
      out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = row[j].number();
  }
  return out;
}

/// Hills and hollows: amplitude cos(2π x / wavelength) cos(2π y / wavelength), a hill at the origin.
Eigen::MatrixXd read_waves(const YamlView& value, const Eigen::Vector2d& extent) {
  value.allow_keys({"amplitude", "wavelength", "samples"});
  const double amplitude = value.at("amplitude", "in m").number(range::not_negative);
  const double wavelength = value.at("wavelength", "in m").number(range::positive);
  const int n = value.at("samples", "along each side").integer(2, 2000);
  const auto factor = [&](int i, double length) {
    return std::cos(2 * std::numbers::pi * length * (static_cast<double>(i) / (n - 1) - 0.5) / wavelength);
  };
  return Eigen::MatrixXd::NullaryExpr(n, n, [&](Eigen::Index i, Eigen::Index j) {
    return amplitude * factor(static_cast<int>(i), extent.y()) * factor(static_cast<int>(j), extent.x());
  });
}

}  // namespace

void read_mesh_shape(SceneFile& scene, const YamlView& value, Shape& shape) {
  shape.policy = scene.options.read.mesh_policy;
  if (value.is_scalar()) {
    shape.mesh = read_mesh_file(scene, value, shape);
    return;
  }
  value.allow_keys({"file", "vertices", "triangles", "scale", "mesh_policy"});
  if (const auto policy = value.find("mesh_policy")) shape.policy = read_mesh_policy(*policy);
  if (const auto scale = value.find("scale"))
    shape.size =
        scale->is_sequence() ? scale->vector3(range::positive) : Eigen::Vector3d::Constant(scale->number(range::positive));
  const auto file = value.find("file");
  if (file)
    for (const char* key : {"vertices", "triangles"})
      if (const auto v = value.find(key))
        v->fail("duplicate-key", fmt::format("'file' and '{}' are both given", key), "keep one");
  if (!file && !value.find("vertices")) value.fail("missing-value", "a mesh needs 'file', or 'vertices' and 'triangles'");
  shape.mesh = file ? read_mesh_file(scene, *file, shape) : read_inline_mesh(value);
}

void read_heightfield(const YamlView& value, Shape& shape) {
  value.allow_keys({"extent", "heights", "waves"});
  auto field = std::make_shared<HeightField>();
  const std::vector<YamlView> extent = value.at("extent", "full lengths along x and y, in m").items(2);
  field->extent << extent[0].number(range::positive), extent[1].number(range::positive);
  const auto heights = value.find("heights"), waves = value.find("waves");
  if (heights.has_value() == waves.has_value())
    value.fail("missing-value", "needs either 'heights' or 'waves'",
               "heights: rows of numbers, the first at the smallest y");
  field->heights = heights ? read_heights(*heights) : read_waves(*waves, field->extent);
  shape.field = std::move(field);
}

}  // namespace condyle
