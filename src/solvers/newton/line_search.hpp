#pragma once
// How far along a Newton direction. ℓ(α) is convex and its derivatives cost O(rows) once Δu·Δu, Δu·u and Δw = Ĵ Δu are
// there.
#include "solvers/newton/convex_cost.hpp"

namespace condyle {

enum class SearchKind { exact, armijo };

class LineSearch {
 public:
  /// What stays while α moves: ℓ'(α) = α step² + step_u - Δw·γ(w + α Δw).
  struct Line {
    double step2 = 0, step_u = 0;  ///< Δu·Δu, Δu·u
    const std::vector<double>*w = nullptr, *dw = nullptr;
  };
  struct Derivatives {
    double first = 0, second = 0;
  };
  Derivatives derivatives(const ConvexCost& cost, const ScaledIsland& island, const Line& line, double alpha);
  /// The root of ℓ', by Newton's method kept within a bracket by bisection, to round-off; 0: ℓ does not fall.
  double exact(const ConvexCost& cost, const ScaledIsland& island, const Line& line);
  /// Backtracking from 1.25 by 0.8 until ℓ has fallen by 1e-4 of what its slope promises; 0: it never does.
  double armijo(const ConvexCost& cost, const ScaledIsland& island, const Line& line);

 private:
  std::vector<double> trial_, gamma_;
};

}  // namespace condyle
