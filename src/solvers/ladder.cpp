#include "solvers/ladder.hpp"

#include <algorithm>
#include <array>

namespace condyle {

namespace {
constexpr double near = 1e4;  // of the tolerance: from further away a few Newton steps never arrive in a pile (0 of 100)
constexpr int few_sweeps = 200, many_sweeps = 1000, few_paths = 4, many_paths = 10;
constexpr int sweeps_of_a_step = 10;  // so many cost no more than a step of Newton, and count as one where steps are limited
constexpr int short_rows = 150;  // in a step, larger islands do without the rungs that seldom help and cost most
constexpr double redundant_alpha = 1e-7;  // below it the round-off of σ over α grows into impulses of redundant loops

/// Few rows for its velocities, as heaps of balls have them: sweeps come near, and the path from there is short. 15 recorded
/// steps of a hundred balls take 8 ms on average so, 33 by interior points first; heaps of boxes, with twice as many rows as
/// velocities, 45 and 23.
bool is_loose(const ScaledIsland& island) { return island.rows() <= 1.5 * island.velocities(); }

/// Heaps in full fall: down with the weight; at one weight, accelerated; and boldly. What stalls one of them seldom stalls
/// the next (51 of 62 heaps that interior points had left, one kind alone at most 41).
std::array<ProximalOptions, 3> falling_turns(const ProximalOptions& given) {
  ProximalOptions down = given, held = given, bold = given;
  down.max_factorizations = 120;
  held.alpha = held.alpha_min = 3e-3;
  held.memory = 10;
  held.max_outer = held.max_factorizations = 100;
  bold.alpha = 1e-3;
  bold.rho = 100;
  bold.max_factorizations = 60;
  return {down, held, bold};
}

/// Sliding asks for many passes at a soft penalty, wedged patches for a stiff one: no choice solves all heaps, these two
/// miss different ones.
std::array<CanalOptions, 2> sure_multipliers(const CanalOptions& given) {
  CanalOptions soft = given, stiff = given;
  soft.max_newton = stiff.max_newton = 600;
  stiff.kappa = 3;
  stiff.zeta = 0.5;
  stiff.memory = 0;
  return {stiff, soft};
}
}  // namespace

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
    case path_closers_in_turns: return "closers in turns";
    case path_sap: return "sap";
    case path_canal: return "canal";
    case path_subadmm: return "subadmm";
    case path_path: return "path";
    default: return "?";
  }
}

IslandSolver::Outcome IslandSolver::solve(ScaledIsland& island, const SolverChoice& choice, const SolverOptions& options,
                                          const Eigen::VectorXd& start, bool moves) {
  Outcome out;
  moves_ = moves || choice.method != Method::ladder;
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
    if (options.criterion == SolverOptions::Criterion::speed) loops_.reduce(island, start_);
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
    case Method::sap: {
      SapOptions sap_options = choice.sap;
      sap_options.newton.max_iterations = std::min(choice.sap.newton.max_iterations, options.max_iterations);
      const Sap::Count count = sap_.run(island, sap_options, target, first, best_);
      out.iterations += count.iterations;
      out.factorizations += count.factorizations;
      out.momentum_error = count.momentum_error;
      out.path |= path_sap;
      break;
    }
    case Method::canal: {
      ProximalOptions closer = choice.proximal;
      if (!choice.closer) closer.max_factorizations = 0;
      canal(island, choice.canal, closer, target, first, out);
      break;
    }
    case Method::subadmm: {
      SubadmmOptions subadmm_options = choice.subadmm;
      subadmm_options.max_iterations = options.max_iterations;
      const Subadmm::Count count = subadmm_.run(island, subadmm_options, target, first, best_, pool_);
      out.iterations += count.iterations;
      out.factorizations += count.factorizations;
      out.path |= path_subadmm;
      break;
    }
    case Method::ladder:
      if (options.criterion == SolverOptions::Criterion::relative)
        climb_stored(island, choice, options, has_start, out);
      else
        climb(island, choice, options, has_start, out);
      break;
  }
  if (options.criterion == SolverOptions::Criterion::speed) shrink_loop_impulses(island, 0.1 * options.tolerance);
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

/// Multiplier steps; what they leave, the closer ends.
bool IslandSolver::canal(ScaledIsland& island, const CanalOptions& multipliers, const ProximalOptions& closer, double target,
                         const double* start, Outcome& out) {
  CanalOptions options = multipliers;
  options.max_newton = std::min(options.max_newton, budget_ - out.iterations);
  if (options.max_newton <= 0 || best_.out_of_time()) return best_.measure <= target;
  const Canal::Count count = canal_.run(island, options, target, start, best_);
  out.iterations += count.newton;
  out.factorizations += count.factorizations;
  out.path |= path_canal;
  return best_.measure <= target || close(island, closer, target, out);
}

/// The closer from the best iterate, and along the path of its proximal points where that stalls, again and again.
bool IslandSolver::close(ScaledIsland& island, const ProximalOptions& closer, double target, Outcome& out) {
  if (closer.max_factorizations == 0) return false;
  if (newton(island, closer, target, out, path_closer)) return true;
  from_.assign(best_.impulse.begin(), best_.impulse.end());
  return paths_from(island, few_paths, target, out);
}

/// The path of proximal points from `start`; false: nothing is left to spend.
bool IslandSolver::follow(ScaledIsland& island, double target, const std::vector<double>& start, Outcome& out) {
  PathOptions path;
  path.max_factorizations = std::min(path.max_factorizations, budget_ - out.iterations);
  if (path.max_factorizations <= 0 || best_.out_of_time()) return false;
  const ProximalNewton::Count count = proximal_.follow(island, path, target, start, best_);
  out.iterations += count.newton;
  out.factorizations += count.factorizations;
  out.path |= path_path;
  return true;
}

bool IslandSolver::newton(ScaledIsland& island, const ProximalOptions& options, double target, Outcome& out, unsigned bit) {
  ProximalOptions limited = options;
  limited.max_factorizations = std::min(options.max_factorizations, budget_ - out.iterations);
  if (limited.max_factorizations <= 0 || best_.out_of_time()) return best_.measure <= target;
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
  if (options.max_iterations <= 0 || best_.out_of_time()) return best_.measure <= target;
  out.path |= bit;
  const Admm::Count count = admm_.run(island, options, target, start, best_);
  out.iterations += count.iterations;
  out.factorizations += count.factorizations;
  return best_.measure <= target;
}

/// Interior points down to where round-off ends them, and Newton from there.
bool IslandSolver::interior(ScaledIsland& island, const InteriorOptions& options, const double* start, double tolerance,
                            double aim, Outcome& out) {
  if (!InteriorPoint::fits(island) || island.convex()) return false;
  InteriorOptions limited = options;
  limited.max_iterations = std::min(options.max_iterations, budget_ - out.iterations);
  if (limited.max_iterations <= 0 || best_.out_of_time()) return best_.measure <= tolerance;
  out.path |= path_interior;
  const int count = interior_.run(island, limited, tolerance, start, best_);
  out.iterations += count;
  out.factorizations += count;
  if (best_.measure <= aim) return true;
  ProximalOptions quick;
  quick.alpha = 1e-5;
  quick.alpha_min = redundant_alpha;
  quick.max_outer = quick.max_factorizations = 12;
  newton(island, quick, aim, out, path_closer);
  return best_.measure <= tolerance;
}

/// Block after block from swept_, then along the path of proximal points as far as it goes; its end is in swept_. A loop of
/// contacts that cannot all stick lets impulses drift for millions of sweeps until one slides; along the path that is one
/// step.
bool IslandSolver::sweep_and_follow(ScaledIsland& island, int sweeps, double tolerance, Outcome& out) {
  PgsOptions steady;
  steady.omega = 1.4;
  steady.check = 50;
  steady.max_iterations = std::min(sweeps, budget_ - out.iterations);
  if (steady.max_iterations <= 0 || best_.out_of_time()) return best_.measure <= tolerance;
  const double enough = goal(tolerance);
  const int done = pgs_.run(island, steady, enough, swept_.data(), best_);
  out.iterations += done;
  budget_ += done - done / sweeps_of_a_step;
  out.path |= path_pgs;
  swept_.assign(pgs_.impulse().begin(), pgs_.impulse().end());
  if (best_.measure <= enough || !follow(island, enough, swept_, out)) return best_.measure <= tolerance;
  swept_.assign(proximal_.end_of_path().begin(), proximal_.end_of_path().end());
  return best_.measure <= tolerance;
}

/// From swept_, and from the path's end again and again. What is loose wants twice as many sweeps each time (the ten slowest
/// steps of 300 balls: all in 0.9 s, nine in 1.2 s with as many as before), heaps of boxes another path.
bool IslandSolver::sweeps_and_paths(ScaledIsland& island, int sweeps, int rounds, double tolerance, Outcome& out) {
  const bool loose = is_loose(island);
  bool solved = false;
  for (; rounds > 0 && !solved && out.iterations < budget_ && !best_.out_of_time(); --rounds) {
    solved = sweep_and_follow(island, sweeps, tolerance, out);
    sweeps = loose ? 2 * sweeps : few_sweeps;
  }
  return solved;
}

/// Along the path from `from_`, then by sweeps and paths in turns. To the last digits it takes twice as long, so only what
/// rests is followed so far.
bool IslandSolver::paths_from(ScaledIsland& island, int rounds, double tolerance, Outcome& out) {
  if (!follow(island, goal(tolerance), from_, out) || best_.measure <= tolerance) return best_.measure <= tolerance;
  swept_.assign(proximal_.end_of_path().begin(), proximal_.end_of_path().end());
  return sweeps_and_paths(island, few_sweeps, rounds, tolerance, out);
}

/// Interior points lead near the solution and end where round-off ends them; the path of proximal points leads on from
/// there.
bool IslandSolver::interior_and_paths(ScaledIsland& island, const InteriorOptions& options, const double* start,
                                      double tolerance, Outcome& out) {
  if (!InteriorPoint::fits(island) || island.convex()) return false;
  const double before = best_.measure;
  if (interior(island, options, start, tolerance, aim_below * tolerance, out)) return true;
  const std::vector<double>& end = best_.measure < before ? best_.impulse : interior_.impulse();  // not where others ended
  from_.assign(end.begin(), end.end());
  return paths_from(island, start ? many_paths : few_paths, tolerance, out);
}

bool IslandSolver::minimum_norm(ScaledIsland& island, int steps, double target, Outcome& out) {
  from_.assign(best_.impulse.begin(), best_.impulse.end());
  const ProximalNewton::Count count = proximal_.run_minimum_norm(island, steps, target, from_, best_);
  out.iterations += count.newton;
  out.factorizations += count.factorizations;
  out.path |= path_minimum_norm;
  return best_.measure <= target;
}

/// What solves nearly all steps of what falls, in the order of what it costs. Paths turn back that begin in one place and
/// end at the solution from another.
bool IslandSolver::solve_moving(ScaledIsland& island, const SolverChoice& choice, double tolerance, const double* first,
                                Outcome& out) {
  InteriorOptions within, pushed;
  pushed.push = 0.1;
  const auto begin_at = [&](const double* impulse) {
    swept_.assign(best_.impulse.size(), 0.0);
    if (impulse) std::copy_n(impulse, swept_.size(), swept_.begin());
  };
  const bool loose = is_loose(island);
  const auto sweeps_from_start = [&] {
    begin_at(first);
    return sweeps_and_paths(island, few_sweeps, loose ? few_paths : many_paths, tolerance, out);
  };
  if (loose && sweeps_from_start()) return true;
  if (interior_and_paths(island, within, nullptr, tolerance, out)) return true;
  if (!loose && sweeps_from_start()) return true;
  begin_at(first ? first : best_.impulse.data());
  if (interior_and_paths(island, pushed, swept_.data(), tolerance, out)) return true;
  begin_at(nullptr);
  if (sweeps_and_paths(island, many_sweeps, loose ? few_paths : many_paths, tolerance, out)) return true;
  if (closers_in_turns(island, falling_turns(choice.proximal), 3, tolerance, out)) return true;
  if (closer_from_zero(island, choice, tolerance, out)) return true;
  for (const CanalOptions& multipliers : sure_multipliers(choice.canal))
    if (canal(island, multipliers, choice.proximal, tolerance, first, out)) return true;
  return admm(island, choice.admm, tolerance, first, out, path_admm);
}

/// Up from what costs least. Each rung begins at the best iterate so far or afresh, and the first that reaches the tolerance
/// ends it.
void IslandSolver::climb(ScaledIsland& island, const SolverChoice& choice, const SolverOptions& options, bool has_start,
                         Outcome& out) {
  const double tolerance = options.tolerance, aim = aim_below * tolerance;
  const double* first = has_start ? start_.data() : nullptr;
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
  if (has_start && choice.warm_newton && best_.measure <= near * tolerance &&
      polish(island, choice, tolerance, 8, out, path_newton))
    return;
  if (island.rows() <= choice.small_rows) {
    ProximalOptions quick = choice.proximal;
    quick.alpha = 1e-3;
    quick.max_outer = quick.max_factorizations = 25;
    if (newton(island, quick, aim, out, path_newton) || best_.measure <= tolerance) return;
  }
  if (solve_moving(island, choice, tolerance, first, out)) {
    polish(island, choice, tolerance, 3, out, path_closer);
    return;
  }
  if (newton(island, choice.proximal, aim, out, path_closer) || best_.measure <= tolerance) return;
  InteriorOptions within;
  within.theta = 0.5;
  if (interior(island, within, nullptr, tolerance, aim, out)) return;
  if (island.rows() > short_rows) return;
  if (minimum_norm(island, 15, tolerance, out)) return;
  other_penalties(island, choice, tolerance, out);
}

/// A few Newton steps from the best iterate. On a pile at rest this weight and step reach a tenth of the tolerance in 61 of
/// 67 steps with 6 factorizations, α = 1e-5 and ρ = 10 in 33.
bool IslandSolver::polish(ScaledIsland& island, const SolverChoice& choice, double tolerance, int steps, Outcome& out,
                          unsigned bit) {
  if (best_.measure <= aim_below * tolerance) return true;
  ProximalOptions quick = choice.proximal;
  quick.alpha = 1e-4;
  quick.ratio = 1e-3;
  quick.alpha_min = redundant_alpha;
  quick.rho = 100;
  quick.max_outer = quick.max_factorizations = best_.measure <= tolerance ? std::min(steps, 3) : steps;
  newton(island, quick, aim_below * tolerance, out, bit);
  return best_.measure <= tolerance;
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
