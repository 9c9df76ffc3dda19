#pragma once
// SAP (Castro, Permenter, Han, Alg. 2): the convex, compliant contact model as one unconstrained minimization over
// velocities.
#include "solvers/newton/newton_core.hpp"

namespace condyle {

struct SapOptions {
  double relative = 1e-6;       ///< ε_r of the paper's stopping rule
  double sigma_slip = 1e-3;     ///< friction rows without compliance get R_t = sigma_slip w
  double near_rigid_beta = 1;   ///< other rows without compliance get R = β²/(4π²) w
  bool until_certified = true;  ///< goes on after the paper's rule until the target holds
  enum class Start { free, velocity, impulse } start = Start::velocity;  ///< velocity: where one is given
  NewtonOptions newton{.max_iterations = 1000};  ///< at sigma_slip 1e-6 a step of a heap takes hundreds
};

class Sap {
 public:
  struct Count {
    int iterations = 0, factorizations = 0;
    double momentum_error = 0;  ///< e_m (SAP 32) in the norm of L⁻¹
  };
  Count run(ScaledIsland& island, const SapOptions& options, double target, const double* start, BestIterate& best,
            NewtonTrace* trace = nullptr);
  NewtonCore& core() { return core_; }

 private:
  void regularize(const ScaledIsland& island, const SapOptions& options);
  NewtonCore core_;
};

}  // namespace condyle
