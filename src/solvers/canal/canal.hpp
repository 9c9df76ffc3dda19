#pragma once
// CANAL (Lee et al., Alg. 1): the exact friction law by augmented-Lagrangian steps, each one convex problem for the Newton
// core. README.md says what was added to the paper.
#include "solvers/admm/anderson.hpp"
#include "solvers/canal/strict_newton.hpp"
#include "solvers/newton/newton_core.hpp"

namespace condyle {

struct CanalOptions {
  double beta = 100;      ///< penalty in scaled variables, where it is the paper's β times w
  double beta_max = 1e7;  ///< of the rule
  double kappa = 1;       ///< the rule: β ← min(κ β, β_max) where a step removed less than 1 - ζ; 1: β stays
  double zeta = 0.25;
  int passes = 1;             ///< on De Saxcé's term for each multiplier; 1: lagged, as in the paper
  int memory = 10;            ///< of the acceleration of t = s - λ_prev/β; 0: none
  int max_outer = 100;        ///< multiplier steps
  int max_newton = 300;       ///< Newton steps in all
  int patience = 15;          ///< multiplier steps in which the residual must halve, else β grows tenfold ...
  double beta_last = 1e5;     ///< ... up to here, where CANAL gives up
  double inner_share = 0.1;   ///< the core stops at this share of the last outer residual
  double inner_relative = 0;  ///< > 0: SAP's relative test alone, as for fixed numbers of outer steps
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
  void set_surrogate(const ScaledIsland& island, double beta);
  double update_de_saxce(const ScaledIsland& island);
  bool solve_inner(ScaledIsland& island, const CanalOptions& options, double outer, BestIterate& best, Count& count);

  NewtonCore core_;
  StrictNewton strict_;
  Anderson anderson_;
  std::vector<double> previous_, impulse_, s_, s_before_;  // λ of the last step and of this one, Γ by row
  std::vector<double> state_, map_;       // t = s - λ_prev/β, all that a step takes from the one before it
  std::vector<double> lag_, transposed_;  // (G - Gs) λ_prev
};

}  // namespace condyle
