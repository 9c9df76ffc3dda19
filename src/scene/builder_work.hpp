#pragma once
// What the two files of SceneBuilder share.
#include "scene/scene_data.hpp"

#include <set>

namespace condyle {

struct SceneBuilder::Work {
  SceneData data;
  std::map<std::string, std::shared_ptr<const ModelDescription>> files;  ///< by path and reading options
  std::map<std::string, std::shared_ptr<const TreeModel>> models;        ///< instances of one description share a model
  std::set<std::string> names;                                           ///< of models and bodies
};

/// Error unless the tree has this joint and it has one degree of freedom.
const TreeJoint& one_dof_joint(const Tree& tree, const std::string& name, const Place& place);
/// Splits "model/joint" and finds both; the joint must have one degree of freedom.
std::pair<Tree*, const TreeJoint*> find_joint(SceneData& data, const std::string& joint, const Place& place);

}  // namespace condyle
