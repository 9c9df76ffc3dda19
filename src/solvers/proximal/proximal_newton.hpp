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

struct PathOptions {
  double alpha = 1e-5;  ///< weight at which the path begins; larger where Newton does not find it there
  double alpha_min = 1e-13;
  double ratio = 0.3;      ///< of the second weight to the first; then as Newton allows
  double given_up = 0.99;  ///< ratio that is no progress any more
  double rho = 10;
  int max_factorizations = 300;
};

class ProximalNewton {
 public:
  struct Count {
    int outer = 0, newton = 0, factorizations = 0;
  };
  /// From `start` (scaled λ̃) until `target` or the limits; the best iterate goes to `best`.
  Count run(ScaledIsland& island, const ProximalOptions& options, double target, const std::vector<double>& start,
            BestIterate& best);
  /// The proximal point of `start` while its weight goes to zero, in steps that are small enough for Newton from the last
  /// point. Where the path turns back it ends, at end_of_path().
  Count follow(ScaledIsland& island, const PathOptions& options, double target, const std::vector<double>& start,
               BestIterate& best);
  const std::vector<double>& end_of_path() const { return reached_; }
  /// At most `steps` minimum-norm Newton steps on Φ with α = 0, ρ = 1.
  Count run_minimum_norm(ScaledIsland& island, int steps, double target, const std::vector<double>& start,
                         BestIterate& best);

 private:
  bool solve_point(ScaledIsland& island, double tolerance, int budget, const BestIterate& clock, Count& count);
  bool solve_near(ScaledIsland& island, double tolerance, Count& count);
  void resize(ScaledIsland& island);
  void set_weight(double alpha, double rho);
  void sigma_alpha(ScaledIsland& island, const std::vector<double>& x, std::vector<double>& out);

  NewtonFunction function_, trial_function_;
  NewtonSystem system_;
  Anderson anderson_;
  std::vector<double> center_, impulse_, reached_, sigma_, step_, change_, trial_, trial_sigma_;
};

}  // namespace condyle
