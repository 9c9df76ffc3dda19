#pragma once
// What a step's table of constraints and the scene's own pushes say that each body and each joint was given.
#include "scene/scene_data.hpp"

#include <condyle/condyle.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace condyle::test {

/// Impulse and its moment about the world's origin, world axes.
struct Wrench {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< N s
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< N m s

  void add(double sign, const Eigen::Vector3d& point, const Eigen::Vector3d& impulse, const Eigen::Vector3d& moment) {
    linear += sign * impulse;
    angular += sign * (point.cross(impulse) + moment);
  }
  Eigen::Vector3d about(const Eigen::Vector3d& point) const { return angular - point.cross(linear); }
};

struct GivenImpulses {
  explicit GivenImpulses(Simulator& s) : sim(s), data(s.scene().data()) {
    for (const std::string& name : sim.body_names()) {
      refs.emplace_back();
      data.find_body(name, refs.back());
    }
    for (const Tree& tree : data.trees) links.emplace_back(tree.model->links.size());
    bodies.resize(data.free_bodies.size());
    joints.setZero(data.nv);
    applied.setZero(data.nv);
  }

  /// Of the step that began at `before` and has been taken. `falsify` may change a row first.
  void collect(const State& before, const std::function<void(ConstraintRow&)>& falsify = {}) {
    for (std::vector<Wrench>& tree : links) std::fill(tree.begin(), tree.end(), Wrench());
    std::fill(bodies.begin(), bodies.end(), Wrench());
    joints.setZero();
    applied.setZero();
    for (ConstraintRow row : sim.constraints()) {
      if (falsify) falsify(row);
      add(row);
    }
    const double dt = sim.options().dt;
    for (const SceneActuator& actuator : data.actuators)
      if (actuator.spec.kind == ActuatorKind::torque)
        applied[actuator.v] += dt * actuator_aim(actuator.spec, before.t, dt).value;
    for (const SceneForce& force : data.forces) push(before, force, force.factor_in(before.t, dt));
  }

  void add(const ConstraintRow& row) {
    if (row.joint >= 0) {
      joints[row.joint] += row.impulse[0];
      if (row.followed_joint >= 0) joints[row.followed_joint] += row.followed_share * row.impulse[0];
      return;
    }
    if (Wrench* on = of(row.body_b)) on->add(1, row.point, row.impulse, row.moment);
    if (Wrench* on = of(row.body_a)) on->add(-1, row.point, row.impulse, row.moment);
  }

  void push(const State& before, const SceneForce& force, double factor) {
    if (factor == 0) return;
    Wrench* on = of(force.body);
    const auto index = static_cast<std::size_t>(force.body.index);
    const Inertial& inertial = force.body.kind == BodyRef::Kind::link
                                   ? data.trees[index].model->links[static_cast<std::size_t>(force.body.link)].inertial
                                   : data.free_bodies[index].inertial;
    const Pose pose = sim.pose(before, data.body_name(force.body));
    const Eigen::Matrix3d axes = factor * sim.options().dt * (force.turns_with_body ? pose.R : Eigen::Matrix3d::Identity());
    on->add(1, pose * inertial.com, axes * force.force, axes * force.torque);
  }

  Wrench* of(int body) { return body < 0 ? nullptr : of(refs[static_cast<std::size_t>(body)]); }
  /// Null: what does not move.
  Wrench* of(const BodyRef& ref) {
    const auto index = static_cast<std::size_t>(ref.index);
    if (ref.kind == BodyRef::Kind::link) return &links[index][static_cast<std::size_t>(ref.link)];
    return ref.kind == BodyRef::Kind::free_body ? &bodies[index] : nullptr;
  }

  Simulator& sim;
  const SceneData& data;
  std::vector<BodyRef> refs;
  std::vector<std::vector<Wrench>> links;  ///< by tree and link
  std::vector<Wrench> bodies;              ///< by free body
  Eigen::VectorXd joints;                  ///< nv, N s or N m s: rows of limits, friction, servos, couplings
  Eigen::VectorXd applied;                 ///< nv, N s or N m s: torque actuators
};

}  // namespace condyle::test
