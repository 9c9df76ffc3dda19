#pragma once
#include <condyle/eigen_abi.hpp>

namespace condyle {

/// A frame B seen from a frame A: x_A = R x_B + p.
struct Pose {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p = Eigen::Vector3d::Zero();

  Pose operator*(const Pose& b) const { return {R * b.R, p + R * b.p}; }
  Eigen::Vector3d operator*(const Eigen::Vector3d& x) const { return p + R * x; }
  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }

  /// Fixed-axis roll, pitch, yaw in radians: R = Rz(yaw) Ry(pitch) Rx(roll), as URDF and scene files write it.
  static Pose from_xyz_rpy(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy);
  /// Quaternion x, y, z, w; need not have unit length, must not be zero.
  static Pose from_xyz_quaternion(const Eigen::Vector3d& xyz, const Eigen::Vector4d& xyzw);
  /// Quaternion x, y, z, w of R with w >= 0.
  Eigen::Vector4d quaternion() const;
};

/// The smallest rotation that takes z to the direction of `axis` (not zero).
Eigen::Matrix3d rotation_z_to(const Eigen::Vector3d& axis);

}  // namespace condyle
