#include "constraints/joint_rows.hpp"

#include <cmath>

namespace condyle {

double joint_position(const Eigen::VectorXd& q, int index, bool turns) {
  return turns ? std::atan2(q[index + 1], q[index]) : q[index];
}

JointRow coupling_row(const SceneCoupling& coupling, const Eigen::VectorXd& q) {
  const double of = joint_position(q, coupling.of_q, coupling.of_turns);
  double value = 0, slope = 0;
  for (auto c = coupling.polynomial.rbegin(); c != coupling.polynomial.rend(); ++c) {  // Horner, with its derivative
    slope = slope * of + value;
    value = value * of + *c;
  }
  JointRow row;
  row.residual = joint_position(q, coupling.q, coupling.turns) - value;
  if (coupling.turns) row.residual = std::remainder(row.residual, 2 * M_PI);
  row.velocity[0] = coupling.v;
  row.velocity[1] = coupling.of_v;
  row.coefficient[1] = -slope;
  return row;
}

}  // namespace condyle
