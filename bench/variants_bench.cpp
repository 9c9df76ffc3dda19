// Perturbed variants of the stored 3D problems (tests/support/problem_variants.hpp), solved from zero by `auto` until both
// relative residuals pass. Prints how many of each kind and of each family are solved, and names the misses.
//   variants_bench [TOLERANCE] [FAMILY or all] [SEED, 0 usual] [FOLDER for the problems that are missed]
#include "solvers/problem_solver.hpp"
#include "support/problem_variants.hpp"

#include <condyle/problem_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>

namespace {
using namespace condyle;
namespace fs = std::filesystem;

struct Count {
  int tried = 0, solved = 0;
  double ms = 0, slowest = 0;
  int factorizations = 0;
};

std::vector<fs::path> files_of(const std::string& family) {
  std::vector<fs::path> out;
  const fs::path folder = fs::path(CONDYLE_SOURCE_DIR) / "../shared/problems" / family;
  if (fs::exists(folder))
    for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

void print(const std::string& name, const Count& c) {
  fmt::print("{:<22} {:>4} of {:>4}   mean {:>9.3f} ms   slowest {:>9.1f} ms   mean factorizations {:>6.1f}\n", name,
             c.solved, c.tried, c.ms / std::max(1, c.tried), c.slowest,
             static_cast<double>(c.factorizations) / std::max(1, c.tried));
}
}  // namespace

int main(int argc, char** argv) {
  const double tolerance = argc > 1 ? std::atof(argv[1]) : 1e-8;
  const std::string only = argc > 2 ? argv[2] : "all", folder = argc > 4 ? argv[4] : "";
  const int more = argc > 3 ? std::atoi(argv[3]) : 0;
  std::map<std::string, Count> by_family, by_path;
  std::vector<Count> by_kind(test::perturbations);
  Count all;
  SolverOptions options;
  options.tolerance = tolerance;
  options.criterion = SolverOptions::Criterion::relative;
  ProblemSolver solver(options);
  for (const char* family : {"boxes", "capsules", "confeti", "contactbench", "global-small", "lmgc", "piles", "rolling",
                             "rover", "spheres", "toy"}) {
    if (only != "all" && only != family) continue;
    for (const fs::path& file : files_of(family)) {
      const ContactProblem stored = read_problem(file);
      for (int k = 0; k < test::perturbations; ++k) {
        ContactProblem problem = stored;
        const auto which = static_cast<test::Perturbation>(k);
        const std::uint64_t seed = test::seed_of(file.filename().string(), k + 100 * more);
        if (!test::perturb(problem, which, seed)) continue;
        const SolveResult& result = solver.solve(problem, Eigen::VectorXd());
        const Residuals r = judge(problem, result.solution.impulse, result.solution.velocity);
        const bool solved = std::max(r.natural, r.scaled) <= tolerance;
        for (Count* count : {&by_family[family], &by_kind[static_cast<std::size_t>(k)], &by_path[result.stats.path], &all}) {
          ++count->tried;
          count->solved += solved;
          count->ms += result.stats.time_ms;
          count->slowest = std::max(count->slowest, result.stats.time_ms);
          count->factorizations += result.stats.factorizations;
        }
        if (result.stats.time_ms > 2000)
          fmt::print("slow   {:<38} {:<20} {:.0f} ms  {}\n", file.filename().string(), test::to_string(which),
                     result.stats.time_ms, result.stats.path);
        if (solved) continue;
        fmt::print("missed {:<38} {:<20} natural {:.1e} scaled {:.1e}  {:.0f} ms  {} {}\n", file.filename().string(),
                   test::to_string(which), r.natural, r.scaled, result.stats.time_ms, to_string(result.status.code),
                   result.stats.path);
        std::fflush(stdout);
        if (folder.empty()) continue;
        fs::create_directories(folder);
        write_problem(problem, fs::path(folder) / fmt::format("{}_{}.condyle.h5", file.stem().string(), k));
      }
    }
  }
  if (all.tried == 0) {
    fmt::print("no stored problems in ../shared/problems: nothing to do\n");
    return 0;
  }
  for (const auto& [name, count] : by_family) print(name, count);
  for (int k = 0; k < test::perturbations; ++k)
    print(test::to_string(static_cast<test::Perturbation>(k)), by_kind[static_cast<std::size_t>(k)]);
  fmt::print("by the last methods that ran:\n");
  for (const auto& [name, count] : by_path) print(name, count);
  print("all", all);
  fmt::print("{:.1f} % solved at {:g} by both residuals\n", 100.0 * all.solved / all.tried, tolerance);
}
