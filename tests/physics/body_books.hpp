#pragma once
// Newton and Euler for one free body: how far its books of one step are off, as a speed.
#include "physics/given_impulses.hpp"

#include <Eigen/LU>

namespace condyle::test {

struct BodyMotion {
  Eigen::Matrix3d R;
  Eigen::Vector3d com;      ///< m, in the world
  Eigen::Vector3d linear;   ///< m/s, of the centre of mass, world axes
  Eigen::Vector3d angular;  ///< N m s, momentum about the centre of mass, world axes
};

/// Velocity `v` in the axes of `q`.
inline BodyMotion body_motion(const FreeBody& body, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  const Pose pose = Pose::from_xyz_quaternion(q.segment<3>(body.q), q.segment<4>(body.q + 3));
  const Eigen::Vector3d u = v.segment<3>(body.v), w = v.segment<3>(body.v + 3);
  return {pose.R, pose * body.inertial.com, pose.R * (u + w.cross(body.inertial.com)), pose.R * (body.inertial.inertia * w)};
}

/// m/s or rad/s. `end` is either the state after the step, whose momentum must differ from the old one by what was given; or
/// v+ in the axes of q0, in which Euler's equation has the term dt ω × I ω besides.
inline double body_error(const FreeBody& body, const Eigen::Vector3d& gravity, double dt, const BodyMotion& begin,
                         const BodyMotion& end, const Wrench& given, const Eigen::Vector3d& gyroscopic) {
  const double mass = body.inertial.mass;
  const Eigen::Vector3d linear = end.linear - begin.linear - dt * gravity - given.linear / mass;
  const Eigen::Vector3d angular = end.angular - begin.angular - given.about(begin.com) + gyroscopic;
  const Eigen::Vector3d turning = body.inertial.inertia.inverse() * (end.R.transpose() * angular);
  return std::max(linear.norm(), turning.norm());
}

/// dt ω × I ω, world axes.
inline Eigen::Vector3d gyroscopic_impulse(const FreeBody& body, double dt, const BodyMotion& begin,
                                          const Eigen::VectorXd& v) {
  return dt * (begin.R * Eigen::Vector3d(v.segment<3>(body.v + 3))).cross(begin.angular);
}

}  // namespace condyle::test
