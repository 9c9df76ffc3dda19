#include "linalg/smallest_pivot.hpp"

#include "support/random_state.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

namespace condyle {
namespace {

/// Row i has its numbers in the columns around 2 i, as the loops of a chain have.
Eigen::MatrixXd banded(int rows, test::Random& random) {
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(rows, 2 * rows + 2);
  for (int i = 0; i < rows; ++i) B.block(i, 2 * i, 1, 4) = random.vector(4).transpose();
  return B;
}

TEST(SmallestPivot, IsTheSmallestOfADenseFactorization) {
  test::Random random(5);
  SmallestPivot pivot;
  for (const int rows : {1, 2, 7, 40}) {
    Eigen::MatrixXd full(rows, rows + 3);
    for (int j = 0; j < full.cols(); ++j) full.col(j) = random.vector(rows);
    for (const Eigen::MatrixXd& B : {banded(rows, random), full}) {
      const Eigen::MatrixXd L = Eigen::LLT<Eigen::MatrixXd>(B * B.transpose()).matrixL();
      const double least = L.diagonal().cwiseAbs2().minCoeff();
      EXPECT_NEAR(pivot.of_rows(B.data(), rows, static_cast<int>(B.cols())), least, 1e-10 * least) << rows << " rows";
    }
  }
}

TEST(SmallestPivot, IsZeroWhereOneRowFollowsFromTheOthers) {
  test::Random random(6);
  SmallestPivot pivot;
  Eigen::MatrixXd B = banded(9, random);
  EXPECT_GT(pivot.of_rows(B.data(), 9, static_cast<int>(B.cols())), 1e-6);
  B.row(7) = 0.3 * B.row(1) - 2 * B.row(5);
  EXPECT_EQ(pivot.of_rows(B.data(), 9, static_cast<int>(B.cols())), 0);
  B.row(7).setZero();
  EXPECT_EQ(pivot.of_rows(B.data(), 9, static_cast<int>(B.cols())), 0);
}

}  // namespace
}  // namespace condyle
