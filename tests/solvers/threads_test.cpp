// Many islands on a few threads: the same bits, whatever the method. To look for races:
//   scripts/build tsan --target test_solvers && build/tsan/bin/test_solvers --gtest_filter='SolverThreads*'
#include "solvers/problem_solver.hpp"
#include "support/contact_problems.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

/// Cubes that slide, spin up or rest beside each other, each an island; masses over four orders.
ContactProblem scattered_cubes(int n) {
  test::ProblemBuilder build;
  for (int i = 0; i < n; ++i)
    test::add_cube_on_floor(build, std::pow(10.0, i % 5 - 2), {0.1 * (i % 7) - 0.2, 0.05 * (i % 3), -0.01 * (i % 11)},
                            0.1 + 0.1 * (i % 6));
  return build.problem;
}

TEST(SolverThreads, DoNotChangeABit) {
  const ContactProblem problem = scattered_cubes(60);
  ASSERT_EQ(problem.defect(), "");
  for (const char* solver : {"auto", "admm", "subadmm", "pgs-ncp"}) {
    SolverOptions options;
    options.solver = solver;
    ProblemSolver one(options);
    const SolveResult first = one.solve(problem, {});
    ASSERT_EQ(one.islands(), 60);
    ASSERT_GT(first.stats.iterations, 0) << solver;
    for (const int threads : {2, 3, 4}) {
      options.threads = threads;
      ProblemSolver several(options);
      for (int again = 0; again < 20; ++again) {
        const SolveResult& result = several.solve(problem, {});
        ASSERT_EQ(result.solution.impulse, first.solution.impulse) << solver << ", " << threads << " threads";
        ASSERT_EQ(result.solution.velocity, first.solution.velocity) << solver << ", " << threads << " threads";
        ASSERT_EQ(result.stats.iterations, first.stats.iterations) << solver << ", " << threads << " threads";
        ASSERT_EQ(result.stats.path, first.stats.path) << solver << ", " << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace condyle
