#include "step/declared.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <cmath>
#include <iterator>

namespace condyle {

DeclaredConstraints::DeclaredConstraints(const SceneData& scene) : scene_(scene) {
  for (const Tree& tree : scene.trees)
    for (const TreeJoint& joint : tree.model->joints)
      if (joint.nq == 1 && (std::isfinite(joint.lower) || std::isfinite(joint.upper)))
        limits_.push_back({tree.q + joint.q, joint.lower, joint.upper, tree.name + "/" + joint.name});
}

namespace {
double position(const Eigen::VectorXd& q, int index, bool turns) {
  return turns ? std::atan2(q[index + 1], q[index]) : q[index];
}
}  // namespace

std::vector<std::string> DeclaredConstraints::notes() const {
  std::vector<std::string> out;
  const auto add = [&](std::size_t count, const char* one, const char* many, const char* effect) {
    if (count) out.push_back(fmt::format("{} {} not enforced: {}", count, count == 1 ? one : many, effect));
  };
  std::size_t closures = 0, friction = 0, pd = 0, touching = 0;
  for (const SceneClosure& closure : scene_.closures) closures += closure.active;
  for (const Tree& tree : scene_.trees) friction += static_cast<std::size_t>((tree.friction.array() > 0).count());
  for (const SceneActuator& actuator : scene_.actuators) pd += actuator.spec.kind == ActuatorKind::pd;
  bool moving = false;
  for (const SceneShape& shape : scene_.shapes)
    if (shape.role == ShapeRole::collision) {
      ++touching;
      moving = moving || shape.body.kind == BodyRef::Kind::link || shape.body.kind == BodyRef::Kind::free_body;
    }
  add(moving && touching > 1 ? touching : 0, "collision shape is", "collision shapes are", "bodies pass through each other");
  add(limits_.size(), "joint limit is", "joint limits are", "a step that leaves one is not certified");
  add(scene_.couplings.size(), "joint coupling is", "joint couplings are", "a step that breaks one is not certified");
  add(closures, "loop closure is", "loop closures are", "a step that opens one is not certified");
  add(friction, "joint's dry friction is", "joints' dry friction is", "they move as without it");
  add(pd, "pd actuator is", "pd actuators are", "the joint moves as without it");
  return out;
}

Pose body_pose(const SceneData& scene, const BodyRef& body, const Eigen::VectorXd& q,
               const std::vector<TreeDynamics>& trees) {
  const auto index = static_cast<std::size_t>(body.index);
  switch (body.kind) {
    case BodyRef::Kind::world: return {};
    case BodyRef::Kind::static_body: return scene.static_bodies[index].pose;
    case BodyRef::Kind::link: return trees[index].link_pose(body.link);
    case BodyRef::Kind::free_body: break;
  }
  const int k = scene.free_bodies[index].q;
  return Pose::from_xyz_quaternion(q.segment<3>(k), q.segment<4>(k + 3));
}

void DeclaredConstraints::measure(const Eigen::VectorXd& q, const std::vector<TreeDynamics>& trees, double allowed,
                                  StepReport& report) const {
  report.limit_violation = report.closure_m = report.closure_rad = 0;
  double worst = 0;
  const char* kind = nullptr;
  const std::string* name = nullptr;
  const auto consider = [&](double error, const char* what, const std::string& who) {
    if (error > worst) worst = error, kind = what, name = &who;
  };
  for (const Limit& limit : limits_) {
    const double beyond = std::max(limit.lower - q[limit.q], q[limit.q] - limit.upper);
    if (beyond > report.limit_violation) report.limit_violation = beyond;
    consider(beyond, "joint limit", limit.name);
  }
  for (const SceneCoupling& coupling : scene_.couplings) {
    const double of = position(q, coupling.of_q, coupling.of_turns);
    double value = 0, power = 1;
    for (const double c : coupling.polynomial) value += c * power, power *= of;
    const double error = position(q, coupling.q, coupling.turns) - value;
    consider(std::abs(coupling.turns ? std::remainder(error, 2 * M_PI) : error), "joint coupling", coupling.name);
  }
  for (const SceneClosure& closure : scene_.closures) {
    if (!closure.active) continue;
    const Pose gap = (body_pose(scene_, closure.a, q, trees) * closure.frame_a).inverse() *
                     (body_pose(scene_, closure.b, q, trees) * closure.frame_b);
    const double open = gap.p.norm();
    report.closure_m = std::max(report.closure_m, open);
    if (closure.kind == ClosureKind::weld)
      report.closure_rad = std::max(report.closure_rad, Eigen::AngleAxisd(gap.R).angle());
    if (closure.kind == ClosureKind::weld || closure.kind == ClosureKind::spherical || closure.kind == ClosureKind::revolute)
      consider(open, "loop closure", closure.name);
  }
  if (!(worst > allowed)) return;
  report.status = StepStatus::uncertified;
  report.worst = *name;
  // into the string's own memory: a step that breaks a limit allocates no more than one that does not
  fmt::format_to(std::back_inserter(report.reason), "{} '{}' is broken by {:.3g} m or rad: free motion does not enforce it",
                 kind, *name, worst);
}

}  // namespace condyle
