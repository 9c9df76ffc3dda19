#include "collision/coal_shapes.hpp"

#include "collision/mesh_geometry.hpp"

#include <coal/hfield.h>
#include <coal/shape/geometric_shapes.h>
#include <fmt/format.h>

namespace condyle {
namespace {

/// How many entries of `size` a kind reads as lengths.
int lengths_of(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere: return 1;
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
    case ShapeKind::cone: return 2;
    case ShapeKind::box:
    case ShapeKind::ellipsoid: return 3;
    case ShapeKind::halfspace:
    case ShapeKind::plane:
    case ShapeKind::mesh:
    case ShapeKind::heightfield: break;
  }
  return 0;
}

void check_lengths(const Shape& shape, const Place& place) {
  for (int i = 0; i < lengths_of(shape.kind); ++i)
    if (!(shape.size[i] >= 0 && std::isfinite(shape.size[i])))
      throw Error("bad-shape", place,
                  fmt::format("size[{}] = {} of a {} is not a length", i, shape.size[i], to_string(shape.kind)),
                  "give a finite number that is not negative");
  if (shape.kind == ShapeKind::mesh && !shape.size.allFinite())
    throw Error("bad-shape", place,
                fmt::format("mesh scale ({}, {}, {}) is not finite", shape.size[0], shape.size[1], shape.size[2]),
                "give three finite numbers");
  if (!shape.pose.R.allFinite() || !shape.pose.p.allFinite())
    throw Error("bad-shape", place, fmt::format("the pose of a {} is not finite", to_string(shape.kind)),
                "give finite numbers");
}

/// Coal fills the field downwards to a floor. It is placed an extent below the lowest point, so that nothing that sinks
/// in is nearer to the floor than to the surface. Coal's first row has the largest y, ours the smallest.
std::shared_ptr<coal::CollisionGeometry> make_field(const Shape& shape, const Place& place) {
  if (!shape.field || shape.field->heights.rows() < 2 || shape.field->heights.cols() < 2)
    throw Error("bad-shape", place, "a height field needs at least 2 x 2 heights", "give more heights");
  const HeightField& field = *shape.field;
  if (!field.heights.allFinite() || !(field.extent.minCoeff() > 0) || !field.extent.allFinite())
    throw Error("bad-shape", place, "a height field has a height or an extent that is not finite, or an extent of zero",
                "give finite heights and two lengths");
  const double bottom = field.heights.minCoeff() - field.extent.maxCoeff();
  return std::make_shared<coal::HeightField<coal::OBBRSS>>(field.extent[0], field.extent[1],
                                                           field.heights.colwise().reverse(), bottom);
}

std::shared_ptr<coal::CollisionGeometry> make_primitive(const Shape& shape, const Place& place) {
  const Eigen::Vector3d& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::sphere: return std::make_shared<coal::Sphere>(s[0]);
    case ShapeKind::box: return std::make_shared<coal::Box>(s[0], s[1], s[2]);
    case ShapeKind::capsule: return std::make_shared<coal::Capsule>(s[0], s[1]);
    case ShapeKind::cylinder: return std::make_shared<coal::Cylinder>(s[0], s[1]);
    case ShapeKind::cone: return std::make_shared<coal::Cone>(s[0], s[1]);
    case ShapeKind::ellipsoid: return std::make_shared<coal::Ellipsoid>(s[0], s[1], s[2]);
    case ShapeKind::halfspace: return std::make_shared<coal::Halfspace>(0, 0, 1, 0);
    case ShapeKind::plane: return std::make_shared<coal::Plane>(0, 0, 1, 0);
    case ShapeKind::heightfield: return make_field(shape, place);
    case ShapeKind::mesh: break;
  }
  return nullptr;
}

}  // namespace

bool is_unbounded(ShapeKind kind) { return kind == ShapeKind::halfspace || kind == ShapeKind::plane; }

CoalShape CoalShapes::make(const Shape& shape, const Place& place) {
  check_lengths(shape, place);
  if (shape.kind == ShapeKind::mesh) {
    if (!shape.mesh) return {{}, shape.policy, "the mesh was not read: touches nothing"};
    const Key key{shape.mesh.get(), shape.size[0], shape.size[1], shape.size[2], shape.policy};
    auto found = meshes_.find(key);
    if (found == meshes_.end())
      found = meshes_.emplace(key, Entry{shape.mesh, mesh_geometry(*shape.mesh, shape.size, shape.policy, place)}).first;
    return found->second.shape;
  }
  const std::shared_ptr<coal::CollisionGeometry> geometry = make_primitive(shape, place);
  geometry->computeLocalAABB();
  return {{geometry}, shape.policy, {}};
}

}  // namespace condyle
