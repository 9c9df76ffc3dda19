#include "dynamics/tree_work.hpp"

#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <cstring>

namespace condyle {

namespace pin = pinocchio;

TreeDynamics::TreeDynamics(const Tree& tree) : work_(std::make_unique<Work>(tree)) {}
TreeDynamics::~TreeDynamics() = default;
TreeDynamics::TreeDynamics(TreeDynamics&&) noexcept = default;
TreeDynamics& TreeDynamics::operator=(TreeDynamics&&) noexcept = default;

int TreeDynamics::nq() const { return work_->model.nq; }
int TreeDynamics::nv() const { return work_->model.nv; }
bool TreeDynamics::free_base() const { return work_->tree.model->free_base; }

void TreeDynamics::update(const Eigen::Ref<const Eigen::VectorXd>& q) {
  Work& w = *work_;
  // The step ends with the update that the next one begins with; a state changed by hand is noticed here.
  if (w.updated && std::memcmp(q.data(), w.q.data(), static_cast<std::size_t>(w.model.nq) * sizeof(double)) == 0) return;
  w.q = q;
  pin::crba(w.model, w.data, ConstRef(w.q), pin::Convention::WORLD);  // WORLD: fills oMi and J as well
  w.data.M.diagonal() += w.tree.armature;
  w.updated = true;
}

const Eigen::VectorXd& TreeDynamics::bias(const Eigen::Ref<const Eigen::VectorXd>& v) {
  Work& w = *work_;
  return pin::nonLinearEffects(w.model, w.data, ConstRef(w.q), ConstRef(v));
}

Eigen::MatrixXd TreeDynamics::mass_matrix() const { return work_->data.M.selfadjointView<Eigen::Upper>(); }

void TreeDynamics::mass_matrix(Eigen::Ref<Eigen::MatrixXd> M) const { M = work_->data.M.selfadjointView<Eigen::Upper>(); }

Pose TreeDynamics::joint_pose(int joint) const {
  if (joint == 0) return {};
  const pin::SE3& m = work_->data.oMi[static_cast<std::size_t>(joint)];
  return {m.rotation(), m.translation()};
}

Pose TreeDynamics::link_pose(int link) const {
  const TreeLink& l = work_->tree.model->links[static_cast<std::size_t>(link)];
  return joint_pose(l.joint) * l.placement;
}

}  // namespace condyle
