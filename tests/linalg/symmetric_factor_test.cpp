// Every Cholesky factorization behind the one interface: the same answers, the same refusals.
#include "linalg/symmetric_factor.hpp"

#include "linalg/block_cholesky.hpp"
#include "linalg/block_lu.hpp"
#include "linalg/block_systems.hpp"
#include "support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace condyle {
namespace {

struct SymmetricFactors : testing::TestWithParam<FactorKind> {
  std::unique_ptr<SymmetricFactor> factor = make_symmetric_factor(GetParam());
  void SetUp() override {
    if (!factor) GTEST_SKIP() << "built without it";
  }
};

TEST_P(SymmetricFactors, SolveEveryPattern) {
  test::Random random(41);
  for (const test::BlockSystem& system : test::block_systems()) {
    const BlockPattern pattern = test::pattern_of(system);
    factor->analyse(pattern);
    BlockMatrix M;
    for (int repeat = 0; repeat < 2; ++repeat) {
      test::fill_random(random, pattern, false, M);
      ASSERT_EQ(factor->factor(M), Factored::done) << system.name;
      const Eigen::VectorXd b = random.vector(pattern.size());
      Eigen::VectorXd x = b, back(b.size());
      factor->solve(x.data());
      M.multiply(x.data(), back.data());
      EXPECT_LT((back - b).norm(), 1e-14 * b.norm()) << factor->name() << ", " << system.name;
    }
    EXPECT_GE(factor->entries(), pattern.size());
  }
}

TEST_P(SymmetricFactors, RefuseWhatIsIndefiniteOrNotFinite) {
  test::Random random(42);
  const BlockPattern pattern = test::pattern_of(test::block_systems()[3]);
  factor->analyse(pattern);
  BlockMatrix M;
  test::fill_random(random, pattern, false, M);
  const double good = M.lower.back();
  M.lower.back() = -1;
  EXPECT_EQ(factor->factor(M), Factored::bad_pivot) << factor->name();
  M.lower.back() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(factor->factor(M), Factored::not_finite) << factor->name();
  M.lower.back() = good;
  EXPECT_EQ(factor->factor(M), Factored::done) << factor->name() << " after failures";
}

INSTANTIATE_TEST_SUITE_P(All, SymmetricFactors,
                         testing::Values(FactorKind::dense, FactorKind::blocks, FactorKind::cholmod_simplicial,
                                         FactorKind::cholmod_supernodal));

#ifdef CONDYLE_COUNTS_ALLOCATIONS
TEST(BlockFactorizations, TakeNoMemoryOnceTheirPatternIsKnown) {
  test::Random random(43);
  test::BlockSystem system = test::block_systems()[4];
  const BlockPattern whole = test::pattern_of(system);
  system.pairs.erase(system.pairs.begin() + 5, system.pairs.begin() + 30);
  const BlockPattern fewer = test::pattern_of(system);
  BlockAnalysis analysis;
  BlockCholesky cholesky;
  BlockLu lu;
  BlockMatrix symmetric, general, symmetric_fewer, general_fewer;
  test::fill_random(random, whole, false, symmetric);
  test::fill_random(random, whole, true, general);
  test::fill_random(random, fewer, false, symmetric_fewer);
  test::fill_random(random, fewer, true, general_fewer);
  Eigen::VectorXd x = random.vector(whole.size());
  const auto work = [&](const BlockMatrix& one, const BlockMatrix& other) {
    analysis.use(*one.pattern);
    cholesky.factor(analysis, one);
    cholesky.solve(x.data());
    lu.factor(analysis, other);
    lu.solve(x.data());
  };
  work(symmetric, general);
  EXPECT_EQ(test::allocations_of([&] {
              work(symmetric, general);
              work(symmetric_fewer, general_fewer);
              work(symmetric, general);
            }),
            0);
  EXPECT_TRUE(x.allFinite());
}
#endif

}  // namespace
}  // namespace condyle
