#pragma once
// Which blocks the primal matrix I + Ĵᵀ B Ĵ of an island has, where each constraint's shares of it go, and the order in
// which it is factored. All solvers of an island share it, and steps whose islands touch in the same way find it again.
#include "linalg/block_analysis.hpp"

#include <memory>
#include <vector>

namespace condyle {

class ScaledIsland;

class PrimalStructure {
 public:
  const BlockPattern& pattern() const { return pattern_; }
  /// Blocks of the pairs (s, t), t ≥ s, of a constraint's spans, in that order.
  const int* shares(int block) const { return share_.data() + share_begin_[static_cast<std::size_t>(block)]; }
  /// Made at the first call: what rests is never factored. An order depends on the pattern alone and not on what was
  /// factored before, so that a state that was saved goes on with the same bits.
  const BlockAnalysis& analysis() {
    if (!is_analysed_) analysis_.analyse(pattern_);
    is_analysed_ = true;
    return analysis_;
  }

 private:
  friend class PrimalStructures;
  bool fits(const ScaledIsland& island) const;
  void set(const ScaledIsland& island);

  std::vector<int> key_;  // for each constraint the number of its spans and their columns
  BlockPattern pattern_;
  std::vector<int> share_begin_, share_, body_of_column_;
  std::vector<std::pair<int, int>> pairs_;
  BlockAnalysis analysis_;
  bool is_analysed_ = false;
  long used_ = 0;
};

/// The last few of them: several islands take turns in one step.
class PrimalStructures {
 public:
  PrimalStructure& find(const ScaledIsland& island);

 private:
  static constexpr std::size_t kept = 16;
  std::vector<std::unique_ptr<PrimalStructure>> structures_;
  long uses_ = 0;
};

}  // namespace condyle
