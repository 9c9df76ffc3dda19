#pragma once
#include <condyle/simulator.hpp>

#include <chrono>

namespace condyle {

/// Splits the wall time of a step into its stages: each call of done() gives the time since the last one to a stage.
class StageClock {
 public:
  using Clock = std::chrono::steady_clock;
  explicit StageClock(StepReport& report) : report_(report), last_(Clock::now()) { report.stage_us.fill(0); }
  void done(Stage stage) {
    const auto now = Clock::now();
    report_.stage_us[static_cast<std::size_t>(stage)] += std::chrono::duration<double, std::micro>(now - last_).count();
    last_ = now;
  }

 private:
  StepReport& report_;
  Clock::time_point last_;
};

}  // namespace condyle
