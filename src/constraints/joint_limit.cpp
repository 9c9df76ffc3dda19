#include "constraints/joint_rows.hpp"

#include <cmath>

namespace condyle {

namespace {
/// rad or m: a side that is this near gets a row whatever the speed, since impulses of the same step may drive the joint
/// there. A row that is not reached does nothing.
constexpr double always_near = 1e-2;
}  // namespace

std::vector<JointInfo> limited_joints(const SceneData& scene) {
  std::vector<JointInfo> out;
  for (const Tree& tree : scene.trees)
    for (const TreeJoint& joint : tree.model->joints)
      if (joint.nq == 1 && (std::isfinite(joint.lower) || std::isfinite(joint.upper)))
        out.push_back(joint_info(scene, tree.v + joint.v));
  return out;
}

LimitSides limit_sides(const JointInfo& joint, double position, double v0, double v_free, double dt) {
  const double down = position - joint.lower, up = joint.upper - position;
  // twice the way that the faster of the two velocities goes
  const double reach = 2 * dt * std::max(std::abs(v0), std::abs(v_free));
  LimitSides out;
  if (joint.lower == joint.upper) {
    out.locked = true;
    return out;
  }
  const bool lower_is_nearer = down <= up;
  out.lower = down < reach + (lower_is_nearer ? always_near : 0);
  out.upper = up < reach + (lower_is_nearer ? 0 : always_near);
  return out;
}

JointRow limit_row(const JointInfo& joint, double position, bool upper) {
  JointRow row;
  row.velocity[0] = joint.v;
  row.coefficient[0] = upper ? -1 : 1;
  row.residual = upper ? joint.upper - position : position - joint.lower;
  return row;
}

}  // namespace condyle
