#include "constraints/loop_closure.hpp"

#include <Eigen/Geometry>

#include <cmath>

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

/// θ/sin θ, and (sin θ - θ cos θ)/sin³ θ = -d(θ/sin θ)/d(cos θ); by series where they would cancel.
struct TiltScale {
  double scale, slope;
  TiltScale(double sine, double cosine) {
    if (sine < 1e-2 && cosine > 0) {
      const double s2 = sine * sine;  // arcsin(s)/s and its derivatives
      scale = 1 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (5.0 / 112)));
      slope = cosine * (1.0 / 3 + s2 * (3.0 / 10 + s2 * (15.0 / 56)));
      return;
    }
    const double s = std::max(sine, 1e-9), theta = std::atan2(sine, cosine);
    scale = theta / s;
    slope = (s - theta * cosine) / (s * s * s);
  }
};

/// The smallest turn that brings A's z to B's, as a rotation vector in A's axes: its x and y; z is zero. A Newton step from
/// any tilt below half a turn is that tilt.
void tilt(const Pose& a, const Pose& b, ClosureRows& out) {
  const Eigen::Vector3d x = a.R.col(0), y = a.R.col(1), z = a.R.col(2), z_b = b.R.col(2);
  const double about_x = -y.dot(z_b), about_y = x.dot(z_b);
  const TiltScale t(std::hypot(about_x, about_y), z.dot(z_b));
  // d(u · z_b) = u · (ω × z_b) = ω · (z_b × u), seen from A
  const Eigen::Vector3d d_scale = -t.slope * z_b.cross(z);
  out.angular.rows = 2;
  out.f_angular.head<2>() << t.scale * about_x, t.scale * about_y;
  out.angular.turn.col(0) = -t.scale * z_b.cross(y) + about_x * d_scale;
  out.angular.turn.col(1) = t.scale * z_b.cross(x) + about_y * d_scale;
}

/// All of the relative rotation as its rotation vector φ = log R, in the axes of A.
void turn(const Pose& a, const Pose& b, ClosureRows& out) {
  const Eigen::Quaterniond q(Eigen::Matrix3d(a.R.transpose() * b.R));
  const double sign = q.w() < 0 ? -1 : 1, s = q.vec().norm(), theta = 2 * std::atan2(s, sign * q.w());
  const Eigen::Vector3d phi = (s < 1e-4 ? sign * 2 * (1 + s * s / 6) : sign * theta / s) * q.vec();
  // φ̇ = (1 - ½ [φ] + c [φ]²) ω, ω in the axes of A, c = (1 - (θ/2) cot(θ/2))/θ²
  const double half = 0.5 * theta, t2 = theta * theta;
  const double c = theta < 0.05 ? 1.0 / 12 + t2 * (1.0 / 720 + t2 / 30240) : (1 - half / std::tan(half)) / t2;
  Eigen::Matrix3d cross;
  cross << 0, -phi.z(), phi.y(), phi.z(), 0, -phi.x(), -phi.y(), phi.x(), 0;
  const Eigen::Matrix3d T = Eigen::Matrix3d::Identity() - 0.5 * cross + c * cross * cross;
  out.angular.rows = 3;
  out.f_angular = phi;
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
