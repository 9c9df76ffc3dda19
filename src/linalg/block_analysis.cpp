#include "linalg/block_analysis.hpp"

#include <amd.h>

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Zeros that a merged panel may hold, by its width: small panels gain most from being merged (bench/factor_bench.cpp).
double allowed_zeros(int width) {
  if (width <= 24) return 0.5;
  if (width <= 60) return 0.25;
  return width <= 120 ? 0.1 : 0.05;
}
}  // namespace

bool BlockAnalysis::use(const BlockPattern& pattern) {
  if (pattern == placed_) return false;
  if (pattern.begin == placed_.begin && place_blocks(pattern)) return false;
  analyse(pattern);
  return true;
}

void BlockAnalysis::analyse(const BlockPattern& pattern) {
  order_bodies(pattern);
  find_tree(pattern);
  fill();
  merge();
  lay_out();
  plan_updates();
  place_blocks(pattern);
}

/// By AMD's inner routine: amd_order itself takes memory each time, and a contact that closes in a step must not.
void BlockAnalysis::order_bodies(const BlockPattern& pattern) {
  bodies_ = pattern.bodies();
  size_ = pattern.size();
  graph_begin_.assign(at(bodies_) + 1, 0);
  const auto each_pair = [&](const auto& take) {
    for (int c = 0; c < bodies_; ++c)
      for (int k = pattern.column_begin[at(c)] + 1; k < pattern.column_begin[at(c) + 1]; ++k) take(c, pattern.row[at(k)]);
  };
  each_pair([&](int a, int b) { ++graph_begin_[at(a) + 1], ++graph_begin_[at(b) + 1]; });
  for (int k = 0; k < bodies_; ++k) graph_begin_[at(k) + 1] += graph_begin_[at(k)];
  work_.assign(graph_begin_.begin(), graph_begin_.end());
  const int entries = graph_begin_.back(), room = entries + entries / 5 + bodies_;  // as AMD asks for
  graph_.resize(at(entries));
  each_pair([&](int a, int b) { graph_[at(work_[at(a)]++)] = b, graph_[at(work_[at(b)]++)] = a; });

  body_.resize(at(bodies_));
  place_of_.resize(at(bodies_));
  if (bodies_ > 0) {
    amd_.resize(at(room) + 9 * at(bodies_));
    int* Iw = amd_.data() + 9 * at(bodies_);
    const auto part = [&](int k) { return amd_.data() + at(k) * at(bodies_); };
    std::copy(graph_.begin(), graph_.end(), Iw);
    int *Pe = part(0), *Len = part(1);
    for (int k = 0; k < bodies_; ++k) {
      Pe[k] = graph_begin_[at(k)];
      Len[k] = graph_begin_[at(k) + 1] - graph_begin_[at(k)];
    }
    double info[AMD_INFO];
    amd_2(bodies_, Pe, Iw, Len, room, entries, part(2), part(3), part(4), part(5), part(6), part(7), part(8), nullptr, info);
    std::copy_n(part(4), bodies_, body_.begin());
  }
  for (int k = 0; k < bodies_; ++k) place_of_[at(body_[at(k)])] = k;
}

/// The elimination tree (Liu), then the same order with every subtree in one piece.
void BlockAnalysis::find_tree(const BlockPattern& pattern) {
  parent_.assign(at(bodies_), -1);
  mark_.assign(at(bodies_), -1);  // an ancestor, with shortcuts
  for (int k = 0; k < bodies_; ++k)
    for (int g = graph_begin_[at(body_[at(k)])]; g < graph_begin_[at(body_[at(k)]) + 1]; ++g)
      for (int i = place_of_[at(graph_[at(g)])]; i < k;) {
        const int next = mark_[at(i)];
        mark_[at(i)] = k;
        if (next < 0) {
          parent_[at(i)] = k;
          break;
        }
        i = next;
      }
  child_.assign(at(bodies_) + 1, -1);  // the last one: of the roots
  sibling_.assign(at(bodies_), -1);
  for (int k = bodies_ - 1; k >= 0; --k) {
    int& head = child_[at(parent_[at(k)] < 0 ? bodies_ : parent_[at(k)])];
    sibling_[at(k)] = head;
    head = k;
  }
  work_.clear();
  mark_.clear();  // bodies in the new order
  for (int root = child_[at(bodies_)]; root >= 0; root = sibling_[at(root)]) {
    work_.push_back(root);
    while (!work_.empty()) {
      int& child = child_[at(work_.back())];
      if (child >= 0) {
        const int down = child;
        child = sibling_[at(down)];
        work_.push_back(down);
      } else {
        mark_.push_back(work_.back());
        work_.pop_back();
      }
    }
  }
  sibling_.assign(at(bodies_), 0);
  for (int k = 0; k < bodies_; ++k) sibling_[at(mark_[at(k)])] = k;
  work_.assign(parent_.begin(), parent_.end());
  for (int k = 0; k < bodies_; ++k) {
    const int old = mark_[at(k)];
    parent_[at(k)] = work_[at(old)] < 0 ? -1 : sibling_[at(work_[at(old)])];
    child_[at(k)] = body_[at(old)];
  }
  std::copy(child_.begin(), child_.begin() + bodies_, body_.begin());
  for (int k = 0; k < bodies_; ++k) place_of_[at(body_[at(k)])] = k;
  begin_.assign(1, 0);
  order_.clear();
  for (int k = 0; k < bodies_; ++k) {
    const int b = body_[at(k)];
    begin_.push_back(begin_.back() + pattern.body_size(b));
    for (int i = pattern.begin[at(b)]; i < pattern.begin[at(b) + 1]; ++i) order_.push_back(i);
  }
}

/// What is below a body is its own and what its children have below them.
void BlockAnalysis::fill() {
  below_begin_.assign(1, 0);
  below_.clear();
  mark_.assign(at(bodies_), -1);
  child_.assign(at(bodies_), -1);
  sibling_.assign(at(bodies_), -1);
  for (int k = 0; k < bodies_; ++k) {
    const std::size_t first = below_.size();
    mark_[at(k)] = k;
    bool sorted = true;
    const auto take = [&](int other) {
      if (mark_[at(other)] == k) return;
      mark_[at(other)] = k;
      sorted = sorted && (below_.size() == first || below_.back() < other);
      below_.push_back(other);
    };
    int tallest = -1, most = 0;  // this child's come first: mostly they are all, and sorted already
    for (int c = child_[at(k)]; c >= 0; c = sibling_[at(c)])
      if (const int count = below_begin_[at(c) + 1] - below_begin_[at(c)]; count > most) most = count, tallest = c;
    const auto take_child = [&](int c) {
      for (int g = below_begin_[at(c)]; g < below_begin_[at(c) + 1]; ++g) take(below_[at(g)]);
    };
    if (tallest >= 0) take_child(tallest);
    for (int c = child_[at(k)]; c >= 0; c = sibling_[at(c)])
      if (c != tallest) take_child(c);
    for (int g = graph_begin_[at(body_[at(k)])]; g < graph_begin_[at(body_[at(k)]) + 1]; ++g)
      if (const int other = place_of_[at(graph_[at(g)])]; other > k) take(other);
    if (!sorted) std::sort(below_.begin() + static_cast<std::ptrdiff_t>(first), below_.end());
    below_begin_.push_back(static_cast<int>(below_.size()));
    if (parent_[at(k)] < 0) continue;
    sibling_[at(k)] = child_[at(parent_[at(k)])];
    child_[at(parent_[at(k)])] = k;
  }
}

/// Neighbours of equal pattern are one supernode; then a supernode joins its parent where that adds few zeros.
void BlockAnalysis::merge() {
  const auto count = [&](int k) { return below_begin_[at(k) + 1] - below_begin_[at(k)]; };
  first_.clear();
  zeros_.clear();
  for (int start = 0; start < bodies_;) {
    int last = start;
    while (last + 1 < bodies_ && parent_[at(last)] == last + 1 && count(last) == count(last + 1) + 1) ++last;
    const int next = last + 1;
    int height = 0;
    for (int g = below_begin_[at(last)]; g < below_begin_[at(last) + 1]; ++g)
      height += begin_[at(below_[at(g)]) + 1] - begin_[at(below_[at(g)])];
    double zeros = 0;
    while (!first_.empty()) {
      const int low = first_.back(), top = start - 1;  // the supernode before this one: bodies low...top
      if (parent_[at(top)] < start || parent_[at(top)] > last) break;
      const int own = begin_[at(start)] - begin_[at(low)], width = begin_[at(next)] - begin_[at(low)];
      int under = 0;
      for (int g = below_begin_[at(top)]; g < below_begin_[at(top) + 1]; ++g)
        under += begin_[at(below_[at(g)]) + 1] - begin_[at(below_[at(g)])];
      const double added = static_cast<double>(own) * (width - own + height - under) + zeros + zeros_.back();
      const double all = 0.5 * width * (width + 1) + static_cast<double>(width) * height;
      if (added > allowed_zeros(width) * all) break;
      zeros = added;
      start = low;
      first_.pop_back();
      zeros_.pop_back();
    }
    first_.push_back(start);
    zeros_.push_back(zeros);
    start = next;
  }
  first_.push_back(bodies_);
}

void BlockAnalysis::lay_out() {
  const int count = static_cast<int>(first_.size()) - 1;
  supernodes_.resize(at(count));
  super_of_.resize(at(bodies_));
  rows_.clear();
  row_body_begin_.assign(1, 0);
  row_body_.clear();
  row_offset_.clear();
  values_ = 0;
  tallest_ = 0;
  operations_ = 0;
  for (int s = 0; s < count; ++s) {
    Supernode& node = supernodes_[at(s)];
    const int first = first_[at(s)], end = first_[at(s) + 1];
    std::fill(super_of_.begin() + first, super_of_.begin() + end, s);
    node.begin = begin_[at(first)];
    node.width = begin_[at(end)] - node.begin;
    node.height = 0;
    node.row_begin = static_cast<int>(rows_.size());
    for (int g = below_begin_[at(end) - 1]; g < below_begin_[at(end)]; ++g) {
      const int body = below_[at(g)], rows = begin_[at(body) + 1] - begin_[at(body)];
      row_body_.push_back(body);
      row_offset_.push_back(node.width + node.height);
      if (static_cast<int>(rows_.size()) > node.row_begin && rows_.back().begin + rows_.back().count == begin_[at(body)])
        rows_.back().count += rows;
      else
        rows_.push_back({begin_[at(body)], rows});
      node.height += rows;
    }
    row_body_begin_.push_back(static_cast<int>(row_body_.size()));
    node.row_end = static_cast<int>(rows_.size());
    node.value = values_;
    values_ += at(node.ld()) * at(node.width);
    tallest_ = std::max(tallest_, node.ld());
    for (int c = 0; c < node.width; ++c) operations_ += static_cast<double>(node.ld() - c) * (node.ld() - c);
  }
}

void BlockAnalysis::plan_updates() {
  updates_.clear();
  segments_.clear();
  for (int s = 0; s + 1 < static_cast<int>(first_.size()); ++s) {
    Supernode& node = supernodes_[at(s)];
    node.update_begin = static_cast<int>(updates_.size());
    const int end = row_body_begin_[at(s) + 1];
    for (int i = row_body_begin_[at(s)]; i < end;) {
      const int target = super_of_[at(row_body_[at(i)])];
      const Supernode& to = supernodes_[at(target)];
      Update update;
      update.from = row_offset_[at(i)];
      update.ld = to.ld();
      update.value = to.value + at(begin_[at(row_body_[at(i)])] - to.begin) * at(to.ld());
      update.segment_begin = static_cast<int>(segments_.size());
      int j = i, search = row_body_begin_[at(target)];
      for (int a = i; a < end; ++a) {
        const int body = row_body_[at(a)], rows = begin_[at(body) + 1] - begin_[at(body)];
        if (a == j && body < first_[at(target) + 1] && (a == i || body == row_body_[at(a) - 1] + 1)) {
          update.columns += rows;
          ++j;
        }
        int place = begin_[at(body)] - to.begin;
        if (super_of_[at(body)] != target) {
          while (row_body_[at(search)] != body) ++search;
          place = row_offset_[at(search)];
        }
        Segment* last = static_cast<int>(segments_.size()) > update.segment_begin ? &segments_.back() : nullptr;
        if (last && last->to + last->rows == place)
          last->rows += rows;
        else
          segments_.push_back({row_offset_[at(a)], rows, place});
      }
      update.segment_end = static_cast<int>(segments_.size());
      updates_.push_back(update);
      i = j;
    }
    node.update_end = static_cast<int>(updates_.size());
  }
}

bool BlockAnalysis::place_blocks(const BlockPattern& pattern) {
  places_.resize(at(pattern.blocks()));
  for (int c = 0; c < bodies_; ++c)
    for (int k = pattern.column_begin[at(c)]; k < pattern.column_begin[at(c) + 1]; ++k) {
      const int r = pattern.row[at(k)], a = place_of_[at(r)], b = place_of_[at(c)];
      const int low = std::min(a, b), high = std::max(a, b), s = super_of_[at(low)];
      const Supernode& node = supernodes_[at(s)];
      int row = begin_[at(high)] - node.begin;
      if (super_of_[at(high)] != s) {
        const auto from = row_body_.begin() + row_body_begin_[at(s)], to = row_body_.begin() + row_body_begin_[at(s) + 1];
        const auto found = std::lower_bound(from, to, high);
        if (found == to || *found != high) {
          placed_.begin.assign(1, -1);  // some places are overwritten: nothing is placed any more
          return false;
        }
        row = row_offset_[static_cast<std::size_t>(found - row_body_.begin())];
      }
      places_[at(k)] = {node.value + at(row) + at(begin_[at(low)] - node.begin) * at(node.ld()), node.ld(),
                        pattern.body_size(r), pattern.body_size(c), a < b};
    }
  placed_ = pattern;
  return true;
}

}  // namespace condyle
