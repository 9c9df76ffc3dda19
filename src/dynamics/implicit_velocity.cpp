#include "dynamics/rotation.hpp"
#include "dynamics/tree_work.hpp"

#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>

namespace condyle {

namespace pin = pinocchio;

namespace {
constexpr int max_newton_iterations = 30;
}

/// Newton on m(v) = M(q^θ)(v - v0) - dt k(q^θ, v^θ) (SAP 11), written as dt times inverse dynamics so that its
/// derivatives are Pinocchio's. The derivative of q^θ with respect to v is taken as dt θ θ_vq I: the exact one differs by
/// the curvature of the manifold over one step, which costs a few more iterations and no accuracy.
int TreeDynamics::implicit_velocity(const Scheme& s, const Eigen::Ref<const Eigen::VectorXd>& tau) {
  Work& w = *work_;
  const double dt = s.dt, dq_dv = dt * s.theta * s.theta_vq;
  const Eigen::VectorXd& v0 = w.v0;
  w.v = v0;
  w.data.dtau_dq.setZero();
  w.data.dtau_dv.setZero();
  int iteration = 0;
  double last_change = std::numeric_limits<double>::infinity();
  for (;; ++iteration) {
    w.dq = (dt * s.theta) * (s.theta_vq * w.v + (1 - s.theta_vq) * v0);
    pin::integrate(w.model, w.q, w.dq, w.q_theta);
    w.v_theta = s.theta * w.v + (1 - s.theta) * v0;
    w.a = (w.v - v0) / dt;
    pin::computeRNEADerivatives(w.model, w.data, ConstRef(w.q_theta), ConstRef(w.v_theta), ConstRef(w.a));
    w.rhs = w.data.tau + w.tree.armature.cwiseProduct(w.a) - tau + w.tree.damping.cwiseProduct(w.v_theta);
    if (free_base()) {  // a force on the base keeps its direction in the world while the base turns
      const Eigen::Vector3d back = -w.dq.segment<3>(3);
      w.rhs.head<3>() += tau.head<3>() - turned(back, tau.head<3>());
      w.rhs.segment<3>(3) += tau.segment<3>(3) - turned(back, tau.segment<3>(3));
    }
    if (w.has_springs) {
      spring_displacement(w.q_theta);
      w.rhs += w.tree.stiffness.cwiseProduct(w.spring);
    }
    w.jacobian = w.data.M.selfadjointView<Eigen::Upper>();
    w.jacobian.noalias() += (dt * dq_dv) * w.data.dtau_dq + (dt * s.theta) * w.data.dtau_dv;
    w.jacobian.diagonal() += w.tree.armature + dt * s.theta * w.tree.damping + dt * dq_dv * w.tree.stiffness;
    w.lu.compute(w.jacobian);
    w.rhs *= dt;
    w.dq = w.lu.solve(w.rhs);
    w.v -= w.dq;
    const double change = w.dq.lpNorm<Eigen::Infinity>(), scale = 1 + w.v.lpNorm<Eigen::Infinity>();
    // Round-off ends the descent before the tolerance does when velocities are large: a change that no longer shrinks is
    // as good as it gets.
    if (change <= s.newton_tolerance * scale || (change >= last_change && change <= 1e-9 * scale)) break;
    if (iteration == max_newton_iterations || !std::isfinite(change)) return -1;
    last_change = change;
  }
  // A of the contact problem is that of q^θ(v*), springs and dampers included, evaluated once (SAP III-C).
  w.dq = (dt * s.theta) * (s.theta_vq * w.v + (1 - s.theta_vq) * v0);
  pin::integrate(w.model, w.q, w.dq, w.q_theta);
  update(w.q_theta);
  factor(s, dt * s.theta, dt * dq_dv);
  // from the axes of q+, whose components the equation has, to those of q0 (see free_velocity)
  if (free_base()) w.v.head<3>() = turned(dt * (s.theta_vq * w.v + (1 - s.theta_vq) * v0).segment<3>(3), w.v.head<3>());
  return factored_positive() ? iteration + 1 : -2;
}

}  // namespace condyle
