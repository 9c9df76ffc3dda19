#include "collision/overlap.hpp"

#include <coal/collision.h>
#include <coal/collision_object.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace condyle {
namespace {

bool one_contact_is_enough(const coal::CollisionGeometry& geometry) {
  const coal::OBJECT_TYPE type = geometry.getObjectType();
  return type == coal::OT_GEOM;  // meshes and fields give a contact for each triangle or cell, the deepest anywhere
}

bool surely_apart(const coal::CollisionGeometry& a, const Pose& pose_a, const coal::CollisionGeometry& b,
                  const Pose& pose_b) {
  const double reach = a.aabb_radius + b.aabb_radius;
  if (!(reach < 1e100)) return false;  // unbounded
  return (pose_a * a.aabb_center - pose_b * b.aabb_center).squaredNorm() > reach * reach * (1 + 1e-9);
}

Overlap overlap_of_parts(const coal::CollisionGeometry& a, const Pose& pose_a, const coal::CollisionGeometry& b,
                         const Pose& pose_b) {
  Overlap out;
  try {
    const coal::ComputeCollision collide(&a, &b);  // before the quick test: throws for kinds that never work
    if (surely_apart(a, pose_a, b, pose_b)) return out;
    coal::CollisionRequest request;
    if (!one_contact_is_enough(a) || !one_contact_is_enough(b))
      request.num_max_contacts = std::numeric_limits<std::size_t>::max();
    coal::CollisionResult result;
    collide(coal::Transform3s(pose_a.R, pose_a.p), coal::Transform3s(pose_b.R, pose_b.p), request, result);
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
      const double depth = -result.getContact(i).penetration_depth;
      if (!std::isfinite(depth)) return {0, "the contact has no finite depth"};
      out.depth = std::max(out.depth, depth);
    }
  } catch (const std::exception&) {
    const auto name = [](const coal::CollisionGeometry& g) { return static_cast<int>(g.getNodeType()); };
    out = {0, fmt::format("Coal has no test for its node types {} and {}", name(a), name(b))};
  }
  return out;
}

}  // namespace

Overlap overlap(const CoalShape& a, const Pose& pose_a, const CoalShape& b, const Pose& pose_b) {
  Overlap out;
  for (const auto& part_a : a.parts)
    for (const auto& part_b : b.parts) {
      const Overlap one = overlap_of_parts(*part_a, pose_a, *part_b, pose_b);
      out.depth = std::max(out.depth, one.depth);
      if (out.unsupported.empty()) out.unsupported = one.unsupported;
    }
  return out;
}

}  // namespace condyle
