#include "linalg/sparse_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>

namespace {
using namespace condyle;

/// Bodies of 6, 1 and 3 velocities by turns, coupled as in a grid; numbers not symmetric, diagonal blocks strong.
Eigen::SparseMatrix<double> grid(int side, double coupling, std::vector<int>* first = nullptr) {
  const int sizes[] = {6, 1, 3};
  std::vector<int> begin(1, 0);
  for (int b = 0; b < side * side; ++b) begin.push_back(begin.back() + sizes[b % 3]);
  std::vector<Eigen::Triplet<double>> entries;
  const auto couple = [&](int a, int b) {
    for (int i = begin[static_cast<std::size_t>(a)]; i < begin[static_cast<std::size_t>(a) + 1]; ++i)
      for (int j = begin[static_cast<std::size_t>(b)]; j < begin[static_cast<std::size_t>(b) + 1]; ++j)
        entries.emplace_back(i, j, coupling * std::sin(1.7 * i + 3.1 * j * j) + (i == j ? 3.0 : 0.0));
  };
  for (int r = 0; r < side; ++r)
    for (int c = 0; c < side; ++c) {
      const int b = r * side + c;
      couple(b, b);
      if (c + 1 < side) couple(b, b + 1), couple(b + 1, b);
      if (r + 1 < side) couple(b, b + side), couple(b + side, b);
    }
  Eigen::SparseMatrix<double> M(begin.back(), begin.back());
  M.setFromTriplets(entries.begin(), entries.end());
  if (first) *first = begin;
  return M;
}

void expect_solves(SparseFactor& lu, const Eigen::SparseMatrix<double>& M) {
  ASSERT_TRUE(lu.factor(M));
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(M.rows(), -1, 2);
  Eigen::VectorXd x = b;
  lu.solve(x.data());
  const Eigen::VectorXd reference = Eigen::MatrixXd(M).partialPivLu().solve(b);
  EXPECT_LE((x - reference).norm(), 1e-12 * reference.norm()) << "of " << M.rows() << " unknowns";
}

TEST(BlockLu, SolvesGridsOfBodiesLikeADenseFactorization) {
  for (const int side : {1, 2, 3, 7}) {
    const auto lu = make_block_lu();
    expect_solves(*lu, grid(side, 0.4));
  }
}

TEST(BlockLu, TakesNewNumbersAndNewPatterns) {
  const auto lu = make_block_lu();
  expect_solves(*lu, grid(4, 0.4));
  expect_solves(*lu, grid(4, -0.3));
  expect_solves(*lu, grid(6, 0.2));
  expect_solves(*lu, grid(4, 0.4));
}

TEST(BlockLu, PivotsWithinABodyAndNamesSingularOnes) {
  std::vector<int> begin;
  Eigen::SparseMatrix<double> M = grid(3, 0.4, &begin);
  M.coeffRef(0, 0) = 0;  // needs another pivot in the first body
  const auto lu = make_block_lu();
  expect_solves(*lu, M);
  for (int j = 0; j < M.cols(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(M, j); entry; ++entry)
      if (j < 6 || entry.row() < 6) entry.valueRef() = 0;
  EXPECT_FALSE(lu->factor(M));
  M.coeffRef(1, 1) = std::nan("");
  EXPECT_FALSE(lu->factor(M));
}
}  // namespace
