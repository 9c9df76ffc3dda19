#pragma once
// The best λ̃ seen so far by the island's own measure: what a solver returns whatever happens afterwards.
#include "solvers/residual_history.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

namespace condyle {

struct BestIterate {
  std::vector<double> impulse, sigma;  ///< scaled; sigma belongs to the impulse last offered
  double measure = std::numeric_limits<double>::infinity();
  double largest = 0;                  ///< ‖λ̃‖ of all that was offered; ‖g̃‖ is 1
  ResidualHistory* history = nullptr;  ///< takes a note of all that is offered
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();

  /// Whether the caller's wall-clock budget is used up: a solver then offers what it has and returns.
  bool out_of_time() const {
    return deadline != std::chrono::steady_clock::time_point::max() && std::chrono::steady_clock::now() >= deadline;
  }

  void start(int rows) {
    impulse.assign(static_cast<std::size_t>(rows), 0.0);
    sigma.resize(static_cast<std::size_t>(rows));
    measure = std::numeric_limits<double>::infinity();
    largest = 0;
  }
  /// Recomputes σ, measures, keeps x if it is better; returns the measure (infinite for what is not a number).
  double offer(ScaledIsland& island, const double* x) {
    island.sigma(x, sigma.data());
    return offer_with(island, x, sigma.data());
  }
  double offer_with(ScaledIsland& island, const double* x, const double* sigma_of_x) {
    const double value = island.measure(x, sigma_of_x);
    if (history) history->entries.push_back(history_entry(island, x, sigma_of_x, value));
    if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
    double size2 = 0;
    for (std::size_t k = 0; k < impulse.size(); ++k) size2 += x[k] * x[k];
    largest = std::max(largest, std::sqrt(size2));
    if (value < measure) {
      measure = value;
      std::copy(x, x + impulse.size(), impulse.begin());
    }
    return value;
  }
};

}  // namespace condyle
