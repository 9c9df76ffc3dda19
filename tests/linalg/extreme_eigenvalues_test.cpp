// Lanczos against Eigen's dense eigenvalues.
#include "linalg/extreme_eigenvalues.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

namespace condyle {
namespace {

Eigen::MatrixXd random_symmetric(test::Random& random, int n) {
  Eigen::MatrixXd B(n, n);
  for (int j = 0; j < n; ++j) B.col(j) = random.vector(n);
  return B + B.transpose();
}

auto product(const Eigen::MatrixXd& H) {
  return [&H](const double* x, double* y) {
    Eigen::Map<Eigen::VectorXd>(y, H.rows()) = H * Eigen::Map<const Eigen::VectorXd>(x, H.rows());
  };
}

TEST(Lanczos, FindsBothEndsOfTheSpectrum) {
  test::Random random(5);
  for (const int n : {1, 2, 3, 10, 32}) {
    const Eigen::MatrixXd H = random_symmetric(random, n);
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(H).eigenvalues();
    Lanczos lanczos;
    std::vector<double> vector(static_cast<std::size_t>(n), 0.0);
    EXPECT_NEAR(lanczos.largest(product(H), vector, 32).value, values[n - 1], 1e-10 * H.norm()) << n;
    EXPECT_NEAR(Eigen::Map<Eigen::VectorXd>(vector.data(), n).norm(), 1, 1e-12);
    std::fill(vector.begin(), vector.end(), 0.0);
    EXPECT_NEAR(lanczos.smallest(product(H), vector, 32).value, values[0], 1e-10 * H.norm()) << n;
  }
}

TEST(Lanczos, NeverExceedsTheLargestAndSaysHowFarItIs) {
  test::Random random(6);
  const Eigen::MatrixXd H = random_symmetric(random, 60);
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(H).eigenvalues();
  Lanczos lanczos;
  for (int steps = 1; steps <= 20; ++steps) {
    std::vector<double> vector(60, 0.0);
    const ExtremeEigenvalue found = lanczos.largest(product(H), vector, steps);
    EXPECT_EQ(found.steps, steps);
    EXPECT_LE(found.value, values[59] * (1 + 1e-12));
    EXPECT_LE((values.array() - found.value).abs().minCoeff(), found.error + 1e-10) << steps;
    const Eigen::Map<Eigen::VectorXd> y(vector.data(), 60);
    EXPECT_NEAR((H * y - found.value * y).norm(), found.error, 1e-9) << steps;
  }
}

TEST(Lanczos, TwoStepsFollowAnOperatorThatChangesSlowly) {
  test::Random random(7);
  Eigen::MatrixXd H = random_symmetric(random, 40);
  const Eigen::MatrixXd change = 1e-3 * random_symmetric(random, 40);
  Lanczos lanczos;
  std::vector<double> vector(40, 0.0);
  for (int k = 0; k < 5; ++k) lanczos.largest(product(H), vector, 20);
  for (int k = 0; k < 10; ++k) {
    H += change;
    const double truth = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(H).eigenvalues()[39];
    EXPECT_NEAR(lanczos.largest(product(H), vector, 2).value, truth, 1e-3 * truth) << k;
  }
}

TEST(Lanczos, StopsAtAnEigenvectorAndSaysNotANumber) {
  const Eigen::MatrixXd H = 3 * Eigen::MatrixXd::Identity(7, 7);
  std::vector<double> vector(7, 0.0);
  Lanczos lanczos;
  const ExtremeEigenvalue found = lanczos.largest(product(H), vector, 5);
  EXPECT_DOUBLE_EQ(found.value, 3);
  EXPECT_EQ(found.steps, 1);
  const Eigen::MatrixXd bad = std::nan("") * H;
  EXPECT_TRUE(std::isnan(lanczos.largest(product(bad), vector, 5).value));
  EXPECT_DOUBLE_EQ(largest_eigenvalue(product(H), vector, 2), 3);
}

}  // namespace
}  // namespace condyle
