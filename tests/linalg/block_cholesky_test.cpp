// The block-sparse Cholesky factorization against the dense matrix.
#include "linalg/block_cholesky.hpp"
#include "linalg/block_systems.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace condyle {
namespace {

/// Of a matrix whose norm is about its largest row sum, near 1 to 1e3 here: M x by the library's own product, tested below.
double relative_residual(const BlockMatrix& M, const Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  Eigen::VectorXd back(b.size());
  M.multiply(x.data(), back.data());
  return (back - b).norm() / b.norm();
}

TEST(BlockPattern, HoldsEveryPairOnceInOrder) {
  BlockPattern pattern;
  std::vector<int> where;
  pattern.set({0, 6, 7, 13}, {{2, 0}, {0, 2}, {1, 1}, {2, 1}, {0, 2}}, where);
  EXPECT_EQ(pattern.column_begin, (std::vector<int>{0, 2, 4, 5}));
  EXPECT_EQ(pattern.row, (std::vector<int>{0, 2, 1, 2, 2}));
  EXPECT_EQ(where, (std::vector<int>{1, 1, 2, 3, 1}));
  EXPECT_EQ(pattern.value, (std::vector<std::size_t>{0, 36, 72, 73, 79, 115}));
}

TEST(BlockMatrix, MultipliesAsItsDenseTwin) {
  test::Random random(3);
  for (const test::BlockSystem& system : test::block_systems())
    for (const bool general : {false, true}) {
      const BlockPattern pattern = test::pattern_of(system);
      BlockMatrix M;
      test::fill_random(random, pattern, general, M);
      const Eigen::VectorXd x = random.vector(pattern.size());
      Eigen::VectorXd y(pattern.size());
      M.multiply(x.data(), y.data());
      EXPECT_LT((M.dense() * x - y).norm(), 1e-13 * M.dense().norm() * x.norm()) << system.name << general;
      EXPECT_EQ(M.dense() == M.dense().transpose(), !general) << system.name;
    }
}

TEST(BlockCholesky, SolvesEveryPatternWithEveryKernel) {
  test::Random random(4);
  for (const Kernels* kernel : {&plain_kernels(), avx2_kernels(), avx512_kernels()}) {
    if (kernel == nullptr) continue;
    BlockCholesky cholesky(*kernel);
    for (const test::BlockSystem& system : test::block_systems()) {
      const BlockPattern pattern = test::pattern_of(system);
      BlockAnalysis analysis;
      EXPECT_TRUE(analysis.use(pattern));
      EXPECT_FALSE(analysis.use(pattern));
      BlockMatrix M;
      for (int repeat = 0; repeat < 2; ++repeat) {
        test::fill_random(random, pattern, false, M);
        ASSERT_EQ(cholesky.factor(analysis, M), Factored::done) << system.name;
        const Eigen::VectorXd b = random.vector(pattern.size());
        Eigen::VectorXd x = b;
        cholesky.solve(x.data());
        EXPECT_LT(relative_residual(M, x, b), 5e-15) << system.name << " with " << kernel->name;
      }
    }
  }
}

TEST(BlockCholesky, KeepsItsOrderWhileContactsOpen) {
  test::Random random(5);
  for (test::BlockSystem system : test::block_systems()) {
    BlockAnalysis analysis;
    analysis.use(test::pattern_of(system));
    const std::vector<int> order = analysis.order();
    const std::size_t values = analysis.values();
    BlockCholesky cholesky;
    while (!system.pairs.empty()) {
      system.pairs.erase(system.pairs.begin() + static_cast<std::ptrdiff_t>(system.pairs.size() / 3));
      if (system.pairs.size() % 7 != 0) continue;
      const BlockPattern pattern = test::pattern_of(system);
      EXPECT_FALSE(analysis.use(pattern)) << system.name;
      EXPECT_EQ(analysis.order(), order);
      EXPECT_EQ(analysis.values(), values);
      BlockMatrix M;
      test::fill_random(random, pattern, false, M);
      ASSERT_EQ(cholesky.factor(analysis, M), Factored::done);
      const Eigen::VectorXd b = random.vector(pattern.size());
      Eigen::VectorXd x = b;
      cholesky.solve(x.data());
      EXPECT_LT(relative_residual(M, x, b), 5e-15) << system.name << ' ' << system.pairs.size();
    }
  }
}

TEST(BlockCholesky, OrdersAnewForAContactThatWasNotThere) {
  test::BlockSystem chain = test::block_systems()[2];
  BlockAnalysis analysis;
  analysis.use(test::pattern_of(chain));
  chain.pairs.emplace_back(0, 39);
  chain.pairs.emplace_back(7, 20);
  const BlockPattern closed = test::pattern_of(chain);
  EXPECT_TRUE(analysis.use(closed));
  test::Random random(6);
  BlockMatrix M;
  test::fill_random(random, closed, false, M);
  BlockCholesky cholesky;
  ASSERT_EQ(cholesky.factor(analysis, M), Factored::done);
  const Eigen::VectorXd b = random.vector(closed.size());
  Eigen::VectorXd x = b;
  cholesky.solve(x.data());
  EXPECT_LT(relative_residual(M, x, b), 5e-15);
  chain.sizes[3] = 7;
  EXPECT_TRUE(analysis.use(test::pattern_of(chain)));
}

TEST(BlockCholesky, TellsIndefiniteFromNotFinite) {
  test::Random random(7);
  for (const test::BlockSystem& system : test::block_systems()) {
    const BlockPattern pattern = test::pattern_of(system);
    BlockAnalysis analysis;
    analysis.use(pattern);
    BlockCholesky cholesky;
    BlockMatrix M;
    for (int body = 0; body < pattern.bodies(); body += 7) {
      const std::size_t first =
          pattern.value[static_cast<std::size_t>(pattern.column_begin[static_cast<std::size_t>(body)])];
      test::fill_random(random, pattern, false, M);
      const double good = M.lower[first];
      M.lower[first] = -1;
      EXPECT_EQ(cholesky.factor(analysis, M), Factored::bad_pivot) << system.name << ' ' << body;
      M.lower[first] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_EQ(cholesky.factor(analysis, M), Factored::not_finite) << system.name << ' ' << body;
      M.lower[first] = std::numeric_limits<double>::infinity();
      EXPECT_EQ(cholesky.factor(analysis, M), Factored::not_finite) << system.name << ' ' << body;
      M.lower[first] = good;
      EXPECT_EQ(cholesky.factor(analysis, M), Factored::done) << "after a failure, " << system.name;
    }
    M.lower.back() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(cholesky.factor(analysis, M), Factored::not_finite) << system.name;
  }
}

TEST(BlockCholesky, TellsASingularMatrixThatHasNoNegativeNumber) {
  BlockPattern pattern;
  std::vector<int> where;
  pattern.set({0, 6, 12}, {{0, 1}}, where);
  BlockMatrix M;
  M.start(pattern, false);
  for (int k = 0; k < 6; ++k) M.lower[static_cast<std::size_t>(7 * k)] = M.lower[static_cast<std::size_t>(36 + 7 * k)] = 1;
  for (int k = 0; k < 6; ++k) M.lower[static_cast<std::size_t>(72 + 7 * k)] = 1;  // (I I; I I)
  BlockAnalysis analysis;
  analysis.use(pattern);
  BlockCholesky cholesky;
  EXPECT_EQ(cholesky.factor(analysis, M), Factored::bad_pivot);
}

}  // namespace
}  // namespace condyle
