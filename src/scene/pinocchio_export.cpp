#include "scene/scene_data.hpp"

#include <pinocchio/multibody.hpp>

namespace condyle {

namespace pin = pinocchio;

std::shared_ptr<const PinocchioModel> Scene::pinocchio_model() const {
  auto out = std::make_shared<pin::Model>();
  out->name = data_->name;
  out->gravity = pin::Motion(data_->gravity, Eigen::Vector3d::Zero());
  for (const Tree& tree : data_->trees) {
    const pin::Model& part = *tree.model->model;
    std::vector<pin::JointIndex> id(static_cast<std::size_t>(part.njoints), 0);
    for (std::size_t j = 1; j < id.size(); ++j) {
      id[j] = out->addJoint(id[part.parents[j]], part.joints[j], part.jointPlacements[j], tree.name + "/" + part.names[j]);
      out->appendBodyToJoint(id[j], part.inertias[j], pin::SE3::Identity());
      const int from = part.idx_vs[j], to = out->idx_vs[id[j]], n = part.nvs[j];
      out->armature.segment(to, n) = tree.armature.segment(from, n);
      out->damping.segment(to, n) = tree.damping.segment(from, n);
      out->upperDryFrictionLimit.segment(to, n) = tree.friction.segment(from, n);
      out->lowerDryFrictionLimit.segment(to, n) = -tree.friction.segment(from, n);
      out->upperEffortLimit.segment(to, n) = part.upperEffortLimit.segment(from, n);
      out->lowerEffortLimit.segment(to, n) = part.lowerEffortLimit.segment(from, n);
      out->upperVelocityLimit.segment(to, n) = part.upperVelocityLimit.segment(from, n);
      out->lowerVelocityLimit.segment(to, n) = part.lowerVelocityLimit.segment(from, n);
      out->lowerPositionLimit.segment(out->idx_qs[id[j]], part.nqs[j]) =
          part.lowerPositionLimit.segment(part.idx_qs[j], part.nqs[j]);
      out->upperPositionLimit.segment(out->idx_qs[id[j]], part.nqs[j]) =
          part.upperPositionLimit.segment(part.idx_qs[j], part.nqs[j]);
    }
    for (const TreeLink& link : tree.model->links)
      out->addFrame(pin::Frame(tree.name + "/" + link.name, id[static_cast<std::size_t>(link.joint)], 0,
                               pin::SE3(link.placement.R, link.placement.p), pin::BODY));
  }
  for (const FreeBody& body : data_->free_bodies) {
    const auto id = out->addJoint(0, pin::JointModel(pin::JointModelFreeFlyer()), pin::SE3::Identity(), body.name);
    out->appendBodyToJoint(id, pin::Inertia(body.inertial.mass, body.inertial.com, body.inertial.inertia),
                           pin::SE3::Identity());
    out->addFrame(pin::Frame(body.name, id, 0, pin::SE3::Identity(), pin::BODY));
  }
  return out;
}

}  // namespace condyle
