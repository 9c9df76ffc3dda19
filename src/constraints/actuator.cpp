#include "constraints/joint_rows.hpp"

#include <cmath>

namespace condyle {

// λ = dt (k_p (q_d - q0 - dt v) + k_d (v_d - v)) is σ = v + b + R λ = 0 with the numbers below: the spring and the damper
// are those of the end of the step, so any gains are stable, and the box holds the effort.
bool actuator_law(const ActuatorSpec& spec, const ActuatorAim& aim, double position, bool turns, double dt,
                  ActuatorLaw& out) {
  const double impedance = dt * spec.kp + spec.kd;
  if (!(impedance > 0)) return false;
  double error = position - aim.target;
  if (turns) error = std::remainder(error, 2 * M_PI);
  out.compliance = 1 / (dt * impedance);
  out.bias = (spec.kp * error - spec.kd * aim.velocity) / impedance;
  out.bound = spec.effort * dt;
  return true;
}

}  // namespace condyle
