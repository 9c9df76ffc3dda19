#include "collision/tree_joints.hpp"

#include "dynamics/tree_dynamics.hpp"
#include "scene/tree_builder.hpp"

#include <pinocchio/multibody.hpp>

namespace condyle {
namespace {

/// Models made in memory have no description to walk along.
std::vector<Pose> poses_by_model(const Tree& tree) {
  TreeDynamics dynamics(tree);
  dynamics.update(tree.q_initial);
  std::vector<Pose> out;
  for (std::size_t i = 0; i < tree.model->links.size(); ++i) out.push_back(dynamics.link_pose(static_cast<int>(i)));
  return out;
}

bool same(const Place& a, const Place& b) { return a.file == b.file && a.line == b.line && a.element == b.element; }

}  // namespace

std::vector<int> joints_above(const TreeModel& tree) {
  const auto& parents = tree.model->parents;
  std::vector<const Place*> places(parents.size(), nullptr);
  for (const TreeJoint& joint : tree.joints)
    if (!joint.place.element.empty()) places[static_cast<std::size_t>(joint.joint)] = &joint.place;
  std::vector<int> out{-1};
  for (std::size_t j = 1; j < parents.size(); ++j) {
    std::size_t above = parents[j];
    while (places[j] && places[above] && same(*places[j], *places[above])) above = parents[above];
    out.push_back(static_cast<int>(above));
  }
  return out;
}

std::vector<Pose> initial_shape_poses(const SceneData& scene) {
  std::vector<std::vector<Pose>> links;
  for (const Tree& tree : scene.trees)
    links.push_back(tree.description ? link_poses(tree, tree.q_initial) : poses_by_model(tree));
  std::vector<Pose> out;
  for (const SceneShape& shape : scene.shapes) {
    const auto index = static_cast<std::size_t>(shape.body.index);
    Pose body;
    switch (shape.body.kind) {
      case BodyRef::Kind::world: break;
      case BodyRef::Kind::link: body = links[index][static_cast<std::size_t>(shape.body.link)]; break;
      case BodyRef::Kind::free_body: body = scene.free_bodies[index].pose; break;
      case BodyRef::Kind::static_body: body = scene.static_bodies[index].pose; break;
    }
    out.push_back(body * shape.shape.pose);
  }
  return out;
}

}  // namespace condyle
