#include "solvers/newton/newton_core.hpp"

#include <cmath>
#include <limits>

namespace condyle {

void NewtonCore::start(ScaledIsland& island) {
  space_.start(island);
  hessian_.start(island);
  cost.start(island);
  const std::size_t m = static_cast<std::size_t>(island.rows()), n = space_.size();
  u.assign(n, 0.0);
  for (std::vector<double>* x : {&impulse_, &gradient_, &step_}) x->resize(n);
  for (std::vector<double>* x : {&w, &gamma, &gradient_rows_, &step_rows_, &trial_}) x->assign(m, 0.0);
  G_.assign(3 * m, 0.0);
  modes_.assign(m, ProjectionMode::open);
}

void NewtonCore::start_from_impulse(const double* impulse) {
  std::copy(impulse, impulse + gamma.size(), gamma.begin());
  space_.from_rows(gamma, u);
}

/// ∇ℓ = u - Ĵᵀγ and its norm.
double NewtonCore::take_gradient(ScaledIsland&) {
  space_.from_rows(gamma, impulse_);
  for (std::size_t k = 0; k < u.size(); ++k) gradient_[k] = u[k] - impulse_[k];
  if (!space_.primal()) space_.to_rows(gradient_, gradient_rows_);
  return std::sqrt(std::max(0.0, space_.inner(gradient_, gradient_, gradient_rows_)));
}

/// max(‖p‖, ‖Ĵᵀγ‖); p = L⁻¹ A v = p* + u. Of dual problems v* is not known: u alone.
double NewtonCore::momentum_norm(const ScaledIsland& island) const {
  if (!space_.primal()) return std::sqrt(std::max(0.0, space_.inner(u, u, w)));
  double p2 = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double p = island.momentum.empty() ? u[k] : island.momentum[k] + u[k];
    p2 += p * p;
  }
  return std::max(std::sqrt(p2), view(impulse_).norm());
}

NewtonCore::Outcome NewtonCore::run(ScaledIsland& island, const NewtonOptions& options, const BestIterate& clock,
                                    NewtonTrace* trace) {
  Outcome out;
  space_.to_rows(u, w);
  double square = space_.inner(u, u, w), value = 0.5 * square + cost.evaluate(island, w.data(), gamma.data());
  bool flat = false;  // the last step changed ℓ by less than it can be known
  double before = std::numeric_limits<double>::infinity();
  for (;; ++out.iterations) {
    cost.differentiate(island, w.data(), gamma.data(), G_.data(), modes_);
    out.gradient = take_gradient(island);
    out.scale = momentum_norm(island);
    if (trace) {
      trace->cost.push_back(value);
      trace->gradient.push_back(out.gradient);
    }
    out.converged = out.gradient <= std::max(options.gradient, options.absolute + options.relative * out.scale);
    if (flat && !(out.gradient < 0.5 * before)) break;
    before = out.gradient;
    if (out.converged || out.iterations >= options.max_iterations || !std::isfinite(out.gradient) || clock.out_of_time())
      break;
    if (!hessian_.factor(island, G_, true, options.reuse)) break;
    out.factorizations += !hessian_.reused();
    hessian_.solve(island, gradient_, step_);
    for (double& x : step_) x = -x;
    space_.to_rows(step_, step_rows_);
    const LineSearch::Line line{space_.inner(step_, step_, step_rows_), space_.inner(u, step_, step_rows_), &w, &step_rows_};
    const double alpha =
        options.search == SearchKind::exact ? search_.exact(cost, island, line) : search_.armijo(cost, island, line);
    if (!(alpha > 0)) break;  // round-off: no direction is left
    for (std::size_t k = 0; k < w.size(); ++k) trial_[k] = w[k] + alpha * step_rows_[k];
    const double next_square = square + alpha * (2 * line.step_u + alpha * line.step2);
    const double next = 0.5 * next_square + cost.evaluate(island, trial_.data(), gamma.data());
    flat = !(next < value);
    // an exact search sees slopes where costs are equal to round-off; one that compares costs ends there
    const double known = options.search == SearchKind::exact ? 1e-15 * (std::abs(value) + next_square) : 0;
    if (flat && !(next <= value + known)) {
      cost.evaluate(island, w.data(), gamma.data());
      break;
    }
    value = next;
    square = next_square;
    w.swap(trial_);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += alpha * step_[k];
    if (trace) trace->step.push_back(alpha);
  }
  return out;
}

}  // namespace condyle
