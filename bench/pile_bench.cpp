// The step of settled piles of boxes: time by stage, how many steps need no iteration at all, and how the cost grows with
// the number of boxes; beside it the same problem solved from nothing, in the same run. The certificate stands beside every
// time.
//
//   pile_bench            40, 100, 300 and 1000 boxes (settling them takes minutes the first time)
//   pile_bench 40 100     these only
#include "settled_piles.hpp"

#include <condyle/solver.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

namespace {
using namespace condyle;

/// µs a step; what the best engine took on its machine, divided by four or so.
const std::map<int, double> goals = {{40, 130}, {100, 600}, {300, 2500}, {1000, 14000}};

struct Measured {
  int n = 0, steps = 0, certified = 0, without_iteration = 0, contacts = 0;
  std::array<double, stage_count> mean_us{};
  double median_us = 0, slowest_us = 0, residual = 0, penetration = 0, speed = 0;
  double cold_us = 0, cold_residual = 0;
  double total_us() const {
    double sum = 0;
    for (const double us : mean_us) sum += us;
    return sum;
  }
};

Measured measure_once(int n) {
  bench::SettledPile pile = bench::settled_pile(n);
  SimulatorOptions options;
  options.dt = pile.dt;
  options.account_energy = false;
  Simulator simulator(pile.scene, options);
  for (int k = 0; k < 20; ++k) simulator.step(pile.state);  // no impulse of the step before is known at first

  Measured out;
  out.n = n;
  out.steps = n <= 100 ? 200 : n <= 300 ? 100 : 40;
  std::vector<double> times;
  for (int k = 0; k < out.steps; ++k) {
    const StepReport& report = simulator.step(pile.state);
    double sum = 0;
    for (std::size_t s = 0; s < out.mean_us.size(); ++s) {
      out.mean_us[s] += report.stage_us[s] / out.steps;
      sum += report.stage_us[s];
    }
    times.push_back(sum);
    out.certified += report.certified();
    out.without_iteration += report.iterations == 0;
    out.contacts = report.contacts;
    out.residual = std::max(out.residual, report.residual);
    out.penetration = std::max(out.penetration, report.penetration);
  }
  std::sort(times.begin(), times.end());
  out.median_us = times[times.size() / 2];
  out.slowest_us = times.back();
  out.speed = bench::detail::mean_speed(pile.scene, pile.state);

  SolverOptions solver;
  solver.tolerance = 1e-8;
  const ContactProblem problem = simulator.problem();
  out.cold_us = std::numeric_limits<double>::infinity();
  for (int k = 0; k < (n <= 100 ? 3 : 1); ++k) {
    const SolveResult cold = solve(problem, solver);
    out.cold_us = std::min(out.cold_us, 1e3 * cold.stats.time_ms);
    out.cold_residual = cold.residuals.certificate;
  }
  return out;
}

/// The same steps from the same state, the least disturbed time of a few.
Measured measure(int n) {
  Measured best = measure_once(n);
  for (int repeat = n <= 100 ? 4 : 1; repeat > 0; --repeat)
    if (const Measured again = measure_once(n); again.total_us() < best.total_us()) best = again;
  return best;
}

void print(const Measured& m) {
  fmt::print("{} boxes, {} contacts: mean {:.0f} µs a step, median {:.0f}, slowest {:.0f}", m.n, m.contacts, m.total_us(),
             m.median_us, m.slowest_us);
  if (const auto goal = goals.find(m.n); goal != goals.end())
    fmt::print("; {:.2f} of the goal of {:.0f} µs (median {:.2f})", m.total_us() / goal->second, goal->second,
               m.median_us / goal->second);
  fmt::print("\n  stages:");
  for (int s = 0; s < stage_count; ++s)
    fmt::print(" {} {:.1f}", to_string(static_cast<Stage>(s)), m.mean_us[static_cast<std::size_t>(s)]);
  fmt::print(
      " µs\n  {} of {} steps certified, residual at most {:.1e} m/s; {} without an iteration; penetration {:.1e} m, mean "
      "speed {:.1e} m/s\n",
      m.certified, m.steps, m.residual, m.without_iteration, m.penetration, m.speed);
  fmt::print("  the same problem from nothing to 1e-8 m/s: {:.0f} µs, {:.1f} times a step, residual {:.1e} m/s\n", m.cold_us,
             m.cold_us / m.median_us, m.cold_residual);
  std::fflush(stdout);
}
}  // namespace

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int k = 1; k < argc; ++k) sizes.push_back(std::atoi(argv[k]));
  if (sizes.empty()) sizes = {40, 100, 300, 1000};
  std::vector<Measured> all;
  for (const int n : sizes) {
    all.push_back(measure(n));
    print(all.back());
  }
  for (std::size_t k = 1; k < all.size(); ++k)
    fmt::print("from {} to {} boxes a step grows with the exponent {:.2f} (median {:.2f})\n", all[k - 1].n, all[k].n,
               std::log(all[k].total_us() / all[k - 1].total_us()) / std::log(double(all[k].n) / all[k - 1].n),
               std::log(all[k].median_us / all[k - 1].median_us) / std::log(double(all[k].n) / all[k - 1].n));
}
