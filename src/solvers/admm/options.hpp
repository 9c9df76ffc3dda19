#pragma once

namespace condyle {

enum class PenaltyRule {
  fixed,    ///< one factorization
  linear,   ///< ρ times or divided by τ, ADMM (44)
  spectral  ///< ρ = √(m L) κ^p with p up or down by a step, ADMM (45-46)
};

struct AdmmOptions {
  double rho = 0.03;  ///< penalty, in scaled variables; the linear rule begins with it
  double eta = 1e-6;  ///< proximal weight
  double omega = 1;   ///< over-relaxation, [1, 2)
  int memory = 10;    ///< of the acceleration; 0: none
  int check = 5;      ///< iterations between two measures
  int max_iterations = 400;

  PenaltyRule rule = PenaltyRule::fixed;
  double alpha = 10;      ///< ρ changes when one residual is this many times the other
  double tau = 2;         ///< factor of the linear rule, > 1
  double exponent = 0.2;  ///< first p of the spectral rule
  double exponent_step = 0.05;
  int hold = 20;       ///< at most one change of ρ in so many iterations; 1: at any iteration, as in the paper's tables
  double eps_abs = 0;  ///< > 0: stops on ADMM (43), N s, m/s and J, instead of the measure
};

}  // namespace condyle
