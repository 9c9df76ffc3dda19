// Every instruction set's inner loops against the plain ones, at all sizes around their registers, with nothing written
// beside.
#include "linalg/kernels.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace condyle {
namespace {

struct Twins : testing::TestWithParam<const Kernels*> {
  void SetUp() override {
    if (GetParam() == nullptr) GTEST_SKIP() << "this CPU lacks the instructions";
  }
  test::Random random{21};
};

std::vector<double> numbers(test::Random& random, int count) {
  const Eigen::VectorXd v = random.vector(count);
  return {v.data(), v.data() + count};
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b, double tolerance, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], tolerance) << what << " at " << k;
}

TEST_P(Twins, SubtractTheSameProducts) {
  for (const int m : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 18, 30, 41})
    for (const int n : {1, 2, 3, 4, 5, 6, 7, 12, 13})
      for (const int k : {1, 6, 13}) {
        const int ldc = m + 3, lda = m + 2, ldb = n + 1;
        const std::vector<double> C = numbers(random, ldc * n), A = numbers(random, lda * k), B = numbers(random, ldb * k),
                                  Bt = numbers(random, (k + 2) * n);
        std::vector<double> one = C, other = C;
        plain_kernels().subtract_product(one.data(), ldc, A.data(), lda, B.data(), 1, ldb, m, n, k);
        GetParam()->subtract_product(other.data(), ldc, A.data(), lda, B.data(), 1, ldb, m, n, k);
        expect_same(one, other, 1e-14 * k, "C - A Bᵀ of " + std::to_string(m) + " × " + std::to_string(n));
        plain_kernels().subtract_product(one.data(), ldc, A.data(), lda, Bt.data(), k + 2, 1, m, n, k);
        GetParam()->subtract_product(other.data(), ldc, A.data(), lda, Bt.data(), k + 2, 1, m, n, k);
        expect_same(one, other, 1e-14 * k, "C - A B of " + std::to_string(m) + " × " + std::to_string(n));
        double expected = C[static_cast<std::size_t>(ldc * (n - 1))];
        for (int l = 0; l < k; ++l)
          expected -= A[static_cast<std::size_t>(l * lda)] *
                      (B[static_cast<std::size_t>(n - 1 + l * ldb)] + Bt[static_cast<std::size_t>((n - 1) * (k + 2) + l)]);
        EXPECT_NEAR(one[static_cast<std::size_t>(ldc * (n - 1))], expected, 1e-13);
      }
}

TEST_P(Twins, SolveTheSameTriangles) {
  for (const int m : {1, 3, 4, 6, 8, 9, 17, 30})
    for (int n = 1; n <= Kernels::strip; ++n) {
      const int ldx = m + 1, ldt = n + 2;
      const std::vector<double> X = numbers(random, ldx * n);
      std::vector<double> T = numbers(random, ldt * n), inverse;
      for (int c = 0; c < n; ++c) {
        T[static_cast<std::size_t>(c * (ldt + 1))] = 2 + c;
        inverse.push_back(1.0 / (2 + c));
      }
      for (const bool transposed : {false, true}) {
        std::vector<double> one = X, other = X;
        const int row = transposed ? ldt : 1, column = transposed ? 1 : ldt;
        plain_kernels().solve_right(one.data(), ldx, m, T.data(), row, column, inverse.data(), n);
        GetParam()->solve_right(other.data(), ldx, m, T.data(), row, column, inverse.data(), n);
        expect_same(one, other, 1e-13, "X T⁻ᵀ");
        for (int i = 0; i < m; ++i) {  // back again: the last column of Y Tᵀ
          double sum = 0;
          for (int l = 0; l < n; ++l)
            sum += one[static_cast<std::size_t>(i + l * ldx)] * T[static_cast<std::size_t>((n - 1) * row + l * column)];
          EXPECT_NEAR(sum, X[static_cast<std::size_t>(i + (n - 1) * ldx)], 1e-13);
        }
      }
    }
}

TEST_P(Twins, SubtractTheSameVectors) {
  for (const int m : {1, 2, 5, 8, 11, 16, 33})
    for (const int n : {1, 5, 6, 7, 12, 14}) {
      const int lda = m + 1;
      const std::vector<double> A = numbers(random, lda * n), x = numbers(random, n), y = numbers(random, m + 2),
                                z = numbers(random, n + 2);
      std::vector<double> one = y, other = y;
      plain_kernels().subtract_times(one.data(), A.data(), lda, x.data(), m, n);
      GetParam()->subtract_times(other.data(), A.data(), lda, x.data(), m, n);
      expect_same(one, other, 1e-13, "y - A x");
      one = other = z;
      plain_kernels().subtract_transposed(one.data(), A.data(), lda, y.data(), m, n);
      GetParam()->subtract_transposed(other.data(), A.data(), lda, y.data(), m, n);
      expect_same(one, other, 1e-13, "y - Aᵀ x");
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Twins, testing::Values(avx2_kernels(), avx512_kernels()));

TEST(Kernels, TheCpuDecidesAndTheNameIsSaid) {
  const Kernels* best = avx512_kernels() ? avx512_kernels() : avx2_kernels() ? avx2_kernels() : &plain_kernels();
  EXPECT_EQ(&kernels(), best);
  EXPECT_STRNE(kernels().name, "");
}

}  // namespace
}  // namespace condyle
