#pragma once
// Workers that go through one loop side by side and wait for each other twice in an iteration. Iterations take microseconds,
// so they wait awake.
#include <atomic>
#include <thread>

namespace condyle {

class Team {
 public:
  void start(int workers) { workers_ = workers; }
  int workers() const { return workers_; }
  /// Returns when all have called it.
  void meet() {
    if (workers_ == 1) return;
    const unsigned round = round_.load(std::memory_order_acquire);
    if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == workers_) {
      waiting_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int spins = 0; round_.load(std::memory_order_acquire) == round; ++spins)
      if (spins > patience) std::this_thread::yield();
  }

 private:
  static constexpr int patience = 2000;
  int workers_ = 1;
  std::atomic<unsigned> round_{0};
  std::atomic<int> waiting_{0};
};

}  // namespace condyle
