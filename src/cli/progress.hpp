#pragma once
#include <chrono>
#include <cstdint>

namespace condyle::cli {

/// One line on the terminal that says how far a run is; silent in its first second and when nobody looks.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  /// `wanted`: false keeps it silent.
  Progress(std::uint64_t steps, double dt, bool wanted);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// After each step.
  void update(std::uint64_t done, Clock::time_point now) {
    if (shows_ && now >= next_) show(done, now);
  }
  void clear();

 private:
  void show(std::uint64_t done, Clock::time_point now);

  std::uint64_t steps_;
  double dt_;
  bool shows_;
  bool on_screen_ = false;
  Clock::time_point start_, next_;
};

}  // namespace condyle::cli
