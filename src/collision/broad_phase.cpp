#include "collision/broad_phase.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace condyle {
namespace {

constexpr double loose = 1.3;  // how much more a traversal may cost than the first one before the tree is built anew

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

const std::vector<ShapePair>& BroadPhase::pairs(const std::vector<Aabb>& boxes) {
  assert(boxes.size() == fixed_.size());
  found_.clear();
  pairs_.clear();
  if (boxes.empty()) return pairs_;
  const bool fresh = order_.size() != boxes.size() || visits_ > loose * built_visits_;
  if (fresh) build(boxes);
  refit(boxes);
  traverse();
  if (fresh) built_visits_ = static_cast<double>(visits_);
  sort_pairs();
  return pairs_;
}

void BroadPhase::build(const std::vector<Aabb>& boxes) {
  ++rebuilds_;
  const std::size_t n = boxes.size();
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0);
  sorted_.resize(n);
  centres_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    centres_[i] = boxes[i].finite() ? boxes[i].centre() : Eigen::Vector3d(Eigen::Vector3d::Zero());
  nodes_.clear();
  nodes_.reserve(2 * n / (leaf_size / 2) + 2);
  build_node(0, static_cast<int>(n));
  stack_.reserve(256);
}

/// Halves at the median of the longest axis: depth log2(n) whatever the input.
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
    const int middle = begin + (end - begin) / 2;
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
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const Aabb& box = boxes[at(order_[k])];
    sorted_[k] = box.finite() ? box : Aabb{};
  }
  for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
    Node& node = nodes_[at(i)];
    if (node.right > 0) {
      node.box = nodes_[at(i + 1)].box;
      node.box.add(nodes_[at(node.right)].box);
    } else {
      node.box = sorted_[at(node.begin)];
      for (int k = node.begin + 1; k < node.end; ++k) node.box.add(sorted_[at(k)]);
    }
  }
}

void BroadPhase::test(int i, int j) {
  if (!sorted_[at(i)].overlaps(sorted_[at(j)])) return;
  const int a = order_[at(i)], b = order_[at(j)];
  if (fixed_[at(a)] && fixed_[at(b)]) return;
  found_.push_back(a < b ? ShapePair{a, b} : ShapePair{b, a});
}

/// The tree against itself: (u, u) stands for all pairs below u, (u, v) for pairs with one below each.
void BroadPhase::traverse() {
  stack_.clear();
  stack_.emplace_back(0, 0);
  visits_ = 0;
  while (!stack_.empty()) {
    ++visits_;
    const auto [iu, iv] = stack_.back();
    stack_.pop_back();
    const Node &u = nodes_[at(iu)], &v = nodes_[at(iv)];
    if (u.fixed && v.fixed) continue;
    if (iu == iv) {
      if (u.right > 0) {
        stack_.emplace_back(iu + 1, iu + 1);
        stack_.emplace_back(u.right, u.right);
        stack_.emplace_back(iu + 1, u.right);
      } else {
        for (int i = u.begin; i < u.end; ++i)
          for (int j = i + 1; j < u.end; ++j) test(i, j);
      }
      continue;
    }
    if (!u.box.overlaps(v.box)) continue;
    if (u.right == 0 && v.right == 0) {
      for (int i = u.begin; i < u.end; ++i) {
        if (!sorted_[at(i)].overlaps(v.box)) continue;
        for (int j = v.begin; j < v.end; ++j) test(i, j);
      }
    } else if (v.right == 0 || (u.right > 0 && u.end - u.begin >= v.end - v.begin)) {
      stack_.emplace_back(iu + 1, iv);
      stack_.emplace_back(u.right, iv);
    } else {
      stack_.emplace_back(iu, iv + 1);
      stack_.emplace_back(iu, v.right);
    }
  }
}

/// By counting on the first index: linear where each shape has few partners.
void BroadPhase::sort_pairs() {
  begin_.assign(fixed_.size() + 1, 0);
  for (const ShapePair& pair : found_) ++begin_[at(pair.a) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  pairs_.resize(found_.size());
  for (const ShapePair& pair : found_) pairs_[at(begin_[at(pair.a)]++)] = pair;
  for (std::size_t i = 0; i < fixed_.size(); ++i)  // begin_[i] is now the end of i's run
    std::sort(pairs_.begin() + (i == 0 ? 0 : begin_[i - 1]), pairs_.begin() + begin_[i]);
}

}  // namespace condyle
