// sap_for_conic: 100 problems of clutter runs with SAP's velocities and times, one JSON object a line, for a conic solver
// that knows nothing of Condyle.
#include "linalg/block_jacobian.hpp"
#include "solvers/problem_solver.hpp"

#include <condyle/condyle.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>

namespace {
using namespace condyle;

std::vector<double> numbers(const Eigen::MatrixXd& x) { return {x.data(), x.data() + x.size()}; }

Eigen::MatrixXd dense_jacobian(const ContactProblem& problem) {
  Eigen::MatrixXd J(problem.rows(), problem.velocities());
  JacobianProduct product;
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(problem.velocities());
  for (int k = 0; k < problem.velocities(); ++k) {
    unit[k] = 1;
    product.multiply(problem.J, unit.data(), J.col(k).data());
    unit[k] = 0;
  }
  return J;
}

void print(const ContactProblem& problem, int bodies) {
  ProblemSolver solver({.solver = "sap", .tolerance = 1e-10});
  double best = 1e300;
  for (int k = 0; k < 5; ++k) best = std::min(best, solver.solve(problem, {}).stats.time_ms);
  const SolveResult& r = solver.solve(problem, {});
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(problem.velocities(), problem.velocities());
  for (int b = 0; b < problem.A.blocks(); ++b) {
    const int first = problem.A.begin[static_cast<std::size_t>(b)], n = problem.A.block_size(b);
    A.block(first, first, n, n) = problem.A.block(b);
  }
  nlohmann::json out;
  for (const ConstraintBlock& block : problem.blocks) out["friction"].push_back(block.friction);
  out["bodies"] = bodies;
  out["rows"] = problem.rows();
  out["velocities"] = problem.velocities();
  out["A"] = numbers(A);
  out["J"] = numbers(dense_jacobian(problem));
  out["v_free"] = numbers(problem.v_free);
  out["bias"] = numbers(problem.bias);
  out["compliance"] = numbers(problem.compliance);
  out["velocity"] = numbers(r.solution.velocity);
  out["certificate"] = r.residuals.certificate;
  out["iterations"] = r.stats.iterations;
  out["ms"] = best;
  std::puts(out.dump().c_str());
}
}  // namespace

int main() {
  for (const int bodies : {8, 16, 40}) {
    const Scene scene = load_scene("clutter", {.parameters = {{"n", std::to_string(bodies)}}});
    SimulatorOptions options;
    options.dt = scene.defaults().dt;
    options.laws = scene.defaults().laws;
    options.solver = "sap";
    Simulator sim(scene, options);
    State x = scene.initial_state();
    const int wanted = bodies == 40 ? 20 : 40;
    for (int k = 0, printed = 0; printed < wanted; ++k) {
      const StepReport& report = sim.step(x);
      if (k < 20 || k % 4 != 0 || report.contacts < 4) continue;
      print(sim.problem(), bodies);
      ++printed;
    }
  }
}
