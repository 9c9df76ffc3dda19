#include "solvers/least_loop_impulse.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double inert = 1e-6;      ///< squared length of a row that was not brought to unit length: its size is the floor's
constexpr double far_larger = 30;   ///< the rows of Ĵ have unit length: about 1 where they are independent
constexpr double dependent = 1e-9;  ///< what is left of a unit row without the others' directions
/// Squared length that is left of a unit row without those before it: from here on rows are independent beyond doubt, and a
/// large impulse is what they carry (a chain's tension acts on its ends alone).
constexpr double independent = 1e-8;
constexpr std::size_t most_numbers = 1 << 18;  ///< of B: beyond that it would cost more than the solve
}  // namespace

bool LeastLoopImpulse::is_far_larger_than_its_effect(const ScaledIsland& island, const std::vector<double>& impulse) {
  place_.assign(at(island.rows()), -1);
  x_.clear();
  for (const ConstraintBlock& block : island.blocks)
    for (int r = block.row; block.set == SetKind::bilateral && r < block.row + block.rows; ++r)
      if (island.R[at(r)] == 0) {
        place_[at(r)] = static_cast<int>(x_.size());
        x_.push_back(impulse[at(r)]);
      }
  if (x_.size() < 2) return false;
  u_.assign(at(island.velocities()), 0.0);
  for (std::size_t b = 0; b < island.blocks.size(); ++b) {
    const ConstraintBlock& block = island.blocks[b];
    for (auto span = island.spans_begin(static_cast<int>(b)); span != island.spans_end(static_cast<int>(b)); ++span) {
      const double* value = island.values(*span);
      for (int k = span->column; k < span->column + span->columns; ++k)
        for (int r = block.row; r < block.row + block.rows; ++r, ++value)
          if (place_[at(r)] >= 0) u_[at(k)] += *value * impulse[at(r)];
    }
  }
  return view(x_).norm() > far_larger * view(u_).norm();
}

/// Rows that move nothing at all, as those out of a planar loop's plane do: nothing but round-off over the solver's
/// regularization is in their impulses.
bool LeastLoopImpulse::clear_inert_rows(const ScaledIsland& island, std::vector<double>& impulse) {
  bool cleared = false;
  for (std::size_t b = 0; b < island.blocks.size(); ++b) {
    const ConstraintBlock& block = island.blocks[b];
    if (block.set != SetKind::bilateral) continue;
    x_.assign(at(block.rows), 0.0);
    for (auto span = island.spans_begin(static_cast<int>(b)); span != island.spans_end(static_cast<int>(b)); ++span) {
      const double* value = island.values(*span);
      for (int k = 0; k < span->columns; ++k)
        for (int r = 0; r < block.rows; ++r, ++value) x_[at(r)] += *value * *value;
    }
    for (int r = 0; r < block.rows; ++r)
      if (x_[at(r)] < inert && island.R[at(block.row + r)] == 0 && impulse[at(block.row + r)] != 0) {
        impulse[at(block.row + r)] = 0;
        cleared = true;
      }
  }
  return cleared;
}

bool LeastLoopImpulse::reduce(const ScaledIsland& island, std::vector<double>& impulse) {
  if (!island.symmetric() || island.velocities() == 0) return false;
  const bool cleared = clear_inert_rows(island, impulse);
  if (!is_far_larger_than_its_effect(island, impulse)) return cleared;
  const std::size_t m = x_.size(), n = u_.size();
  if (m * n > most_numbers) return cleared;
  B_.assign(m * n, 0.0);
  for (std::size_t b = 0; b < island.blocks.size(); ++b) {
    const ConstraintBlock& block = island.blocks[b];
    for (auto span = island.spans_begin(static_cast<int>(b)); span != island.spans_end(static_cast<int>(b)); ++span) {
      const double* value = island.values(*span);
      for (int k = span->column; k < span->column + span->columns; ++k)
        for (int r = block.row; r < block.row + block.rows; ++r, ++value)
          if (place_[at(r)] >= 0) B_[at(k) * m + at(place_[at(r)])] += *value;
    }
  }
  if (pivot_.of_rows(B_.data(), static_cast<int>(m), static_cast<int>(n)) > independent) return cleared;
  least_.solve(B_.data(), static_cast<int>(m), static_cast<int>(n), u_.data(), x_.data(), dependent);
  for (std::size_t r = 0; r < place_.size(); ++r)
    if (place_[r] >= 0) impulse[r] = x_[at(place_[r])];
  return true;
}

}  // namespace condyle
