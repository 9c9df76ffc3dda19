#pragma once
// Interior points of the exact law: λ in K, s in K*, λ∘s → 0 along the central path, with De Saxcé's term differentiated.
// Insensitive to which contacts stick, slip or open, and drawn to the middle of the impulses of a hyperstatic pile.
#include "solvers/best_iterate.hpp"
#include "solvers/interior/interior_system.hpp"

#include <vector>

namespace condyle {

struct InteriorOptions {
  int max_iterations = 60;
  double centre = 0.2;     ///< how far a good step goes down the path
  double theta = 1;        ///< share of De Saxcé's derivative that the steps see; below 1 they are slower and bend less
  double boundary = 0.99;  ///< share of the way to the boundary that a step may go
  double push = 1e-2;      ///< how far a start is moved inside, in parts of the largest g̃
  int patience = 10;       ///< iterations without a better impulse before it is given up
};

class InteriorPoint {
 public:
  /// Friction boxes tie sets together: not for them.
  static bool fits(const ScaledIsland& island) { return !island.has_friction_boxes(); }
  /// Begins at `start` (nullptr: no guess) and stops at `target`, or where round-off ends the path. Returns factorizations
  /// done.
  int run(ScaledIsland& island, const InteriorOptions& options, double target, const double* start, BestIterate& best);
  const std::vector<double>& impulse() const { return l_; }  ///< where the last run ended

 private:
  /// Nesterov and Todd's scaling of one cone, normal last: x = (λ_t, μ λ_n), y = (μ s_t, s_n), W y = W⁻¹ x.
  struct Scaling {
    double w[3], eta2;
  };
  void begin(const ScaledIsland& island);
  void begin_at(ScaledIsland& island, const double* start, double push);
  void residual(ScaledIsland& island);
  void linearize(const ScaledIsland& island);
  /// Newton's direction towards λ∘s = centre × gap and σ = ŝ - Γ(ŝ).
  void direction(ScaledIsland& island, double centre);
  double longest(const ScaledIsland& island) const;

  InteriorSystem system_;
  std::vector<double> l_, s_, z_;  // λ̃, ŝ; of boxes: s is the multiplier of the lower bound, z of the upper one
  std::vector<double> dl_, ds_, dz_, sigma_, error_, right_, q_, p_, T_, Y_, Binv_;
  std::vector<Scaling> scaling_;
  double theta_ = 1, gap_ = 0;  ///< mean λ∘s
  double infeasible_ = 0;
};

}  // namespace condyle
