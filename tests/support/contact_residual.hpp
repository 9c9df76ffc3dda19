#pragma once
// What CANAL's paper measures (VII): the strict operator sees how far contacts are from Coulomb's law.
#include "cones/alart_curnier.hpp"

#include <condyle/solver.hpp>

#include <algorithm>
#include <cmath>

namespace condyle::test {

/// ‖λ - T(λ - σ)‖ / contacts, in N s where σ counts as one.
inline double contact_residual(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& sigma) {
  double sum = 0;
  for (const ConstraintBlock& block : problem.blocks) {
    if (block.set != SetKind::cone) continue;
    double x[3], T[3], Q[9];
    for (int k = 0; k < 3; ++k) x[k] = impulse[block.row + k] - sigma[block.row + k];
    strict_cone(x, 3, block.friction, T, Q);
    for (int k = 0; k < 3; ++k) sum += (impulse[block.row + k] - T[k]) * (impulse[block.row + k] - T[k]);
  }
  return std::sqrt(sum) / std::max(1, problem.contacts());
}

}  // namespace condyle::test
