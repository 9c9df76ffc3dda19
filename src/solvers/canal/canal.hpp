#pragma once
// CANAL (Lee et al., Alg. 1): the exact friction law by augmented-Lagrangian steps, each one convex problem for the Newton
// core. README.md says what was added to the paper.
#include "solvers/admm/anderson.hpp"
#include "solvers/canal/strict_newton.hpp"
#include "solvers/newton/newton_core.hpp"

namespace condyle {

struct CanalOptions {
  double beta = 1e3;      ///< penalty in scaled variables, where it is the paper's β times w
  double beta_max = 1e7;  ///< of the rule
  double kappa = 1;       ///< the rule: β ← min(κ β, β_max) where a step removed less than 1 - ζ; 1: β stays
  double zeta = 0.25;
  int passes = 10;              ///< on De Saxcé's term for each multiplier; 1: lagged, as in the paper
  int memory = 5;               ///< of the acceleration of λ; 0: none
  int max_outer = 100;          ///< multiplier steps
  int max_newton = 300;         ///< Newton steps in all
  double inner_share = 0.1;     ///< the core stops at this share of the last outer residual
  double inner_relative = 0;    ///< > 0: SAP's relative test alone, as for fixed numbers of outer steps
  StrictMethod strict = StrictMethod::none;  ///< inner problems with the strict operator, by one of the baselines
  NewtonOptions newton;
};

class Canal {
 public:
  struct Count {
    int outer = 0, newton = 0, factorizations = 0;
    int failures = 0;  ///< inner problems that did not reach their tolerance
  };
  Count run(ScaledIsland& island, const CanalOptions& options, double target, const double* start, BestIterate& best);

 private:
  void take_lag(ScaledIsland& island);
  double scaled_residual(const ScaledIsland& island, const std::vector<double>& sigma);
  void set_offset(ScaledIsland& island, double beta);
  double update_de_saxce(const ScaledIsland& island, double beta);
  bool solve_inner(ScaledIsland& island, const CanalOptions& options, double outer, double beta, BestIterate& best,
                   Count& count);

  NewtonCore core_;
  StrictNewton strict_;
  Anderson anderson_;
  std::vector<double> previous_, impulse_, s_, lag_, transposed_;  // λ_prev, λ, Γ by row, (G - Gs) λ_prev
};

}  // namespace condyle
