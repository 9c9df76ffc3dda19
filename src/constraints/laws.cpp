#include "constraints/laws.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {

/// The share of an error beyond the slop that a step removes, as a bias; 0 if there is none.
double removed(const LawOptions& o, double dt, double gap) {
  if (gap >= -o.slop) return 0;
  return std::max(o.gain * (gap + o.slop) / dt, -o.depenetration_speed);
}

/// Within the slop touching is touching: the four gaps of a face that rests are zero but for round-off, and a bias that
/// keeps their positive part alone asks for velocities that no rigid face has.
double rigid_bias(const LawOptions& o, double dt, double gap) {
  if (gap > o.slop) return gap / dt;
  return o.correction == Correction::baumgarte ? removed(o, dt, gap) : 0;
}

double near_rigid_compliance(const LawOptions& o, double w) {
  return o.near_rigid_beta * o.near_rigid_beta / (4 * M_PI * M_PI) * w;
}
double near_rigid_dissipation(const LawOptions& o, double dt) { return o.near_rigid_beta * dt / M_PI; }

/// Positions enter as dt (B v⁻ + K r); without `- v⁻` as CRBD prints it, where the decay is about 20 times too slow.
double softened_bias(const LawOptions& o, double dt, double d, double residual, double velocity) {
  const double T = std::max(o.time_constant, 2 * dt), dw = o.impedance_width;
  const double B = 2 / (dw * T), K = d / (dw * dw * T * T * o.damping_ratio * o.damping_ratio);
  const double positions = dt * (B * velocity + K * residual);
  return o.kind == LawKind::softened ? positions - velocity : positions;
}

RowLaw softened_row(const LawOptions& o, double dt, const RowFacts& row) {
  const double d = impedance(o, row.residual);
  return {softened_bias(o, dt, d, row.residual, row.velocity), (1 - d) / d * row.diagonal};
}

}  // namespace

double impedance(const LawOptions& o, double residual) {
  const double d0 = o.impedance_0, dw = o.impedance_width;
  if (o.width <= 0 || d0 == dw) return 0.5 * (d0 + dw);
  const double x = std::abs(residual) / o.width, m = o.midpoint, p = o.power;
  if (x >= 1) return dw;
  if (p == 1) return d0 + x * (dw - d0);
  const double share = x <= m ? std::pow(x, p) / std::pow(m, p - 1) : 1 - std::pow(1 - x, p) / std::pow(1 - m, p - 1);
  return d0 + share * (dw - d0);
}

RowLaw bilateral_law(const LawOptions& o, double dt, const RowFacts& row) {
  switch (o.kind) {
    case LawKind::rigid: return {o.correction == Correction::baumgarte ? o.gain * row.residual / dt : 0, 0};
    case LawKind::near_rigid:
      return {row.residual / (dt + near_rigid_dissipation(o, dt)), near_rigid_compliance(o, row.weight)};
    case LawKind::softened:
    case LawKind::softened_crbd: break;
  }
  return softened_row(o, dt, row);
}

RowLaw limit_law(const LawOptions& o, double dt, const RowFacts& row) {
  switch (o.kind) {
    case LawKind::rigid: return {rigid_bias(o, dt, row.residual), 0};
    case LawKind::near_rigid:
      return {row.residual > 0 ? row.residual / dt : row.residual / (dt + near_rigid_dissipation(o, dt)),
              near_rigid_compliance(o, row.weight)};
    case LawKind::softened:
    case LawKind::softened_crbd: break;
  }
  return softened_row(o, dt, row);
}

RowLaw rubbing_law(const LawOptions& o, double weight) { return {0, o.kind == LawKind::rigid ? 0 : o.sigma_slip * weight}; }

ContactLaw contact_law(const LawOptions& o, const Material& material, double dt, double gap, const double velocity[3],
                       double weight, double tangent_diagonal, double normal_diagonal) {
  ContactLaw law;
  if (o.kind == LawKind::softened || o.kind == LawKind::softened_crbd) {
    const double d = impedance(o, gap), share = (1 - d) / d;
    law.bias[0] = softened_bias(o, dt, d, 0, velocity[0]);
    law.bias[1] = softened_bias(o, dt, d, 0, velocity[1]);
    law.bias[2] = softened_bias(o, dt, d, gap, velocity[2]);
    law.tangent = share * tangent_diagonal;
    law.normal = share * normal_diagonal;
    return law;
  }
  const bool soft = material.stiffness < unlimited, near = o.kind == LawKind::near_rigid;
  double tau = material.dissipation_time;
  if (near && !soft && !(tau > 0)) tau = near_rigid_dissipation(o, dt);
  if (soft) law.normal = 1 / (dt * material.stiffness * (dt + tau));
  if (near) law.normal = std::max(law.normal, near_rigid_compliance(o, weight));
  if (soft || near) law.tangent = o.sigma_slip * weight;

  double& b = law.bias[2];
  // An impact leaves with ε times its speed and has no positional term: both together could add energy.
  if (!soft && material.restitution > 0 && velocity[2] < -o.restitution_threshold && gap + dt * velocity[2] <= 0)
    b = material.restitution * velocity[2];
  else if (soft || near)
    b = gap > 0 ? gap / dt : gap / (dt + tau);  // dissipation must not act before the bodies touch
  else
    b = rigid_bias(o, dt, gap);
  return law;
}

double correction_bias(const LawOptions& o, double dt, double gap) { return gap > 0 ? gap / dt : removed(o, dt, gap); }

}  // namespace condyle
