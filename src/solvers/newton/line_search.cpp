#include "solvers/newton/line_search.hpp"

#include <cmath>

namespace condyle {

LineSearch::Derivatives LineSearch::derivatives(const ConvexCost& cost, const ScaledIsland& island, const Line& line,
                                                double alpha) {
  trial_.resize(line.w->size());
  for (std::size_t k = 0; k < trial_.size(); ++k) trial_[k] = (*line.w)[k] + alpha * (*line.dw)[k];
  const ConvexCost::Slope slope = cost.slope(island, trial_.data(), line.dw->data());
  return {alpha * line.step2 + line.step_u - slope.along, line.step2 + slope.curvature};
}

double LineSearch::exact(const ConvexCost& cost, const ScaledIsland& island, const Line& line) {
  const double slope = derivatives(cost, island, line, 0).first;
  if (!(slope < 0)) return 0;
  double low = 0, high = 1;
  Derivatives at_high = derivatives(cost, island, line, high);
  while (at_high.first < 0 && high < 1e6) {  // ℓ is strongly convex: the bracket ends
    low = high;
    high *= 2;
    at_high = derivatives(cost, island, line, high);
  }
  double alpha = low > 0 ? low : high, last_width = high - low;
  Derivatives here = low > 0 ? derivatives(cost, island, line, alpha) : at_high;
  for (int iteration = 0; iteration < 100; ++iteration) {
    if (std::abs(here.first) <= 1e-15 * std::abs(slope)) break;
    (here.first < 0 ? low : high) = alpha;
    const double newton = alpha - here.first / here.second, width = high - low;
    const bool inside = newton > low && newton < high;
    // Newton must halve the bracket in two steps, else bisection does
    const double next = inside && (std::abs(newton - alpha) < 0.5 * last_width) ? newton : 0.5 * (low + high);
    last_width = std::abs(next - alpha);
    if (next == alpha || width <= 1e-15 * high || std::abs(next - alpha) <= 1e-14 * alpha) {
      alpha = next;
      break;
    }
    alpha = next;
    here = derivatives(cost, island, line, alpha);
  }
  return alpha;
}

double LineSearch::armijo(const ConvexCost& cost, const ScaledIsland& island, const Line& line) {
  constexpr double shrink = 0.8, share = 1e-4, longest = 1.25;
  trial_.resize(line.w->size());
  gamma_.resize(line.w->size());
  const double slope = derivatives(cost, island, line, 0).first;
  if (!(slope < 0)) return 0;
  const double start = cost.evaluate(island, line.w->data(), gamma_.data());
  for (double alpha = longest; alpha > 1e-12; alpha *= shrink) {
    for (std::size_t k = 0; k < trial_.size(); ++k) trial_[k] = (*line.w)[k] + alpha * (*line.dw)[k];
    const double change =
        cost.evaluate(island, trial_.data(), gamma_.data()) - start + alpha * (line.step_u + 0.5 * alpha * line.step2);
    if (change <= share * alpha * slope) return alpha;
  }
  return 0;
}

}  // namespace condyle
