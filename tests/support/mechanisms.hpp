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

}  // namespace condyle::test
