// Factorizations against Eigen's own, at sizes around the panels and tiles.
#include "linalg/block_factor.hpp"
#include "linalg/block_jacobian.hpp"
#include "linalg/dense_factor.hpp"
#include "linalg/sparse_factor.hpp"
#include "support/contact_problems.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <limits>

namespace condyle {
namespace {

Eigen::MatrixXd random_matrix(test::Random& random, int n) {
  Eigen::MatrixXd M(n, n);
  for (int j = 0; j < n; ++j) M.col(j) = random.vector(n);
  return M;
}

TEST(DenseCholesky, SolvesAtAllSizes) {
  test::Random random(1);
  for (const int n : {1, 2, 7, 47, 48, 49, 97, 210, 301}) {
    const Eigen::MatrixXd B = random_matrix(random, n);
    Eigen::MatrixXd M = B * B.transpose() + Eigen::MatrixXd::Identity(n, n), L = M;
    L.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());  // must not be read
    DenseCholesky cholesky;
    ASSERT_TRUE(cholesky.factor(L.data(), n)) << n;
    const Eigen::VectorXd b = random.vector(n);
    Eigen::VectorXd x = b;
    cholesky.solve(x.data());
    EXPECT_LT((M * x - b).norm(), 1e-11 * M.norm() * x.norm()) << n;
  }
}

TEST(DenseCholesky, RefusesWhatIsNotPositiveDefiniteOrNotFinite) {
  DenseCholesky cholesky;
  Eigen::MatrixXd M = Eigen::MatrixXd::Identity(60, 60);
  M(55, 55) = -1;
  EXPECT_FALSE(cholesky.factor(M.data(), 60));
  M.setIdentity();
  M(55, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(cholesky.factor(M.data(), 60));
}

TEST(DenseLu, SolvesAtAllSizesAndNeedsItsPivots) {
  test::Random random(2);
  for (const int n : {1, 2, 7, 47, 48, 49, 97, 210, 301}) {
    Eigen::MatrixXd M = random_matrix(random, n);
    if (n > 1) M(0, 0) = 0;
    Eigen::MatrixXd LU = M;
    DenseLu lu;
    ASSERT_TRUE(lu.factor(LU.data(), n)) << n;
    const Eigen::VectorXd b = random.vector(n);
    Eigen::VectorXd x = b;
    lu.solve(x.data());
    EXPECT_LT((M * x - b).norm(), 1e-12 * M.norm() * x.norm()) << n;
  }
  Eigen::MatrixXd singular = Eigen::MatrixXd::Zero(5, 5);
  DenseLu lu;
  EXPECT_FALSE(lu.factor(singular.data(), 5));
}

TEST(AddProduct, IsThePlainProduct) {
  test::Random random(3);
  for (const auto& [rows, columns, inner] : {std::tuple(3, 4, 5), std::tuple(200, 70, 60), std::tuple(1, 130, 49)}) {
    Eigen::MatrixXd A(rows, inner), B(inner, columns), C = Eigen::MatrixXd::Ones(rows, columns);
    for (int j = 0; j < inner; ++j) A.col(j) = random.vector(rows);
    for (int j = 0; j < columns; ++j) B.col(j) = random.vector(inner);
    const Eigen::MatrixXd expected = C - 2 * A * B, Bt = B.transpose();
    Eigen::MatrixXd C2 = C;
    add_product(C.data(), rows, A.data(), rows, B.data(), inner, rows, columns, inner, -2, false);
    add_product(C2.data(), rows, A.data(), rows, Bt.data(), columns, rows, columns, inner, -2, true);
    EXPECT_LT((C - expected).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((C2 - expected).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(SparseFactors, SolveAndTellWhatIsSingular) {
  test::Random random(4);
  const int n = 80;
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < n; ++k) {
    entries.emplace_back(k, k, 4.0);
    for (const int step : {1, 9})
      if (k + step < n) {
        entries.emplace_back(k + step, k, random.uniform());
        entries.emplace_back(k, k + step, entries.back().value());
      }
  }
  Eigen::SparseMatrix<double> M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd b = random.vector(n);
  for (const auto& make : {make_sparse_cholesky, make_sparse_lu, make_sparse_lu_of_symmetric_pattern}) {
    auto factor = make();
    for (const double size : {1.0, 3.0}) {  // the second time with the kept analysis
      const Eigen::SparseMatrix<double> scaled = size * M;
      ASSERT_TRUE(factor->factor(scaled));
      Eigen::VectorXd x = b;
      factor->solve(x.data());
      EXPECT_LT((scaled * x - b).norm(), 1e-12);
    }
    Eigen::SparseMatrix<double> bad = M;
    bad.coeffRef(7, 7) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(factor->factor(bad));
  }
  Eigen::SparseMatrix<double> indefinite = M;
  indefinite.coeffRef(40, 40) = -4;
  EXPECT_FALSE(make_sparse_cholesky()->factor(indefinite));
}

TEST(BlockJacobian, MultipliesAsItsDenseTwin) {
  test::Random random(5);
  const ContactProblem problem = test::cube_stack(4, 2, 0.5);
  const Eigen::MatrixXd J = dense(problem.J);
  JacobianProduct product;
  const Eigen::VectorXd v = random.vector(problem.velocities()), impulse = random.vector(problem.rows());
  Eigen::VectorXd out(problem.rows()), back = Eigen::VectorXd::Zero(problem.velocities());
  product.multiply(problem.J, v.data(), out.data());
  product.add_transposed(problem.J, impulse.data(), back.data());
  EXPECT_LT((out - J * v).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((back - J.transpose() * impulse).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(BlockFactor, SolvesSymmetricAndGeneralBlocksAndNamesABadOne) {
  test::Random random(6);
  BlockDiagonal A;
  const Eigen::MatrixXd B = random_matrix(random, 5);
  A.add_block(5) = B * B.transpose() + Eigen::MatrixXd::Identity(5, 5);
  A.add_block(3) = random_matrix(random, 3) + 3 * Eigen::MatrixXd::Identity(3, 3);
  BlockFactor factor;
  ASSERT_EQ(factor.factor(A), -1);
  EXPECT_FALSE(factor.symmetric());
  const Eigen::VectorXd b = random.vector(8);
  Eigen::VectorXd x = b;
  factor.solve(x.data());
  EXPECT_LT((dense(A) * x - b).norm(), 1e-13);
  A.add_block(2) = -Eigen::MatrixXd::Identity(2, 2);
  EXPECT_EQ(factor.factor(A), 2);
}

/// Free bodies (6) and rows of contacts (3) and carriers (6) have loops of their own.
TEST(BlockFactor, OfFreeBodiesAndTreesIsTheDenseOne) {
  test::Random random(7);
  BlockDiagonal A;
  for (const int n : {6, 4, 6, 9}) {
    const Eigen::MatrixXd B = random_matrix(random, n);
    A.add_block(n) = B * B.transpose() + Eigen::MatrixXd::Identity(n, n);
  }
  BlockFactor factor;
  ASSERT_EQ(factor.factor(A), -1);
  const Eigen::VectorXd b = random.vector(A.size());
  Eigen::VectorXd x = b;
  factor.solve(x.data());
  EXPECT_LT((dense(A) * x - b).norm(), 1e-13);
  for (int block = 0; block < A.blocks(); ++block)
    for (const int rows : {1, 2, 3, 4, 6}) {
      Eigen::MatrixXd Y(rows, A.block_size(block));
      for (Eigen::Index k = 0; k < Y.cols(); ++k) Y.col(k) = random.vector(rows);
      const Eigen::MatrixXd G = Y * A.block(block).inverse() * Y.transpose();
      factor.solve_right(block, Y.data(), rows);
      EXPECT_LT((Y * Y.transpose() - G).norm(), 1e-13 * G.norm()) << rows << " rows on block " << block;
    }
  A.add_block(6) = -Eigen::MatrixXd::Identity(6, 6);
  EXPECT_EQ(factor.factor(A), 4);
}

}  // namespace
}  // namespace condyle
