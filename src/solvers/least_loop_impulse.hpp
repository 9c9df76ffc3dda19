#pragma once
// Loops that hold the same thing twice (a planar mechanism closed in space) leave their impulses open: what is in the kernel
// of Jᵀ moves nothing. A solver puts there the round-off of σ over its regularization, step after step on top of what the
// last one left, until forces are reported that are millions of times too large and their round-off is felt. Of all impulses
// that move everything alike the smallest is taken.
#include "linalg/least_norm.hpp"
#include "linalg/smallest_pivot.hpp"
#include "solvers/scaled_island.hpp"

namespace condyle {

class LeastLoopImpulse {
 public:
  /// Makes λ̃ smaller in the rigid bilateral rows, if they are far larger than what they do; false: it stays as it is.
  /// Allocates nothing once the sizes have been reached before.
  bool reduce(const ScaledIsland& island, std::vector<double>& impulse);

 private:
  bool clear_inert_rows(const ScaledIsland& island, std::vector<double>& impulse);
  bool is_far_larger_than_its_effect(const ScaledIsland& island, const std::vector<double>& impulse);

  LeastNorm least_;
  SmallestPivot pivot_;
  std::vector<int> place_;     ///< of each row among the rigid bilateral ones; -1: it is none
  std::vector<double> B_;      ///< Ĵ in these rows, one column for each velocity
  std::vector<double> x_, u_;  ///< λ̃ in these rows; Ĵᵀ λ̃ of them
};

}  // namespace condyle
