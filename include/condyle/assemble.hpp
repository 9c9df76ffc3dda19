#pragma once
#include <condyle/scene.hpp>

#include <string>

namespace condyle {

struct AssembleOptions {
  double tolerance = 1e-12;  ///< m and rad
  int max_iterations = 500;
};

struct AssembleResult {
  State state;                              ///< on the loop manifold, on the branch nearest to where it began
  double residual_m = 0, residual_rad = 0;  ///< largest closure errors left
  int rows = 0, rank = 0;                   ///< of all closures and couplings, at the result
  int mobility = 0;                         ///< nv - rank
  int iterations = 0;
  bool converged = false;
  std::string message;  ///< in words; names the worst closure if not converged
};

/// Projects a state onto the manifold of its loops and couplings: positions by damped Newton, velocities onto the tangent,
/// both in the metric of the inertia.
AssembleResult assemble(const Scene& scene, const State& state, const AssembleOptions& options = {});

}  // namespace condyle
