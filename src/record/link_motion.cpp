#include "record/link_motion.hpp"

#include <algorithm>
#include <limits>

namespace condyle::record {

namespace {
std::vector<TreeDynamics> trees_of(const SceneData& scene) {
  std::vector<TreeDynamics> out;
  out.reserve(scene.trees.size());
  for (const Tree& tree : scene.trees) out.emplace_back(tree);
  return out;
}
}  // namespace

LinkMotion::LinkMotion(const SceneData& scene) : scene_(scene), trees_(trees_of(scene)), kinematics_(scene, trees_) {
  for (std::size_t t = 0; t < scene.trees.size(); ++t)
    for (std::size_t link = 0; link < scene.trees[t].model->links.size(); ++link)
      refs_.push_back({BodyRef::Kind::link, static_cast<int>(t), static_cast<int>(link)});
}

void LinkMotion::compute(const State& x, double* poses, double* twists) {
  int updated = -1;
  bool finite = true;
  for (const BodyRef& ref : refs_) {
    if (ref.index != updated) {
      updated = ref.index;
      const Tree& tree = scene_.trees[static_cast<std::size_t>(ref.index)];
      const auto q = x.q.segment(tree.q, tree.model->nq);
      finite = q.allFinite() && x.v.segment(tree.v, tree.model->nv).allFinite();
      if (finite) trees_[static_cast<std::size_t>(ref.index)].update(q);
    }
    if (finite) {
      const Pose pose = kinematics_.pose(ref);
      const Twist twist = kinematics_.twist(kinematics_.body_of(ref), x.v);
      Eigen::Map<Eigen::Vector3d> place(poses), linear(twists), angular(twists + 3);
      place = pose.p;
      Eigen::Map<Eigen::Vector4d>(poses + 3) = pose.quaternion();
      linear = twist.at(pose.p);
      angular = twist.angular;
    } else {
      std::fill_n(poses, 7, std::numeric_limits<double>::quiet_NaN());
      std::fill_n(twists, 6, std::numeric_limits<double>::quiet_NaN());
    }
    poses += 7;
    twists += 6;
  }
}

}  // namespace condyle::record
