#include "constraints/contact.hpp"

namespace condyle {

namespace {
/// The smallest rotation from unit a to unit b, applied to x.
Eigen::Vector3d carry(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& x) {
  const double c = std::max(1 + a.dot(b), 1e-15);
  const Eigen::Vector3d sum = a + b;
  return x - (sum.dot(x) / c) * sum + 2 * a.dot(x) * b;
}
}  // namespace

Eigen::Matrix3d contact_frame(const Eigen::Vector3d& normal) {
  static const Eigen::Vector3d d(2.0 / 7, 3.0 / 7, 6.0 / 7);
  // x of the frame at d that arrives at x when d is carried to z
  static const Eigen::Vector3d x_at_d = carry(Eigen::Vector3d::UnitZ(), d, Eigen::Vector3d::UnitX());
  Eigen::Vector3d t1 = carry(d, normal, x_at_d);
  t1 -= t1.dot(normal) * normal;
  const double length = t1.norm();
  if (length > 1e-3)
    t1 /= length;
  else  // at the one bad direction: any tangent
    t1 = Eigen::Vector3d(normal.z(), 0, -normal.x()).normalized();
  Eigen::Matrix3d frame;
  frame << t1, normal.cross(t1), normal;
  return frame;
}

PairRows contact_rows(const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
  PairRows out;
  out.rows = 3;
  out.point = point;
  out.direction = contact_frame(normal);
  return out;
}

PairRows contact_normal_row(const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
  PairRows out;
  out.rows = 1;
  out.point = point;
  out.direction.col(0) = normal;
  return out;
}

}  // namespace condyle
