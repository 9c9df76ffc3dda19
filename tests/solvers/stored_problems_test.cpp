// The problems that others stored, solved from zero to 1e-8 by both relative residuals, family by family.
#include <condyle/problem_file.hpp>
#include <condyle/solver.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace condyle {
namespace {

namespace fs = std::filesystem;

struct Count {
  int problems = 0, solved = 0;
  std::string missed;
};

/// All files of a family that have constraints.
Count solve_family(const std::string& family, double tolerance) {
  const fs::path folder = fs::path(CONDYLE_SHARED_DATA) / "problems" / family;
  std::vector<fs::path> files;
  if (fs::exists(folder))
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  Count count;
  SolverOptions options;
  options.tolerance = tolerance;
  options.criterion = SolverOptions::Criterion::relative;
  for (const fs::path& file : files) {
    const ContactProblem problem = read_problem(file);
    if (problem.rows() == 0) continue;
    ++count.problems;
    const SolveResult result = solve(problem, options);
    const Residuals again = judge(problem, result.solution.impulse, result.solution.velocity);
    const bool within = std::max(again.natural, again.scaled) <= tolerance;
    EXPECT_EQ(within, result.status.code == SolverStatus::Code::solved) << file << ": the word is not what the judge says";
    EXPECT_TRUE(result.solution.impulse.allFinite()) << file;
    EXPECT_LT(again.momentum, 1e-9 * std::max(1.0, result.solution.velocity.size() ? result.solution.velocity.norm() : 0))
        << file;
    if (within)
      ++count.solved;
    else
      count.missed += fmt::format(" {} ({:.1e}, {:.1e})", file.filename().string(), again.natural, again.scaled);
  }
  return count;
}

struct Family {
  const char* name;
  int problems;
};

class StoredFamily : public testing::TestWithParam<Family> {};
INSTANTIATE_TEST_SUITE_P(Problems, StoredFamily,
                         testing::Values(Family{"boxes", 3}, Family{"capsules", 5}, Family{"confeti", 2},
                                         Family{"contactbench", 1}, Family{"global-small", 3}, Family{"lmgc", 3},
                                         Family{"piles", 3}, Family{"rolling", 6}, Family{"rover", 9}, Family{"spheres", 3},
                                         Family{"toy", 5}, Family{"fc2d", 8}, Family{"gmp", 5}),
                         [](const auto& which) {
                           std::string name = which.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(StoredFamily, IsSolvedToTheLastProblem) {
  const Count count = solve_family(GetParam().name, 1e-8);
  if (count.problems == 0) GTEST_SKIP() << "no stored problems of this family beside the checkout";
  EXPECT_EQ(count.problems, GetParam().problems);
  EXPECT_EQ(count.solved, count.problems) << "missed:" << count.missed;
  const Count tight = solve_family(GetParam().name, 1e-10);
  fmt::print("{}: {} of {} at 1e-8, {} at 1e-10{}\n", GetParam().name, count.solved, count.problems, tight.solved,
             tight.missed.empty() ? "" : ", missed" + tight.missed);
  // the smallest eigenvalue of GMP6 is 6e-10: no double precision solver of ours gets below 1e-9 there
  EXPECT_GE(tight.solved, std::string(GetParam().name) == "gmp" ? 4 : tight.problems) << tight.missed;
}

}  // namespace
}  // namespace condyle
