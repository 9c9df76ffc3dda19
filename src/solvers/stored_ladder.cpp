#include "solvers/ladder.hpp"

#include <algorithm>
#include <array>

namespace condyle {

namespace {
constexpr int newton_rows = 100;  // a dense factorization of this size costs less than the ADMM iterations that it saves
constexpr int early_iterations = 130;  // stacks of boxes need 80 to 125

/// Towers whose velocities do not fit together keep one closer at 1e-4 to 1e-6 for ever, wherever it begins: a short run
/// that trusts Newton (little weight, long steps ρ) and one that hardly does (weight 1, accelerated).
std::array<ProximalOptions, 2> tower_turns(const ProximalOptions& given) {
  ProximalOptions bold = given, careful = given;
  bold.alpha = 1e-3;
  bold.rho = 100;
  bold.max_factorizations = 60;
  careful.alpha = 1;
  careful.memory = 10;
  return {bold, careful};
}
}  // namespace

void IslandSolver::climb_stored(ScaledIsland& island, const SolverChoice& choice, const SolverOptions& options,
                                bool has_start, Outcome& out) {
  // both residuals are relative to the whole problem, an island's to its own: half leaves room for the difference
  const double target = 0.5 * options.tolerance;
  from_.assign(best_.impulse.size(), 0.0);
  if (best_.offer(island, from_.data()) <= target) {
    out.path |= path_zero;
    return;
  }
  if (has_start) {
    island.project(start_.data(), start_.data());
    if (best_.offer(island, start_.data()) <= target) {
      out.path |= path_start;
      return;
    }
  }
  ProximalOptions quick = choice.proximal;
  if (has_start && choice.warm_newton) {
    quick.alpha = 1e-5;
    quick.max_outer = quick.max_factorizations = 8;
    if (newton(island, quick, target, out, path_newton)) return;
  }
  quick.alpha = 1e-3;
  quick.max_outer = quick.max_factorizations = 25;
  if (island.rows() <= std::max(choice.small_rows, newton_rows) && newton(island, quick, target, out, path_newton)) return;
  // what ADMM solves it mostly solves early; then a few factorizations are cheaper than going on
  const double* first = has_start ? start_.data() : nullptr;
  AdmmOptions early = choice.admm;
  early.max_iterations = std::min(early_iterations, early.max_iterations);
  if (admm(island, early, target, first, out, path_admm)) return;
  quick.alpha = 1e-4;
  quick.max_outer = quick.max_factorizations = 10;
  if (newton(island, quick, target, out, path_newton)) return;
  if (admm(island, choice.admm, target, first, out, path_admm)) return;
  if (newton(island, choice.proximal, target, out, path_closer)) return;
  InteriorOptions within;
  if (interior(island, within, nullptr, target, target, out)) return;
  within.theta = 0.5;
  if (interior(island, within, nullptr, target, target, out)) return;
  if (closers_in_turns(island, tower_turns(choice.proximal), 10, target, out)) return;
  if (island.rows() <= 600 && minimum_norm(island, 15, target, out)) return;
  if (closer_from_zero(island, choice, target, out)) return;
  if (island.rows() > 600 && island.rows() <= 1000 && minimum_norm(island, 15, target, out)) return;
  other_penalties(island, choice, target, out);
}

/// Runs of the closer that fail for different reasons get each other out of a stall: each begins at the best iterate so far.
bool IslandSolver::closers_in_turns(ScaledIsland& island, std::span<const ProximalOptions> closers, int rounds,
                                    double target, Outcome& out) {
  int without_progress = 0;
  for (int round = 0; round < rounds && without_progress < 3; ++round) {
    const double before = best_.measure;
    for (const ProximalOptions& closer : closers)
      if (newton(island, closer, target, out, path_closers_in_turns)) return true;
    without_progress = best_.measure < 0.5 * before ? 0 : without_progress + 1;
  }
  return false;
}

}  // namespace condyle
