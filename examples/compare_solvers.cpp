// One contact problem, several solvers: boxes of 1 kg and 1000 kg in turns on top of each other, in their first step. What a
// solver thinks of itself does not count: the judge measures every result in the same way, from the impulses alone. Sweeping
// through contacts one by one (pgs) does not carry a heavy box on a light one in 2000 sweeps; SAP solves a slightly softened
// problem, and is measured on the rigid one. `condyle solvers` lists all of them.
//
// Prints:
//   10 boxes, 40 contacts, 120 rows
//   auto     certified     ... m/s after ... iterations
//   admm     certified     ... m/s after ... iterations
//   canal    certified     ... m/s after ... iterations
//   sap      not certified ... m/s after ... iterations
//   pgs-ncp  not certified ... m/s after 2000 iterations
//   auto and admm move the boxes alike to 1e-6 m/s: yes
#include <condyle/condyle.hpp>

#include <cstdio>
#include <map>

int main() {
  using namespace condyle;
  const Scene scene = load_scene("stack", {.parameters = {{"n", "10"}, {"ratio", "1000"}}});
  Simulator sim(scene, {.dt = 1e-3});
  State x = scene.initial_state();
  sim.step(x);
  const ContactProblem problem = sim.problem();
  std::printf("%d boxes, %d contacts, %d rows\n", scene.body_count(), problem.contacts(), problem.rows());

  std::map<std::string, SolveResult> results;
  for (const char* name : {"auto", "admm", "canal", "sap", "pgs-ncp"}) {
    const SolveResult& result = results[name] = solve(problem, {.solver = name, .tolerance = 1e-7, .max_iterations = 2000});
    std::printf("%-8s %-13s %.1e m/s after %d iterations\n", name,
                result.residuals.certificate <= 1e-7 ? "certified" : "not certified", result.residuals.certificate,
                result.stats.iterations);
  }
  const double apart = (results["auto"].solution.velocity - results["admm"].solution.velocity).cwiseAbs().maxCoeff();
  std::printf("auto and admm move the boxes alike to 1e-6 m/s: %s\n", apart < 1e-6 ? "yes" : "no");
}
