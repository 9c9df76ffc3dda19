#include "solvers/canal/strict_newton.hpp"

#include "cones/alart_curnier.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void StrictNewton::start(ScaledIsland& island) {
  space_.start(island);
  system_.start(island);
  const std::size_t m = at(island.rows()), n = space_.size();
  G_.assign(3 * m, 0.0);
  for (std::vector<double>* x : {&r_, &step_, &trial_, &trial_r_, &cauchy_, &product_, &mixed_}) x->assign(n, 0.0);
  rows_.assign(m, 0.0);
  trial_gamma_.assign(m, 0.0);
}

double StrictNewton::norm_of(const std::vector<double>& x) {
  if (!space_.primal()) space_.to_rows(x, rows_);
  return std::sqrt(std::max(0.0, space_.inner(x, x, rows_)));
}

/// ‖r‖; r is left in trial_r_, 𝒢 = -∂T/∂w in G where asked for.
double StrictNewton::residual(ScaledIsland& island, const ConvexCost& cost, const std::vector<double>& u,
                              std::vector<double>& gamma, double* G) {
  space_.to_rows(u, rows_);
  double y[3], Q[9], derivative = 0;
  for (const ConstraintBlock& block : island.blocks) {
    const int r = block.rows;
    if (block.set == SetKind::cone) {
      for (int k = 0; k < r; ++k) {
        const std::size_t row = at(block.row + k);
        y[k] = -(rows_[row] + cost.offset[row]) / cost.R[row];
      }
      strict_cone(y, r, block.friction, gamma.data() + block.row, Q);
      for (int k = 0; G && k < r * r; ++k) G[3 * block.row + k] = Q[k] / cost.R[at(block.row + k / r)];
      continue;
    }
    for (int k = block.row; k < block.row + r; ++k) {
      const std::size_t row = at(k);
      project_interval(-(rows_[row] + cost.offset[row]) / cost.R[row], cost.lower[row], cost.upper[row], gamma[row],
                       derivative);
      if (G) G[3 * k] = derivative / cost.R[row];
    }
  }
  space_.from_rows(gamma, trial_r_);
  for (std::size_t k = 0; k < u.size(); ++k) trial_r_[k] = u[k] - trial_r_[k];
  return norm_of(trial_r_);
}

/// out = (I + Ĵᵀ 𝒢 Ĵ) x or its transpose's.
void StrictNewton::apply(ScaledIsland& island, const std::vector<double>& x, std::vector<double>& out, bool transposed) {
  space_.to_rows(x, rows_);
  for (const ConstraintBlock& block : island.blocks) {
    double* to = rows_.data() + block.row;
    times_derivative(block, G_.data() + 3 * at(block.row), to, to, transposed);
  }
  space_.from_rows(rows_, out);
  for (std::size_t k = 0; k < x.size(); ++k) out[k] += x[k];
}

/// Backtracking along the Newton step in step_. False: the merit cannot be reduced.
bool StrictNewton::damped_step(ScaledIsland& island, const ConvexCost& cost, double norm, std::vector<double>& u,
                               std::vector<double>& gamma) {
  for (double t = 1; t > 1e-10; t *= 0.5) {
    for (std::size_t k = 0; k < u.size(); ++k) trial_[k] = u[k] + t * step_[k];
    if (residual(island, cost, trial_, trial_gamma_, nullptr) > (1 - 1e-4 * t) * norm) continue;
    u.swap(trial_);
    gamma.swap(trial_gamma_);
    return true;
  }
  return false;
}

/// The dogleg between the Cauchy point and the Newton step, as long as the radius; the radius after it.
bool StrictNewton::dogleg_step(ScaledIsland& island, const ConvexCost& cost, double norm, std::vector<double>& u,
                               std::vector<double>& gamma) {
  apply(island, r_, cauchy_, true);
  for (double& x : cauchy_) x = -x;
  const double slope = norm_of(cauchy_);
  apply(island, cauchy_, product_, false);
  const double curvature = norm_of(product_);
  if (!(slope > 0) || !(curvature > 0)) return false;
  const double to_cauchy = slope * slope / (curvature * curvature);
  for (double& x : cauchy_) x *= to_cauchy;
  const double cauchy_length = to_cauchy * slope, newton_length = norm_of(step_);
  if (!(radius_ > 0)) radius_ = std::max(newton_length, 1e-12);
  while (radius_ > 1e-14) {
    if (newton_length <= radius_) {
      mixed_ = step_;
    } else if (cauchy_length >= radius_) {
      for (std::size_t k = 0; k < u.size(); ++k) mixed_[k] = radius_ / cauchy_length * cauchy_[k];
    } else {  // |c + τ (n - c)| = radius
      for (std::size_t k = 0; k < u.size(); ++k) product_[k] = step_[k] - cauchy_[k];
      const double length = norm_of(product_), a = length * length;  // norm_of leaves the rows of n - c
      const double b = space_.inner(cauchy_, product_, rows_), c = cauchy_length * cauchy_length - radius_ * radius_;
      const double tau = (-b + std::sqrt(std::max(0.0, b * b - a * c))) / a;
      for (std::size_t k = 0; k < u.size(); ++k) mixed_[k] = cauchy_[k] + tau * product_[k];
    }
    apply(island, mixed_, product_, false);
    for (std::size_t k = 0; k < u.size(); ++k) product_[k] += r_[k];
    const double predicted = norm_of(product_);
    for (std::size_t k = 0; k < u.size(); ++k) trial_[k] = u[k] + mixed_[k];
    const double next = residual(island, cost, trial_, trial_gamma_, nullptr);
    const double gain = (norm * norm - next * next) / std::max(norm * norm - predicted * predicted, 1e-300);
    const double length = norm_of(mixed_);
    if (gain < 0.25)
      radius_ = 0.25 * length;
    else if (gain > 0.75 && length > 0.99 * radius_)
      radius_ *= 2;
    if (gain > 1e-4) {
      u.swap(trial_);
      gamma.swap(trial_gamma_);
      return true;
    }
  }
  return false;
}

NewtonCore::Outcome StrictNewton::run(ScaledIsland& island, const ConvexCost& cost, StrictMethod method, double tolerance,
                                      int max_iterations, const BestIterate& clock, std::vector<double>& u,
                                      std::vector<double>& gamma) {
  NewtonCore::Outcome out;
  radius_ = 0;
  for (;; ++out.iterations) {
    out.gradient = residual(island, cost, u, gamma, G_.data());
    out.converged = out.gradient <= tolerance;
    if (out.converged || out.iterations >= max_iterations || !std::isfinite(out.gradient) || clock.out_of_time()) break;
    r_ = trial_r_;
    if (!system_.factor(island, G_, false, 0)) break;
    out.factorizations += !system_.reused();
    system_.solve(island, r_, step_);
    for (double& x : step_) x = -x;
    const bool moved = method == StrictMethod::damped ? damped_step(island, cost, out.gradient, u, gamma)
                                                      : dogleg_step(island, cost, out.gradient, u, gamma);
    if (!moved) break;
  }
  return out;
}

}  // namespace condyle
