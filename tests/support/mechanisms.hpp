#pragma once
// Small mechanisms made in code, with their closed forms beside the tests that use them.
#include <condyle/condyle.hpp>

#include <memory>

namespace condyle::test {

/// A chain of n rods along -z, each of length l and mass m, joined by hinges about alternating axes.
///
///     root ── joint_1 ── link_1 ── joint_2 ── link_2 ...
///
/// The root link is a rod too when it is to float, a massless frame when the chain hangs.
inline std::shared_ptr<ModelDescription> chain(int n, double length, double mass, bool root_has_mass, bool planar = true) {
  auto model = std::make_shared<ModelDescription>();
  model->name = "chain";
  model->format = "memory";
  const double across = mass * length * length / 12, along = mass * 1e-3 * length * length;
  const Inertial rod{mass, Eigen::Vector3d(0, 0, -length / 2), Eigen::Vector3d(across, across, along).asDiagonal()};
  LinkSpec root;
  root.name = "root";
  root.has_inertial = root_has_mass;
  if (root_has_mass) root.inertial = rod;
  model->links.push_back(root);
  for (int i = 1; i <= n; ++i) {
    LinkSpec link;
    link.name = "link_" + std::to_string(i);
    link.inertial = rod;
    link.has_inertial = true;
    model->links.push_back(link);
    JointSpec joint;
    joint.name = "joint_" + std::to_string(i);
    joint.kind = JointKind::revolute;
    joint.parent = i - 1;
    joint.child = i;
    joint.axis = planar || i % 2 ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitX();
    if (i > 1 || root_has_mass) joint.origin.p.z() = -length;
    model->joints.push_back(joint);
  }
  return model;
}

/// One hinge about y with a point mass at distance l below it.
inline std::shared_ptr<ModelDescription> point_pendulum(double length, double mass) {
  auto model = chain(1, length, mass, false);
  model->name = "pendulum";
  model->links[1].inertial = {mass, Eigen::Vector3d(0, 0, -length), Eigen::Matrix3d::Zero()};
  return model;
}

/// A model drawn link by link: each joint moves a new link that hangs on an older one. Depth first: all links of a branch
/// before the next branch, as readers of files give them.
class Sketch {
 public:
  explicit Sketch(const std::string& name) {
    model_->name = name;
    model_->format = "memory";
    model_->links.push_back({"base", {}, false, {}});
  }
  /// Returns the new link, called "link_<number>", a box-like body whose centre lies at `com`.
  int add(int parent, JointKind kind, const Eigen::Vector3d& axis, const Pose& origin, double mass = 1,
          const Eigen::Vector3d& com = Eigen::Vector3d(0.1, 0.05, 0.02)) {
    const int child = static_cast<int>(model_->links.size());
    LinkSpec link;
    link.name = "link_" + std::to_string(child);
    link.inertial = {mass, com, Eigen::Vector3d(0.02, 0.03, 0.04).asDiagonal() * mass};
    link.has_inertial = true;
    model_->links.push_back(link);
    JointSpec joint;
    joint.name = "joint_" + std::to_string(child);
    joint.kind = kind;
    joint.parent = parent;
    joint.child = child;
    joint.axis = axis;
    joint.origin = origin;
    model_->joints.push_back(joint);
    return child;
  }
  int hinge(int parent, const Eigen::Vector3d& axis, const Eigen::Vector3d& at, double mass = 1) {
    return add(parent, JointKind::revolute, axis, {Eigen::Matrix3d::Identity(), at}, mass);
  }
  int slider(int parent, const Eigen::Vector3d& axis, const Eigen::Vector3d& at, double mass = 1) {
    return add(parent, JointKind::prismatic, axis, {Eigen::Matrix3d::Identity(), at}, mass);
  }
  JointSpec& joint(int child) { return model_->joints[static_cast<std::size_t>(child) - 1]; }
  LinkSpec& base() { return model_->links[0]; }
  std::shared_ptr<ModelDescription> model() const { return model_; }

 private:
  std::shared_ptr<ModelDescription> model_ = std::make_shared<ModelDescription>();
};

inline Pose at(double x, double y, double z) { return {Eigen::Matrix3d::Identity(), Eigen::Vector3d(x, y, z)}; }

/// A planar linkage of n bars about y in the x-z plane between two fixed points of the world: bar i is a hinge at the end of
/// bar i-1, all lengths given; the last one ends in a closure of `kind` at (ground, 0, 0). The whole world is turned by R.
///
///        o─────o
///       ╱       ╲
///      o         o    four-bar: 3 bars, 1 degree of freedom; five-bar: 4 bars, 2
inline Scene planar_linkage(const std::vector<double>& bars, double ground, const std::vector<double>& angles,
                            ClosureKind kind, const Eigen::Matrix3d& R = Eigen::Matrix3d::Identity()) {
  Sketch sketch("linkage");
  ModelOptions options;
  options.base = Base::fixed;
  options.pose.R = R;
  int last = 0;
  double at_x = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    last = sketch.hinge(last, Eigen::Vector3d::UnitY(), {at_x, 0, 0});
    options.joints["joint_" + std::to_string(last)] = angles[i];
    at_x = bars[i];
  }
  // hinges about y: a closure's axis is z of its frame
  const Eigen::Matrix3d y_as_z = rotation_z_to(Eigen::Vector3d::UnitY());
  SceneBuilder build;
  build.set_gravity(R * Eigen::Vector3d(0, 0, -9.81));
  build.add_model(sketch.model(), options);
  LoopSpec loop;
  loop.name = "end";
  loop.kind = kind;
  loop.body_a = "linkage/base";
  loop.body_b = "linkage/link_" + std::to_string(last);
  loop.frame_a = {y_as_z, Eigen::Vector3d(ground, 0, 0)};
  loop.frame_b = {y_as_z, Eigen::Vector3d(at_x, 0, 0)};
  build.add_loop(loop);
  return build.finish();
}

}  // namespace condyle::test
