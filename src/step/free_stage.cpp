#include "step/simulator_work.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace condyle {

Simulator::Work::Work(const Scene& s, const SimulatorOptions& o)
    : scene(s),
      data(scene.data()),
      options(o),
      scheme(scheme_of(o)),
      trees(data.trees.begin(), data.trees.end()),
      bodies(data.free_bodies, data.gravity),
      kinematics(data, trees),
      limits(data),
      loops(data),
      tau(Eigen::VectorXd::Zero(data.nv)),
      no_tau(tau),
      v_free(data.nv),
      v(data.nv),
      v_solved(Eigen::VectorXd::Zero(data.nv)),
      v0(data.nv),
      push(Eigen::VectorXd::Zero(data.nv)),
      q(data.nq),
      q_mid(data.nq),
      q_last(data.nq),
      v_last(data.nv),
      momenta(trees.size()) {
  report.path.reserve(512);  // all methods' names, twice: a longer path must not allocate in a later step
  refuse_without_inertia();
  choose_implicit_springs();
  constrain();
}

bool Simulator::Work::reject(const State& x, std::string reason) {
  report.status = StepStatus::rejected;
  report.reason = std::move(reason);
  report.step = x.step;
  report.t = x.t;
  return false;
}

bool Simulator::Work::accept(const State& x, const Eigen::Ref<const Eigen::VectorXd>& given) {
  if (x.q.size() != data.nq || x.v.size() != data.nv)
    return reject(x, fmt::format("the state has {} positions and {} velocities, the scene {} and {}", x.q.size(), x.v.size(),
                                 data.nq, data.nv));
  if (given.size() != data.nv)
    return reject(x, fmt::format("tau has {} entries, the scene {} velocities", given.size(), data.nv));
  if (!x.finite()) return reject(x, "the state is not finite");
  if (!given.allFinite()) return reject(x, "tau is not finite");
  report.status = StepStatus::certified;
  report.residual = 0;
  report.reason.clear();
  report.worst.clear();
  report.path.clear();
  report.iterations = report.contacts = report.rows = report.islands = 0;
  report.factorizations = static_cast<int>(trees.size());
  report.penetration = report.slip = report.gliding = report.projection_us = 0;
  problem = nullptr;
  solved = nullptr;
  pushed = false;
  table_is_made = false;
  table.clear();
  tau = given;
  for (const SceneActuator& actuator : data.actuators)
    if (actuator.spec.kind == ActuatorKind::torque) tau[actuator.v] += actuator_aim(actuator.spec, x.t, scheme.dt).value;
  if (!data.forces.empty()) apply_forces(x);
  return true;
}

/// The scene's own pushes, as generalized forces at q0.
void Simulator::Work::apply_forces(const State& x) {
  if (std::none_of(data.forces.begin(), data.forces.end(),
                   [&](const SceneForce& f) { return f.factor_in(x.t, scheme.dt) != 0; }))
    return;
  for (std::size_t i = 0; i < trees.size(); ++i) trees[i].update(x.q.segment(data.trees[i].q, data.trees[i].model->nq));
  kinematics.update(x.q);
  for (const SceneForce& force : data.forces) {
    const double factor = force.factor_in(x.t, scheme.dt);
    if (factor == 0) continue;
    const auto index = static_cast<std::size_t>(force.body.index);
    const Inertial& inertial = force.body.kind == BodyRef::Kind::link
                                   ? data.trees[index].model->links[static_cast<std::size_t>(force.body.link)].inertial
                                   : data.free_bodies[index].inertial;
    const Pose pose = kinematics.pose(force.body);
    const Eigen::Matrix3d axes = force.turns_with_body ? pose.R : Eigen::Matrix3d::Identity();
    const Eigen::Vector3d pull = factor * axes * force.force;
    const Eigen::Vector3d moment = (pose * inertial.com).cross(pull) + factor * axes * force.torque;
    for (const int k : kinematics.support(kinematics.body_of(force.body))) {
      const Eigen::Map<const Eigen::Matrix<double, 6, 1>> column(kinematics.column(k));
      tau[k] += column.head<3>().dot(pull) + column.tail<3>().dot(moment);
    }
  }
}

bool Simulator::Work::free_motion(State& x) {
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (options.conserve_momentum && trees[i].free_base()) {
      trees[i].update(q_of(x.q, i));
      const auto tau_i = v_of(tau, i);
      const BaseMomentum now = trees[i].base_momentum(v_of(x.v, i));
      const BaseMomentum applied = trees[i].impulse_on_base(scheme.dt * tau_i.head<6>());
      momenta[i] = {now.linear + applied.linear + scheme.dt * trees[i].base_mass() * data.gravity,
                    now.angular + applied.angular};
    }
    const int n = trees[i].free_velocity(scheme, q_of(x.q, i), v_of(x.v, i), v_of(tau, i), v_of(v_free, i));
    if (n == -1)
      return reject(x, fmt::format("the implicit step of '{}' does not converge; take a smaller dt", data.trees[i].name));
    if (n == -2)
      return reject(x, fmt::format("the joint-space inertia of '{}' is not positive definite", data.trees[i].name));
    report.iterations = std::max(report.iterations, n);
  }
  if (bodies.size() == 0) return true;
  const int n = bodies.free_velocity(scheme, x.q.data() + data.free_q, x.v.data() + data.free_v, tau.data() + data.free_v,
                                     v_free.data() + data.free_v);
  if (n < 0) return reject(x, "the implicit step of a free body does not converge; take a smaller dt");
  report.iterations = std::max(report.iterations, n);
  return true;
}

void Simulator::Work::refuse_without_inertia() {
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Tree& tree = data.trees[i];
    trees[i].update(tree.q_initial);
    const std::vector<std::string> bad = trees[i].joints_without_inertia();
    if (bad.empty()) continue;
    throw Error("no-inertia", {tree.description ? tree.description->file : "", 0, "model '" + tree.name + "'"},
                fmt::format("nothing gives inertia to joint{} {}", bad.size() == 1 ? "" : "s", fmt::join(bad, ", ")),
                "give the links mass and inertia, the joints armature, or load with default_inertia");
  }
}

void Simulator::Work::choose_implicit_springs() {
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Tree& tree = data.trees[i];
    if (!(tree.stiffness.array() > 0).any()) continue;
    Eigen::VectorXd mask = Eigen::VectorXd::Zero(tree.model->nv);
    if (options.implicit_springs == ImplicitSprings::on) mask.setOnes();
    if (options.implicit_springs == ImplicitSprings::automatic && !scheme.implicit()) {
      trees[i].update(tree.q_initial);
      const Eigen::VectorXd w = trees[i].inverse_inertia_diagonal();
      for (const TreeJoint& joint : tree.model->joints)
        for (int k = joint.v; k < joint.v + joint.nv; ++k) {
          const double stiff = scheme.dt * scheme.dt * tree.stiffness[k] * w[k];
          if (!(stiff > 0.25)) continue;
          mask[k] = 1;
          notes.push_back(
              fmt::format("spring of joint '{}/{}' is taken implicitly: dt² k w = {:.3g} > 0.25, where the explicit "
                          "scheme is near its stability limit; it loses energy instead",
                          tree.name, joint.name, stiff));
        }
    }
    trees[i].set_implicit_springs(mask);
  }
}

}  // namespace condyle
