#pragma once
// What a run did, gathered step by step: the numbers behind the summary that a person reads and the JSON of `run`.
#include <condyle/simulator.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace condyle {

struct RunSummary {
  struct Range {
    double mean = 0, max = 0;
  };
  struct Times {
    double mean = 0, p50 = 0, p99 = 0;  ///< microseconds
  };
  struct Worst {
    std::uint64_t step = 0;
    double residual = 0;  ///< m/s
    std::string constraint, reason;
  };
  struct Residual {
    double max = 0, p50 = 0, tolerance = 0;  ///< m/s
  };

  std::string scene, backend, solver, integrator;
  double dt = 0, simulated_s = 0, wall_s = 0;
  std::uint64_t steps = 0;  ///< certified + uncertified; a rejected step counts as uncertified
  int bodies = 0, dofs = 0;
  Times step_us;
  std::array<double, stage_count> stage_us{};  ///< mean
  Range contacts, rows, iterations, factorizations;
  std::uint64_t certified = 0, uncertified = 0;
  bool rejected = false;  ///< the last step was: the run ended before its time
  Worst worst;
  Residual residual;
  double penetration = 0, closure_m = 0, closure_rad = 0, limit_violation = 0, slip = 0,
         gliding = 0;                                                ///< largest over all steps
  double energy_initial = 0, energy_final = 0, energy_increase = 0;  ///< J; the increase is >= 0
  /// Relative change of momentum that gravity does not explain; empty where momentum is not conserved: see the reason.
  std::optional<double> momentum_error;
  std::string momentum_reason;
  std::uint64_t state_hash = 0;
  std::vector<std::string> warnings;
};

/// Numbers for a median, in memory that is taken once: when it is full, every other one is dropped and from then on half
/// as many are kept.
class Samples {
 public:
  explicit Samples(std::uint64_t expected);
  void add(double value);
  /// Value below which `share` (0..1) of the samples lie; 0 without samples. Sorts in place.
  double quantile(double share);

 private:
  std::vector<double> values_;
  std::uint64_t stride_ = 1, seen_ = 0;
};

class RunStatistics {
 public:
  /// `expected_steps` makes room, so that no step allocates. Keeps a reference to the simulator.
  RunStatistics(Simulator& simulator, const State& start, std::uint64_t expected_steps);

  /// The report of a step and the wall time it took.
  void add(const StepReport& report, double wall_us);
  /// The whole run, ending in this state after so much wall time.
  RunSummary finish(const State& end, double wall_s);

 private:
  struct Count {
    double sum = 0, max = 0;
    void add(double value) {
      sum += value;
      if (value > max) max = value;
    }
    RunSummary::Range over(std::uint64_t steps) const { return {steps ? sum / static_cast<double>(steps) : 0, max}; }
  };
  void judge(const StepReport& report);
  void check_momentum(const State& end, RunSummary& out);

  Simulator& simulator_;
  State start_;
  Energy start_energy_;
  Momentum start_momentum_;
  double last_energy_ = 0;
  RunSummary sums_;  ///< its counts, largest values and worst step grow; means and medians are made at the end
  Count step_us_, contacts_, rows_, iterations_, factorizations_;
  std::array<double, stage_count> stage_us_{};
  double worst_break_ = 0;  ///< m or rad, of the worst step
  bool worst_certified_ = true;
  Samples times_, residuals_;
};

}  // namespace condyle
