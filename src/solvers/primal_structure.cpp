#include "solvers/primal_structure.hpp"

#include "solvers/scaled_island.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

bool PrimalStructure::fits(const ScaledIsland& island) const {
  if (island.bodies != pattern_.begin) return false;
  const int* key = key_.data();
  const int* end = key + key_.size();
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i) {
    const auto first = island.spans_begin(i), last = island.spans_end(i);
    if (end - key <= last - first || *key++ != last - first) return false;
    for (auto s = first; s != last; ++s)
      if (*key++ != s->column) return false;
  }
  return key == end;
}

void PrimalStructure::set(const ScaledIsland& island) {
  const int bodies = static_cast<int>(island.bodies.size()) - 1;
  body_of_column_.resize(at(island.velocities()));
  for (int b = 0; b < bodies; ++b)
    std::fill(body_of_column_.begin() + island.bodies[at(b)], body_of_column_.begin() + island.bodies[at(b) + 1], b);
  key_.clear();
  pairs_.clear();
  share_begin_.assign(1, 0);
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i) {
    const auto first = island.spans_begin(i), last = island.spans_end(i);
    key_.push_back(static_cast<int>(last - first));
    for (auto s = first; s != last; ++s) {
      key_.push_back(s->column);
      for (auto t = s; t != last; ++t) pairs_.emplace_back(body_of_column_[at(s->column)], body_of_column_[at(t->column)]);
    }
    share_begin_.push_back(static_cast<int>(pairs_.size()));
  }
  pattern_.set(island.bodies, pairs_, share_);
  is_analysed_ = false;
}

PrimalStructure& PrimalStructures::find(const ScaledIsland& island) {
  ++uses_;
  for (const auto& structure : structures_)
    if (structure->fits(island)) {
      structure->used_ = uses_;
      return *structure;
    }
  if (structures_.size() < kept) structures_.push_back(std::make_unique<PrimalStructure>());
  const auto oldest = std::min_element(structures_.begin(), structures_.end(),
                                       [](const auto& a, const auto& b) { return a->used_ < b->used_; });
  (*oldest)->set(island);
  (*oldest)->used_ = uses_;
  return **oldest;
}

}  // namespace condyle
