#include "collision/time_of_impact.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace condyle {
namespace {

/// How far a point of a piece can be from the frame's origin. Of an unbounded one only what the other, which travels so far,
/// can reach counts.
double reach(const Piece& piece, const Pose& pose, const Piece& other, const Pose& other_pose, double travel) {
  if (std::isfinite(piece.radius)) return piece.radius;
  return (other_pose.p - pose.p).norm() + other.radius + travel;
}

}  // namespace

Pose moved(const ShapeMotion& motion, double t) {
  Pose out = motion.pose;
  out.p += t * motion.linear;
  const double angle = t * motion.angular.norm();
  if (angle > 0)
    out.R = Eigen::AngleAxisd(angle, Eigen::Vector3d(motion.angular.normalized())).toRotationMatrix() * motion.pose.R;
  return out;
}

Impact time_of_impact(NarrowPhase& narrow, const Piece& a, const ShapeMotion& motion_a, const Piece& b,
                      const ShapeMotion& motion_b, double dt, double tolerance) {
  constexpr int iterations = 100;
  const double target = 0.5 * tolerance;  // aimed at, so that rounding does not make an endless approach
  const Eigen::Vector3d linear = motion_b.linear - motion_a.linear;
  const double travel = dt * linear.norm();
  Impact out;
  for (int k = 0; k < iterations; ++k) {
    const Pose pose_a = moved(motion_a, out.time), pose_b = moved(motion_b, out.time);
    out.at = narrow.separation(a, pose_a, b, pose_b);
    const double d = out.at.distance;
    if (!std::isfinite(d)) return out;
    if (d <= tolerance) break;
    // Along the present normal no point comes nearer faster than this, at any later time either.
    const Eigen::Vector3d& n = out.at.normal;
    double closing = -n.dot(linear);
    if (motion_a.angular.squaredNorm() > 0)
      closing += n.cross(motion_a.angular).norm() * reach(a, pose_a, b, pose_b, travel + d);
    if (motion_b.angular.squaredNorm() > 0)
      closing += n.cross(motion_b.angular).norm() * reach(b, pose_b, a, pose_a, travel + d);
    if (!(closing > 0)) return out;
    const double next = out.time + (d - target) / closing;
    if (!(next <= dt)) return out;
    out.time = next;
  }
  // Not resolved after so many steps: taken as met at the time reached, where the gap is still open, which is safe.
  out.meets = true;
  return out;
}

}  // namespace condyle
