// Perturbed variants of stored problems: a sample of bench/variants_bench.cpp, which counts all of them.
#include "solvers/problem_solver.hpp"
#include "support/problem_variants.hpp"

#include <condyle/problem_file.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace condyle {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> stored(const std::vector<const char*>& families) {
  std::vector<fs::path> out;
  for (const char* family : families) {
    const fs::path folder = fs::path(CONDYLE_SHARED_DATA) / "problems" / family;
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Variants, NearlyAllOfASampleAreSolvedByBothResiduals) {
  const std::vector<fs::path> files = stored(
      {"boxes", "capsules", "confeti", "contactbench", "global-small", "lmgc", "piles", "rolling", "rover", "spheres"});
  if (files.empty()) GTEST_SKIP() << "no stored problems beside the checkout";
  SolverOptions options;
  options.tolerance = 1e-8;
  options.criterion = SolverOptions::Criterion::relative;
  ProblemSolver solver(options);
  int tried = 0, solved = 0, position = 0;
  std::string missed;
  for (const fs::path& file : files) {
    const ContactProblem original = read_problem(file);
    for (int k = position++ % 4; k < test::perturbations; k += 4) {
      const auto which = static_cast<test::Perturbation>(k);
      ContactProblem problem = original;
      if (!test::perturb(problem, which, test::seed_of(file.filename().string(), k))) continue;
      ASSERT_EQ(problem.defect(), "") << file << ", " << test::to_string(which);
      if (problem.rows() > 1200 && which == test::Perturbation::velocity_percent) continue;  // seconds: the bench has it
      const SolveResult& result = solver.solve(problem, Eigen::VectorXd());
      const Residuals r = judge(problem, result.solution.impulse, result.solution.velocity);
      const double worst = std::max(r.natural, r.scaled);
      EXPECT_EQ(worst <= options.tolerance, result.status.code == SolverStatus::Code::solved)
          << file << ", " << test::to_string(which) << ": " << worst;
      ++tried;
      solved += worst <= options.tolerance;
      if (!(worst <= options.tolerance))
        missed += fmt::format("\n  {}, {}: natural {:.1e}, scaled {:.1e}", file.filename().string(), test::to_string(which),
                              r.natural, r.scaled);
    }
  }
  fmt::print("{} of {} variants solved{}\n", solved, tried, missed);
  EXPECT_GE(tried, 110);
  EXPECT_GE(solved, tried - tried / 50) << missed;  // 98 %
}

TEST(Variants, DoWhatTheirNamesSay) {
  ContactProblem problem;
  problem.dual_only = true;
  problem.G.resize(12, 12);
  problem.G.setIdentity();
  problem.g = Eigen::VectorXd::LinSpaced(12, -1, 1);
  problem.bias = problem.compliance = Eigen::VectorXd::Zero(12);
  for (int i = 0; i < 4; ++i) {
    ConstraintBlock block;
    block.kind = ConstraintKind::contact;
    block.set = SetKind::cone;
    block.row = 3 * i;
    block.rows = 3;
    block.friction = 0.5;
    problem.blocks.push_back(block);
  }
  for (int k = 0; k < test::perturbations; ++k) {
    const auto which = static_cast<test::Perturbation>(k);
    ContactProblem one = problem, again = problem;
    ASSERT_TRUE(test::perturb(one, which, test::seed_of("x", k)));
    ASSERT_TRUE(test::perturb(again, which, test::seed_of("x", k)));
    EXPECT_EQ(one.defect(), "") << test::to_string(which);
    EXPECT_EQ(one.g, again.g) << "not the same twice: " << test::to_string(which);
    bool changed = one.rows() != problem.rows() || one.g != problem.g;
    for (std::size_t i = 0; i < one.blocks.size() && !changed; ++i) changed = one.blocks[i].friction != 0.5;
    EXPECT_TRUE(changed) << test::to_string(which);
  }
  ContactProblem dropped = problem;
  test::perturb(dropped, test::Perturbation::dropped_many, 7);
  EXPECT_LT(dropped.rows(), 12);
  EXPECT_EQ(dropped.G.rows(), dropped.rows());
}

}  // namespace
}  // namespace condyle
