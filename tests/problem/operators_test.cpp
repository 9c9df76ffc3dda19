// G's pieces against its dense twin.
#include "problem/operators.hpp"

#include "linalg/block_jacobian.hpp"
#include "support/contact_problems.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

namespace condyle {
namespace {

/// A tree of five velocities, two bodies, contacts between all of them, a coupling, a limit; A symmetric or not.
ContactProblem mixed(bool symmetric) {
  test::Random random(7);
  test::ProblemBuilder build;
  Eigen::MatrixXd B(5, 5);
  for (int j = 0; j < 5; ++j) B.col(j) = random.vector(5);
  Eigen::MatrixXd A = B * B.transpose() + 2 * Eigen::MatrixXd::Identity(5, 5);
  if (!symmetric) A(0, 1) += 0.3;
  build.tree(A, random.vector(5));
  for (int k = 0; k < 2; ++k) build.body(1 + k, Eigen::Vector3d(0.1, 0.2, 0.3), Eigen::VectorXd(random.vector(6)));
  const int carrier = build.twist_carrier(1, 2, random.vector3(), random.vector3());
  for (int k = 0; k < 3; ++k) build.contact(carrier, random.vector3(), random.vector3().normalized(), 0.5);
  build.row({{0, 1.0}, {3, -2.0}, {7, 0.5}}, SetKind::bilateral);
  build.row({{4, 1.0}}, SetKind::nonnegative);
  build.closure(build.twist_carrier(-1, 2, random.vector3(), random.vector3()), random.vector3());
  return build.problem;
}

TEST(Delassus, RowsOfEveryBlockGiveTheDenseMatrix) {
  for (const bool symmetric : {true, false}) {
    const ContactProblem problem = mixed(symmetric);
    Islands islands;
    islands.find(problem);
    Delassus delassus;
    ASSERT_EQ(delassus.build(problem, islands), -1);
    EXPECT_EQ(delassus.symmetric(), symmetric);
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(problem.rows(), problem.velocities()), right = left;
    for (int i = 0; i < static_cast<int>(problem.blocks.size()); ++i)
      for (auto s = delassus.spans_begin(i); s != delassus.spans_end(i); ++s) {
        const int n = problem.A.block_size(s->body), rows = problem.blocks[static_cast<std::size_t>(i)].rows;
        const int row = problem.blocks[static_cast<std::size_t>(i)].row;
        const int column = problem.A.begin[static_cast<std::size_t>(s->body)];
        left.block(row, column, rows, n) = Eigen::Map<const Eigen::MatrixXd>(delassus.left(*s), rows, n);
        right.block(row, column, rows, n) = Eigen::Map<const Eigen::MatrixXd>(delassus.right(*s), rows, n);
      }
    const Eigen::MatrixXd G = dense_delassus(problem);
    EXPECT_LT((left * right.transpose() - G).cwiseAbs().maxCoeff(), 1e-13) << "symmetric " << symmetric;
  }
}

TEST(DelassusDiagonal, HasTheDiagonalBlocksOfTheDenseMatrix) {
  for (const bool symmetric : {true, false}) {
    const ContactProblem problem = mixed(symmetric);
    const Eigen::MatrixXd G = dense_delassus(problem);
    BlockFactor factor;
    ASSERT_EQ(factor.factor(problem.A), -1);
    DelassusDiagonal diagonal;
    std::vector<double> values;
    std::vector<int> begin;
    diagonal.compute(problem, factor, values, begin);
    for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
      const int row = problem.blocks[i].row, rows = problem.blocks[i].rows;
      EXPECT_LT((Eigen::Map<Eigen::MatrixXd>(values.data() + begin[i], rows, rows) - G.block(row, row, rows, rows))
                    .cwiseAbs()
                    .maxCoeff(),
                1e-13);
    }
    ContactProblem dual;
    dual.dual_only = true;
    dual.blocks = problem.blocks;
    dual.bias = dual.compliance = dual.g = Eigen::VectorXd::Zero(problem.rows());
    dual.G = G.sparseView();
    std::vector<double> same;
    diagonal.compute(dual, factor, same, begin);
    for (std::size_t k = 0; k < same.size(); ++k) EXPECT_NEAR(same[k], values[k], 1e-13);
  }
}

TEST(Hessian, AndDelassusAreTwoSidesOfOneInverse) {
  // (G + R)⁻¹ = R⁻¹ - R⁻¹ J (A + Jᵀ R⁻¹ J)⁻¹ Jᵀ R⁻¹
  const ContactProblem problem = mixed(true);
  test::Random random(8);
  const Eigen::VectorXd R = Eigen::VectorXd::Constant(problem.rows(), 0.1) + random.vector(problem.rows(), 0.05);
  const Eigen::MatrixXd J = dense(problem.J), Rinv = R.cwiseInverse().asDiagonal();
  const Eigen::MatrixXd H = dense_hessian(problem, R.cwiseInverse());
  const Eigen::MatrixXd inverse = Rinv - Rinv * J * H.inverse() * J.transpose() * Rinv;
  const Eigen::MatrixXd GR = dense_delassus(problem) + Eigen::MatrixXd(R.asDiagonal());
  const double round_off = 1e-15 * GR.norm() * Rinv.norm() * GR.norm() * inverse.norm();  // the difference cancels
  EXPECT_LT((GR * inverse - Eigen::MatrixXd::Identity(problem.rows(), problem.rows())).norm(), round_off);
  EXPECT_LT(round_off, 1e-6);
}

}  // namespace
}  // namespace condyle
