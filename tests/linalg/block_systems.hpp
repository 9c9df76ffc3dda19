#pragma once
// Random block matrices with the patterns of contact graphs: chains, piles (a 3-D grid of free bodies), a robot among
// bodies.
#include "linalg/block_matrix.hpp"
#include "support/random_state.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace condyle::test {

struct BlockSystem {
  std::string name;
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> pairs;
};

inline std::vector<BlockSystem> block_systems() {
  std::vector<BlockSystem> out;
  out.push_back({"one body", {6}, {}});
  out.push_back({"apart", {6, 1, 7}, {}});
  BlockSystem chain{"chain", std::vector<int>(40, 6), {}};
  for (int k = 0; k + 1 < 40; ++k) chain.pairs.emplace_back(k, k + 1);
  out.push_back(chain);
  BlockSystem pile{"pile", std::vector<int>(4 * 4 * 6, 6), {}};
  for (int x = 0; x < 4; ++x)
    for (int y = 0; y < 4; ++y)
      for (int z = 0; z < 6; ++z) {
        const int k = x + 4 * (y + 4 * z);
        if (x > 0) pile.pairs.emplace_back(k, k - 1);
        if (y > 0) pile.pairs.emplace_back(k - 4, k);
        if (z > 0) pile.pairs.emplace_back(k, k - 16);
        if (z > 0 && x > 0) pile.pairs.emplace_back(k, k - 17);
      }
  out.push_back(pile);
  BlockSystem mixed{"robots among bodies", {}, {}};
  Random random(11);
  const int bodies = 60;
  for (int k = 0; k < bodies; ++k) mixed.sizes.push_back(k % 10 == 0 ? 23 + k : k % 3 == 0 ? 6 : 1 + k % 8);
  for (int k = 0; k < 130; ++k) {
    const Eigen::VectorXd v = random.vector(2);
    const int a = std::min(bodies - 1, static_cast<int>(std::abs(v[0]) * bodies)),
              b = std::min(bodies - 1, static_cast<int>(std::abs(v[1]) * bodies));
    mixed.pairs.emplace_back(a, b);
  }
  out.push_back(mixed);
  BlockSystem full{"all touch all", std::vector<int>(12, 6), {}};
  for (int a = 0; a < 12; ++a)
    for (int b = 0; b < a; ++b) full.pairs.emplace_back(a, b);
  out.push_back(full);
  return out;
}

inline BlockPattern pattern_of(const BlockSystem& system) {
  std::vector<int> begin(1, 0), where;
  for (const int size : system.sizes) begin.push_back(begin.back() + size);
  BlockPattern pattern;
  pattern.set(begin, system.pairs, where);
  return pattern;
}

/// Positive definite: diagonally dominant but for `margin`.
inline void fill_random(Random& random, const BlockPattern& pattern, bool general, BlockMatrix& M, double margin = 1) {
  M.start(pattern, general);
  const auto fill = [&](std::vector<double>& values) {
    const Eigen::VectorXd v = random.vector(static_cast<int>(values.size()));
    std::copy(v.data(), v.data() + v.size(), values.begin());
  };
  fill(M.lower);
  if (general) fill(M.upper);
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(pattern.size());  // of each row's sizes
  for (int c = 0; c < pattern.bodies(); ++c)
    for (int k = pattern.column_begin[static_cast<std::size_t>(c)];
         k < pattern.column_begin[static_cast<std::size_t>(c) + 1]; ++k) {
      const int r = pattern.row[static_cast<std::size_t>(k)], rows = pattern.body_size(r);
      for (int j = 0; j < pattern.body_size(c); ++j)
        for (int i = 0; i < rows; ++i) {
          const std::size_t at = pattern.value[static_cast<std::size_t>(k)] + static_cast<std::size_t>(j * rows + i);
          sums[pattern.begin[static_cast<std::size_t>(r)] + i] += std::abs(M.lower[at]);
          if (r != c || !general)
            sums[pattern.begin[static_cast<std::size_t>(c)] + j] += std::abs((general ? M.upper : M.lower)[at]);
        }
    }
  for (int b = 0; b < pattern.bodies(); ++b) {
    const int n = pattern.body_size(b), begin = pattern.begin[static_cast<std::size_t>(b)];
    double* D = M.lower.data() + pattern.value[static_cast<std::size_t>(pattern.column_begin[static_cast<std::size_t>(b)])];
    for (int k = 0; k < n; ++k) D[k * (n + 1)] = sums[begin + k] + margin;
  }
}

}  // namespace condyle::test
