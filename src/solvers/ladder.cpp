#include "solvers/ladder.hpp"

#include <algorithm>

namespace condyle {

namespace {
constexpr int short_rows = 150;  // in a step, larger islands do without the rungs that seldom help and cost most
}

const char* path_name(unsigned bit) {
  switch (bit) {
    case path_zero: return "zero";
    case path_start: return "start";
    case path_newton: return "newton";
    case path_admm: return "admm";
    case path_closer: return "closer";
    case path_minimum_norm: return "minimum-norm newton";
    case path_closer_from_zero: return "closer from zero";
    case path_other_penalties: return "admm with other penalties";
    case path_pgs: return "pgs";
    case path_interior: return "interior points";
    default: return "?";
  }
}

IslandSolver::Outcome IslandSolver::solve(ScaledIsland& island, const SolverChoice& choice, const SolverOptions& options,
                                          const Eigen::VectorXd& start) {
  Outcome out;
  best_.start(island.rows());
  best_.history = options.history;
  budget_ = options.max_iterations;
  if (!island.finite()) {
    out.finite = false;
    return out;
  }
  const bool has_start = start.size() > 0 && start.allFinite();
  if (has_start) {
    start_.resize(best_.impulse.size());
    island.gather(start, start_.data());
  }
  const double target =
      options.criterion == SolverOptions::Criterion::relative ? 0.5 * options.tolerance : options.tolerance;
  const double* first = has_start ? start_.data() : nullptr;
  switch (choice.method) {
    case Method::admm: {
      AdmmOptions admm_options = choice.admm;
      admm_options.max_iterations = options.max_iterations;
      admm(island, admm_options, target, first, out, path_admm);
      break;
    }
    case Method::pgs: {
      PgsOptions pgs_options = choice.pgs;
      pgs_options.max_iterations = options.max_iterations;
      out.iterations += pgs_.run(island, pgs_options, target, first, best_);
      out.path |= path_pgs;
      break;
    }
    case Method::ladder:
      if (options.criterion == SolverOptions::Criterion::relative)
        climb_stored(island, choice, options, has_start, out);
      else
        climb(island, choice, options, has_start, out);
      break;
  }
  if (options.criterion == SolverOptions::Criterion::speed) shrink_loop_impulses(island, aim_below * options.tolerance);
  return out;
}

/// The smaller impulse is taken if it is as good, or good enough.
void IslandSolver::shrink_loop_impulses(ScaledIsland& island, double enough) {
  from_.assign(best_.impulse.begin(), best_.impulse.end());
  if (!loops_.reduce(island, from_)) return;
  island.sigma(from_.data(), best_.sigma.data());
  const double measure = island.measure(from_.data(), best_.sigma.data());
  if (!(measure <= std::max(best_.measure, enough))) return;
  best_.measure = measure;
  best_.impulse.assign(from_.begin(), from_.end());
}

bool IslandSolver::newton(ScaledIsland& island, const ProximalOptions& options, double target, Outcome& out, unsigned bit) {
  ProximalOptions limited = options;
  limited.max_factorizations = std::min(options.max_factorizations, budget_ - out.iterations);
  if (limited.max_factorizations <= 0) return false;
  from_.assign(best_.impulse.begin(), best_.impulse.end());
  const ProximalNewton::Count count = proximal_.run(island, limited, target, from_, best_);
  out.iterations += count.newton;
  out.factorizations += count.factorizations;
  out.path |= bit;
  return best_.measure <= target;
}

bool IslandSolver::admm(ScaledIsland& island, AdmmOptions options, double target, const double* start, Outcome& out,
                        unsigned bit) {
  options.max_iterations = std::min(options.max_iterations, budget_ - out.iterations);
  if (options.max_iterations <= 0) return false;
  out.path |= bit;
  const Admm::Count count = admm_.run(island, options, target, start, best_);
  out.iterations += count.iterations;
  out.factorizations += count.factorizations;
  return best_.measure <= target;
}

/// Interior points down to where round-off ends them, and Newton from there.
bool IslandSolver::interior(ScaledIsland& island, const InteriorOptions& options, bool from_best, double tolerance,
                            double aim, Outcome& out) {
  if (!InteriorPoint::fits(island) || island.convex()) return false;
  InteriorOptions limited = options;
  limited.max_iterations = std::min(options.max_iterations, budget_ - out.iterations);
  if (limited.max_iterations <= 0) return false;
  out.path |= path_interior;
  from_.assign(best_.impulse.begin(), best_.impulse.end());
  const int count = interior_.run(island, limited, tolerance, from_best ? from_.data() : nullptr, best_);
  out.iterations += count;
  out.factorizations += count;
  if (best_.measure <= aim) return true;
  ProximalOptions quick;
  quick.alpha = 1e-5;
  quick.max_outer = quick.max_factorizations = 12;
  newton(island, quick, aim, out, path_closer);
  return best_.measure <= tolerance;
}

bool IslandSolver::minimum_norm(ScaledIsland& island, int steps, double target, Outcome& out) {
  from_.assign(best_.impulse.begin(), best_.impulse.end());
  const ProximalNewton::Count count = proximal_.run_minimum_norm(island, steps, target, from_, best_);
  out.iterations += count.newton;
  out.factorizations += count.factorizations;
  out.path |= path_minimum_norm;
  return best_.measure <= target;
}

void IslandSolver::climb(ScaledIsland& island, const SolverChoice& choice, const SolverOptions& options, bool has_start,
                         Outcome& out) {
  const double tolerance = options.tolerance, aim = aim_below * tolerance;
  from_.assign(best_.impulse.size(), 0.0);
  if (best_.offer(island, from_.data()) <= aim) {
    out.path |= path_zero;
    return;
  }
  if (has_start) {
    island.project(start_.data(), start_.data());
    if (best_.offer(island, start_.data()) <= aim) {
      out.path |= path_start;
      return;
    }
  }
  ProximalOptions quick = choice.proximal;
  if (has_start && choice.warm_newton) {
    quick.alpha = 1e-5;
    quick.max_outer = quick.max_factorizations = 8;
    if (newton(island, quick, aim, out, path_newton)) return;
  }
  if (best_.measure > tolerance && island.rows() <= choice.small_rows) {
    quick.alpha = 1e-3;
    quick.max_outer = quick.max_factorizations = 25;
    if (newton(island, quick, aim, out, path_newton)) return;
  }
  InteriorOptions within;
  if (best_.measure > tolerance) {
    if (interior(island, within, false, tolerance, aim, out)) return;
    within.push = 0.1;
    if (interior(island, within, true, tolerance, aim, out)) return;
  }
  if (best_.measure > tolerance) admm(island, choice.admm, tolerance, has_start ? start_.data() : nullptr, out, path_admm);
  if (best_.measure <= tolerance) {
    quick.alpha = 1e-5;
    quick.max_outer = quick.max_factorizations = 8;
    if (best_.measure > aim) newton(island, quick, aim, out, path_closer);
    return;
  }
  ProximalOptions closer = choice.proximal;
  if (island.rows() > short_rows) closer.max_factorizations = 40;
  if (newton(island, closer, aim, out, path_closer) || best_.measure <= tolerance) return;
  within.theta = 0.5;
  if (interior(island, within, false, tolerance, aim, out)) return;
  if (island.rows() > short_rows) {
    // never seconds for a step: acceleration can lead astray where sliding makes the problem not monotone, so once without
    // it
    AdmmOptions plain = choice.admm;
    plain.rho = 0.3;
    plain.memory = 0;
    plain.max_iterations = 1000;
    if (admm(island, plain, tolerance, has_start ? start_.data() : nullptr, out, path_other_penalties)) return;
    if (newton(island, closer, aim, out, path_closer) || best_.measure <= tolerance) return;
    within.theta = 1;
    within.push = 0.1;
    interior(island, within, true, tolerance, aim, out);
    return;
  }
  if (minimum_norm(island, 15, tolerance, out)) return;
  if (closer_from_zero(island, choice, tolerance, out)) return;
  other_penalties(island, choice, tolerance, out);
}

bool IslandSolver::closer_from_zero(ScaledIsland& island, const SolverChoice& choice, double target, Outcome& out) {
  ProximalOptions long_run = choice.proximal;
  long_run.max_outer = 60;
  long_run.max_factorizations = std::min(300, budget_ - out.iterations);
  from_.assign(best_.impulse.size(), 0.0);
  const ProximalNewton::Count count = proximal_.run(island, long_run, target, from_, best_);
  out.iterations += count.newton;
  out.factorizations += count.factorizations;
  out.path |= path_closer_from_zero;
  return best_.measure <= target;
}

bool IslandSolver::other_penalties(ScaledIsland& island, const SolverChoice& choice, double target, Outcome& out) {
  for (const double rho : {0.003, 0.3}) {
    AdmmOptions other = choice.admm;
    other.rho = rho;
    other.max_iterations = 3000;
    if (admm(island, other, target, nullptr, out, path_other_penalties)) return true;
  }
  return false;
}

}  // namespace condyle
