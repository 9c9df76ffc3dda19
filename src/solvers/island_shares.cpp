#include "solvers/island_shares.hpp"

#include <algorithm>
#include <numeric>

namespace condyle {

void IslandShares::divide(const ContactProblem& problem, const Islands& islands, int workers) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  rows_.assign(at(islands.size()), 0);
  for (int k = 0; k < islands.size(); ++k)
    for (const int* i = islands.blocks_begin(k); i != islands.blocks_end(k); ++i)
      rows_[at(k)] += problem.blocks[at(*i)].rows;
  order_.resize(rows_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(),
            [&](int a, int b) { return rows_[at(a)] != rows_[at(b)] ? rows_[at(a)] > rows_[at(b)] : a < b; });
  shares_.resize(at(workers));
  for (std::vector<int>& share : shares_) {
    share.clear();
    share.reserve(order_.size());  // which worker gets how many changes from step to step; this must not allocate
  }
  load_.assign(at(workers), 0);
  for (const int k : order_) {
    const auto least = std::min_element(load_.begin(), load_.end());
    *least += rows_[at(k)];
    shares_[static_cast<std::size_t>(least - load_.begin())].push_back(k);
  }
}

}  // namespace condyle
