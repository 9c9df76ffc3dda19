#include "collision/broad_phase.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <numeric>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace condyle {
namespace {

constexpr double loose = 1.3;  // how much more a traversal may cost than the first one before the tree is built anew

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A float that is not above x, or not below it, by at most two units in its last place.
float below(double x) {
  const float f = static_cast<float>(x);
  return f - std::abs(f) * std::numeric_limits<float>::epsilon() - std::numeric_limits<float>::min();
}
float above(double x) { return -below(-x); }

}  // namespace

bool BroadPhase::overlap(const Coarse& a, const Coarse& b) {
#ifdef __SSE2__
  const __m128 apart = _mm_or_ps(_mm_cmpgt_ps(_mm_load_ps(a.low), _mm_load_ps(b.high)),
                                 _mm_cmpgt_ps(_mm_load_ps(b.low), _mm_load_ps(a.high)));
  return _mm_movemask_ps(apart) == 0;
#else
  int apart = 0;
  for (int k = 0; k < 3; ++k) apart |= (a.low[k] > b.high[k]) | (b.low[k] > a.high[k]);
  return apart == 0;
#endif
}

const std::vector<ShapePair>& BroadPhase::pairs(const std::vector<Aabb>& boxes) {
  assert(boxes.size() == fixed_.size());
  pairs_.clear();
  if (boxes.empty()) return pairs_;
  const bool fresh = order_.size() != boxes.size() || visits_ > loose * built_visits_;
  if (fresh) build(boxes);
  refit(boxes);
  traverse();
  if (fresh) built_visits_ = static_cast<double>(visits_);
  sort_pairs(boxes);
  return pairs_;
}

void BroadPhase::build(const std::vector<Aabb>& boxes) {
  ++rebuilds_;
  const std::size_t n = boxes.size();
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0);
  sorted_.resize(n);
  sorted_fixed_.resize(n);
  centres_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    centres_[i] = boxes[i].finite() ? boxes[i].centre() : Eigen::Vector3d(Eigen::Vector3d::Zero());
  nodes_.clear();
  nodes_.reserve(2 * n / (leaf_size / 2) + 2);
  build_node(0, static_cast<int>(n));
  for (std::size_t k = 0; k < n; ++k) sorted_fixed_[k] = fixed_[at(order_[k])] != 0;
}

/// Halves near the median of the longest axis, at a whole number of leaves so that all but one are full: depth log2(n)
/// whatever the input.
int BroadPhase::build_node(int begin, int end) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  bool fixed = true;
  Aabb spread;
  for (int k = begin; k < end; ++k) {
    spread.add(centres_[at(order_[at(k)])]);
    fixed = fixed && fixed_[at(order_[at(k)])];
  }
  int right = 0;
  if (end - begin > leaf_size) {
    Eigen::Index axis = 0;
    spread.half().maxCoeff(&axis);
    const int leaves = (end - begin + leaf_size - 1) / leaf_size;
    const int middle = begin + leaf_size * (leaves / 2);
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](int a, int b) { return centres_[at(a)][axis] < centres_[at(b)][axis]; });
    build_node(begin, middle);
    right = build_node(middle, end);
  }
  Node& node = nodes_[at(index)];
  node.begin = begin, node.end = end, node.right = right, node.fixed = fixed;
  return index;
}

void BroadPhase::refit(const std::vector<Aabb>& boxes) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const Aabb& box = boxes[at(order_[k])];
    Coarse& out = sorted_[k];
    const bool usable = box.finite() && !box.empty();
    for (int c = 0; c < 3; ++c) {
      out.low[c] = usable ? below(box.low[c]) : infinite;
      out.high[c] = usable ? above(box.high[c]) : -infinite;
    }
    out.low[3] = out.high[3] = 0;
  }
  const auto join = [](Coarse& a, const Coarse& b) {
    for (int c = 0; c < 4; ++c) {
      a.low[c] = std::min(a.low[c], b.low[c]);
      a.high[c] = std::max(a.high[c], b.high[c]);
    }
  };
  for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
    Node& node = nodes_[at(i)];
    if (node.right > 0) {
      node.box = nodes_[at(i + 1)].box;
      join(node.box, nodes_[at(node.right)].box);
    } else {
      node.box = sorted_[at(node.begin)];
      for (int k = node.begin + 1; k < node.end; ++k) join(node.box, sorted_[at(k)]);
    }
  }
}

/// Box i against boxes [begin, end), all in the tree's order. Writes each pair whether it overlaps or not and moves on only
/// if it does.
ShapePair* BroadPhase::test(int i, int begin, int end, ShapePair* out) const {
  const Coarse box = sorted_[at(i)];
  const Coarse* const boxes = sorted_.data();
  const int* const order = order_.data();
  const char* const fixed = sorted_fixed_.data();
  const int a = order[i], own = fixed[i];
  for (int j = begin; j < end; ++j) {
    const int b = order[j];
    *out = {std::min(a, b), std::max(a, b)};
    out += overlap(box, boxes[j]) & !(own & fixed[j]);
  }
  return out;
}

/// The tree against itself: (u, u) stands for all pairs below u, (u, v) for pairs with one below each.
void BroadPhase::traverse() {
  std::array<std::pair<int, int>, 256> stack;  // each of at most 2 log2(n) levels leaves two entries or less behind
  int top = 0;
  const Node* const nodes = nodes_.data();
  const auto push = [&](int iu, int iv) {
    const Node &u = nodes[iu], &v = nodes[iv];
    stack[at(top)] = {iu, iv};
    top += overlap(u.box, v.box) & !(u.fixed & v.fixed);
  };
  visits_ = 0;
  count_ = 0;
  push(0, 0);
  while (top > 0) {
    ++visits_;
    const auto [iu, iv] = stack[at(--top)];
    const Node &u = nodes[iu], &v = nodes[iv];
    if (iu == iv && u.right > 0) {
      push(iu + 1, iu + 1);
      push(u.right, u.right);
      push(iu + 1, u.right);
    } else if (u.right == 0 && v.right == 0) {
      if (found_.size() <= count_ + leaf_size * leaf_size) found_.resize(2 * found_.size() + 2 * leaf_size * leaf_size);
      ShapePair* out = found_.data() + count_;
      for (int i = u.begin; i < u.end; ++i)
        if (overlap(sorted_[at(i)], v.box)) out = test(i, iu == iv ? i + 1 : v.begin, v.end, out);
      count_ = static_cast<std::size_t>(out - found_.data());
    } else {
      const bool first = v.right == 0 || (u.right > 0 && u.end - u.begin >= v.end - v.begin);
      push(first ? iu + 1 : iu, first ? iv : iv + 1);
      push(first ? u.right : iu, first ? iv : v.right);
    }
  }
}

/// By counting on the first index, linear where each shape has few partners; then what overlaps exactly stays.
void BroadPhase::sort_pairs(const std::vector<Aabb>& boxes) {
  begin_.assign(fixed_.size() + 1, 0);
  for (std::size_t k = 0; k < count_; ++k) ++begin_[at(found_[k].a) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  pairs_.resize(count_);
  for (std::size_t k = 0; k < count_; ++k) pairs_[at(begin_[at(found_[k].a)]++)] = found_[k];
  std::size_t kept = 0;
  for (std::size_t i = 0, begin = 0; i < fixed_.size(); ++i) {
    const auto end = static_cast<std::size_t>(begin_[i]);  // moved there by the last loop
    const std::size_t first = kept;
    for (std::size_t k = begin; k < end; ++k) {
      const ShapePair pair = pairs_[k];
      if (!boxes[i].overlaps(boxes[at(pair.b)])) continue;
      std::size_t place = kept++;
      if (kept - first <= 16)  // few partners: put it where it belongs at once
        for (; place > first && pair.b < pairs_[place - 1].b; --place) pairs_[place] = pairs_[place - 1];
      pairs_[place] = pair;
    }
    if (kept - first > 16)
      std::sort(pairs_.begin() + static_cast<std::ptrdiff_t>(first), pairs_.begin() + static_cast<std::ptrdiff_t>(kept));
    begin = end;
  }
  pairs_.resize(kept);
}

}  // namespace condyle
