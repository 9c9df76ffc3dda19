#include "constraints/spring_damper.hpp"

namespace condyle {

// λ = -dt (k (e + dt ė) + c ė): implicit, as the pd actuator's.
bool spring_damper(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double stiffness, double damping, double length,
                   double dt, SpringDamper& out) {
  const double impedance = dt * stiffness + damping, d = (b - a).norm();
  if (!(impedance > 0) || !(d > 1e-12)) return false;
  out.row = PairRows();
  out.row.rows = 1;
  out.row.point = b;
  out.row.direction.col(0) = (b - a) / d;
  out.stretch = d - length;
  out.compliance = 1 / (dt * impedance);
  out.bias = stiffness * out.stretch / impedance;
  return true;
}

}  // namespace condyle
