#include "solvers/ladder.hpp"

#include <algorithm>

namespace condyle {

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
  if (island.rows() <= choice.small_rows) {
    quick.alpha = 1e-3;
    quick.max_outer = quick.max_factorizations = 25;
    if (newton(island, quick, target, out, path_newton)) return;
  }
  if (admm(island, choice.admm, target, has_start ? start_.data() : nullptr, out, path_admm)) return;
  if (newton(island, choice.proximal, target, out, path_closer)) return;
  InteriorOptions within;
  if (interior(island, within, false, target, target, out)) return;
  within.theta = 0.5;
  if (interior(island, within, false, target, target, out)) return;
  if (island.rows() <= 600 && minimum_norm(island, 15, target, out)) return;
  if (closer_from_zero(island, choice, target, out)) return;
  if (island.rows() > 600 && island.rows() <= 2000 && minimum_norm(island, 15, target, out)) return;
  other_penalties(island, choice, target, out);
}

}  // namespace condyle
