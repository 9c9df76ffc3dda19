#include "solvers/canal/canal.hpp"

#include <cmath>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

/// offset = g + s - λ_prev/β, with what the core cannot hold lagged at λ_prev: the part of G that is not symmetric, and
/// different compliances of a contact's two tangents.
void Canal::set_offset(ScaledIsland& island, double beta) {
  for (std::size_t k = 0; k < previous_.size(); ++k) core_.cost.offset[k] = island.g[k] + s_[k] + lag_[k] - previous_[k] / beta;
}

/// s = Γ(z + b + R λ) with z = J v + (λ - λ_prev)/β; returns how far it moved.
double Canal::update_de_saxce(const ScaledIsland& island, double beta) {
  if (island.convex()) return 0;
  double change = 0, sigma[3];
  for (const ConstraintBlock& block : island.blocks) {
    if (block.set != SetKind::cone) continue;
    for (int k = 0; k < block.rows; ++k) {
      const std::size_t row = at(block.row + k);
      sigma[k] = core_.w[row] + island.g[row] + lag_[row] + core_.cost.R[row] * impulse_[row] - previous_[row] / beta;
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
bool Canal::solve_inner(ScaledIsland& island, const CanalOptions& options, double outer, double beta, BestIterate& best,
                        Count& count) {
  set_offset(island, beta);
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
  for (std::vector<double>* x : {&previous_, &impulse_, &s_, &lag_, &transposed_}) x->assign(m, 0.0);
  core_.start(island);
  if (options.strict != StrictMethod::none) strict_.start(island);
  anderson_.start(island.rows(), options.memory);
  double beta = options.beta, last = 0, outer = 1;
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
  while (count.outer < options.max_outer && count.newton < options.max_newton && !best.out_of_time()) {
    ++count.outer;
    take_lag(island);
    for (const ConstraintBlock& block : island.blocks)
      for (int k = 0; k < block.rows; ++k) {
        const std::size_t row = at(block.row + k);
        const bool pair = block.set == SetKind::cone && block.rows == 3 && k < 2;
        core_.cost.R[row] = (pair ? 0.5 * (island.R[at(block.row)] + island.R[at(block.row) + 1]) : island.R[row]) + 1 / beta;
      }
    core_.cost.open_friction_boxes(island, previous_.data());
    bool solved = true;
    for (int pass = 0; pass < options.passes; ++pass) {
      solved = solve_inner(island, options, outer, beta, best, count);
      if (options.strict != StrictMethod::none || update_de_saxce(island, beta) <= options.inner_share * outer) break;
      if (count.newton >= options.max_newton || best.out_of_time()) break;
    }
    count.failures += !solved;
    if (best.offer(island, impulse_.data()) <= target && target > 0) break;
    const double residual = (view(impulse_) - view(previous_)).norm() / beta;  // ‖J v - z‖
    outer = std::max(std::min(outer, scaled_residual(island, best.sigma)), 1e-15);
    anderson_.advance(previous_, impulse_);
    island.project(previous_.data(), previous_.data());
    if (options.kappa > 1 && count.outer > 1 && residual > options.zeta * last && beta < options.beta_max) {
      beta = std::min(options.kappa * beta, options.beta_max);
      anderson_.clear();
    }
    last = residual;
  }
  return count;
}

}  // namespace condyle
