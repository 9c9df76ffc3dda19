#include "solvers/sap/sap.hpp"

#include <cmath>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

/// R̄ = R where the laws gave one. A rigid row gets the compliance of a contact that a step just resolves (SAP 29, 30),
/// in scaled variables: w d². Both tangents of a contact alike.
void Sap::regularize(const ScaledIsland& island, const SapOptions& options) {
  const double near = options.near_rigid_beta * options.near_rigid_beta / (4 * M_PI * M_PI);
  for (const ConstraintBlock& block : island.blocks)
    for (int k = 0; k < block.rows; ++k) {
      const std::size_t row = at(block.row + k);
      const bool tangent = block.set == SetKind::cone && k < block.rows - 1;
      double R = island.R[row];
      if (tangent && block.rows == 3) R = 0.5 * (island.R[at(block.row)] + island.R[at(block.row) + 1]);
      const bool rubs = tangent || block.set == SetKind::box || block.set == SetKind::friction_box;
      core_.cost.R[row] = R > 0 ? R : (rubs ? options.sigma_slip : near) * block.weight * island.d[row] * island.d[row];
      core_.cost.offset[row] = island.g[row];
    }
}

Sap::Count Sap::run(ScaledIsland& island, const SapOptions& options, double target, const double* start, BestIterate& best,
                    NewtonTrace* trace) {
  Count count;
  core_.start(island);
  regularize(island, options);
  if (options.start == SapOptions::Start::velocity && core_.space().primal() && !island.guess.empty())
    core_.u.assign(island.guess.begin(), island.guess.end());
  else if (options.start != SapOptions::Start::free && start)
    core_.start_from_impulse(start);
  if (island.has_friction_boxes() && start) core_.cost.open_friction_boxes(island, start);
  NewtonOptions newton = options.newton;
  newton.relative = options.relative;
  const auto once = [&] {
    const NewtonCore::Outcome out = core_.run(island, newton, best, trace);
    count.iterations += out.iterations;
    count.factorizations += out.factorizations;
    count.momentum_error = out.scale > 0 ? out.gradient / out.scale : 0;
    best.offer(island, core_.gamma.data());
    return out.iterations > 0 && out.converged;
  };
  once();
  // The paper's rule compares momenta; the certificate is a speed. What is missing costs a step or two of Newton.
  while (options.until_certified && best.measure > target && count.iterations < options.newton.max_iterations &&
         newton.relative > 1e-15 && !best.out_of_time()) {
    newton.relative *= 1e-3;
    newton.max_iterations = options.newton.max_iterations - count.iterations;
    once();
  }
  return count;
}

}  // namespace condyle
