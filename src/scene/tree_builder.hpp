#pragma once
#include "scene/scene_data.hpp"

namespace condyle {

/// Welds fixed joints and makes the Pinocchio model of a description. `base` places the root link in the world if the
/// base is fixed; a free base has its pose in q. Throws Error if a free base meets a floating root joint of the file.
std::shared_ptr<TreeModel> build_tree(const ModelDescription& description, bool free_base, const Pose& base,
                                      const Eigen::Vector3d& gravity);

/// Takes over a model that was made elsewhere.
std::shared_ptr<TreeModel> adopt_tree(const PinocchioModel& model, const Pose& base, const Eigen::Vector3d& gravity);

/// What an adopted model says of its joints, nv each.
struct JointParameters {
  Eigen::VectorXd armature, damping, friction;
};
JointParameters joint_parameters(const PinocchioModel& model);

/// Poses in the world of all links of a tree that was built from a description, at configuration q of the tree.
std::vector<Pose> link_poses(const Tree& tree, const Eigen::VectorXd& q);

}  // namespace condyle
