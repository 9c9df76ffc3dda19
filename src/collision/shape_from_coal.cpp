#include "collision/shape_from_coal.hpp"

#include <coal/BVH/BVH_model.h>
#include <coal/hfield.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

namespace condyle {
namespace {

Shape plane_shape(ShapeKind kind, const Eigen::Vector3d& normal, double offset) {
  Shape shape;
  shape.kind = kind;
  shape.pose = {rotation_z_to(normal), offset * normal};
  return shape;
}

Shape sized(ShapeKind kind, double x, double y = 0, double z = 0) {
  Shape shape;
  shape.kind = kind;
  shape.size = {x, y, z};
  return shape;
}

Shape mesh_shape(std::vector<Eigen::Vector3d> vertices, const std::vector<coal::Triangle>* triangles, MeshPolicy policy) {
  Mesh mesh;
  mesh.vertices = std::move(vertices);
  if (triangles)
    for (const coal::Triangle& t : *triangles)
      mesh.triangles.emplace_back(static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2]));
  Shape shape;
  shape.kind = ShapeKind::mesh;
  shape.policy = policy;
  shape.mesh = std::make_shared<const Mesh>(std::move(mesh));
  return shape;
}

Shape convex_shape(const coal::ConvexBase& convex, const Place& place) {
  if (!convex.points) throw Error("bad-shape", place, "a convex polytope has no points");
  const auto* with_triangles = dynamic_cast<const coal::Convex<coal::Triangle>*>(&convex);
  std::vector<Eigen::Vector3d> points(convex.points->begin(), convex.points->begin() + convex.num_points);
  return mesh_shape(std::move(points), with_triangles ? with_triangles->polygons.get() : nullptr, MeshPolicy::hull);
}

template <class Field>
Shape field_shape(const Field& given) {
  auto field = std::make_shared<HeightField>();
  field->heights = given.getHeights().colwise().reverse();  // Coal's first row has the largest y
  field->extent = {given.getXDim(), given.getYDim()};
  Shape shape;
  shape.kind = ShapeKind::heightfield;
  shape.field = field;
  return shape;
}

Shape bvh_shape(const coal::BVHModelBase& bvh, MeshPolicy policy, const Place& place) {
  if (!bvh.vertices || !bvh.tri_indices) throw Error("bad-shape", place, "a triangle mesh has no triangles");
  std::vector<Eigen::Vector3d> points(bvh.vertices->begin(), bvh.vertices->begin() + bvh.num_vertices);
  const std::vector<coal::Triangle> triangles(bvh.tri_indices->begin(), bvh.tri_indices->begin() + bvh.num_tris);
  return mesh_shape(std::move(points), &triangles, policy);
}

/// A ball that is swept over a sphere or a capsule makes it thicker; over anything else it makes a shape we do not have.
double swept_radius(const coal::ShapeBase& shape, const Place& place) {
  const double radius = shape.getSweptSphereRadius();
  if (radius != 0 && shape.getNodeType() != coal::GEOM_SPHERE && shape.getNodeType() != coal::GEOM_CAPSULE)
    throw Error("unsupported-geometry", place, "the shape is rounded by a swept sphere",
                "only spheres and capsules can be: set the swept-sphere radius to 0");
  return radius;
}

}  // namespace

Shape shape_from_coal(const coal::CollisionGeometry& geometry, MeshPolicy triangles, const Place& place) {
  const auto* solid = dynamic_cast<const coal::ShapeBase*>(&geometry);
  const double extra = solid ? swept_radius(*solid, place) : 0;
  switch (geometry.getNodeType()) {
    case coal::GEOM_SPHERE: return sized(ShapeKind::sphere, static_cast<const coal::Sphere&>(geometry).radius + extra);
    case coal::GEOM_BOX: {
      const Eigen::Vector3d half = static_cast<const coal::Box&>(geometry).halfSide;
      return sized(ShapeKind::box, 2 * half[0], 2 * half[1], 2 * half[2]);
    }
    case coal::GEOM_CAPSULE: {
      const auto& s = static_cast<const coal::Capsule&>(geometry);
      return sized(ShapeKind::capsule, s.radius + extra, 2 * s.halfLength);
    }
    case coal::GEOM_CYLINDER: {
      const auto& s = static_cast<const coal::Cylinder&>(geometry);
      return sized(ShapeKind::cylinder, s.radius, 2 * s.halfLength);
    }
    case coal::GEOM_CONE: {
      const auto& s = static_cast<const coal::Cone&>(geometry);
      return sized(ShapeKind::cone, s.radius, 2 * s.halfLength);
    }
    case coal::GEOM_ELLIPSOID: {
      const Eigen::Vector3d radii = static_cast<const coal::Ellipsoid&>(geometry).radii;
      return sized(ShapeKind::ellipsoid, radii[0], radii[1], radii[2]);
    }
    case coal::GEOM_HALFSPACE: {
      const auto& s = static_cast<const coal::Halfspace&>(geometry);
      return plane_shape(ShapeKind::halfspace, s.n, s.d);
    }
    case coal::GEOM_PLANE: {
      const auto& s = static_cast<const coal::Plane&>(geometry);
      return plane_shape(ShapeKind::plane, s.n, s.d);
    }
    case coal::GEOM_CONVEX: return convex_shape(static_cast<const coal::ConvexBase&>(geometry), place);
    case coal::GEOM_TRIANGLE: {
      const auto& s = static_cast<const coal::TriangleP&>(geometry);
      const std::vector<coal::Triangle> one{coal::Triangle(0, 1, 2)};
      return mesh_shape({s.a, s.b, s.c}, &one, MeshPolicy::bvh);
    }
    case coal::HF_AABB: return field_shape(static_cast<const coal::HeightField<coal::AABB>&>(geometry));
    case coal::HF_OBBRSS: return field_shape(static_cast<const coal::HeightField<coal::OBBRSS>&>(geometry));
    default: break;
  }
  if (geometry.getObjectType() == coal::OT_BVH)
    return bvh_shape(static_cast<const coal::BVHModelBase&>(geometry), triangles, place);
  throw Error("unsupported-geometry", place, "this kind of Coal geometry cannot be simulated",
              "use a primitive, a convex polytope, a triangle mesh or a height field");
}

}  // namespace condyle
