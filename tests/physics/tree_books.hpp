#pragma once
// Newton and Euler for every link of a tree, by inverse dynamics: Pinocchio's recursive Newton-Euler, which knows neither
// the joint-space inertia nor the Jacobians that the step was made of.
//
// Each link's momentum must change by its weight, by the impulses that the table says it was given, and by what its joints
// transmit. From the leaves to the root this yields the wrench in each joint, whose part along the joint's free directions
// is to be the joint's own: torque, damper, spring, limit, dry friction, servo, coupling; at a floating base all six are
// zero. What is left over, through the inverse of the joint-space inertia, is a speed.
#include "dynamics/tree_dynamics.hpp"
#include "physics/given_impulses.hpp"

#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>

#include <Eigen/Cholesky>

#include <stdexcept>

namespace condyle::test {

namespace pin = pinocchio;
using Vector = Eigen::VectorXd;
using ConstRef = Eigen::Ref<const Vector>;

struct TreeBooks {
  TreeBooks(const Tree& t, const SimulatorOptions& o)
      : tree(t), options(o), model(*t.model->model), data(model), none(Vector::Zero(model.nv)) {
    implicit_spring.setZero(model.nv);
    if (model.nv == 0 || options.implicit_springs == ImplicitSprings::off) return;
    TreeDynamics start(tree);
    start.update(tree.q_initial);
    const Vector stiff = options.dt * options.dt * tree.stiffness.cwiseProduct(start.inverse_inertia_diagonal());
    for (int k = 0; k < model.nv; ++k)  // the rule that the option's comment gives
      implicit_spring[k] = options.implicit_springs == ImplicitSprings::on || stiff[k] > 0.25;
  }

  /// Impulses that the joints transmit along their free directions while the links are given `links`, nv.
  Vector transmitted(const Vector& q, const std::vector<Wrench>& links) {
    pin::forwardKinematics(model, data, ConstRef(q));
    std::vector<pin::Force> on(static_cast<std::size_t>(model.njoints), pin::Force::Zero());
    for (std::size_t i = 0; i < links.size(); ++i) {
      const auto joint = static_cast<std::size_t>(tree.model->links[i].joint);
      if (joint > 0) on[joint] += data.oMi[joint].actInv(pin::Force(links[i].linear, links[i].angular));
    }
    const Vector loaded = pin::rnea(model, data, ConstRef(q), ConstRef(none), ConstRef(none), on);
    return loaded - pin::rnea(model, data, ConstRef(q), ConstRef(none), ConstRef(none));
  }

  Vector stretch(const Vector& q) const {
    Vector out(model.nv);
    pin::difference(model, tree.spring_reference, q, out);
    return out;
  }

  /// m/s and rad/s, the worst. v_solved: v+ in the axes of q0. v_free: v* likewise.
  double error(const Vector& q0, const Vector& v0, const Vector& v_solved, const Vector& v_free,
               const std::vector<Wrench>& links, const Vector& of_joints) {
    if (model.nv == 0) return 0;
    const bool theta = options.integrator == Integrator::midpoint || options.integrator == Integrator::implicit_euler;
    if (!theta && options.integrator != Integrator::symplectic && options.integrator != Integrator::explicit_euler)
      throw std::logic_error("the books of this scheme are not kept here");
    Vector left = theta ? theta_step(q0, v0, v_solved, v_free) : explicit_step(q0, v0, v_solved);
    left += transmitted(q0, links) - of_joints;
    Eigen::MatrixXd M = pin::crba(model, data, ConstRef(q0), pin::Convention::LOCAL).selfadjointView<Eigen::Upper>();
    M.diagonal() += tree.armature;
    return M.llt().solve(left).cwiseAbs().maxCoeff();
  }

  /// What the motion needs beyond the joints' own springs and dampers: everything at q0, v0, but dampers and stiff springs.
  Vector explicit_step(const Vector& q0, const Vector& v0, const Vector& v1) {
    const double dt = options.dt;
    Vector a = (v1 - v0) / dt;
    // Pinocchio's is the acceleration of components in axes that turn with the base; v1 has them in the axes of q0
    if (tree.model->free_base) a.head<3>() -= Eigen::Vector3d(v0.segment<3>(3)).cross(Eigen::Vector3d(v0.head<3>()));
    const Vector& damped = options.implicit_damping ? v1 : v0;
    const Vector spring = stretch(q0) + dt * implicit_spring.cwiseProduct(v1);
    return dt * (pin::rnea(model, data, ConstRef(q0), ConstRef(v0), ConstRef(a)) + tree.armature.cwiseProduct(a) +
                 tree.damping.cwiseProduct(damped) + tree.stiffness.cwiseProduct(spring));
  }

  /// The theta-method has its equation at q^θ(v*), about which constraints change v* by Δ to first order (SAP 11, III-C).
  Vector theta_step(const Vector& q0, const Vector& v0, const Vector& v1, Vector v_free) {
    const double dt = options.dt, theta = options.integrator == Integrator::midpoint ? 0.5 : 1;
    const Vector jump = v1 - v_free;
    if (tree.model->free_base) {  // v* from the axes of q0 to those of q+
      const Eigen::Vector3d turn = dt * (theta * v_free + (1 - theta) * v0).segment<3>(3);
      const double angle = turn.norm();
      if (angle > 0) v_free.head<3>() = Eigen::AngleAxisd(-angle, turn / angle) * Eigen::Vector3d(v_free.head<3>());
    }
    const Vector v = theta * v_free + (1 - theta) * v0, a = (v_free - v0) / dt, way = dt * theta * v;
    Vector q(model.nq);
    pin::integrate(model, q0, way, q);
    const Vector still = pin::rnea(model, data, ConstRef(q), ConstRef(none), ConstRef(none));
    const Vector jolt = pin::rnea(model, data, ConstRef(q), ConstRef(none), ConstRef(jump));
    const Vector moving = pin::rnea(model, data, ConstRef(q), ConstRef(v), ConstRef(a));
    return dt * (moving + tree.armature.cwiseProduct(a) + tree.damping.cwiseProduct(v) +
                 tree.stiffness.cwiseProduct(stretch(q))) +
           jolt - still + tree.armature.cwiseProduct(jump) + dt * theta * tree.damping.cwiseProduct(jump) +
           dt * dt * theta * theta * tree.stiffness.cwiseProduct(jump);
  }

  struct Whole {
    double mass = 0;
    Eigen::Vector3d com = Eigen::Vector3d::Zero(), linear = Eigen::Vector3d::Zero(), angular = Eigen::Vector3d::Zero();
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about com, world axes; `angular` likewise
  };

  Whole whole(const Vector& q, const Vector& v) {
    pin::forwardKinematics(model, data, ConstRef(q), ConstRef(v));
    pin::Inertia sum = pin::Inertia::Zero();
    pin::Force momentum = pin::Force::Zero();
    for (std::size_t j = 1; j < static_cast<std::size_t>(model.njoints); ++j) {
      sum += data.oMi[j].act(model.inertias[j]);
      momentum += data.oMi[j].act(pin::Force(model.inertias[j] * data.v[j]));
    }
    Whole out;
    out.mass = sum.mass();
    out.com = sum.lever();
    out.inertia = sum.inertia().matrix();
    out.linear = momentum.linear();
    out.angular = momentum.angular() - out.com.cross(out.linear);
    return out;
  }

  /// A floating tree as one body, from state to state: m/s and rad/s.
  double whole_error(const Whole& begin, const Whole& end, const std::vector<Wrench>& links,
                     const Eigen::Vector3d& gravity) {
    Wrench given;
    for (const Wrench& link : links) given.linear += link.linear, given.angular += link.angular;
    const Eigen::Vector3d linear = (end.linear - begin.linear - given.linear) / begin.mass - options.dt * gravity;
    const Eigen::Vector3d angular = end.angular - begin.angular - given.about(begin.com);
    return std::max(linear.norm(), end.inertia.llt().solve(angular).norm());
  }

  const Tree& tree;
  const SimulatorOptions& options;
  const pin::Model& model;
  pin::Data data;
  Vector none;             ///< nv, zero
  Vector implicit_spring;  ///< nv, 1 where the step takes the spring at its end
};

}  // namespace condyle::test
