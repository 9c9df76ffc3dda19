#pragma once
#include "constraints/rows.hpp"

#include <condyle/model.hpp>

namespace condyle {

/// Residuals of a closure between frame A and frame B (see README.md for the definition of each kind) and their exact
/// derivatives, linear rows [m] and angular rows [rad] apart.
struct ClosureRows {
  PairRows linear, angular;
  Eigen::Vector3d f_linear = Eigen::Vector3d::Zero(), f_angular = Eigen::Vector3d::Zero();
};

int linear_rows_of(ClosureKind kind);
int angular_rows_of(ClosureKind kind);

/// `a`, `b`: the closure's two frames in the world; `length`: of kind distance.
void loop_closure(ClosureKind kind, double length, const Pose& a, const Pose& b, ClosureRows& out);

}  // namespace condyle
