#pragma once
// Which of many boxes overlap. A tree of boxes that is kept from call to call and only refitted, until it has become
// loose; the answer is the exact set, so that it does not depend on what the tree looks like.
#include "collision/aabb.hpp"
#include "collision/default_pairs.hpp"

#include <vector>

namespace condyle {

class BroadPhase {
 public:
  /// `fixed[i]`: box i belongs to something that never moves; two of these are no pair.
  explicit BroadPhase(std::vector<char> fixed = {}) : fixed_(std::move(fixed)) {}

  /// All pairs of overlapping boxes, sorted. Empty boxes and boxes that are not finite overlap nothing. As many boxes as
  /// `fixed` has entries. No allocation once the number of pairs has been reached before.
  const std::vector<ShapePair>& pairs(const std::vector<Aabb>& boxes);

  int rebuilds() const { return rebuilds_; }

 private:
  static constexpr int leaf_size = 4;
  /// Rounded outward to single precision, for a quick test; what passes is tested exactly.
  struct alignas(16) Coarse {
    float low[4], high[4];
  };
  struct Node {
    Coarse box;
    int begin = 0, end = 0;  // entries of order_
    int right = 0;           // 0: a leaf; the left child follows its parent
    bool fixed = true;       // all below
  };
  void build(const std::vector<Aabb>& boxes);
  int build_node(int begin, int end);
  void refit(const std::vector<Aabb>& boxes);
  static bool overlap(const Coarse& a, const Coarse& b);
  void traverse();
  ShapePair* test(int i, int begin, int end, ShapePair* out) const;
  void sort_pairs(const std::vector<Aabb>& boxes);

  std::vector<char> fixed_;
  std::vector<int> order_;
  std::vector<Coarse> sorted_;  // in the tree's order
  std::vector<char> sorted_fixed_;
  std::vector<Eigen::Vector3d> centres_;
  std::vector<Node> nodes_;
  std::vector<ShapePair> found_, pairs_;
  std::size_t count_ = 0;  // of found_
  std::vector<int> begin_;
  long visits_ = 0;  // pairs of nodes in the last traversal
  double built_visits_ = 0;
  int rebuilds_ = 0;
};

}  // namespace condyle
