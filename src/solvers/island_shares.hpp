#pragma once
// Which thread solves which islands: the largest first, each to the one with the fewest rows so far. It depends on the
// problem alone, so a scene that repeats itself finds its work memory already there.
#include "problem/islands.hpp"

#include <vector>

namespace condyle {

class IslandShares {
 public:
  void divide(const ContactProblem& problem, const Islands& islands, int workers);
  /// Islands of a worker, the largest first.
  const std::vector<int>& of(int worker) const { return shares_[static_cast<std::size_t>(worker)]; }

 private:
  std::vector<std::vector<int>> shares_;
  std::vector<int> rows_, order_;
  std::vector<long> load_;
};

}  // namespace condyle
