#include "linalg/singular_values.hpp"

#include "support/random_state.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

namespace condyle {
namespace {

Eigen::MatrixXd some_rotation(test::Random& random, int n) {
  Eigen::MatrixXd X(n, n);
  for (int j = 0; j < n; ++j) X.col(j) = random.vector(n);
  return Eigen::HouseholderQR<Eigen::MatrixXd>(X).householderQ();
}

TEST(SingularValues, OfAMatrixMadeOfThemAreThoseItWasMadeOf) {
  test::Random random(3);
  for (const auto& [m, n] : {std::pair{7, 7}, {9, 4}, {4, 9}, {1, 5}, {6, 1}}) {
    const int count = std::min(m, n);
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(m, n);
    for (int k = 0; k < count; ++k) S(k, k) = k == 3 ? 0 : std::pow(10.0, -3 * k);
    const Eigen::VectorXd found = singular_values(some_rotation(random, m) * S * some_rotation(random, n));
    Eigen::VectorXd made = S.diagonal();
    std::sort(made.data(), made.data() + count, std::greater<>());
    ASSERT_EQ(found.size(), count);
    EXPECT_LT((found - made).cwiseAbs().maxCoeff(), 1e-14) << m << " x " << n << ": " << found.transpose();
  }
  EXPECT_EQ(singular_values(Eigen::MatrixXd(0, 4)).size(), 0);
}

}  // namespace
}  // namespace condyle
