#pragma once
#include "constraints/rows.hpp"

namespace condyle {

/// A spring and a damper along the line between two points. The row is the rate of their distance; λ pushes them apart.
struct SpringDamper {
  PairRows row;
  double stretch = 0;               ///< m, distance minus length
  double bias = 0, compliance = 0;  ///< of the row
};

/// `a`, `b`: the points in the world. False: no stiffness and no damping, or the points coincide and there is no line.
bool spring_damper(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double stiffness, double damping, double length,
                   double dt, SpringDamper& out);

}  // namespace condyle
