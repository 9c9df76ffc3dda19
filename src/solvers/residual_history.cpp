#include "solvers/residual_history.hpp"

#include "cones/sets.hpp"

#include <cmath>

namespace condyle {

namespace {
/// How far v is from where a bounded impulse x lets it be: v ≥ 0 at the lower bound, v ≤ 0 at the upper one, 0 between.
double dual_gap(const ScaledIsland& island, const ConstraintBlock& block, int row, double x, double v,
                const double* impulse) {
  const std::size_t k = static_cast<std::size_t>(row);
  if (block.set == SetKind::nonnegative) return std::max(0.0, -v);
  const double reach = block.set == SetKind::friction_box ? std::max(0.0, impulse[block.normal_row]) : 1.0;
  const double low = island.lower[k] * reach, high = island.upper[k] * reach;
  if (x <= low && x >= high) return 0;
  if (x <= low) return std::max(0.0, -v);
  return x >= high ? std::max(0.0, v) : std::abs(v);
}
}  // namespace

ResidualHistory::Entry history_entry(const ScaledIsland& island, const double* impulse, const double* sigma,
                                     double measure) {
  ResidualHistory::Entry entry{measure, 0, 0};
  for (const ConstraintBlock& block : island.blocks) {
    const double unit = island.c / island.d[static_cast<std::size_t>(block.row)];
    if (block.set == SetKind::cone) {
      double v[3] = {}, p[3], gap = 0, work = 0;
      for (int k = 0; k < block.rows; ++k) v[k] = sigma[block.row + k];
      if (!island.convex()) v[block.rows - 1] += de_saxce(block, sigma + block.row);
      project_dual_cone(v, block.rows, block.friction, p);
      for (int k = 0; k < block.rows; ++k) {
        gap = std::hypot(gap, v[k] - p[k]);
        work += impulse[block.row + k] * v[k];
      }
      entry.dual = std::max(entry.dual, unit * gap);
      entry.complementarity = std::max(entry.complementarity, island.c * island.c * std::abs(work));
      continue;
    }
    for (int row = block.row; row < block.row + block.rows; ++row) {
      const double speed = island.c / island.d[static_cast<std::size_t>(row)], v = sigma[row];
      const bool free = block.set == SetKind::bilateral;
      const double gap = free ? std::abs(v) : dual_gap(island, block, row, impulse[row], v, impulse);
      entry.dual = std::max(entry.dual, speed * gap);
      if (block.set == SetKind::nonnegative)
        entry.complementarity = std::max(entry.complementarity, island.c * island.c * std::abs(impulse[row] * v));
    }
  }
  return entry;
}

}  // namespace condyle
