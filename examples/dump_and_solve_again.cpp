// The problem of one step in a file: it can be sent to someone, solved again with anything, and judged without the
// simulator.
//
// Prints:
//   box_pile, step ...: ... contacts
//   read back from problem.h5: the same problem, bit for bit
//   solved again by ADMM: certificate below 1e-9 m/s: yes
//   velocities as in the step to 1e-6 m/s: yes
//   for other programs: problem_fclib.hdf5, fclib-local
#include <condyle/condyle.hpp>

#include <cstdio>

int main() {
  using namespace condyle;
  const Scene scene = load_scene("box_pile", {.parameters = {{"n", "8"}}});
  Simulator sim(scene, {.dt = 2e-3});
  State x = scene.initial_state();
  do sim.step(x);
  while (sim.problem().contacts() < 12 && x.step < 2000);
  const ContactProblem problem = sim.problem();
  std::printf("%s: %d contacts\n", problem.name.c_str(), problem.contacts());

  write_problem(problem, "problem.h5", ProblemFormat::condyle);
  const ContactProblem again = read_problem("problem.h5");
  const bool same = again.v_free == problem.v_free && again.bias == problem.bias && again.J.values == problem.J.values &&
                    again.A.values == problem.A.values && again.names == problem.names;
  std::printf("read back from problem.h5: %s\n", same ? "the same problem, bit for bit" : "another problem");

  const SolveResult result = solve(again, {.solver = "admm", .tolerance = 1e-9});
  std::printf("solved again by ADMM: certificate below 1e-9 m/s: %s\n", result.residuals.certificate <= 1e-9 ? "yes" : "no");
  const double apart = (result.solution.velocity - sim.solved_velocity()).cwiseAbs().maxCoeff();
  std::printf("velocities as in the step to 1e-6 m/s: %s\n", apart < 1e-6 ? "yes" : "no");

  write_problem(problem, "problem_fclib.hdf5", ProblemFormat::fclib_local);
  std::printf("for other programs: problem_fclib.hdf5, %s\n", to_string(detect_problem_format("problem_fclib.hdf5")));
}
