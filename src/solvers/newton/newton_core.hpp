#pragma once
// min ℓ(u) = ½‖u‖² + contact part (ALGORITHMS 6): Newton's method with an exact line search, in the island's scaled
// variables. SAP calls it once, CANAL once for each multiplier and each pass on De Saxcé's term.
#include "solvers/best_iterate.hpp"
#include "solvers/newton/hessian_system.hpp"
#include "solvers/newton/line_search.hpp"

namespace condyle {

struct NewtonOptions {
  double relative = 1e-6, absolute = 1e-16;  ///< stop at ‖∇ℓ‖ ≤ absolute + relative max(‖p‖, ‖Ĵᵀγ‖) (SAP VI-A) ...
  double gradient = 0;                       ///< ... or at this ‖∇ℓ‖, whatever is larger
  int max_iterations = 100;
  SearchKind search = SearchKind::exact;
  double reuse = 0;  ///< the factor is kept while 𝒢 changes by no more than this share
};

/// What every iteration did, for tests and studies.
struct NewtonTrace {
  std::vector<double> cost, gradient, step;
};

class NewtonCore {
 public:
  struct Outcome {
    int iterations = 0, factorizations = 0;
    bool converged = false;
    double gradient = 0, scale = 0;  ///< ‖∇ℓ‖ and max(‖p‖, ‖Ĵᵀγ‖) at the end
  };
  ConvexCost cost;  ///< R̄ and offset are the caller's to set, between start and run
  std::vector<double> u, w, gamma;

  /// u = 0.
  void start(ScaledIsland& island);
  /// u = Ĵᵀ λ̃.
  void start_from_impulse(const double* impulse);
  /// From u, which stays for the next call.
  Outcome run(ScaledIsland& island, const NewtonOptions& options, const BestIterate& clock, NewtonTrace* trace = nullptr);
  NewtonSpace& space() { return space_; }

 private:
  double take_gradient(ScaledIsland& island);
  double momentum_norm(const ScaledIsland& island) const;

  NewtonSpace space_;
  HessianSystem hessian_;
  LineSearch search_;
  std::vector<ProjectionMode> modes_;
  std::vector<double> G_, impulse_, gradient_, gradient_rows_, step_, step_rows_, trial_;
};

}  // namespace condyle
