#include "solvers/canal/canal.hpp"

#include <cmath>
#include <limits>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

/// R̄ = R + 1/β and the bounds of friction boxes.
void Canal::set_surrogate(const ScaledIsland& island, double beta) {
  for (const ConstraintBlock& block : island.blocks)
    for (int k = 0; k < block.rows; ++k) {
      const std::size_t first = at(block.row), row = first + at(k);
      const bool pair = block.set == SetKind::cone && block.rows == 3 && k < 2;
      core_.cost.R[row] = (pair ? 0.5 * (island.R[first] + island.R[first + 1]) : island.R[row]) + 1 / beta;
    }
  core_.cost.open_friction_boxes(island, previous_.data());
}

/// s = Γ(z + b + R λ) with z = J v + (λ - λ_prev)/β; returns how far it moved. Γ sees tangents alone, and there t is
/// -λ_prev/β.
double Canal::update_de_saxce(const ScaledIsland& island) {
  if (island.convex()) return 0;
  double change = 0, sigma[3];
  for (const ConstraintBlock& block : island.blocks) {
    if (block.set != SetKind::cone) continue;
    for (int k = 0; k < block.rows; ++k) {
      const std::size_t row = at(block.row + k);
      sigma[k] = core_.w[row] + island.g[row] + lag_[row] + core_.cost.R[row] * impulse_[row] + state_[row];
    }
    double& s = s_[at(block.row + block.rows) - 1];
    const double next = de_saxce(block, sigma);
    change = std::max(change, std::abs(next - s));
    s = next;
  }
  return change;
}

/// What the part that is not symmetric and unequal tangents do at λ_prev.
void Canal::take_lag(ScaledIsland& island) {
  if (!island.symmetric()) {
    island.multiply(previous_.data(), lag_.data());
    island.multiply_transposed(previous_.data(), transposed_.data());
    for (std::size_t k = 0; k < lag_.size(); ++k) lag_[k] = 0.5 * (lag_[k] - transposed_[k]);
  }
  for (const ConstraintBlock& block : island.blocks) {
    const std::size_t row = at(block.row);
    if (block.set != SetKind::cone || block.rows != 3 || island.R[row] == island.R[row + 1]) continue;
    const double half = 0.5 * (island.R[row] - island.R[row + 1]);
    const double first = island.symmetric() ? 0 : lag_[row], second = island.symmetric() ? 0 : lag_[row + 1];
    lag_[row] = first + half * previous_[row];
    lag_[row + 1] = second - half * previous_[row + 1];
  }
}

/// ‖λ̃ - P_K(λ̃ - σ̃ - Γ)‖ of the last λ, σ its own: what the inner problems' tolerances are shares of.
double Canal::scaled_residual(const ScaledIsland& island, const std::vector<double>& sigma) {
  double sum = 0;
  for (std::size_t k = 0; k < sigma.size(); ++k) transposed_[k] = impulse_[k] - sigma[k];
  if (!island.convex())
    for (const ConstraintBlock& block : island.blocks)
      if (block.set == SetKind::cone)
        transposed_[at(block.row + block.rows) - 1] -= de_saxce(block, sigma.data() + block.row);
  island.project(transposed_.data(), transposed_.data());
  for (std::size_t k = 0; k < sigma.size(); ++k) sum += (impulse_[k] - transposed_[k]) * (impulse_[k] - transposed_[k]);
  return std::sqrt(sum);
}

/// One surrogate problem, to a share of what is left outside; λ is in impulse_.
bool Canal::solve_inner(ScaledIsland& island, const CanalOptions& options, double outer, BestIterate& best, Count& count) {
  for (std::size_t k = 0; k < state_.size(); ++k) core_.cost.offset[k] = island.g[k] + lag_[k] + state_[k];
  NewtonOptions newton = options.newton;
  newton.max_iterations = std::min(newton.max_iterations, options.max_newton - count.newton);
  if (options.inner_relative > 0) {
    newton.relative = options.inner_relative;
  } else {
    newton.relative = 1e-14;
    newton.gradient = options.inner_share * outer;
  }
  NewtonCore::Outcome out;
  if (options.strict == StrictMethod::none) {
    out = core_.run(island, newton, best);
  } else {
    const double tolerance = std::max(newton.gradient, options.inner_relative);
    out = strict_.run(island, core_.cost, options.strict, tolerance, newton.max_iterations, best, core_.u, core_.gamma);
    core_.space().to_rows(core_.u, core_.w);
  }
  count.newton += out.iterations;
  count.factorizations += out.factorizations;
  std::copy(core_.gamma.begin(), core_.gamma.end(), impulse_.begin());
  return out.converged;
}

Canal::Count Canal::run(ScaledIsland& island, const CanalOptions& options, double target, const double* start,
                        BestIterate& best) {
  Count count;
  const std::size_t m = at(island.rows());
  for (std::vector<double>* x : {&previous_, &impulse_, &s_, &s_before_, &lag_, &transposed_, &state_, &map_})
    x->assign(m, 0.0);
  core_.start(island);
  if (options.strict != StrictMethod::none) strict_.start(island);
  anderson_.start(island.rows(), options.memory);
  double beta = options.beta, last = 0, outer = 1, lowest = std::numeric_limits<double>::infinity();
  int since = 0;
  if (start) {
    island.project(start, previous_.data());
    core_.start_from_impulse(previous_.data());
    island.sigma(previous_.data(), impulse_.data());
    const bool lags = options.strict == StrictMethod::none && !island.convex();
    for (const ConstraintBlock& block : island.blocks)
      if (lags && block.set == SetKind::cone)
        s_[at(block.row + block.rows) - 1] = de_saxce(block, impulse_.data() + block.row);
    outer = std::min(1.0, view(impulse_).norm());
  }
  for (std::size_t k = 0; k < m; ++k) state_[k] = s_[k] - previous_[k] / beta;
  while (count.outer < options.max_outer && count.newton < options.max_newton && !best.out_of_time()) {
    ++count.outer;
    take_lag(island);
    set_surrogate(island, beta);
    for (int pass = 1;; ++pass) {
      const bool solved = solve_inner(island, options, outer, best, count);
      count.failures += !solved;
      if (options.strict != StrictMethod::none) break;
      s_before_ = s_;
      const double moved = update_de_saxce(island);
      if (pass >= options.passes || moved <= options.inner_share * outer || !solved) break;
      view(state_) += view(s_) - view(s_before_);
    }
    const double measure = best.offer(island, impulse_.data());
    if (measure <= target && target > 0) break;
    if (measure < 0.5 * lowest) {
      lowest = measure;
      since = 0;
    } else if (++since > options.patience && target > 0) {
      if (beta >= options.beta_last) break;  // it crawls: somebody else may close
    }
    outer = std::max(std::min(outer, scaled_residual(island, best.sigma)), 1e-15);
    for (std::size_t k = 0; k < m; ++k) map_[k] = s_[k] - impulse_[k] / beta;
    const double residual = (view(map_) - view(state_)).norm();
    anderson_.advance(state_, map_);
    const bool slow = options.kappa > 1 && count.outer > 1 && residual > options.zeta * last && beta < options.beta_max;
    const bool stuck = since > options.patience && target > 0;
    if (slow || stuck) {
      beta = slow ? std::min(options.kappa * beta, options.beta_max) : 10 * beta;
      since = 0;
      for (std::size_t k = 0; k < m; ++k) state_[k] = s_[k] - impulse_[k] / beta;
      anderson_.clear();
    }
    previous_.swap(impulse_);
    last = residual;
  }
  return count;
}

}  // namespace condyle
