#pragma once
#include "scene/scene_data.hpp"

namespace condyle {

/// The joint above each Pinocchio joint of a tree; -1 for joint 0, the world.
std::vector<int> joint_parents(const TreeModel& tree);

/// Pose in the world of every shape of the scene (its frame, `Shape::pose` included) at the initial state.
std::vector<Pose> initial_shape_poses(const SceneData& scene);

}  // namespace condyle
