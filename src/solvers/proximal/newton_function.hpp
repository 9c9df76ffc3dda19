#pragma once
// Φ(λ) = λ - T(λ - ρ σ_α(λ)), σ_α = (G̃ + R̃ + α) λ + g̃ - α λ_k: Alart-Curnier (SOLVER_RECIPES 4). Holds Φ and Q = dT/dx.
#include "solvers/scaled_island.hpp"

#include <vector>

namespace condyle {

struct NewtonFunction {
  double rho = 10, alpha = 0;
  std::vector<double> phi;
  std::vector<double> Q;        ///< cones: rows² numbers at 3 × row; other sets: one number for each row at 3 × row
  std::vector<double> coupled;  ///< friction boxes at a bound: dΦ_k/dλ_normal; else 0

  void start(const ScaledIsland& island);
  /// Returns ‖Φ‖. `derivative` false: Φ alone.
  double evaluate(const ScaledIsland& island, const double* impulse, const double* sigma_alpha, bool derivative);
};

}  // namespace condyle
