// Solving one step's problem: stacks and piles of cubes, every form of the linear systems, from zero and from the solution
// of a slightly different problem as in a run. The residual stands beside every time.
#include "solvers/problem_solver.hpp"
#include "support/contact_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

namespace {
using namespace condyle;

struct Case {
  std::string name;
  ContactProblem problem;
  int largest_form;  ///< dense forms of large problems take minutes
};

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

void run(const Case& c, int form, double small_rows) {
  SolverOptions options;
  options.parameters["form"] = form;
  if (small_rows >= 0) options.parameters["small_rows"] = small_rows;
  ProblemSolver solver(options);
  const Eigen::VectorXd none;
  std::vector<double> cold_ms, warm_ms;
  SolveResult cold, warm;
  ContactProblem next = c.problem;
  double spent = 0;
  for (int k = 0; k < 15 && (k < 3 || spent < 1500); ++k) {
    cold = solver.solve(c.problem, none);
    cold_ms.push_back(cold.stats.time_ms);
    next.v_free = c.problem.v_free * 1.0002;
    warm = solver.solve(next, cold.solution.impulse);
    warm_ms.push_back(warm.stats.time_ms);
    spent += cold.stats.time_ms + warm.stats.time_ms;
  }
  const char* names[] = {"automatic", "dense dual", "dense primal", "sparse dual", "sparse primal"};
  fmt::print(
      "{:<22} {:>5} rows {:>5} vel  {:<13} cold {:>9.3f} ms {:>4} it {:>3} fac {:.1e} m/s   warm {:>9.3f} ms {:>3} fac "
      "{:.1e}  {} | {}\n",
      c.name, c.problem.rows(), c.problem.velocities(), names[form], median(cold_ms), cold.stats.iterations,
      cold.stats.factorizations, cold.residuals.certificate, median(warm_ms), warm.stats.factorizations,
      warm.residuals.certificate, cold.stats.path, warm.stats.path);
  std::fflush(stdout);
}
}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 1;  // 0: small problems only; 2: a thousand bodies
  const double small_rows = argc > 2 ? std::atof(argv[2]) : -1;
  std::vector<Case> cases;
  cases.push_back({"cube on floor", test::cube_stack(1, 1, 0.5), 4});
  cases.push_back({"cube sliding", test::cube_stack(1, 1, 0.5, 0.3), 4});
  cases.push_back({"stack of 2", test::cube_stack(2, 1, 0.5), 4});
  cases.push_back({"stack of 5", test::cube_stack(5, 1, 0.5), 4});
  cases.push_back({"stack of 10", test::cube_stack(10, 1, 0.5), 4});
  cases.push_back({"stack of 10, ratio 2", test::cube_stack(10, 2, 0.5), 4});
  cases.push_back({"pile 2x2x2", test::box_pile(2, 2, 2, 0.01), 4});
  cases.push_back({"pile 3x3x3", test::box_pile(3, 3, 3, 0.01), 4});
  if (largest > 0) {
    cases.push_back({"stack of 40", test::cube_stack(40, 1, 0.5), 4});
    cases.push_back({"pile 4x4x4", test::box_pile(4, 4, 4, 0.01), 4});
    cases.push_back({"pile 5x5x5", test::box_pile(5, 5, 5, 0.01), 0});
  }
  if (largest > 1) {
    cases.push_back({"pile 7x7x6", test::box_pile(7, 7, 6, 0.01), 0});
    cases.push_back({"pile 10x10x10", test::box_pile(10, 10, 10, 0.01), 0});
  }
  for (const Case& c : cases)
    for (int form = 0; form <= c.largest_form; ++form) run(c, form, small_rows);
}
