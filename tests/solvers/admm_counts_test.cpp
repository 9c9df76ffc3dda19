// ADMM alone on the stored Coulomb problems in space: how many each rule solves, family by family, from zero to 1e-8 by both
// relative residuals.
#include <condyle/problem_file.hpp>
#include <condyle/solver.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace condyle {
namespace {

namespace fs = std::filesystem;

struct Variant {
  const char* name;
  std::map<std::string, double> parameters;
  int iterations;
  int worst;              ///< no problem takes more iterations
  double factorizations;  ///< on average, at most
};

const std::map<std::string, int>& families() {  // 43 in all
  static const std::map<std::string, int> all = {{"boxes", 3},        {"capsules", 5}, {"confeti", 2}, {"contactbench", 1},
                                                 {"global-small", 3}, {"lmgc", 3},     {"piles", 3},   {"rolling", 6},
                                                 {"rover", 9},        {"spheres", 3},  {"toy", 5}};
  return all;
}

class AdmmAlone : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(StoredProblems, AdmmAlone,
                         testing::Values(Variant{"accelerated", {}, 3000, 1500, 1.0},
                                         // one of the capsules keeps this acceleration going round, until it pauses
                                         Variant{"accelerated_stiff", {{"rho", 0.1}}, 3000, 1500, 1.0},
                                         Variant{"spectral", {{"memory", 0}, {"penalty", 2}}, 20000, 10000, 8.0},
                                         Variant{"linear", {{"memory", 0}, {"penalty", 1}}, 20000, 10000, 8.0}),
                         [](const auto& which) { return std::string(which.param.name); });

TEST_P(AdmmAlone, SolvesEveryProblemOfEveryFamily) {
  const fs::path folder = fs::path(CONDYLE_SHARED_DATA) / "problems";
  if (!fs::exists(folder)) GTEST_SKIP() << "no stored problems beside the checkout";
  const Variant& variant = GetParam();
  SolverOptions options;
  options.solver = "admm";
  options.tolerance = 1e-8;
  options.criterion = SolverOptions::Criterion::relative;
  options.max_iterations = variant.iterations;
  options.parameters = variant.parameters;
  options.parameters["islands"] = 0;  // one system: iterations and factorizations of a problem, not sums over its islands
  std::vector<int> iterations;
  double factorizations = 0;
  for (const auto& [family, expected] : families()) {
    int solved = 0, problems = 0;
    std::string missed;
    for (const auto& entry : fs::directory_iterator(folder / family)) {
      const ContactProblem problem = read_problem(entry.path());
      ++problems;
      const SolveResult r = solve(problem, options);
      const Residuals judged = judge(problem, r.solution.impulse, r.solution.velocity);
      factorizations += r.stats.factorizations;
      iterations.push_back(r.stats.iterations);
      if (std::max(judged.natural, judged.scaled) <= options.tolerance)
        ++solved;
      else
        missed += fmt::format(" {} ({:.1e}, {:.1e} after {})", entry.path().filename().string(), judged.natural,
                              judged.scaled, r.stats.iterations);
    }
    EXPECT_EQ(problems, expected) << family;
    EXPECT_EQ(solved, expected) << family << " missed:" << missed;
  }
  std::sort(iterations.begin(), iterations.end());
  factorizations /= static_cast<double>(iterations.size());
  fmt::print("{}: median {} iterations, worst {}, {:.1f} factorizations\n", variant.name, iterations[iterations.size() / 2],
             iterations.back(), factorizations);
  EXPECT_LE(iterations.back(), variant.worst);
  EXPECT_LE(factorizations, variant.factorizations);
}

}  // namespace
}  // namespace condyle
