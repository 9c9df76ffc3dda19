// SubADMM beside what its paper reports: Table III (division by trees and bodies against none) on heaps of quadrupeds, and
// the cost against the number of degrees of freedom while balls are poured (VII-C).
//   subadmm_bench [table3 [N ...]]     heaps of N robots (8 27)
//   subadmm_bench pouring [N ...]      N balls (9 18 27 36 45)
// All in one thread unless a line says otherwise; every time is the smallest of several runs in turns.
#include "cones/alart_curnier.hpp"
#include "solvers/problem_solver.hpp"

#include <condyle/condyle.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {
using namespace condyle;

/// The paper's contact residual: ‖λ - T(λ - σ)‖ / contacts with the strict operator, other rows by their own sets.
double contact_residual(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& sigma) {
  double sum = 0;
  for (const ConstraintBlock& block : problem.blocks) {
    double x[3], T[3];
    if (block.rows > 3) continue;
    for (int k = 0; k < block.rows; ++k) x[k] = impulse[block.row + k] - sigma[block.row + k];
    if (block.set == SetKind::cone)
      strict_cone(x, block.rows, block.friction, T);
    else
      project(block, x, T);
    for (int k = 0; k < block.rows; ++k) sum += (impulse[block.row + k] - T[k]) * (impulse[block.row + k] - T[k]);
  }
  return std::sqrt(sum) / std::max(1, problem.contacts());
}

struct Method {
  std::string name;
  SolverOptions options;
};

struct Score {
  double ms = 0, setup_ms = 0, minus_log = 0, certificate = 0, iterations = 0, factorizations = 0, solved = 0;
};

Method method(const std::string& name, const std::string& solver, int iterations, double tolerance,
              std::map<std::string, double> parameters, int threads = 1) {
  SolverOptions options;
  options.solver = solver;
  options.max_iterations = iterations;
  options.tolerance = tolerance;
  options.parameters = std::move(parameters);
  options.threads = threads;
  return {name, options};
}

/// Means over the problems, geometric for the certificate; methods take turns on each problem and the fastest of their runs
/// counts.
std::vector<Score> measure(const std::vector<ContactProblem>& problems, const std::vector<Method>& methods, int repeats) {
  std::vector<Score> out(methods.size());
  std::vector<ProblemSolver> solvers;
  for (const Method& m : methods) solvers.emplace_back(m.options);
  for (const ContactProblem& problem : problems) {
    std::vector<double> best(methods.size(), 1e300), setup(methods.size(), 0);
    for (int repeat = 0; repeat < repeats; ++repeat)
      for (std::size_t k = 0; k < methods.size(); ++k) {
        const SolveResult& r = solvers[k].solve(problem, {});
        if (r.stats.time_ms < best[k]) {
          best[k] = r.stats.time_ms;
          setup[k] = r.stats.setup_ms;
        }
        if (repeat > 0) continue;
        const double share = 1.0 / static_cast<double>(problems.size());
        const double residual = contact_residual(problem, r.solution.impulse, solvers[k].sigma());
        out[k].minus_log -= share * std::log10(std::max(residual, 1e-16));
        out[k].certificate += share * std::log10(std::max(r.residuals.certificate, 1e-16));
        out[k].iterations += share * r.stats.iterations;
        out[k].factorizations += share * r.stats.factorizations;
        out[k].solved += share * (r.status.code == SolverStatus::Code::solved);
      }
    for (std::size_t k = 0; k < methods.size(); ++k) {
      out[k].ms += best[k] / static_cast<double>(problems.size());
      out[k].setup_ms += setup[k] / static_cast<double>(problems.size());
    }
  }
  return out;
}

void print(const std::vector<Method>& methods, const std::vector<Score>& scores,
           const std::vector<std::string>& paper = {}) {
  fmt::print("  {:<34} {:>8} {:>8} {:>8} {:>7} {:>9} {:>7} {:>7} {:>7}   {}\n", "", "ms", "setup", "times", "-log10", "m/s",
             "iter.", "factor", "solved", paper.empty() ? "" : "paper's ms; -log10 residual");
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const Score& s = scores[k];
    fmt::print("  {:<34} {:>8.3f} {:>8.3f} {:>8.2f} {:>7.3f} {:>9.1e} {:>7.1f} {:>7.2f} {:>6.0f}%   {}\n", methods[k].name,
               s.ms, s.setup_ms, s.ms / scores[0].ms, s.minus_log, std::pow(10, s.certificate), s.iterations,
               s.factorizations, 100 * s.solved, k < paper.size() ? paper[k] : "");
  }
  std::fflush(stdout);
}

/// Problems of a run, `every` steps one, from the first with `least` contacts on.
std::vector<ContactProblem> record(const std::string& scene_name, int n, double end, int every, int least) {
  const Scene scene = load_scene(scene_name, {.parameters = {{"n", std::to_string(n)}}});
  SimulatorOptions options;
  options.dt = scene.defaults().dt;
  options.laws = scene.defaults().laws;
  options.tolerance = 1e-5;
  Simulator sim(scene, options);
  State x = scene.initial_state();
  std::vector<ContactProblem> out;
  double contacts = 0, rows = 0;
  int certified = 0, steps = 0;
  while (x.t < end) {
    const StepReport& report = sim.step(x);
    ++steps;
    certified += report.certified();
    if (report.contacts < least || report.step % every != 0) continue;
    out.push_back(sim.problem());
    contacts += out.back().contacts();
    rows += out.back().rows();
  }
  const double count = std::max(1.0, static_cast<double>(out.size()));
  fmt::print(
      "{} n = {}: {} problems of {} steps ({} certified at 1e-5 m/s), {} degrees of freedom, on average {:.0f} contacts, "
      "{:.0f} rows\n",
      scene_name, n, out.size(), steps, certified, scene.nv(), contacts / count, rows / count);
  std::fflush(stdout);
  return out;
}

void table3(const std::vector<int>& sizes) {
  for (const int n : sizes) {
    const std::vector<ContactProblem> problems = record("quadrupeds", n, n > 8 ? 1.0 : 1.5, n > 8 ? 12 : 6, 10 * n / 2);
    if (problems.empty()) continue;
    const auto divisions = [](const std::string& words, int iterations, double tolerance, int memory, double hold) {
      std::vector<Method> out;
      for (const auto& [name, split] : {std::pair("SubADMM", 0), std::pair("No Sub", 2), std::pair("No Body", 1)})
        out.push_back(method(fmt::format("{}{}", name, words), "subadmm", iterations, tolerance,
                             {{"split", split}, {"memory", memory}, {"check", 100}, {"hold", hold}}));
      return out;
    };
    fmt::print(" 100 iterations, as printed (no acceleration)\n");
    const std::vector<Method> fixed = divisions("", 100, 0, 0, 20);
    print(fixed, measure(problems, fixed, 5),
          n == 8 ? std::vector<std::string>{"0.435; 4.880", "1.21; 4.882 (2.78 times)", "0.638; 4.856 (1.46 times)"}
                 : std::vector<std::string>{"", "3.63 times", ""});
    fmt::print(" the same with one penalty from beginning to end: one factorization\n");
    const std::vector<Method> one = divisions(", beta stays", 100, 0, 0, 0);
    print(one, measure(problems, one, 5));
    fmt::print(" to the same certificate, 1e-4 m/s, accelerated\n");
    std::vector<Method> equal = divisions(" to 1e-4", 2000, 1e-4, 10, 20);
    for (Method& m : equal) m.options.parameters["check"] = 5;
    print(equal, measure(problems, equal, 3));
    fmt::print(" threads\n");
    std::vector<Method> threads;
    for (const int k : {1, 2})
      threads.push_back(
          method(fmt::format("SubADMM, {} threads", k), "subadmm", 100, 0, {{"memory", 0}, {"check", 100}}, k));
    print(threads, measure(problems, threads, 5));
  }
}

double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = static_cast<double>(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double a = std::log(x[k]), b = std::log(y[k]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void pouring(const std::vector<int>& sizes) {
  const std::vector<Method> methods = {
      method("SubADMM(100)", "subadmm", 100, 0, {{"memory", 0}, {"check", 100}}),
      method("PGS(100), sparse Delassus", "pgs-ncp", 100, 0, {{"check", 100}, {"form", 3}}),
      method("CANAL(5)", "canal", 20000, 0, {{"outer", 5}, {"closer", 0}, {"memory", 0}, {"beta", 1e4}, {"newton", 2000}}),
      method("PGS(100), dense Delassus", "pgs-ncp", 100, 0, {{"check", 100}, {"form", 1}}),
      method("SubADMM(100), accelerated", "subadmm", 100, 0, {{"check", 100}}),
  };
  std::vector<double> dofs;
  std::vector<std::vector<double>> ms(methods.size()), inside(methods.size());
  for (const int n : sizes) {
    const std::vector<ContactProblem> problems = record("pouring", n, 1.5, 6, 1);
    if (problems.empty()) continue;
    const std::vector<Score> scores = measure(problems, methods, 3);
    print(methods, scores);
    dofs.push_back(problems.front().velocities());
    for (std::size_t k = 0; k < methods.size(); ++k) {
      ms[k].push_back(scores[k].ms);
      inside[k].push_back(scores[k].ms - scores[k].setup_ms);
    }
  }
  if (dofs.size() < 2) return;
  fmt::print("time ~ DoF^p; the paper orders SubADMM < PGS < CANAL < 3 and prints no numbers\n");
  for (std::size_t k = 0; k < methods.size(); ++k)
    fmt::print("  {:<34} p = {:.2f}, without the setup {:.2f}\n", methods[k].name, slope_of(dofs, ms[k]),
               slope_of(dofs, inside[k]));
}
}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  std::vector<int> sizes;
  for (int k = 2; k < argc; ++k) sizes.push_back(std::atoi(argv[k]));
  if (what.empty() || what == "table3") table3(sizes.empty() ? std::vector<int>{8, 27} : sizes);
  if (what.empty() || what == "pouring") pouring(sizes.empty() ? std::vector<int>{9, 18, 27, 36, 45} : sizes);
}
