#pragma once
// The baselines of CANAL's ablation (its VII-D1): the inner problem with the strict operator,
//   r(u) = u - Ĵᵀ T(y),   y = -R̄⁻¹ (Ĵ u + offset),
// which has no potential, by semismooth Newton with backtracking on ½‖r‖² or by a trust region with dogleg steps.
#include "solvers/newton/newton_core.hpp"

namespace condyle {

enum class StrictMethod { none, damped, dogleg };

class StrictNewton {
 public:
  void start(ScaledIsland& island);
  /// From `u`, which becomes the answer; `gamma` = T(y). Stops at ‖r‖ ≤ tolerance.
  NewtonCore::Outcome run(ScaledIsland& island, const ConvexCost& cost, StrictMethod method, double tolerance,
                          int max_iterations, const BestIterate& clock, std::vector<double>& u, std::vector<double>& gamma);

 private:
  double residual(ScaledIsland& island, const ConvexCost& cost, const std::vector<double>& u, std::vector<double>& gamma,
                  double* G);
  void apply(ScaledIsland& island, const std::vector<double>& x, std::vector<double>& out, bool transposed);
  bool damped_step(ScaledIsland& island, const ConvexCost& cost, double norm, std::vector<double>& u,
                   std::vector<double>& gamma);
  bool dogleg_step(ScaledIsland& island, const ConvexCost& cost, double norm, std::vector<double>& u,
                   std::vector<double>& gamma);
  double norm_of(const std::vector<double>& x);

  NewtonSpace space_;
  HessianSystem system_;
  double radius_ = 0;
  std::vector<double> G_, r_, rows_, step_, trial_, trial_gamma_, trial_r_, cauchy_, product_, mixed_;
};

}  // namespace condyle
