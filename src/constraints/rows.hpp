#pragma once
// What every kind of constraint says: a few rows, either on the relative motion of two bodies or on joint velocities.
#include <condyle/eigen_abi.hpp>

#include <Eigen/Geometry>

namespace condyle {

/// At most three rows between bodies A and B, in world axes:
///
///     row_i = direction_i · (velocity of B minus that of A, both at `point`) + turn_i · (ω_B - ω_A)
///
/// A residual that depends on the pose of B seen from A alone has rows of this form, on the manifold and off it.
struct PairRows {
  int rows = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Matrix3d direction = Eigen::Matrix3d::Zero();  ///< one column for each row
  Eigen::Matrix3d turn = Eigen::Matrix3d::Zero();       ///< one column for each row

  /// Row i on the relative twist whose linear part is the velocity at `reference`: linear, angular.
  Eigen::Matrix<double, 6, 1> row_at(int i, const Eigen::Vector3d& reference) const {
    Eigen::Matrix<double, 6, 1> out;
    out.head<3>() = direction.col(i);
    out.tail<3>() = (point - reference).cross(direction.col(i)) + turn.col(i);
    return out;
  }
};

/// One row on one or two velocities of the scene.
struct JointRow {
  int velocity[2] = {-1, -1};  ///< -1: not used
  double coefficient[2] = {1, 0};
  double residual = 0;
};

}  // namespace condyle
