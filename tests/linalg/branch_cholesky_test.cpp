// Matrices with the sparsity of a tree against their dense twins.
#include "linalg/branch_cholesky.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

namespace condyle {
namespace {

/// Inertia-like: a random positive term on every branch, so that H(k, i) is there exactly where one is above the other.
Eigen::MatrixXd on_branches(const BranchPattern& pattern, test::Random& random) {
  const int n = pattern.size();
  Eigen::MatrixXd H = Eigen::MatrixXd::Identity(n, n);
  for (int k = 0; k < n; ++k) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(n);
    const Eigen::VectorXd values = random.vector(pattern.depth(k));
    for (int p = 0; p < pattern.depth(k); ++p) row[pattern.branch(k)[p]] = values[p];
    H += row * row.transpose();
  }
  return H;
}

std::vector<double> packed(const BranchPattern& pattern, const Eigen::MatrixXd& H) {
  std::vector<double> out;
  for (int k = 0; k < pattern.size(); ++k)
    for (int p = 0; p < pattern.depth(k); ++p) out.push_back(H(k, pattern.branch(k)[p]));
  return out;
}

Eigen::MatrixXd unpacked(const BranchPattern& pattern, const std::vector<double>& values) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(pattern.size(), pattern.size());
  for (int k = 0; k < pattern.size(); ++k)
    for (int p = 0; p < pattern.depth(k); ++p)
      out(k, pattern.branch(k)[p]) = values[pattern.row(k) + static_cast<std::size_t>(p)];
  return out;
}

const std::vector<std::vector<int>>& trees() {
  static const std::vector<std::vector<int>> all = {
      {-1},
      {-1, 0, 1, 2, 3, 4},                                           // a free body
      {-1, 0, 1, 2, 3, 4, 5, 6, 7, 5, 9, 10, 5, 12, 13, 5, 15, 16},  // four legs of three on a free base
      {-1, -1, 0, 1, 0, 4, 4, 3, 3, 8, 2},                           // two roots
  };
  return all;
}

TEST(BranchCholesky, FactorsSolvesAndInvertsLikeItsDenseTwin) {
  test::Random random(4);
  for (const std::vector<int>& parent : trees()) {
    BranchPattern pattern;
    pattern.set(parent.data(), static_cast<int>(parent.size()));
    const Eigen::MatrixXd H = on_branches(pattern, random);
    std::vector<double> L = packed(pattern, H), W(L.size());
    ASSERT_TRUE(pattern.factor(L.data()));
    const Eigen::MatrixXd factor = unpacked(pattern, L);
    EXPECT_LT((factor.transpose() * factor - H).cwiseAbs().maxCoeff(), 1e-13) << parent.size() << " velocities";
    pattern.invert(L.data(), W.data());
    const Eigen::MatrixXd inverse = unpacked(pattern, W);
    EXPECT_LT((inverse * inverse.transpose() * H - Eigen::MatrixXd::Identity(H.rows(), H.cols())).cwiseAbs().maxCoeff(),
              1e-12);
    Eigen::VectorXd x = random.vector(pattern.size());
    const Eigen::VectorXd expected = H.llt().solve(x);
    pattern.solve(L.data(), x.data());
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(BranchCholesky, HasNoMorePlacesThanTheMatrix) {
  test::Random random(5);
  BranchPattern pattern, full;
  pattern.set(trees()[2].data(), 18);
  full.set_dense(18);
  const Eigen::MatrixXd H = on_branches(pattern, random);
  long lower = 0;
  for (int k = 0; k < 18; ++k)
    for (int i = 0; i <= k; ++i) lower += H(k, i) != 0;
  EXPECT_EQ(pattern.values(), static_cast<std::size_t>(lower));
  EXPECT_EQ(lower, 117);  // 21 of the base, 4 (3 6 + 6) of the legs
  EXPECT_EQ(full.values(), 171u);
}

TEST(BranchCholesky, RefusesWhatIsNotPositive) {
  BranchPattern pattern;
  pattern.set(trees()[1].data(), 6);
  std::vector<double> H(pattern.values(), 0.0);
  for (int k = 0; k < 6; ++k) H[pattern.row(k) + static_cast<std::size_t>(pattern.depth(k)) - 1] = k == 3 ? -1 : 1;
  EXPECT_FALSE(pattern.factor(H.data()));
}

}  // namespace
}  // namespace condyle
