#pragma once
#include "constraints/rows.hpp"

namespace condyle {

/// Columns t1, t2, n: right-handed, continuous in the unit normal n but for the one direction -(2, 3, 6)/7; the identity at
/// n = z. (No field of tangents is continuous everywhere; floors, walls and ceilings are far from where this one is not.)
Eigen::Matrix3d contact_frame(const Eigen::Vector3d& normal);

/// Rows t1, t2, n: the velocity of B minus that of A at the point.
PairRows contact_rows(const Eigen::Vector3d& point, const Eigen::Vector3d& normal);
/// The normal's row alone.
PairRows contact_normal_row(const Eigen::Vector3d& point, const Eigen::Vector3d& normal);

}  // namespace condyle
