#include "cli/solve_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

namespace condyle::cli {

namespace {

struct Group {
  int problems = 0, solved = 0;
  std::vector<double> iterations, factorizations, ms, residuals;

  void add(const SolveResult& r) {
    ++problems;
    solved += r.status.code == SolverStatus::Code::solved;
    iterations.push_back(r.stats.iterations);
    factorizations.push_back(r.stats.factorizations);
    ms.push_back(r.stats.time_ms);
    residuals.push_back(std::max(r.residuals.natural, r.residuals.scaled));
  }
};

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x.empty() ? 0 : x[x.size() / 2];
}

std::string family_of(const std::string& file) {
  const std::string folder = std::filesystem::absolute(file).parent_path().filename().string();
  return folder.empty() ? "/" : folder;
}

std::vector<std::string> in_order(const std::vector<Outcome>& outcomes, std::string Outcome::*key) {
  std::vector<std::string> out;
  for (const Outcome& o : outcomes)
    if (std::find(out.begin(), out.end(), o.*key) == out.end()) out.push_back(o.*key);
  return out;
}

void print_group(std::size_t width, const std::string& family, const std::string& solver, const Group& g) {
  fmt::print("{:<{}}  {:<11} {:>9}  {:>8.0f} {:>7.0f} {:>10.3f} {:>10.3f}  {:>8.1e} {:>8.1e}\n", family, width, solver,
             fmt::format("{} of {}", g.solved, g.problems), median(g.iterations), median(g.factorizations), median(g.ms),
             *std::max_element(g.ms.begin(), g.ms.end()), median(g.residuals),
             *std::max_element(g.residuals.begin(), g.residuals.end()));
}

}  // namespace

void print_families(const std::vector<Outcome>& outcomes) {
  const std::vector<std::string> solvers = in_order(outcomes, &Outcome::solver);
  if (outcomes.size() <= solvers.size()) return;
  std::vector<std::string> families;
  std::map<std::pair<std::string, std::string>, Group> groups;
  std::map<std::string, Group> all;
  std::size_t width = 6;
  for (const Outcome& o : outcomes) {
    const std::string family = family_of(o.file);
    if (std::find(families.begin(), families.end(), family) == families.end()) families.push_back(family);
    width = std::max(width, family.size());
    groups[{family, o.solver}].add(*o.result);
    all[o.solver].add(*o.result);
  }
  fmt::print("\n{:<{}}  {:<11} {:>9}  {:>8} {:>7} {:>10} {:>10}  {:>8} {:>8}\n", "family", width, "solver", "solved", "iter",
             "fact", "ms", "longest", "residual", "worst");
  for (const std::string& family : families)
    for (const std::string& solver : solvers) print_group(width, family, solver, groups.at({family, solver}));
  if (families.size() > 1)
    for (const std::string& solver : solvers) print_group(width, "all", solver, all.at(solver));
  fmt::print("iterations, factorizations, ms and residual are medians; the residual is the larger relative one\n");
}

void print_profiles(const std::vector<Outcome>& outcomes) {
  const std::vector<std::string> solvers = in_order(outcomes, &Outcome::solver), files = in_order(outcomes, &Outcome::file);
  if (solvers.size() < 2 || files.size() < 2) return;
  const auto solved = [](const Outcome& o) { return o.result->status.code == SolverStatus::Code::solved; };
  std::map<std::string, double> fastest;
  for (const Outcome& o : outcomes)
    if (solved(o)) {
      const auto [at, fresh] = fastest.emplace(o.file, o.result->stats.time_ms);
      if (!fresh) at->second = std::min(at->second, o.result->stats.time_ms);
    }
  constexpr double factors[] = {1, 1.5, 2, 4, 8, 16, 64, 256, std::numeric_limits<double>::infinity()};
  fmt::print("\nshare of the {} problems that are solved within so many times the time of the fastest\n{:<11}", files.size(),
             "solver");
  for (const double factor : factors) fmt::print(" {:>6}", std::isfinite(factor) ? fmt::format("{:g}", factor) : "ever");
  fmt::print("\n");
  for (const std::string& solver : solvers) {
    fmt::print("{:<11}", solver);
    for (const double factor : factors) {
      int within = 0;
      for (const Outcome& o : outcomes)
        within += o.solver == solver && solved(o) && o.result->stats.time_ms <= factor * fastest.at(o.file);
      fmt::print(" {:>6.2f}", within / static_cast<double>(files.size()));
    }
    fmt::print("\n");
  }
}

}  // namespace condyle::cli
