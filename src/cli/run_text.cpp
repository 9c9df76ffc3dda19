#include "cli/common.hpp"
#include "cli/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace condyle::cli {

namespace {

std::string seconds(double s) {
  if (s == 0 || s >= 1) return fmt::format("{:.4g} s", s);
  if (s >= 1e-3) return fmt::format("{:.4g} ms", 1e3 * s);
  return fmt::format("{:.4g} µs", 1e6 * s);
}

std::string real_time(double simulated, double wall) {
  if (!(wall > 0) || !(simulated > 0)) return "";
  const double factor = simulated / wall, times = std::max(factor, 1 / factor);
  return fmt::format(", {:.{}f} times {} than real time", times,
                     times < 10    ? 2
                     : times < 100 ? 1
                                   : 0,
                     factor >= 1 ? "faster" : "slower");
}

std::string stages(const RunSummary& run) {
  std::string out;
  for (int k = 0; k < stage_count; ++k) {
    const double us = run.stage_us[static_cast<std::size_t>(k)];
    if (us < 0.01) continue;
    out += fmt::format("{}{} {:.2f}", out.empty() ? "" : ", ", to_string(static_cast<Stage>(k)), us);
  }
  return out.empty() ? "-" : out + " µs";
}

/// What the scene has of constraints and how well they held; nothing where there is nothing to say.
void print_constraints(const RunSummary& run) {
  if (run.rows.max > 0)
    print_line("constraints",
               fmt::format("{:.1f} contacts, {:.1f} rows, {:.1f} iterations a step on average (at most {}, {}, {})",
                           run.contacts.mean, run.rows.mean, run.iterations.mean, run.contacts.max, run.rows.max,
                           run.iterations.max));
  std::string held;
  const auto add = [&](double value, const char* what, const char* unit) {
    if (value > 0) held += fmt::format("{}{} {:.3g} {}", held.empty() ? "" : ", ", what, value, unit);
  };
  add(run.penetration, "penetration", "m");
  add(run.closure_m, "loops open", "m");
  add(run.closure_rad, "loops turned", "rad");
  add(run.limit_violation, "beyond joint limits", "rad or m");
  add(run.gliding > 0.01 ? run.gliding : 0, "sliding contacts lift off at", "of friction times speed");
  if (!held.empty()) print_line("at most", held);
}

}  // namespace

std::string certificate_words(const RunSummary& run) {
  if (run.steps == 0) return "no step was taken";
  if (run.uncertified == 0)
    return fmt::format("{} certified, residual at most {:.3g} m/s (tolerance {:g} m/s)",
                       run.steps == 1 ? std::string("the step is") : fmt::format("all {} steps", run.steps),
                       run.residual.max, run.residual.tolerance);
  return fmt::format("{} of {} steps not certified; the worst is step {}{}: {}", run.uncertified, run.steps, run.worst.step,
                     run.rejected                   ? ", rejected"
                     : run.worst.constraint.empty() ? ""
                                                    : " at '" + run.worst.constraint + "'",
                     run.worst.reason);
}

void print_summary(const RunSummary& run) {
  print_line("simulated", fmt::format("{}: {} steps of {}, {}, solver {}", seconds(run.simulated_s), run.steps,
                                      seconds(run.dt), run.integrator, run.solver));
  print_line("wall time", seconds(run.wall_s) + real_time(run.simulated_s, run.wall_s));
  print_line("step time", fmt::format("mean {:.2f} µs, p50 {:.2f} µs, p99 {:.2f} µs", run.step_us.mean, run.step_us.p50,
                                      run.step_us.p99));
  print_line("  stages", stages(run));
  print_constraints(run);
  print_line("certificate", certificate_words(run));
  print_line("energy", fmt::format("{:.6g} J → {:.6g} J, largest increase in one step {:.3g} J", run.energy_initial,
                                   run.energy_final, run.energy_increase));
  print_line("momentum", run.momentum_error ? fmt::format("relative error {:.3g}", *run.momentum_error)
                                            : "not judged: " + run.momentum_reason);
  print_line("state hash", fmt::format("{:016x}", run.state_hash));
}

}  // namespace condyle::cli
