#include "cli/run_loop.hpp"

#include "cli/progress.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstring>

namespace condyle::cli {

namespace {

volatile std::sig_atomic_t caught = 0;

/// Catches the signals that end a run, once each: a second one ends the program in the usual way.
class SignalGuard {
 public:
  SignalGuard() {
    caught = 0;
    struct sigaction action = {};
    action.sa_handler = [](int number) { caught = number; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &old_int_);
    sigaction(SIGTERM, &action, &old_term_);
  }
  ~SignalGuard() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  struct sigaction old_int_ = {}, old_term_ = {};
};

}  // namespace

LoopResult run_steps(Simulator& simulator, State& x, std::uint64_t steps, Recorder* recorder, ProblemDump* dump,
                     bool show_progress) {
  using Clock = Progress::Clock;
  SignalGuard signals;
  RunStatistics statistics(simulator, x, steps);
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(simulator.scene().nv());
  if (recorder) recorder->start(x);

  Progress progress(steps, simulator.options().dt, show_progress);
  const Clock::time_point start = Clock::now();
  Clock::time_point before = start, after = start;
  bool rejected = false;
  for (std::uint64_t i = 0; i < steps && !caught && !rejected; ++i) {
    before = Clock::now();
    const StepReport& report = simulator.step(x, tau);
    after = Clock::now();
    statistics.add(report, std::chrono::duration<double, std::micro>(after - before).count());
    rejected = report.status == StepStatus::rejected;
    if (recorder && rejected) recorder->add_rejected(report);
    if (recorder && !rejected) {
      if (recorder->wants_next())
        recorder->add(x, tau, report, simulator.constraints());
      else
        recorder->add(x, tau, report);
    }
    if (dump) dump->offer(simulator);
    progress.update(i + 1, after);
  }
  if (recorder) recorder->close();
  progress.clear();
  LoopResult out{statistics.finish(x, std::chrono::duration<double>(Clock::now() - start).count()), 0};
  std::vector<std::string>& warnings = out.summary.warnings;
  if (rejected)
    warnings.push_back(fmt::format("step {} was rejected, the run ended there: {}", x.step + 1, simulator.report().reason));
  if (caught && out.summary.steps < steps) {
    out.signal = caught;
    warnings.push_back(fmt::format("ended by {} after {} of {} steps", strsignal(out.signal), out.summary.steps, steps));
  }
  return out;
}

}  // namespace condyle::cli
