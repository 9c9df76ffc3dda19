// The tables and curves of the ADMM paper on problems of our own and on the stored ones:
//   factorizations and time for each rule of the penalty (Tables III and IV) beside the paper's figures,
//   performance profiles against projected Gauss-Seidel (Fig. 7), counts of the variants on the stored set,
//   residual against iteration for the cube wall at the hit and the falling humanoid (Fig. 4).
// Usage: admm_tables_bench [--out DIR] [--every K] [rules] [profiles] [variants] [curves]; without a part: all of them.
// Everything is printed and also written to DIR/admm_tables.json and DIR/admm_curves.csv.
#include "problem_families.hpp"
#include "solvers/problem_solver.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <time.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>

namespace {
using namespace condyle;
using namespace condyle::bench;
using Json = nlohmann::json;
using Parameters = std::map<std::string, double>;

constexpr double papers_tolerance = 1e-6;
constexpr int papers_iterations = 20000;

struct Mean {
  double mean = 0, deviation = 0;
};
Mean mean_of(const std::vector<double>& x) {
  Mean out;
  if (x.empty()) return out;
  out.mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  for (const double v : x) out.deviation += (v - out.mean) * (v - out.mean);
  out.deviation = std::sqrt(out.deviation / static_cast<double>(x.size()));
  return out;
}
double median_of(std::vector<double> x) {
  if (x.empty()) return 0;
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

struct Run {
  SolveResult result;
  double ms = 0;
};

/// Of this thread: what else the machine does counts less.
double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// The least of three times where a solve is short.
Run timed(ProblemSolver& solver, const ContactProblem& problem) {
  Run run;
  for (int k = 0; k < 3 && (k == 0 || run.ms < 20); ++k) {
    const double begin = cpu_ms();
    const SolveResult& result = solver.solve(problem, Eigen::VectorXd());
    const double spent = cpu_ms() - begin;
    run.ms = k == 0 ? spent : std::min(run.ms, spent);
    if (k == 0) run.result = result;
  }
  return run;
}

double relative(const SolveResult& r) { return std::max(r.residuals.natural, r.residuals.scaled); }

// ---- Tables III and IV -------------------------------------------------------------------------------------------------

struct RuleColumn {
  const char* name;
  Parameters parameters;
  int papers_column;
};
const std::vector<RuleColumn>& rule_columns() {
  static const std::vector<RuleColumn> all = {
      {"linear 2", {{"penalty", 1}, {"tau", 2}}, 0},
      {"linear 4", {{"penalty", 1}, {"tau", 4}}, 1},
      {"linear 8", {{"penalty", 1}, {"tau", 8}}, 2},
      {"linear 16", {{"penalty", 1}, {"tau", 16}}, 3},
      {"spectral 0.01", {{"penalty", 2}, {"exponent_step", 0.01}}, 4},
      {"spectral 0.05", {{"penalty", 2}, {"exponent_step", 0.05}}, 5},
      {"spectral 0.08", {{"penalty", 2}, {"exponent_step", 0.08}}, 6},
  };
  return all;
}

/// Mean and deviation of the paper's tables III (factorizations) and IV (ms on another machine).
struct Reported {
  Mean factorizations[7], ms[7];
};
const std::map<std::string, Reported>& reported() {
  static const std::map<std::string, Reported> all = {
      {"BoxesStack",
       {{{9.20, 2.48}, {6.12, 1.75}, {5.85, 2.47}, {6.12, 2.40}, {11.26, 4.99}, {5.02, 2.40}, {3.97, 1.76}},
        {{2.16, 1.80}, {1.73, 1.55}, {1.76, 1.80}, {1.95, 1.87}, {2.56, 2.03}, {1.55, 1.60}, {1.51, 1.76}}}},
      {"Chain",
       {{{5.74, 1.53}, {8.76, 69.93}, {33.7, 212.77}, {25.48, 154.88}, {7.87, 6.55}, {2.76, 1.65}, {3.61, 20.48}},
        {{0.527, 0.417}, {0.637, 0.373}, {1.61, 7.84}, {1.34, 6.82}, {0.445, 0.53}, {0.321, 0.304}, {0.494, 0.301}}}},
      {"Capsules",
       {{{4.58, 1.71}, {3.09, 2.01}, {3.60, 2.94}, {4.6, 2.06}, {5.57, 4.85}, {2.30, 1.50}, {2.12, 1.01}},
        {{2.86, 1.90}, {2.50, 1.92}, {1.95, 1.35}, {1.69, 1.20}, {2.17, 1.38}, {1.72, 1.09}, {1.63, 1.10}}}},
  };
  return all;
}

/// One table: a rule in each line. As in the paper the whole problem is one system and the paper's own test (43) stops;
/// "solved" is what the judge says of the result, by both relative residuals.
Json rule_table(const Family& family, int hold) {
  fmt::print("\n{}: {} problems, one system each, stops on the paper's test at {:.0e}, rho changes {}\n", family.name,
             family.problems.size(), papers_tolerance, hold == 1 ? "at any iteration" : fmt::format("once in {}", hold));
  fmt::print("  {:<14} {:>18} {:>18} {:>20} {:>18} {:>12} {:>8} {:>8} {:>10}\n", "rule", "factorizations", "paper", "ms",
             "paper (its CPU)", "iterations", "ended", "<= 1e-6", "median res");
  Json out = Json::object();
  const auto papers = reported().find(family.name);
  for (const RuleColumn& rule : rule_columns()) {
    SolverOptions options;
    options.solver = "admm";
    options.criterion = SolverOptions::Criterion::relative;
    options.tolerance = papers_tolerance;
    options.max_iterations = papers_iterations;
    options.parameters = rule.parameters;
    options.parameters.insert({{"memory", 0}, {"islands", 0}, {"eps_abs", papers_tolerance}});
    options.parameters["hold"] = hold;
    ProblemSolver solver(options);
    std::vector<double> factorizations, ms, iterations, residuals;
    int ended = 0, solved = 0;
    for (const NamedProblem& one : family.problems) {
      const Run run = timed(solver, one.problem);
      factorizations.push_back(run.result.stats.factorizations);
      iterations.push_back(run.result.stats.iterations);
      ms.push_back(run.ms);
      residuals.push_back(relative(run.result));
      ended += run.result.stats.iterations < papers_iterations;
      solved += relative(run.result) <= papers_tolerance;
    }
    const Mean f = mean_of(factorizations), t = mean_of(ms);
    const auto words = [&](const Mean* list, int digits) {
      return papers == reported().end() ? std::string("-")
                                        : fmt::format("{:.{}f} ± {:.{}f}", list[rule.papers_column].mean, digits,
                                                      list[rule.papers_column].deviation, digits);
    };
    fmt::print("  {:<14} {:>18} {:>18} {:>20} {:>18} {:>12.0f} {:>8} {:>8} {:>10.1e}\n", rule.name,
               fmt::format("{:.2f} ± {:.2f}", f.mean, f.deviation),
               words(papers == reported().end() ? nullptr : papers->second.factorizations, 2),
               fmt::format("{:.3f} ± {:.3f}", t.mean, t.deviation),
               words(papers == reported().end() ? nullptr : papers->second.ms, 3), mean_of(iterations).mean, ended, solved,
               median_of(residuals));
    std::fflush(stdout);
    out[rule.name] = {{"factorizations", factorizations}, {"iterations", iterations}, {"ms", ms}, {"residual", residuals}};
  }
  return out;
}

// ---- performance profiles ----------------------------------------------------------------------------------------------

struct Contender {
  const char *name, *solver;
  Parameters parameters;
};
const std::vector<Contender>& contenders() {
  static const std::vector<Contender> all = {
      {"admm spectral", "admm", {{"memory", 0}, {"penalty", 2}}},
      {"admm linear", "admm", {{"memory", 0}, {"penalty", 1}}},
      {"admm anderson", "admm", {}},
      {"pgs", "pgs-ncp", {}},
  };
  return all;
}

/// Dolan-Moré: of all problems, the share that a solver solves within τ times the best one's time.
Json profiles(const Family& family) {
  const std::size_t n = family.problems.size(), k = contenders().size();
  std::vector<std::vector<double>> ms(k), iterations(k), residual(k);
  std::vector<int> solved(k, 0);
  for (std::size_t s = 0; s < k; ++s) {
    const Contender& who = contenders()[s];
    for (const NamedProblem& one : family.problems) {
      SolverOptions options;
      options.solver = who.solver;
      options.criterion = SolverOptions::Criterion::relative;
      options.tolerance = papers_tolerance;
      options.max_iterations = papers_iterations;
      options.parameters = who.parameters;
      // Gauss-Seidel pays for what is not zero only: the sparse matrix is the faster one of its two from here on
      if (options.solver == "pgs-ncp" && one.problem.rows() > 60) options.parameters["form"] = 3;
      ProblemSolver solver(options);
      const Run run = timed(solver, one.problem);
      const bool good = relative(run.result) <= papers_tolerance;
      solved[s] += good;
      ms[s].push_back(good ? run.ms : std::numeric_limits<double>::infinity());
      iterations[s].push_back(run.result.stats.iterations);
      residual[s].push_back(relative(run.result));
    }
  }
  const double ratios[] = {1, 1.5, 2, 4, 8, 16, 64, 256};
  fmt::print("\n{}: share of {} problems solved at {:.0e} within so many times the best solver's time\n  {:<14}",
             family.name, n, papers_tolerance, "");
  for (const double ratio : ratios) fmt::print(" {:>6g}", ratio);
  fmt::print(" {:>8} {:>10} {:>10}\n", "solved", "median it", "worst res");
  Json out = Json::object();
  for (std::size_t s = 0; s < k; ++s) {
    std::vector<double> tau;  // of solved problems
    for (std::size_t i = 0; i < n; ++i) {
      double best = std::numeric_limits<double>::infinity();
      for (std::size_t other = 0; other < k; ++other) best = std::min(best, ms[other][i]);
      if (std::isfinite(ms[s][i])) tau.push_back(ms[s][i] / best);
    }
    std::sort(tau.begin(), tau.end());
    fmt::print("  {:<14}", contenders()[s].name);
    for (const double ratio : ratios)
      fmt::print(" {:>6.3f}", static_cast<double>(std::upper_bound(tau.begin(), tau.end(), ratio) - tau.begin()) /
                                  static_cast<double>(n));
    fmt::print(" {:>8} {:>10.0f} {:>10.1e}\n", solved[s], median_of(iterations[s]),
               n ? *std::max_element(residual[s].begin(), residual[s].end()) : 0.0);
    out[contenders()[s].name] = {{"problems", n}, {"ratios", tau}, {"iterations", iterations[s]}, {"residual", residual[s]}};
  }
  std::fflush(stdout);
  return out;
}

// ---- variants on the stored set ----------------------------------------------------------------------------------------

struct Variant {
  const char *name, *recipe;  ///< recipe: counts at 1e-8 and 1e-10, median and worst iterations to 1e-8, factorizations
  int iterations;
  Parameters parameters;
};
const std::vector<Variant>& variants() {
  static const std::vector<Variant> all = {
      {"rho 0.03, Anderson 10", "43 43   50  1035  1", 3000, {}},
      {"rho 0.03, Anderson 5", "43 43   50  1190  1", 3000, {{"memory", 5}}},
      {"rho 0.1, Anderson 10", "42 42   35   545  1", 20000, {{"rho", 0.1}}},
      {"rho 1, Anderson 10", "40 39   20  1750  1", 3000, {{"rho", 1}}},
      {"spectral, any iteration", "43 43   70  7100 11", 20000, {{"memory", 0}, {"penalty", 2}, {"hold", 1}}},
      {"spectral, once in 20", "43 43  120  2125  6", 20000, {{"memory", 0}, {"penalty", 2}}},
      {"linear 2, once in 20", "43 43   95  1760  5", 20000, {{"memory", 0}, {"penalty", 1}}},
      {"linear 2, from rho 0.1", "43 43   95  1760  5", 20000, {{"memory", 0}, {"penalty", 1}, {"rho", 0.1}}},
      {"unscaled spectral, any it.",
       "42 40  115 12230 193",
       20000,
       {{"memory", 0}, {"penalty", 2}, {"hold", 1}, {"scale", 0}}},
      {"rho 0.01", "42 42 2760  7030  1", 20000, {{"memory", 0}, {"rho", 0.01}}},
      {"rho 0.1", "41 40  290  9090  1", 20000, {{"memory", 0}, {"rho", 0.1}}},
      {"rho 1", "40 38   80  9705  1", 20000, {{"memory", 0}, {"rho", 1}}},
      {"rho 0.1, omega 1.6", "40 39  180  5675  1", 20000, {{"memory", 0}, {"rho", 0.1}, {"omega", 1.6}}},
      {"rho 0.1, omega 1.8", "38 38  155  5010  1", 20000, {{"memory", 0}, {"rho", 0.1}, {"omega", 1.8}}},
  };
  return all;
}

Json variant_table(const Family& family) {
  fmt::print(
      "\nvariants on the stored 3D set, one system each, both relative residuals, from zero; in brackets the recipe's "
      "figures\n");
  fmt::print("  {:<24} {:>5} {:>5} {:>9} {:>7} {:>6} {:>9}   [{}]\n", "", "1e-8", "1e-10", "median it", "worst", "fact.",
             "missed", "1e-8 1e-10 median worst fact.");
  Json out = Json::object();
  for (const Variant& variant : variants()) {
    int counts[2] = {0, 0};
    std::vector<double> iterations, factorizations;
    std::string missed;
    for (const NamedProblem& one : family.problems)
      for (int k = 0; k < 2; ++k) {
        SolverOptions options;
        options.solver = "admm";
        options.criterion = SolverOptions::Criterion::relative;
        options.tolerance = k ? 1e-10 : 1e-8;
        options.max_iterations = variant.iterations;
        options.parameters = variant.parameters;
        options.parameters["islands"] = 0;
        const SolveResult r = ProblemSolver(options).solve(one.problem, Eigen::VectorXd());
        const bool good = relative(r) <= options.tolerance;
        counts[k] += good;
        if (k) continue;
        factorizations.push_back(r.stats.factorizations);
        if (good)
          iterations.push_back(r.stats.iterations);
        else
          missed += fmt::format(" {} {:.0e}", one.name, relative(r));
      }
    fmt::print("  {:<24} {:>5} {:>5} {:>9.0f} {:>7.0f} {:>6.1f}   [{}] {}\n", variant.name, counts[0], counts[1],
               median_of(iterations), iterations.empty() ? 0.0 : *std::max_element(iterations.begin(), iterations.end()),
               mean_of(factorizations).mean, variant.recipe, missed.empty() ? "" : "missed" + missed);
    std::fflush(stdout);
    out[variant.name] = {
        {"1e-8", counts[0]}, {"1e-10", counts[1]}, {"iterations", iterations}, {"factorizations", factorizations}};
  }
  return out;
}

// ---- convergence curves ------------------------------------------------------------------------------------------------

NamedProblem wall_at_the_hit() {
  const Scene scene = load_scene("cube_stack_15");
  Simulator sim(scene, options_of(scene));
  State x = scene.initial_state();
  const auto& names = sim.body_names();
  for (int k = 0; k < 1000; ++k) {
    const StepReport& report = sim.step(x);
    for (const ConstraintRow& row : sim.contacts()) {
      const bool ball = (row.body_a >= 0 && names[static_cast<std::size_t>(row.body_a)] == "ball") ||
                        (row.body_b >= 0 && names[static_cast<std::size_t>(row.body_b)] == "ball");
      if (ball && row.impulse.norm() > 1)
        return {fmt::format("cube_stack_15 at the hit, step {}, {} contacts", report.step, report.contacts), sim.problem()};
    }
  }
  throw Error("no-hit", Place{}, "the ball never touches the wall");
}

/// The first step with as many contacts as the fall ever has.
NamedProblem falling_humanoid() {
  const Scene scene = load_scene("humanoid_fall");
  Simulator sim(scene, options_of(scene));
  State x = scene.initial_state();
  NamedProblem out;
  int most = 0;
  while (x.t < 2) {
    const StepReport& report = sim.step(x);
    if (report.contacts <= most) continue;
    most = report.contacts;
    out = {fmt::format("humanoid_fall, step {}, {} contacts, {} dof", report.step, report.contacts, x.v.size()),
           sim.problem()};
  }
  return out;
}

/// The contenders, and ADMM in the problem's own units as the paper has it.
std::vector<Contender> curve_contenders() {
  std::vector<Contender> out = contenders();
  out.push_back({"admm spectral, own units", "admm", {{"memory", 0}, {"penalty", 2}, {"hold", 1}, {"scale", 0}}});
  out.push_back({"admm linear, own units", "admm", {{"memory", 0}, {"penalty", 1}, {"hold", 1}, {"scale", 0}}});
  out.push_back({"admm anderson, own units", "admm", {{"rho", 1e-3}, {"scale", 0}}});
  return out;
}

Json curves(const std::filesystem::path& csv) {
  std::ofstream file(csv);
  file << "problem,method,iteration,certificate_m_s,dual_m_s,complementarity_J\n";
  Json out = Json::array();
  for (const NamedProblem& one : {wall_at_the_hit(), falling_humanoid()}) {
    const std::string short_name = one.name.substr(0, one.name.find_first_of(" ,"));
    write_problem(one.problem, csv.parent_path() / (short_name + ".condyle.h5"));
    fmt::print("\n{}: iterations until the certificate (m/s) first is below\n  {:<25}", one.name, "");
    const double levels[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-9};
    for (const double level : levels) fmt::print(" {:>7.0e}", level);
    fmt::print(" {:>9} {:>6}\n", "last", "fact.");
    for (const Contender& who : curve_contenders()) {
      ResidualHistory history;
      SolverOptions options;
      options.solver = who.solver;
      options.tolerance = 1e-9;
      options.max_iterations = papers_iterations;
      options.parameters = who.parameters;
      options.parameters.insert({{"islands", 0}, {"check", 1}});
      options.history = &history;
      const SolveResult r = ProblemSolver(options).solve(one.problem, Eigen::VectorXd());
      Json curve = {{"problem", one.name}, {"method", who.name}};
      for (std::size_t k = 0; k < history.entries.size(); ++k) {
        const ResidualHistory::Entry& e = history.entries[k];
        file << fmt::format("{},\"{}\",{},{:.6e},{:.6e},{:.6e}\n", short_name, who.name, k + 1, e.measure, e.dual,
                            e.complementarity);
        curve["certificate"].push_back(e.measure);
        curve["dual"].push_back(e.dual);
        curve["complementarity"].push_back(e.complementarity);
      }
      fmt::print("  {:<25}", who.name);
      for (const double level : levels) {
        const auto first = std::find_if(history.entries.begin(), history.entries.end(),
                                        [&](const ResidualHistory::Entry& e) { return e.measure <= level; });
        fmt::print(" {:>7}", first == history.entries.end() ? "never" : std::to_string(first - history.entries.begin() + 1));
      }
      fmt::print(" {:>9.1e} {:>6}\n", history.entries.back().measure, r.stats.factorizations);
      out.push_back(curve);
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  std::filesystem::path folder = ".";
  std::size_t every = 1;
  std::set<std::string> parts;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--out" && i + 1 < argc)
      folder = argv[++i];
    else if (word == "--every" && i + 1 < argc)
      every = static_cast<std::size_t>(std::max(1, std::atoi(argv[++i])));
    else if (word == "rules" || word == "profiles" || word == "variants" || word == "curves")
      parts.insert(word);
    else {
      fmt::print(stderr, "usage: admm_tables_bench [--out DIR] [--every K] [rules] [profiles] [variants] [curves]\n");
      return 2;
    }
  }
  if (parts.empty()) parts = {"rules", "profiles", "variants", "curves"};
  std::filesystem::create_directories(folder);
  Json all = Json::object();
  try {
    const Family stored = stored_family();
    std::vector<Family> families;
    if (parts.contains("rules") || parts.contains("profiles"))
      for (const FamilyRecipe& recipe : family_recipes()) {
        families.push_back(record_family(recipe));
        std::vector<NamedProblem> kept;
        for (std::size_t i = 0; i < families.back().problems.size(); i += every)
          kept.push_back(std::move(families.back().problems[i]));
        families.back().problems = std::move(kept);
      }
    if (!stored.problems.empty()) families.push_back(stored);
    if (parts.contains("rules"))
      for (const Family& family : families)
        for (const int hold : {1, 20}) all["rules"][family.name][std::to_string(hold)] = rule_table(family, hold);
    if (parts.contains("profiles"))
      for (const Family& family : families) all["profiles"][family.name] = profiles(family);
    if (parts.contains("variants") && !stored.problems.empty()) all["variants"] = variant_table(stored);
    if (parts.contains("curves")) all["curves"] = curves(folder / "admm_curves.csv");
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  std::ofstream(folder / "admm_tables.json") << all.dump() << '\n';
  fmt::print("\nwritten: {}\n", (folder / "admm_tables.json").string());
}
