// Nothing allocates when a problem of the same size is solved again. The test's own malloc counts while it is told to.
#include "solvers/problem_solver.hpp"
#include "support/contact_problems.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
thread_local bool counting = false;
thread_local long allocations = 0;
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* malloc(std::size_t n) {
  allocations += counting;
  return __libc_malloc(n);
}
void* realloc(void* p, std::size_t n) {
  allocations += counting;
  return __libc_realloc(p, n);
}
void* calloc(std::size_t n, std::size_t size) {
  allocations += counting;
  return __libc_calloc(n, size);
}
}

namespace condyle {
namespace {

class Allocation : public testing::TestWithParam<std::tuple<int, int>> {};
INSTANTIATE_TEST_SUITE_P(Solver, Allocation, testing::Combine(testing::Values(1, 2), testing::Values(0, 1000)));

TEST_P(Allocation, HappensOnlyTheFirstTime) {
  const auto [form, small_rows] = GetParam();
  SolverOptions options;
  options.parameters = {{"form", form}, {"small_rows", small_rows}};
  ProblemSolver solver(options);
  ContactProblem problem = test::cube_stack(9, 1, 0.5, 0.001);
  const Eigen::VectorXd none;
  Eigen::VectorXd start = solver.solve(problem, none).solution.impulse;
  const Eigen::VectorXd v = problem.v_free;
  problem.v_free = 1.01 * v;
  solver.solve(problem, start);
  long cold = 0, warm = 0;
  for (const double factor : {1.1, 0.9}) {
    problem.v_free = factor * v;
    allocations = 0;
    counting = true;
    const SolveResult& r = solver.solve(problem, none);
    counting = false;
    cold += allocations;
    ASSERT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
    start = r.solution.impulse;
    problem.v_free = 1.001 * factor * v;
    allocations = 0;
    counting = true;
    const bool solved = solver.solve(problem, start).status.code == SolverStatus::Code::solved;
    counting = false;
    warm += allocations;
    EXPECT_TRUE(solved);
  }
  EXPECT_EQ(cold, 0);
  EXPECT_EQ(warm, 0);
}

TEST(SubadmmAllocation, HappensOnlyTheFirstTime) {
  for (const int split : {0, 1, 2}) {
    SolverOptions options;
    options.solver = "subadmm";
    options.tolerance = 1e-6;
    options.parameters = {{"split", split}};
    ProblemSolver solver(options);
    ContactProblem problem = test::cube_stack(9, 1, 0.5, 0.001);
    const Eigen::VectorXd none;
    const Eigen::VectorXd start = solver.solve(problem, none).solution.impulse;
    solver.solve(problem, start);
    problem.v_free *= 1.01;
    for (const Eigen::VectorXd* from : {&none, &start}) {
      allocations = 0;
      counting = true;
      const SolveResult& r = solver.solve(problem, *from);
      counting = false;
      EXPECT_EQ(allocations, 0) << "split " << split << (from == &start ? ", warm" : ", cold");
      EXPECT_EQ(r.status.code, SolverStatus::Code::solved) << r.status.message;
    }
  }
}

}  // namespace
}  // namespace condyle
#endif
