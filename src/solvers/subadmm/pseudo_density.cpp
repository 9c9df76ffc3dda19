#include "solvers/subadmm/pseudo_density.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

double pseudo_density(const ScaledIsland& island, std::vector<int>& on_tree) {
  if (island.velocities() == 0) return 1;
  double sum = 0;
  int sides = 0;
  on_tree.assign(static_cast<std::size_t>(island.velocities()), 0);
  const auto each = [&](auto&& use) {
    for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i)
      for (auto s = island.spans_begin(i); s != island.spans_end(i); ++s)
        use(island.blocks[static_cast<std::size_t>(i)], *s);
  };
  each([&](const ConstraintBlock&, const ScaledIsland::Span& span) { ++on_tree[static_cast<std::size_t>(span.column)]; });
  each([&](const ConstraintBlock& block, const ScaledIsland::Span& span) {
    const double size2 = ConstVector(island.values(span), block.rows * span.columns).squaredNorm();
    if (!(size2 > 0)) return;
    sum += std::log(block.rows / size2 / on_tree[static_cast<std::size_t>(span.column)]);
    ++sides;
  });
  return sides > 0 ? std::exp(sum / sides) : 1;
}

}  // namespace condyle
