#include "dynamics/rotation.hpp"
#include "dynamics/tree_work.hpp"

namespace condyle {

int TreeDynamics::free_velocity(const Scheme& scheme, const Eigen::Ref<const Eigen::VectorXd>& q0,
                                const Eigen::Ref<const Eigen::VectorXd>& v0, const Eigen::Ref<const Eigen::VectorXd>& tau,
                                Eigen::Ref<Eigen::VectorXd> v_free) {
  Work& w = *work_;
  const double dt = scheme.dt;
  w.v0 = v0;
  if (scheme.implicit()) {
    update(q0);
    const int iterations = implicit_velocity(scheme, tau);
    v_free = w.v;
    return iterations;
  }
  if (scheme.kind == Integrator::moreau_midpoint) {  // CRBD III-A: everything is evaluated at q_m = q0 ⊕ dt/2 v0
    integrate(q0, 0.5 * dt, v0, w.q_next);
    update(w.q_next);
    if (free_base())
      w.v0.head<3>() = turned(-0.5 * dt * w.v0.segment<3>(3), w.v0.head<3>());  // the same velocity in the axes of q_m
  } else {
    update(q0);
  }
  // (M + share (dt D + dt² K)) (v - v0) = share dt (tau - bias - D v0 - K e - dt K v0): the mid-velocity scheme has
  // share = 1 - θ because its unknown v̂ is that share of the way to v+ (CANAL 2); the others have 1.
  const double share = 1 - scheme.mid_velocity;
  const double damping_factor = scheme.implicit_damping ? share * dt : 0;
  factor(scheme, damping_factor, share * dt * dt);
  if (!factored_positive()) return -2;
  w.rhs = tau - bias(w.v0) - w.tree.damping.cwiseProduct(w.v0);
  if (w.has_springs) {
    spring_displacement(w.q);
    w.rhs -= w.tree.stiffness.cwiseProduct(w.spring) + dt * w.implicit_stiffness.cwiseProduct(w.v0);
  }
  w.rhs *= share * dt;
  solve(w.rhs);
  v_free = w.v0 + w.rhs;
  // Pinocchio's acceleration of a free base is that of its components in axes that turn; the contact problem and the move
  // to q+ use the axes of the Jacobian's q, in which the velocity changes by ω × v more.
  if (free_base()) v_free.head<3>() += share * dt * w.v0.segment<3>(3).cross(w.v0.head<3>());
  return 0;
}

void TreeDynamics::set_implicit_springs(const Eigen::VectorXd& mask) {
  work_->implicit_stiffness = mask.cwiseProduct(work_->tree.stiffness);
}

}  // namespace condyle
