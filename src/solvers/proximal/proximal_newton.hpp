#pragma once
// The closer: proximal points, each found by a semismooth Newton method with a monotone search (SOLVER_RECIPES 4).
#include "solvers/admm/anderson.hpp"
#include "solvers/best_iterate.hpp"
#include "solvers/proximal/newton_system.hpp"

namespace condyle {

struct ProximalOptions {
  double alpha = 1e-2;  ///< first proximal weight, in scaled variables
  double alpha_min = 1e-10;
  double ratio = 0.1;  ///< of one weight to the last while all goes well
  double rho = 10;     ///< step of the Newton function; 1 stalls
  int memory = 5;      ///< Anderson acceleration of the outer points while α stays
  int max_outer = 40, max_factorizations = 100;
};

class ProximalNewton {
 public:
  struct Count {
    int outer = 0, newton = 0, factorizations = 0;
  };
  /// From `start` (scaled λ̃) until `target` or the limits; the best iterate goes to `best`.
  Count run(ScaledIsland& island, const ProximalOptions& options, double target, const std::vector<double>& start,
            BestIterate& best);
  /// At most `steps` minimum-norm Newton steps on Φ with α = 0, ρ = 1.
  Count run_minimum_norm(ScaledIsland& island, int steps, double target, const std::vector<double>& start,
                         BestIterate& best);

 private:
  bool solve_point(ScaledIsland& island, double tolerance, int budget, const BestIterate& clock, Count& count);
  void sigma_alpha(ScaledIsland& island, const std::vector<double>& x, std::vector<double>& out);

  NewtonFunction function_, trial_function_;
  NewtonSystem system_;
  Anderson anderson_;
  std::vector<double> center_, impulse_, sigma_, step_, change_, trial_, trial_sigma_;
};

}  // namespace condyle
