// The convex core: its derivatives against finite differences in every mode of every set, its falling cost, its two forms.
#include "solvers/newton/newton_core.hpp"
#include "support/contact_problems.hpp"
#include "support/random_state.hpp"
#include "support/scaled_islands.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include <fmt/format.h>

namespace condyle {
namespace {

/// Every set on one body and a tree: bilateral, nonnegative, box, contacts in space; compliances of every size.
ContactProblem every_set(std::uint64_t seed) {
  test::Random random(static_cast<unsigned>(seed));
  test::ProblemBuilder build;
  const Eigen::Matrix<double, 6, 1> falling = random.vector(6, 0.5);
  const int one = build.body(2, Eigen::Vector3d(0.02, 0.03, 0.01), falling);
  const int other = build.body(0.5, Eigen::Vector3d(0.004, 0.002, 0.003), random.vector(6, 0.5));
  const int on_floor = build.twist_carrier(-1, one, {}, Eigen::Vector3d::Zero());
  const int between = build.twist_carrier(one, other, Eigen::Vector3d(0, 0, 0.1), Eigen::Vector3d(0, 0, -0.1));
  for (int k = 0; k < 4; ++k) {
    const Eigen::VectorXd at = random.vector(3, 0.1), tilt = random.vector(3, 0.3);
    build.contact(k % 2 ? on_floor : between, at, (Eigen::Vector3d::UnitZ() + tilt).normalized(), k == 3 ? 0.0 : 0.6,
                  0.1 * random.vector(1, 1)[0]);
  }
  const int tree = build.tree(Eigen::Matrix3d(Eigen::Vector3d(1, 2, 3).asDiagonal()), random.vector(3, 1));
  const int first = build.problem.A.begin[static_cast<std::size_t>(tree)];
  build.row({{first, 1.0}, {0, 0.5}}, SetKind::box, 0, 0.01, -0.05, 0.05);
  build.row({{first + 1, 1.0}}, SetKind::nonnegative, -0.1, 0.02);
  build.row({{first, 1.0}, {first + 2, -2.0}}, SetKind::bilateral, 0.1, 0.03);
  build.closure(between, Eigen::Vector3d(0.05, 0.02, 0));
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) build.problem.compliance[3 * i + k] = k < 2 ? 1e-2 : 0.05;
  build.problem.compliance.tail(3).setConstant(0.1);
  return build.problem;
}

/// R̄ and offset as SAP has them.
void set_cost(ConvexCost& cost, const ScaledIsland& island) {
  cost.start(island);
  for (std::size_t k = 0; k < cost.R.size(); ++k) {
    cost.R[k] = island.R[k] > 0 ? island.R[k] : 0.01;
    cost.offset[k] = island.g[k];
  }
}

TEST(ConvexCost, HasItsDerivativesInEveryModeOfEverySet) {
  int seen[3] = {0, 0, 0};
  int rows_checked = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    test::OneIsland one(every_set(seed));
    const ScaledIsland& island = one.island;
    const std::size_t m = static_cast<std::size_t>(island.rows());
    ConvexCost cost;
    set_cost(cost, island);
    test::Random random(static_cast<unsigned>(100 + seed));
    Eigen::VectorXd start = random.vector(island.rows(), 1.0);
    if (seed % 2 == 0)  // pressed together rather than rubbed: these stick
      for (const ConstraintBlock& block : island.blocks)
        if (block.set == SetKind::cone) {
          start.segment(block.row, 2) = 1e-3 * start.segment(block.row, 2).eval() - view(cost.offset).segment(block.row, 2);
          start[block.row + 2] = -2;
        }
    std::vector<double> w(start.data(), start.data() + m), gamma(m), other(m), G(3 * m);
    std::vector<ProjectionMode> modes(m), modes_there(m);
    cost.differentiate(island, w.data(), gamma.data(), G.data(), modes);
    const double h = 1e-6;
    for (const ConstraintBlock& block : island.blocks) {
      if (block.set == SetKind::cone) ++seen[static_cast<int>(modes[static_cast<std::size_t>(block.row)])];
      for (int l = 0; l < block.rows; ++l) {
        const std::size_t column = static_cast<std::size_t>(block.row + l);
        const double before = w[column];
        double values[2], numbers[2][3] = {};
        bool smooth = true;
        for (const int side : {0, 1}) {
          w[column] = before + (side ? h : -h);
          std::vector<double> scratch(3 * m);
          cost.differentiate(island, w.data(), other.data(), scratch.data(), modes_there);
          smooth = smooth && modes_there == modes;
          values[side] = cost.evaluate(island, w.data(), other.data());
          for (int k = 0; k < block.rows; ++k) numbers[side][k] = other[static_cast<std::size_t>(block.row + k)];
        }
        w[column] = before;
        if (!smooth) continue;  // a border between two modes lies within h
        ++rows_checked;
        // ∂ℓ/∂w = -γ
        EXPECT_NEAR((values[1] - values[0]) / (2 * h), -gamma[column], 1e-6 * (1 + std::abs(gamma[column])))
            << "seed " << seed << " " << to_string(block.set);
        for (int k = 0; k < block.rows; ++k) {
          const double* Gi = G.data() + 3 * block.row;
          const double expected = block.set == SetKind::cone ? Gi[l * block.rows + k] : k == l ? Gi[3 * k] : 0;
          EXPECT_NEAR(-(numbers[1][k] - numbers[0][k]) / (2 * h), expected, 1e-5 * (1 + std::abs(expected)))
              << "seed " << seed << " " << to_string(block.set) << " mode " << static_cast<int>(modes[column]);
        }
      }
    }
  }
  fmt::print("{} rows checked; contacts open {}, sticking {}, sliding {}\n", rows_checked, seen[0], seen[1], seen[2]);
  for (const int count : seen) EXPECT_GT(count, 10);
}

TEST(ConvexCost, HasSymmetricNonnegativeBlocks) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    test::OneIsland one(every_set(seed));
    const std::size_t m = static_cast<std::size_t>(one.island.rows());
    ConvexCost cost;
    set_cost(cost, one.island);
    test::Random random(static_cast<unsigned>(seed));
    const Eigen::VectorXd w = random.vector(one.island.rows(), 1.0);
    std::vector<double> gamma(m), G(3 * m);
    std::vector<ProjectionMode> modes(m);
    cost.differentiate(one.island, w.data(), gamma.data(), G.data(), modes);
    for (const ConstraintBlock& block : one.island.blocks) {
      if (block.set != SetKind::cone) continue;
      const Eigen::Map<const Eigen::Matrix3d> block_G(G.data() + 3 * block.row);
      EXPECT_LT((block_G - block_G.transpose()).norm(), 1e-12 * (1 + block_G.norm())) << block_G;
      EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(block_G).eigenvalues()[0], -1e-12 * (1 + block_G.norm()));
    }
  }
}

TEST(LineSearch, HasItsDerivativesAndEndsWhereTheyVanish) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::OneIsland one(every_set(seed));
    ConvexCost cost;
    set_cost(cost, one.island);
    test::Random random(static_cast<unsigned>(seed));
    const std::size_t m = static_cast<std::size_t>(one.island.rows());
    const int n = one.island.velocities();
    const Eigen::VectorXd u = random.vector(n, 1), du = random.vector(n, 1);
    std::vector<double> w(m), dw(m), trial(m), gamma(m);
    one.island.to_rows(u.data(), w.data());
    one.island.to_rows(du.data(), dw.data());
    LineSearch::Line line{du.dot(du), du.dot(u), &w, &dw};
    LineSearch search;
    if (search.derivatives(cost, one.island, line, 0).first > 0)
      for (double& x : dw) x = -x;
    line.step_u = search.derivatives(cost, one.island, line, 0).first > 0 ? -line.step_u : line.step_u;
    const auto value = [&](double alpha) {
      for (std::size_t k = 0; k < m; ++k) trial[k] = w[k] + alpha * dw[k];
      return cost.evaluate(one.island, trial.data(), gamma.data()) + alpha * line.step_u + 0.5 * alpha * alpha * line.step2;
    };
    for (const double alpha : {0.1, 0.7, 1.3}) {
      const double h = 1e-5, slope = search.derivatives(cost, one.island, line, alpha).first;
      EXPECT_NEAR((value(alpha + h) - value(alpha - h)) / (2 * h), slope, 1e-4 * (1 + std::abs(slope))) << seed;
    }
    const double best = search.exact(cost, one.island, line);
    if (best == 0) continue;  // uphill
    const double slope = search.derivatives(cost, one.island, line, best).first;
    EXPECT_LT(std::abs(slope), 1e-10 * (1 + std::abs(line.step_u))) << "seed " << seed << " at " << best;
    EXPECT_LE(value(best), value(0));
  }
}

class Core : public testing::TestWithParam<SearchKind> {};
INSTANTIATE_TEST_SUITE_P(Search, Core, testing::Values(SearchKind::exact, SearchKind::armijo));

TEST_P(Core, LowersItsCostAtEveryIterationAndConvergesFast) {
  for (const ContactProblem& problem : {every_set(3), test::cube_stack(8, 0.5, 0.4, 0.2), test::box_pile(3, 3, 3, 0.05)}) {
    test::OneIsland one(problem);
    NewtonCore core;
    core.start(one.island);
    set_cost(core.cost, one.island);
    NewtonTrace trace;
    NewtonOptions options;
    options.relative = 1e-13;
    options.search = GetParam();
    const NewtonCore::Outcome out = core.run(one.island, options, BestIterate(), &trace);
    // Armijo compares costs, so it cannot see gradients below the root of round-off
    const bool exact = GetParam() == SearchKind::exact;
    EXPECT_LT(out.gradient, (exact ? 1e-12 : 1e-6) * out.scale) << out.iterations << " iterations";
    for (std::size_t k = 1; k < trace.cost.size(); ++k)
      EXPECT_LE(trace.cost[k], trace.cost[k - 1] + 1e-15 * std::abs(trace.cost[0])) << k;
    EXPECT_LT(out.iterations, 40);
    if (!exact) continue;
    // quadratic at the end: two steps take a gradient of a thousandth to round-off
    std::size_t coarse = 0;
    while (coarse + 1 < trace.gradient.size() && trace.gradient[coarse] > 1e-3 * trace.gradient[0]) ++coarse;
    EXPECT_LE(trace.gradient.size() - coarse, 5u) << fmt::format("{:.1e}", fmt::join(trace.gradient, " "));
  }
}

TEST(NewtonCore, HasTheSameAnswerInEveryForm) {
  for (const ContactProblem& problem : {every_set(5), test::cube_stack(5, 0.5, 0.4, 0.2)}) {
    std::vector<double> first;
    for (const Form form : {Form::primal_dense, Form::primal_sparse, Form::dual_dense, Form::dual_sparse}) {
      test::OneIsland one(problem, form);
      NewtonCore core;
      core.start(one.island);
      set_cost(core.cost, one.island);
      NewtonOptions options;
      options.relative = 1e-13;
      const NewtonCore::Outcome out = core.run(one.island, options, BestIterate());
      EXPECT_LT(out.gradient, 1e-11 * out.scale) << to_string(form);
      if (first.empty()) first = core.gamma;
      for (std::size_t k = 0; k < first.size(); ++k) EXPECT_NEAR(core.gamma[k], first[k], 1e-9) << to_string(form);
    }
  }
}

TEST(NewtonCore, FactorsNothingWhereNoContactChangedItsMode) {
  test::OneIsland one(test::cube_stack(4, 1, 0.5));
  NewtonCore core;
  core.start(one.island);
  set_cost(core.cost, one.island);
  NewtonOptions options;
  options.relative = 1e-12;
  const NewtonCore::Outcome cold = core.run(one.island, options, BestIterate());
  ASSERT_TRUE(cold.converged);
  EXPECT_GT(cold.factorizations, 0);
  for (double& x : core.cost.offset) x *= 1.05;  // the same contacts stick, only harder
  const NewtonCore::Outcome warm = core.run(one.island, options, BestIterate());
  EXPECT_TRUE(warm.converged);
  EXPECT_GT(warm.iterations, 0);
  EXPECT_EQ(warm.factorizations, 0);
}

}  // namespace
}  // namespace condyle
