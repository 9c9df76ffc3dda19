#include "solvers/proximal/proximal_newton.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
constexpr double near_target = 10, nearly = 0.99;
}  // namespace

void ProximalNewton::sigma_alpha(ScaledIsland& island, const std::vector<double>& x, std::vector<double>& out) {
  island.sigma(x.data(), out.data());
  for (std::size_t k = 0; k < x.size(); ++k) out[k] += function_.alpha * (x[k] - center_[k]);
}

void ProximalNewton::resize(ScaledIsland& island) {
  function_.start(island);
  trial_function_.start(island);
  for (std::vector<double>* v : {&sigma_, &step_, &change_, &trial_, &trial_sigma_})
    v->resize(static_cast<std::size_t>(island.rows()));
}

void ProximalNewton::set_weight(double alpha, double rho) {
  function_.alpha = trial_function_.alpha = alpha;
  function_.rho = trial_function_.rho = rho / (1 + alpha);
}

/// Newton from impulse_; true when ‖Φ‖ ≤ tolerance. impulse_ is worthless after a failure.
bool ProximalNewton::solve_point(ScaledIsland& island, double tolerance, int budget, const BestIterate& clock,
                                 Count& count) {
  const std::size_t m = impulse_.size();
  sigma_alpha(island, impulse_, sigma_);
  double norm = function_.evaluate(island, impulse_.data(), sigma_.data(), true);
  double first = 0;
  for (int iteration = 0; iteration < 40; ++iteration) {
    if (norm <= tolerance) return true;
    if (iteration == 0) first = norm;
    if ((iteration >= 10 && norm > 0.5 * first) || (iteration >= 20 && norm > 0.1 * first))
      return false;  // it will not come
    if (!std::isfinite(norm) || count.factorizations >= budget || clock.out_of_time()) return false;
    ++count.newton;
    const bool solved = system_.solve(island, function_, step_);
    if (!system_.reused()) ++count.factorizations;
    if (!solved) return false;
    island.multiply(step_.data(), change_.data());
    for (std::size_t k = 0; k < m; ++k) change_[k] += function_.alpha * step_[k];
    double t = 1;
    bool accepted = false;
    for (int halving = 0; halving <= 12 && !accepted; ++halving, t *= 0.5) {
      for (std::size_t k = 0; k < m; ++k) {
        trial_[k] = impulse_[k] + t * step_[k];
        trial_sigma_[k] = sigma_[k] + t * change_[k];
      }
      const double trial_norm = trial_function_.evaluate(island, trial_.data(), trial_sigma_.data(), false);
      accepted = trial_norm <= (1 - 5e-5 * t) * norm;
    }
    if (!accepted && system_.reused()) {
      system_.forget_factor();
      continue;
    }
    if (!accepted) return false;
    impulse_.swap(trial_);
    sigma_alpha(island, impulse_, sigma_);
    norm = function_.evaluate(island, impulse_.data(), sigma_.data(), true);
  }
  return norm <= tolerance;
}

ProximalNewton::Count ProximalNewton::run(ScaledIsland& island, const ProximalOptions& options, double target,
                                          const std::vector<double>& start, BestIterate& best) {
  Count count;
  resize(island);
  impulse_.assign(start.begin(), start.end());
  center_.assign(start.begin(), start.end());
  double alpha = options.alpha, last_good = 0, ratio = options.ratio;
  int wait = 0, no_better = 0;
  anderson_.start(island.rows(), options.memory);
  while (count.outer < options.max_outer && count.factorizations < options.max_factorizations && !best.out_of_time()) {
    ++count.outer;
    function_.alpha = 0;
    function_.rho = options.rho;
    sigma_alpha(island, center_, sigma_);
    const double outer_norm = function_.evaluate(island, center_.data(), sigma_.data(), false);
    set_weight(alpha, options.rho);
    // σ̃ cannot be known better than to the round-off of λ̃
    const double floor = 1e-13 + 1e-15 * function_.rho * view(center_).norm();
    const double tolerance = std::max(floor, std::min(1e-2 * alpha, 0.1) * outer_norm);
    std::copy(center_.begin(), center_.end(), impulse_.begin());
    const int before = count.newton;
    if (solve_point(island, tolerance, options.max_factorizations, best, count)) {
      const bool moved = !std::equal(impulse_.begin(), impulse_.end(), center_.begin());
      const double before_it = best.measure, value = best.offer(island, impulse_.data());
      if (value <= target) break;
      // Round-off has the last word: going on would only let it grow into what no row feels, a ring that presses outwards.
      no_better = value > nearly * before_it ? no_better + 1 : 0;
      if (no_better == 2 && value <= near_target * target) break;
      anderson_.advance(center_, impulse_);
      if (!moved && alpha <= options.alpha_min) break;
      last_good = alpha;
      if (count.newton - before <= 3) ratio = std::max(options.ratio, ratio * ratio);
      if (wait > 0) {
        --wait;
      } else {
        const double next = std::max(ratio * alpha, options.alpha_min);
        if (next != alpha) anderson_.clear();  // the map is another one
        alpha = next;
      }
    } else {
      anderson_.clear();
      if (last_good > alpha) {  // back to the weight that went well, accelerated there; then down in smaller steps
        ratio = std::min(std::sqrt(ratio), 0.8);
        alpha = last_good;
        wait = 4;
      } else {
        alpha = std::min(10 * alpha, 1e4);
        wait = 2;
      }
    }
  }
  return count;
}

/// Newton from impulse_, which is near, with full steps: where contacts change between sticking and sliding ‖Φ‖ rises before
/// it falls, and a search along the step would stop there.
bool ProximalNewton::solve_near(ScaledIsland& island, double tolerance, Count& count) {
  constexpr int most_steps = 12;
  for (int k = 0;; ++k) {
    sigma_alpha(island, impulse_, sigma_);
    const double norm = function_.evaluate(island, impulse_.data(), sigma_.data(), true);
    if (norm <= tolerance) return true;
    if (!std::isfinite(norm) || k == most_steps) return false;
    ++count.newton;
    const bool solved = system_.solve(island, function_, step_);
    if (!system_.reused()) ++count.factorizations;
    if (!solved) return false;
    view(impulse_) += view(step_);
  }
}

ProximalNewton::Count ProximalNewton::follow(ScaledIsland& island, const PathOptions& options, double target,
                                             const std::vector<double>& start, BestIterate& best) {
  Count count;
  resize(island);
  center_.assign(start.begin(), start.end());
  reached_.assign(start.begin(), start.end());
  const double tolerance = std::max(1e-11, 1e-15 * options.rho * view(center_).norm());
  double alpha = options.alpha, ratio = options.ratio;
  for (;; alpha *= 4) {
    if (alpha > 1 || count.factorizations >= options.max_factorizations || best.out_of_time()) return count;
    set_weight(alpha, options.rho);
    impulse_.assign(start.begin(), start.end());
    if (solve_point(island, tolerance, options.max_factorizations, best, count)) break;
  }
  reached_.assign(impulse_.begin(), impulse_.end());
  if (best.offer(island, impulse_.data()) <= target) return count;
  while (alpha > options.alpha_min && count.factorizations < options.max_factorizations && !best.out_of_time()) {
    ++count.outer;
    set_weight(ratio * alpha, options.rho);
    impulse_.assign(reached_.begin(), reached_.end());
    const int before = count.newton;
    if (solve_near(island, tolerance, count)) {
      alpha *= ratio;
      reached_.assign(impulse_.begin(), impulse_.end());
      if (best.offer(island, impulse_.data()) <= target) break;
      if (count.newton - before <= 4) ratio = std::max(0.05, std::pow(ratio, 1.5));
    } else {
      ratio = std::sqrt(ratio);
      if (ratio > options.given_up) break;
    }
  }
  return count;
}

ProximalNewton::Count ProximalNewton::run_minimum_norm(ScaledIsland& island, int steps, double target,
                                                       const std::vector<double>& start, BestIterate& best) {
  const std::size_t m = static_cast<std::size_t>(island.rows());
  Count count;
  function_.start(island);
  sigma_.resize(m);
  impulse_.assign(start.begin(), start.end());
  center_.assign(start.begin(), start.end());
  function_.alpha = 0;
  function_.rho = 1;
  for (int k = 0; k < steps; ++k) {
    sigma_alpha(island, impulse_, sigma_);
    const double norm = function_.evaluate(island, impulse_.data(), sigma_.data(), true);
    if (!std::isfinite(norm)) break;
    ++count.newton;
    ++count.factorizations;
    system_.solve_minimum_norm(island, function_, step_);
    view(impulse_) += view(step_);
    if (best.offer(island, impulse_.data()) <= target || best.out_of_time()) break;
  }
  return count;
}

}  // namespace condyle
