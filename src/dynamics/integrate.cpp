#include "dynamics/rotation.hpp"
#include "dynamics/tree_work.hpp"

#include <pinocchio/algorithm/joint-configuration.hpp>

namespace condyle {

namespace pin = pinocchio;

void TreeDynamics::integrate(const Eigen::Ref<const Eigen::VectorXd>& q, double h,
                             const Eigen::Ref<const Eigen::VectorXd>& v, Eigen::Ref<Eigen::VectorXd> q_out) {
  Work& w = *work_;
  w.q_theta = q;  // the wheel's integrate is for plain vectors
  w.dq = h * v;
  pin::integrate(w.model, w.q_theta, w.dq, w.q_next);
  // Pinocchio moves a free-flyer along a screw, which bends the path of whatever spins while it flies: the direction of
  // flight would be off by ω h/2 for good. The base goes straight, h R v, while it turns.
  if (free_base()) w.q_next.head<3>() = w.q_theta.head<3>() + rotation_of(w.q_theta.data() + 3) * w.dq.head<3>();
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
