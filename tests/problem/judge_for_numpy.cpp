// judge_for_numpy FILE...: for each stored problem some impulses and what the judge says of them, one JSON object a line.
#include <condyle/error.hpp>
#include <condyle/problem_file.hpp>
#include <condyle/solver.hpp>

#include <fmt/format.h>

#include <random>

namespace {

using namespace condyle;

void print(const std::string& file, const char* kind, const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  const Residuals r = judge(problem, impulse);
  fmt::print(
      "{{\"file\": \"{}\", \"kind\": \"{}\", \"natural\": {:.17g}, \"scaled\": {:.17g}, \"certificate\": {:.17g}, "
      "\"dual\": {:.17g}, \"complementarity\": {:.17g}, \"primal\": {:.17g}, \"impulse\": [{:.17g}]}}\n",
      file, kind, r.natural, r.scaled, r.certificate, r.dual, r.complementarity, r.primal,
      fmt::join(impulse.data(), impulse.data() + impulse.size(), ", "));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    for (int k = 1; k < argc; ++k) {
      const ContactProblem problem = read_problem(argv[k]);
      std::mt19937_64 random(static_cast<unsigned>(k));
      std::normal_distribution<double> normal;
      print(argv[k], "zero", problem, Eigen::VectorXd::Zero(problem.rows()));
      SolverOptions options;
      options.criterion = SolverOptions::Criterion::relative;
      options.tolerance = 1e-8;
      options.max_iterations = 400;
      const Eigen::VectorXd solution = solve(problem, options).solution.impulse;
      print(argv[k], "solution", problem, solution);
      const double size = solution.size() > 0 ? solution.cwiseAbs().maxCoeff() + 1e-6 : 0;
      for (const double scale : {1e-3, 1.0, 1e2}) {
        Eigen::VectorXd impulse(problem.rows());
        for (Eigen::Index i = 0; i < impulse.size(); ++i) impulse[i] = scale * size * normal(random);
        print(argv[k], "random", problem, impulse);
        print(argv[k], "near", problem, solution + 1e-3 * impulse);
      }
    }
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
