// The block-sparse LU factorization against Eigen's dense one.
#include "linalg/block_lu.hpp"
#include "linalg/block_systems.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <limits>

namespace condyle {
namespace {

std::size_t diagonal_block(const BlockPattern& pattern, int body) {
  return pattern.value[static_cast<std::size_t>(pattern.column_begin[static_cast<std::size_t>(body)])];
}

void expect_solves(BlockLu& lu, BlockAnalysis& analysis, const BlockMatrix& M, test::Random& random,
                   const std::string& what) {
  analysis.use(*M.pattern);
  ASSERT_EQ(lu.factor(analysis, M), Factored::done) << what;
  const Eigen::VectorXd b = random.vector(M.pattern->size());
  Eigen::VectorXd x = b;
  lu.solve(x.data());
  Eigen::VectorXd back(b.size());
  M.multiply(x.data(), back.data());
  EXPECT_LT((back - b).norm(), 5e-15 * b.norm()) << what;
  if (M.pattern->size() > 100) return;  // tests are not optimized: the dense factorization takes seconds
  const Eigen::VectorXd reference = M.dense().partialPivLu().solve(b);
  EXPECT_LE((x - reference).norm(), 1e-12 * reference.norm()) << what;
}

TEST(BlockLu, SolvesEveryPatternWithEveryKernel) {
  test::Random random(31);
  for (const Kernels* kernel : {&plain_kernels(), avx2_kernels(), avx512_kernels()}) {
    if (kernel == nullptr) continue;
    BlockLu lu(*kernel);
    BlockAnalysis analysis;  // kept over all of them
    for (const test::BlockSystem& system : test::block_systems()) {
      const BlockPattern pattern = test::pattern_of(system);
      BlockMatrix M;
      for (int repeat = 0; repeat < 2; ++repeat) {
        test::fill_random(random, pattern, true, M);
        expect_solves(lu, analysis, M, random, system.name + " with " + kernel->name);
      }
    }
  }
}

TEST(BlockLu, KeepsItsOrderWhileContactsOpen) {
  test::Random random(32);
  for (test::BlockSystem system : test::block_systems()) {
    BlockAnalysis analysis;
    analysis.use(test::pattern_of(system));
    BlockLu lu;
    while (!system.pairs.empty()) {
      system.pairs.erase(system.pairs.begin() + static_cast<std::ptrdiff_t>(system.pairs.size() / 2));
      if (system.pairs.size() % 11 != 0) continue;
      const BlockPattern pattern = test::pattern_of(system);
      EXPECT_FALSE(analysis.use(pattern));
      BlockMatrix M;
      test::fill_random(random, pattern, true, M);
      expect_solves(lu, analysis, M, random, system.name);
    }
  }
}

TEST(BlockLu, PivotsWithinABody) {
  test::Random random(33);
  for (const test::BlockSystem& system : test::block_systems()) {
    const BlockPattern pattern = test::pattern_of(system);
    BlockMatrix M;
    test::fill_random(random, pattern, true, M);
    for (int body = 0; body < pattern.bodies(); ++body) {  // rows of the diagonal block in reverse: zero-like pivots
      const int n = pattern.body_size(body);
      double* D = M.lower.data() + diagonal_block(pattern, body);
      for (int j = 0; j < n; ++j) std::reverse(D + j * n, D + (j + 1) * n);
      if (n > 1) D[0] = 0;
    }
    BlockLu lu;
    BlockAnalysis analysis;
    analysis.use(pattern);
    ASSERT_EQ(lu.factor(analysis, M), Factored::done) << system.name;
    const Eigen::VectorXd b = random.vector(pattern.size());
    Eigen::VectorXd x = b;
    lu.solve(x.data());
    EXPECT_LT((M.dense() * x - b).norm(), 1e-13 * M.dense().norm() * x.norm()) << system.name;
  }
}

TEST(BlockLu, TellsSingularFromNotFinite) {
  test::Random random(34);
  for (const test::BlockSystem& system : test::block_systems()) {
    const BlockPattern pattern = test::pattern_of(system);
    BlockAnalysis analysis;
    analysis.use(pattern);
    BlockLu lu;
    BlockMatrix M;
    M.start(pattern, true);
    EXPECT_EQ(lu.factor(analysis, M), Factored::bad_pivot) << system.name;
    for (int body = 0; body < pattern.bodies(); body += 5) {
      test::fill_random(random, pattern, true, M);
      M.lower[diagonal_block(pattern, body)] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_EQ(lu.factor(analysis, M), Factored::not_finite) << system.name << ' ' << body;
    }
    test::fill_random(random, pattern, true, M);
    expect_solves(lu, analysis, M, random, "after failures, " + system.name);
  }
}

}  // namespace
}  // namespace condyle
