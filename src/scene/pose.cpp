#include <condyle/pose.hpp>

#include <Eigen/Geometry>
#include <cmath>

namespace condyle {

Pose Pose::from_xyz_rpy(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy) {
  const double cr = std::cos(rpy[0]), sr = std::sin(rpy[0]);
  const double cp = std::cos(rpy[1]), sp = std::sin(rpy[1]);
  const double cy = std::cos(rpy[2]), sy = std::sin(rpy[2]);
  Pose out;
  out.R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,       //
      -sp, cp * sr, cp * cr;
  out.p = xyz;
  return out;
}

Pose Pose::from_xyz_quaternion(const Eigen::Vector3d& xyz, const Eigen::Vector4d& xyzw) {
  Eigen::Quaterniond q(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
  return {q.normalized().toRotationMatrix(), xyz};
}

Eigen::Vector4d Pose::quaternion() const {
  Eigen::Quaterniond q(R);
  q.normalize();
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  return q.coeffs();
}

Eigen::Matrix3d rotation_z_to(const Eigen::Vector3d& axis) {
  const Eigen::Vector3d a = axis.normalized();
  const Eigen::Vector3d c = Eigen::Vector3d::UnitZ().cross(a);
  const double s = c.norm();
  const Eigen::Vector3d about = s > 1e-14 ? Eigen::Vector3d(c / s) : Eigen::Vector3d::UnitX();
  return Eigen::AngleAxisd(std::atan2(s, a.z()), about).toRotationMatrix();
}

}  // namespace condyle
