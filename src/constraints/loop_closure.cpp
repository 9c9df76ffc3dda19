#include "constraints/loop_closure.hpp"

#include <Eigen/Geometry>

namespace condyle {

namespace {

/// B's origin in the axes of A, coordinates `first` and on.
void position(const Pose& a, const Pose& b, int first, int count, ClosureRows& out) {
  const Eigen::Vector3d p = b.p - a.p;
  out.linear.rows = count;
  out.linear.point = b.p;
  for (int i = 0; i < count; ++i) {
    out.linear.direction.col(i) = a.R.col(first + i);
    out.f_linear[i] = a.R.col(first + i).dot(p);
  }
}

/// How far B's z is tilted from A's, 2 tan(θ/2), about A's x and y. A Newton step from any tilt is sin θ: it never overshoots.
void tilt(const Pose& a, const Pose& b, ClosureRows& out) {
  const Eigen::Vector3d x = a.R.col(0), y = a.R.col(1), z = a.R.col(2), z_b = b.R.col(2);
  const double c = std::max(1 + z.dot(z_b), 1e-12), scale = 2 / c;
  const double about_x = -y.dot(z_b), about_y = x.dot(z_b);
  // d(u · z_b) = u · (ω × z_b) = ω · (z_b × u), seen from A
  const Eigen::Vector3d d_scale = -(scale / c) * z_b.cross(z);
  out.angular.rows = 2;
  out.f_angular.head<2>() << scale * about_x, scale * about_y;
  out.angular.turn.col(0) = -scale * z_b.cross(y) + about_x * d_scale;
  out.angular.turn.col(1) = scale * z_b.cross(x) + about_y * d_scale;
}

/// All of the relative rotation as twice its Rodrigues vector, 2 tan(θ/2) times the axis, in the axes of A.
void turn(const Pose& a, const Pose& b, ClosureRows& out) {
  const Eigen::Quaterniond q(Eigen::Matrix3d(a.R.transpose() * b.R));
  const double w = std::max(std::abs(q.w()), 1e-9);
  const Eigen::Vector3d g = (q.w() < 0 ? -1 : 1) * q.vec() / w;
  // ġ = ½ (1 - [g] + g gᵀ) ω, ω in the axes of A
  Eigen::Matrix3d T = Eigen::Matrix3d::Identity() + g * g.transpose();
  T(0, 1) += g.z(), T(0, 2) -= g.y(), T(1, 2) += g.x();
  T(1, 0) -= g.z(), T(2, 0) += g.y(), T(2, 1) -= g.x();
  out.angular.rows = 3;
  out.f_angular = 2 * g;
  out.angular.turn = a.R * T.transpose();
}

/// The first hinge axis is A's z, the second B's x.
void right_angle(const Pose& a, const Pose& b, ClosureRows& out) {
  out.angular.rows = 1;
  out.f_angular[0] = a.R.col(2).dot(b.R.col(0));
  out.angular.turn.col(0) = b.R.col(0).cross(a.R.col(2));
}

void distance(const Pose& a, const Pose& b, double length, ClosureRows& out) {
  const Eigen::Vector3d p = b.p - a.p;
  const double d = p.norm();
  out.linear.rows = 1;
  out.linear.point = b.p;
  out.f_linear[0] = d - length;
  out.linear.direction.col(0) = d > 1e-12 ? Eigen::Vector3d(p / d) : Eigen::Vector3d(a.R.col(2));
}

}  // namespace

int linear_rows_of(ClosureKind kind) {
  switch (kind) {
    case ClosureKind::spherical:
    case ClosureKind::revolute:
    case ClosureKind::universal:
    case ClosureKind::weld: return 3;
    case ClosureKind::cylindrical:
    case ClosureKind::prismatic: return 2;
    case ClosureKind::planar:
    case ClosureKind::distance: return 1;
  }
  return 0;
}

int angular_rows_of(ClosureKind kind) { return rows_of(kind) - linear_rows_of(kind); }

void loop_closure(ClosureKind kind, double length, const Pose& a, const Pose& b, ClosureRows& out) {
  out = ClosureRows();
  out.linear.point = out.angular.point = b.p;
  switch (kind) {
    case ClosureKind::spherical: position(a, b, 0, 3, out); break;
    case ClosureKind::revolute: position(a, b, 0, 3, out), tilt(a, b, out); break;
    case ClosureKind::universal: position(a, b, 0, 3, out), right_angle(a, b, out); break;
    case ClosureKind::cylindrical: position(a, b, 0, 2, out), tilt(a, b, out); break;
    case ClosureKind::prismatic: position(a, b, 0, 2, out), turn(a, b, out); break;
    case ClosureKind::planar: position(a, b, 2, 1, out), tilt(a, b, out); break;
    case ClosureKind::weld: position(a, b, 0, 3, out), turn(a, b, out); break;
    case ClosureKind::distance: distance(a, b, length, out); break;
  }
}

}  // namespace condyle
