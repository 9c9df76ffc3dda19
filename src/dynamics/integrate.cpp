#include "dynamics/tree_work.hpp"

#include <pinocchio/algorithm/joint-configuration.hpp>

namespace condyle {

namespace pin = pinocchio;

void TreeDynamics::integrate(const Eigen::Ref<const Eigen::VectorXd>& q, double h, const Eigen::Ref<const Eigen::VectorXd>& v,
                             Eigen::Ref<Eigen::VectorXd> q_out) {
  Work& w = *work_;
  w.q_theta = q;  // the wheel's integrate is for plain vectors
  w.dq = h * v;
  pin::integrate(w.model, w.q_theta, w.dq, w.q_next);
  q_out = w.q_next;
}

void TreeDynamics::spring_displacement(const Eigen::VectorXd& q) {
  Work& w = *work_;
  pin::difference(w.model, w.tree.spring_reference, q, w.spring);
}

double TreeDynamics::elastic_energy(const Eigen::Ref<const Eigen::VectorXd>& q) {
  Work& w = *work_;
  if (!w.has_springs) return 0;
  w.q_next = q;
  spring_displacement(w.q_next);
  return 0.5 * (w.tree.stiffness.array() * w.spring.array().square()).sum();
}

}  // namespace condyle
