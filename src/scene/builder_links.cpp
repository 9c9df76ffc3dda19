// The part of SceneBuilder that connects what is there: loops, couplings, motors, springs, forces.
#include "scene/builder_work.hpp"
#include "scene/names.hpp"

#include <fmt/format.h>

#include <cmath>

namespace condyle {

namespace {

std::vector<std::string> joint_names(const TreeModel& model) {
  std::vector<std::string> out;
  for (const TreeJoint& joint : model.joints) out.push_back(joint.name);
  return out;
}

/// Both ends of a loop or spring; `what` begins the message.
std::pair<BodyRef, BodyRef> find_ends(const SceneData& data, const std::string& what, const std::string& a,
                                      const std::string& b, const Place& place) {
  BodyRef ends[2];
  const std::string* names[2] = {&a, &b};
  for (int i = 0; i < 2; ++i)
    if (!data.find_body(*names[i], ends[i]))
      throw Error("unknown-body", place, what + ": there is no body '" + *names[i] + "'",
                  "write it as model/link, body or world");
  return {ends[0], ends[1]};
}

void check_number(double value, double low, const std::string& what, const Place& place, const char* range) {
  if (!(value >= low) || std::isinf(value))
    throw Error("bad-number", place, fmt::format("{} is {}", what, value), std::string("it must be ") + range);
}

void check_schedule(const Schedule& schedule, const std::string& of, const Place& place) {
  if (const auto fault = find_fault(schedule))
    throw Error("bad-schedule", place, fmt::format("the schedule of {}: {}", of, fault->reason), fault->cure);
}

}  // namespace

const TreeJoint& one_dof_joint(const Tree& tree, const std::string& name, const Place& place) {
  for (const TreeJoint& joint : tree.model->joints)
    if (joint.name == name) {
      if (joint.nv == 1) return joint;
      throw Error("bad-joint", place, fmt::format("joint '{}' of '{}' has {} degrees of freedom", name, tree.name, joint.nv),
                  "only joints with one can be given a number");
    }
  throw Error("unknown-joint", place,
              fmt::format("'{}' has no moving joint '{}'{}", tree.name, name, did_you_mean(name, joint_names(*tree.model))));
}

std::pair<Tree*, const TreeJoint*> find_joint(SceneData& data, const std::string& joint, const Place& place) {
  const auto slash = joint.find('/');
  std::vector<std::string> models;
  for (Tree& tree : data.trees) {
    models.push_back(tree.name);
    if (slash != std::string::npos && joint.compare(0, slash, tree.name) == 0)
      return {&tree, &one_dof_joint(tree, joint.substr(slash + 1), place)};
  }
  if (slash == std::string::npos)
    throw Error("unknown-joint", place, "'" + joint + "' names no joint", "write it as model/joint");
  throw Error("unknown-joint", place,
              "there is no model '" + joint.substr(0, slash) + "'" + did_you_mean(joint.substr(0, slash), models));
}

SceneBuilder& SceneBuilder::add_coupling(const CouplingSpec& coupling) {
  auto [tree, joint] = find_joint(work_->data, coupling.joint, coupling.place);
  auto [of_tree, of] = find_joint(work_->data, coupling.of, coupling.place);
  work_->data.couplings.push_back({coupling.joint, tree->q + joint->q, tree->v + joint->v, of_tree->q + of->q,
                                   of_tree->v + of->v, joint->nq == 2, of->nq == 2, coupling.polynomial, coupling.place});
  return *this;
}

SceneBuilder& SceneBuilder::add_actuator(const ActuatorSpec& actuator) {
  auto [tree, joint] = find_joint(work_->data, actuator.joint, actuator.place);
  for (const double x : {actuator.kp, actuator.kd})
    if (!(x >= 0) || std::isinf(x))
      throw Error("bad-number", actuator.place, fmt::format("a gain of the actuator of '{}' is {}", actuator.joint, x),
                  "gains are finite and not negative");
  if (!(actuator.effort >= 0))
    throw Error("bad-number", actuator.place, fmt::format("the effort bound of '{}' is {}", actuator.joint, actuator.effort),
                "it must not be negative");
  const std::string of = "the actuator of '" + actuator.joint + "'";
  const bool pd = actuator.kind == ActuatorKind::pd;
  for (const Schedule* s : {&actuator.target_schedule, &actuator.velocity_schedule, &actuator.value_schedule}) {
    if (s->empty() && s->values.empty()) continue;
    check_schedule(*s, of, actuator.place);
    if ((s == &actuator.value_schedule) == pd)
      throw Error("bad-schedule", actuator.place, of + (pd ? " is pd and has no value" : " is a torque and has no target"),
                  pd ? "give target or velocity a schedule" : "give its value a schedule");
  }
  if (!actuator.target_schedule.empty() && actuator.velocity_schedule.empty() && actuator.target_velocity != 0)
    throw Error("bad-schedule", actuator.place, of + " has the rate of its target and a target velocity as well",
                "leave target_velocity out, or give velocity_schedule a constant");
  work_->data.actuators.push_back({actuator.joint, actuator, tree->q + joint->q, tree->v + joint->v});
  return *this;
}

SceneBuilder& SceneBuilder::add_loop(const LoopSpec& loop) {
  SceneData& data = work_->data;
  const auto [a, b] = find_ends(data, "loop '" + loop.name + "'", loop.body_a, loop.body_b, loop.place);
  for (const SceneClosure& other : data.closures)
    if (other.name == loop.name)
      throw Error("duplicate-name", loop.place, "loop '" + loop.name + "' is defined twice", "rename one of them");
  double length = 0;
  if (loop.kind == ClosureKind::distance) {
    length = std::isnan(loop.length) ? (initial_pose(loop.body_a, loop.place) * loop.frame_a.p -
                                        initial_pose(loop.body_b, loop.place) * loop.frame_b.p)
                                           .norm()
                                     : loop.length;
    // At zero distance its direction, and so the row, is not defined.
    if (!(length > 1e-9) || std::isinf(length))
      throw Error("bad-loop", loop.place, fmt::format("loop '{}' holds two points at a distance of {} m", loop.name, length),
                  "give a length above 1e-9 m; for length 0 use kind spherical");
  } else if (!std::isnan(loop.length)) {
    throw Error("bad-loop", loop.place, fmt::format("loop '{}' is {} and has no length", loop.name, to_string(loop.kind)),
                "only kind distance has one");
  }
  data.closures.push_back({loop.name, loop.kind, a, b, loop.frame_a, loop.frame_b, true, loop.place, length});
  return *this;
}

SceneBuilder& SceneBuilder::add_spring(const SpringSpec& spring) {
  SceneData& data = work_->data;
  const std::string what = "spring '" + spring.name + "'";
  const auto [a, b] = find_ends(data, what, spring.body_a, spring.body_b, spring.place);
  if (a == b) throw Error("bad-spring", spring.place, what + " has both ends on '" + spring.body_a + "'");
  for (const SceneSpring& other : data.springs)
    if (other.name == spring.name)
      throw Error("duplicate-name", spring.place, what + " is defined twice", "rename one of them");
  check_number(spring.stiffness, 0, "the stiffness of " + what, spring.place, "finite and 0 N/m or above");
  check_number(spring.damping, 0, "the damping of " + what, spring.place, "finite and 0 N s/m or above");
  check_number(spring.length, 0, "the length of " + what, spring.place, "finite and 0 m or above");
  if (!spring.point_a.allFinite() || !spring.point_b.allFinite())
    throw Error("bad-number", spring.place, what + " has an end that is not finite");
  data.springs.push_back(
      {spring.name, a, b, spring.point_a, spring.point_b, spring.stiffness, spring.damping, spring.length, spring.place});
  return *this;
}

SceneBuilder& SceneBuilder::add_force(const ForceSpec& force) {
  SceneData& data = work_->data;
  BodyRef body;
  if (!data.find_body(force.body, body))
    throw Error("unknown-body", force.place, "there is no body '" + force.body + "'", "write it as model/link or body");
  if (body.kind == BodyRef::Kind::world || body.kind == BodyRef::Kind::static_body)
    throw Error("bad-force", force.place, "'" + force.body + "' cannot move", "push a body that moves");
  if (!force.force.allFinite() || !force.torque.allFinite())
    throw Error("bad-number", force.place, "the force on '" + force.body + "' is not finite");
  if (!(force.until >= 0))
    throw Error("bad-number", force.place, fmt::format("the force on '{}' ends at {} s", force.body, force.until),
                "it must be 0 s or later");
  if (!force.factor.empty()) check_schedule(force.factor, "the force on '" + force.body + "'", force.place);
  data.forces.push_back({body, force.force, force.torque, force.turns_with_body, force.until, force.factor, force.place});
  return *this;
}

SceneBuilder& SceneBuilder::add_actuated(const std::string& name, const Place& place) {
  auto [tree, joint] = find_joint(work_->data, name, place);
  for (const SceneMotor& other : work_->data.motors)
    if (other.joint == name) return *this;
  work_->data.motors.push_back({name, tree->v + joint->v});
  return *this;
}

}  // namespace condyle
