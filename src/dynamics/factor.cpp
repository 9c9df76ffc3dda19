#include "dynamics/tree_work.hpp"

#include <pinocchio/algorithm/cholesky.hpp>

#include <Eigen/Cholesky>

namespace condyle {

namespace pin = pinocchio;

void TreeDynamics::factor(const Scheme& scheme, double damping_factor, double stiffness_factor) {
  Work& w = *work_;
  w.extra = damping_factor * w.tree.damping;
  if (w.has_springs) w.extra += stiffness_factor * (scheme.implicit() ? w.tree.stiffness : w.implicit_stiffness);
  w.diagonal = w.data.M.diagonal();
  w.data.M.diagonal() += w.extra;
  w.A = w.data.M;
  pin::cholesky::decompose(w.model, w.data);
  w.data.M.diagonal() = w.diagonal;  // M stays M: energy and momentum are accounted with it
}

void TreeDynamics::inertia(const Scheme& scheme, Eigen::Ref<Eigen::MatrixXd> A) const {
  A = work_->A.selfadjointView<Eigen::Upper>();
  if (scheme.mid_velocity != 0) A /= 1 - scheme.mid_velocity;
}

bool TreeDynamics::factored_positive() const {
  const auto& d = work_->data.D;
  for (Eigen::Index i = 0; i < d.size(); ++i)
    if (!(d[i] > 0)) return false;
  return true;
}

void TreeDynamics::solve(Eigen::Ref<Eigen::VectorXd> x) {
  Work& w = *work_;
  w.column.col(0) = x;
  pin::cholesky::solve(w.model, w.data, w.column);
  x = w.column.col(0);
}

Eigen::VectorXd TreeDynamics::inverse_inertia_diagonal() {
  const Eigen::MatrixXd M = mass_matrix();
  return M.llt().solve(Eigen::MatrixXd::Identity(M.rows(), M.cols())).diagonal();
}

std::vector<std::string> TreeDynamics::joints_without_inertia() {
  const Eigen::MatrixXd M = mass_matrix();
  const auto name_of = [&](int dof) -> std::string {
    for (const TreeJoint& joint : work_->tree.model->joints)
      if (dof >= joint.v && dof < joint.v + joint.nv) return joint.name;
    return "free base";
  };
  std::vector<std::string> out;
  const auto add = [&](int dof) {
    const std::string name = name_of(dof);
    if (out.empty() || out.back() != name) out.push_back(name);
  };
  for (int i = 0; i < nv(); ++i)
    if (!(M(i, i) > 0)) add(i);
  if (!out.empty() || nv() == 0) return out;
  // Judged after scaling to a unit diagonal, so that units and size do not matter.
  const Eigen::VectorXd s = M.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = s.asDiagonal() * M * s.asDiagonal();
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(scaled);
  const Eigen::VectorXd d = ldlt.vectorD();
  Eigen::VectorXi index = Eigen::VectorXi::LinSpaced(nv(), 0, nv() - 1);
  index = ldlt.transpositionsP() * index;
  for (int i = 0; i < nv(); ++i)
    if (!(d[i] > 1e-10)) add(index[i]);
  return out;
}

}  // namespace condyle
