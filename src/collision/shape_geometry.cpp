#include "collision/shape_geometry.hpp"

#include "collision/coal_shapes.hpp"
#include "collision/height_field.hpp"
#include "collision/mesh_geometry.hpp"
#include "collision/triangle_mesh.hpp"

#include <map>
#include <tuple>

namespace condyle {
namespace {

std::vector<Eigen::Vector3d> scaled_points(const Shape& shape) {
  std::vector<Eigen::Vector3d> out;
  out.reserve(shape.mesh->vertices.size());
  for (const Eigen::Vector3d& x : shape.mesh->vertices) out.push_back(x.cwiseProduct(shape.size));
  return out;
}

void add(ShapeGeometry& out, Piece piece) {
  out.boxes.push_back(local_box(piece));
  out.box.add(out.boxes.back());
  out.pieces.push_back(std::move(piece));
}

bool add_hull(ShapeGeometry& out, const std::vector<Eigen::Vector3d>& points) {
  if (span_dimension(points) < 3) return false;
  Piece piece;
  piece.kind = ShapeKind::mesh;
  try {
    piece.hull = make_hull(points);
  } catch (const Error&) {  // too round for Coal; its triangles are used, as CoalShapes says in its note
    return false;
  }
  piece.radius = piece.hull->radius;
  add(out, std::move(piece));
  return true;
}

ShapeGeometry make_one(const Shape& shape) {
  ShapeGeometry out;
  switch (shape.kind) {
    case ShapeKind::mesh: {
      if (!shape.mesh) return out;
      const std::vector<Eigen::Vector3d> points = scaled_points(shape);
      std::vector<Eigen::Vector3i> loose;  // triangles that are part of no hull
      if (shape.policy == MeshPolicy::convex_parts) {
        for (const std::vector<int>& part : connected_parts(*shape.mesh)) {
          std::vector<Eigen::Vector3d> own;
          for (const int t : part)
            for (int k = 0; k < 3; ++k)
              own.push_back(points[static_cast<std::size_t>(shape.mesh->triangles[static_cast<std::size_t>(t)][k])]);
          if (add_hull(out, own)) continue;
          for (const int t : part) loose.push_back(shape.mesh->triangles[static_cast<std::size_t>(t)]);
        }
      } else if (shape.policy == MeshPolicy::bvh || !add_hull(out, points)) {
        loose = shape.mesh->triangles;
      }
      auto triangles = std::make_shared<const TriangleMesh>(points, loose, shape.size.prod() < 0);
      if (triangles->triangles() > 0) out.surface = std::move(triangles);
      break;
    }
    case ShapeKind::heightfield: out.surface = std::make_shared<const HeightSurface>(*shape.field); break;
    case ShapeKind::halfspace:
    case ShapeKind::plane:
      out.pieces.push_back(make_piece(shape));
      out.unbounded = true;
      return out;
    default: add(out, make_piece(shape));
  }
  if (out.surface) out.box.add(out.surface->box());
  if (!out.box.empty()) out.radius = out.box.low.cwiseAbs().cwiseMax(out.box.high.cwiseAbs()).norm();
  if (out.pieces.size() == 1 && !out.surface) out.radius = std::min(out.radius, out.pieces[0].radius);
  return out;
}

}  // namespace

std::vector<std::shared_ptr<const ShapeGeometry>> make_geometry(const SceneData& scene) {
  std::map<std::tuple<const Mesh*, double, double, double, MeshPolicy>, std::shared_ptr<const ShapeGeometry>> meshes;
  std::map<const HeightField*, std::shared_ptr<const ShapeGeometry>> fields;
  std::vector<std::shared_ptr<const ShapeGeometry>> out;
  for (const SceneShape& entry : scene.shapes) {
    const Shape& s = entry.shape;
    std::shared_ptr<const ShapeGeometry> made;
    if (entry.role == ShapeRole::collision) {
      std::shared_ptr<const ShapeGeometry>* known = nullptr;
      if (s.mesh && s.kind == ShapeKind::mesh) known = &meshes[{s.mesh.get(), s.size[0], s.size[1], s.size[2], s.policy}];
      if (s.kind == ShapeKind::heightfield) known = &fields[s.field.get()];
      made = known && *known ? *known : std::make_shared<const ShapeGeometry>(make_one(s));
      if (known) *known = made;
    } else {
      made = std::make_shared<const ShapeGeometry>();
    }
    out.push_back(std::move(made));
  }
  return out;
}

}  // namespace condyle
