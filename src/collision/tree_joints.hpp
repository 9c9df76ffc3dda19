#pragma once
#include "scene/scene_data.hpp"

namespace condyle {

/// The joint that carries the body above each Pinocchio joint of a tree; -1 for joint 0, the world. A joint of the file
/// that became several (a universal joint is two hinges, both with the file's one place) counts as one: there is no body
/// between its halves.
std::vector<int> joints_above(const TreeModel& tree);

/// Pose in the world of every shape of the scene (its frame, `Shape::pose` included) at the initial state.
std::vector<Pose> initial_shape_poses(const SceneData& scene);

}  // namespace condyle
