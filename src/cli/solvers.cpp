#include "cli/common.hpp"

#include <condyle/solver.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace condyle::cli {

namespace {

void print_solvers() {
  constexpr const char* gap = "   ";
  for (const SolverInfo& solver : solvers()) {
    fmt::print("{} ({}): {}\n", solver.name, solver.solves, solver.summary);
    std::size_t width = 0;
    for (const std::string& p : solver.parameters) width = std::max(width, std::min(p.find(gap), p.size()));
    for (const std::string& p : solver.parameters) {
      const std::size_t end = std::min(p.find(gap), p.size());
      fmt::print("    {:<{}}  {}\n", p.substr(0, end), width, p.substr(std::min(end + 3, p.size())));
    }
  }
  const SolverOptions usual;
  fmt::print(
      "\nNCP: Coulomb's law as it is; CCP: its convex model, in which sliding contacts glide apart; MLCP: friction boxes.\n"
      "For all: --tolerance T (a run: {:g} m/s, the certificate; a stored problem: relative, 1e-08), --max-iterations N "
      "({}),\n"
      "a parameter by --set solver.NAME=VALUE. Scaled variables have G's diagonal 1: no units.\n",
      usual.tolerance, usual.max_iterations);
}

std::string solvers_json() {
  auto out = nlohmann::ordered_json::array();
  for (const SolverInfo& solver : solvers())
    out.push_back(
        {{"name", solver.name}, {"solves", solver.solves}, {"summary", solver.summary}, {"parameters", solver.parameters}});
  return out.dump(2);
}

}  // namespace

int solvers_command(const Arguments& arguments) {
  Output output;
  CommandLine line("solvers", "list the solvers, what each solves, its parameters with defaults");
  output.add_options(line);
  line.example("condyle solvers", "what there is");
  line.example("condyle solvers --json", "the same for a script");
  if (!line.parse(arguments)) return exit_done;
  output.check();
  if (output.text()) print_solvers();
  if (output.json) output.write_json(solvers_json());
  return exit_done;
}

}  // namespace condyle::cli
