#include "constraints/joint_rows.hpp"

namespace condyle {

JointInfo joint_info(const SceneData& scene, int velocity) {
  JointInfo out;
  out.v = velocity;
  for (std::size_t t = 0; t < scene.trees.size(); ++t) {
    const Tree& tree = scene.trees[t];
    const int k = velocity - tree.v;
    if (k < 0 || k >= tree.model->nv) continue;
    out.tree = static_cast<int>(t);
    out.joint = -1;
    out.friction = tree.friction[k];
    out.angular = k >= 3;  // of a free base
    for (std::size_t j = 0; j < tree.model->joints.size(); ++j) {
      const TreeJoint& joint = tree.model->joints[j];
      const int axis = k - joint.v;
      if (axis < 0 || axis >= joint.nv) continue;
      out.joint = static_cast<int>(j);
      out.q = tree.q + joint.q;
      out.turns = joint.kind == JointKind::continuous;
      switch (joint.kind) {
        case JointKind::prismatic:
        case JointKind::fixed: out.angular = false; break;
        case JointKind::revolute:
        case JointKind::continuous:
        case JointKind::ball: out.angular = true; break;
        case JointKind::planar: out.angular = axis == 2; break;
        case JointKind::floating: out.angular = axis >= 3; break;
      }
      if (joint.nq == 1) out.lower = joint.lower, out.upper = joint.upper;
    }
    break;
  }
  return out;
}

std::string joint_name(const SceneData& scene, const JointInfo& joint) {
  const Tree& tree = scene.trees[static_cast<std::size_t>(joint.tree)];
  if (joint.joint < 0) return tree.name;
  return tree.name + "/" + tree.model->joints[static_cast<std::size_t>(joint.joint)].name;
}

std::vector<JointInfo> rubbing_joints(const SceneData& scene) {
  std::vector<JointInfo> out;
  for (const Tree& tree : scene.trees)
    for (int k = 0; k < tree.model->nv; ++k)
      if (tree.friction[k] > 0) out.push_back(joint_info(scene, tree.v + k));
  return out;
}

}  // namespace condyle
