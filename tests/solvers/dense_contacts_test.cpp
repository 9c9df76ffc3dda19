// Hundreds of contacts on few velocities, light bodies below a heavy one (CANAL VII-A, B): where the convex model stops, the
// multipliers go on. All hundred of each kind: build/release/bin/canal_bench dense
#include "support/dense_contacts.hpp"
#include "solvers/problem_solver.hpp"
#include "support/contact_residual.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace condyle {
namespace {

constexpr int tried = 20;

ContactProblem dense_set(bool dishes, int k) {
  const auto seed = static_cast<std::uint64_t>(k + 1);
  return dishes ? test::dish_pile(seed) : test::nut_on_bolt(seed % 10, seed);
}

/// Largest contact residual, and the smallest.
std::pair<double, double> residuals_of(bool dishes, const std::string& solver) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = 1e-9;
  ProblemSolver made(options);
  double most = 0, least = 1;
  for (int k = 0; k < tried; ++k) {
    const ContactProblem problem = dense_set(dishes, k);
    const SolveResult& result = made.solve(problem, {});
    const double residual = test::contact_residual(problem, result.solution.impulse, made.sigma());
    most = std::max(most, residual);
    least = std::min(least, residual);
    if (solver == "sap") continue;
    EXPECT_EQ(result.status.code, SolverStatus::Code::solved)
        << solver << ", " << (dishes ? "dishes " : "nut ") << k << ": " << result.status.message;
  }
  fmt::print("{} of {}: contact residual from {:.1e} to {:.1e}\n", solver, dishes ? "dishes" : "nuts", least, most);
  return {least, most};
}

TEST(DenseContacts, AreSolvedByCanalWhereTheConvexModelStops) {
  for (const bool dishes : {true, false}) {
    EXPECT_GT(residuals_of(dishes, "sap").first, 1e-5);
    EXPECT_LT(residuals_of(dishes, "canal").second, 1e-8);
    EXPECT_LT(residuals_of(dishes, "auto").second, 1e-8);
  }
}

}  // namespace
}  // namespace condyle
