// CANAL on dense contact sets, beside what its paper reports: residual by outer step (VII-E), dish-like and bolt-like sets
// (VII-A, B), the ablation with the strict operator (Table II), gliding of the convex model.
//   canal_bench [outer] [dense] [ablation] [gliding]      all four without arguments
#include "solvers/canal/canal.hpp"
#include "solvers/problem_solver.hpp"
#include "solvers/residuals.hpp"
#include "support/contact_residual.hpp"
#include "support/dense_contacts.hpp"
#include "support/scaled_islands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace {
using namespace condyle;

struct Score {
  double minus_log = 0, worst = 0, iterations = 0, factorizations = 0, ms = 0, gliding = 0, certificate = 0;
  int problems = 0, solved = 0, below = 0;  ///< below: with a contact residual of at most 1e-8
};

/// σ_n / (μ ‖σ_t‖), weighted by the load, of contacts that carry load and slide: 0 is Coulomb's law, 1 is gliding.
double gliding(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& sigma) {
  double above = 0, below = 0;
  for (const ConstraintBlock& block : problem.blocks) {
    const double load = impulse[block.row + 2], slip = std::hypot(sigma[block.row], sigma[block.row + 1]);
    if (block.set != SetKind::cone || !(load > 0) || slip < 1e-6) continue;
    above += load * sigma[block.row + 2];
    below += load * block.friction * slip;
  }
  return below > 0 ? above / below : 0;
}

Score run(const std::vector<ContactProblem>& problems, const SolverOptions& options) {
  Score out;
  ProblemSolver solver(options);
  for (const ContactProblem& problem : problems) {
    const SolveResult& r = solver.solve(problem, {});
    const double residual = test::contact_residual(problem, r.solution.impulse, solver.sigma());
    out.minus_log -= std::log10(std::max(residual, 1e-16));
    out.worst = std::max(out.worst, residual);
    out.iterations += r.stats.iterations;
    out.factorizations += r.stats.factorizations;
    out.ms += r.stats.time_ms;
    out.gliding += gliding(problem, r.solution.impulse, solver.sigma());
    out.certificate = std::max(out.certificate, r.residuals.certificate);
    out.below += residual <= 1e-8;
    out.solved += r.status.code == SolverStatus::Code::solved;
    ++out.problems;
  }
  for (double* x : {&out.minus_log, &out.iterations, &out.factorizations, &out.ms, &out.gliding})
    *x /= std::max(1, out.problems);
  return out;
}

void print(const std::string& name, const Score& s, const std::string& paper = "") {
  fmt::print("  {:<34} {:>3}/{:<3} {:>6} {:>7.2f} {:>9.1e} {:>9.1e} {:>8.2f} {:>7.2f} {:>9.3f} {:>8.3f}   {}\n", name,
             s.solved, s.problems, s.below, s.minus_log, s.worst, s.certificate, s.iterations, s.factorizations, s.ms,
             s.gliding, paper);
  std::fflush(stdout);
}
void heading(const std::string& what) {
  fmt::print("{}\n  {:<34} {:>7} {:>6} {:>7} {:>9} {:>9} {:>8} {:>7} {:>9} {:>8}   {}\n", what, "", "solved", "<1e-8",
             "-log10", "worst", "m/s", "Newton", "factor", "ms", "gliding", "paper's -log10");
}

SolverOptions canal(std::map<std::string, double> parameters) {
  SolverOptions options;
  options.solver = "canal";
  options.tolerance = 1e-9;
  options.parameters = std::move(parameters);
  return options;
}

SolverOptions other(const std::string& name, std::map<std::string, double> parameters = {}) {
  SolverOptions options = canal(std::move(parameters));
  options.solver = name;
  return options;
}

std::vector<ContactProblem> dishes(int n) {
  std::vector<ContactProblem> out;
  for (int k = 0; k < n; ++k) out.push_back(test::dish_pile(static_cast<std::uint64_t>(k + 1)));
  return out;
}
std::vector<ContactProblem> bolts() {
  std::vector<ContactProblem> out;
  for (int pose = 0; pose < 10; ++pose)
    for (int k = 0; k < 10; ++k)
      out.push_back(test::nut_on_bolt(static_cast<std::uint64_t>(pose), static_cast<std::uint64_t>(10 * pose + k + 1)));
  return out;
}
std::vector<ContactProblem> slides(int n) {
  std::vector<ContactProblem> out;
  for (int k = 0; k < n; ++k) out.push_back(test::dish_slide(static_cast<std::uint64_t>(k + 1), 0.1 + 0.01 * k));
  return out;
}

/// The paper's algorithm: lagged De Saxcé term, no acceleration, no closer; its β of 1e4 for bodies of 0.1 to 5 kg is about
/// 1e4 here as well, where β stands for β w.
std::map<std::string, double> as_printed(double outer) {
  return {{"beta", 1e4}, {"kappa", 10},    {"passes", 1},    {"memory", 0},
          {"closer", 0}, {"outer", outer}, {"newton", 2000}, {"inner_share", 1e-4}};
}

void outer_steps() {
  heading("Residual by outer step, two dishes pushed along the floor (VII-E), 100 pushes");
  const std::vector<ContactProblem> problems = slides(100);
  print("convex model (sap, near rigid)", run(problems, other("sap")), "4.03");
  for (const int outer : {1, 2, 3, 5, 10})
    print(fmt::format("canal({}) as printed", outer), run(problems, canal(as_printed(outer))),
          outer == 2   ? "4.66"
          : outer == 5 ? "7.96"
                       : "");
  for (const int outer : {1, 2, 5})
    print(fmt::format("canal({}) accelerated, beta 100", outer), run(problems, canal({{"closer", 0}, {"outer", outer}})));
}

void dense_sets() {
  for (const auto& [name, problems] : {std::pair("Dish pile, 100 random wrenches (VII-B)", dishes(100)),
                                       std::pair("Nut on bolt, 10 poses, 10 wrenches each (VII-A)", bolts())}) {
    heading(fmt::format("{}: {} contacts on {} velocities", name, problems[0].contacts(), problems[0].velocities()));
    print("convex model (sap, near rigid)", run(problems, other("sap")));
    print("canal(10) as printed", run(problems, canal(as_printed(10))), "> 8");
    print("canal without closer", run(problems, canal({{"closer", 0}})));
    print("canal", run(problems, canal({})));
    print("admm", run(problems, other("admm")));
    print("auto", run(problems, other("auto")));
    SolverOptions few = other("pgs-ncp");
    few.max_iterations = 500;
    print("pgs-ncp, 500 sweeps", run(problems, few), "4 (bolt), stalls");
  }
}

/// What the paper counts: Newton steps over ten multiplier steps, the share of inner problems that did not reach their
/// tolerance, and the residual of what came out.
void cascade(const std::vector<ContactProblem>& problems, const std::string& name, StrictMethod strict, double beta,
             const std::string& paper) {
  CanalOptions options;
  options.beta = beta;
  options.memory = 0;
  options.max_outer = 10;
  options.max_newton = 100 * options.max_outer;
  options.inner_share = 1e-4;
  options.strict = strict;
  Canal canal;
  double newton = 0, inner = 0, failed = 0, minus_log = 0, worst = 0, ms = 0;
  int below = 0, failing = 0;
  for (const ContactProblem& problem : problems) {
    test::OneIsland one(problem, Form::automatic, false);
    BestIterate best;
    best.start(problem.rows());
    const auto begin = std::chrono::steady_clock::now();
    const Canal::Count count = canal.run(one.island, options, 0, nullptr, best);
    ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    Eigen::VectorXd impulse(problem.rows());
    one.island.scatter(best.impulse.data(), impulse);
    Judge judge;
    judge.judge(problem, impulse, Eigen::VectorXd(), false);
    const double residual = test::contact_residual(problem, impulse, judge.sigma());
    newton += count.newton;
    inner += count.outer;
    failed += count.failures;
    failing += count.failures > 0;
    minus_log -= std::log10(std::max(residual, 1e-16));
    worst = std::max(worst, residual);
    below += residual <= 1e-8;
  }
  const double n = static_cast<double>(problems.size());
  fmt::print("  {:<38} {:>8.2f} {:>8.1f} {:>9} {:>7.2f} {:>9.1e} {:>6} {:>9.3f}   {}\n", name, newton / n,
             100 * failed / inner, failing, minus_log / n, worst, below, ms / n, paper);
  std::fflush(stdout);
}

void ablation() {
  fmt::print("Ablation of the cascade (Table II): dish pile, 100 random wrenches, 10 multiplier steps\n");
  fmt::print("  {:<38} {:>8} {:>8} {:>9} {:>7} {:>9} {:>6} {:>9}   {}\n", "", "Newton", "failed %", "in cases", "-log10",
             "worst", "<1e-8", "ms", "the paper's Newton steps, failures, -log10");
  const std::vector<ContactProblem> problems = dishes(100);
  for (const double beta : {1e3, 1e4, 1e5})
    for (const auto& [name, strict, paper] : {std::tuple("proximal, exact search", StrictMethod::none, "30.55, 0 %, 8.22"),
                                              std::tuple("strict, dogleg", StrictMethod::dogleg, "118.8, 1.2 %, 8.57"),
                                              std::tuple("strict, damped", StrictMethod::damped, "246.9, 1.1 %, 8.56")})
      cascade(problems, fmt::format("{}, beta {:g}", name, beta), strict, beta, beta == 1e4 ? paper : "");
}

void gliding_table() {
  heading("Gliding: normal over mu times sliding speed, two dishes pushed along the floor");
  const std::vector<ContactProblem> problems = slides(20);
  for (const char* name : {"sap", "admm-ccp", "canal", "admm", "auto"}) print(name, run(problems, other(name)));
}
}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  const auto asked = [&](const char* name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  if (asked("outer")) outer_steps();
  if (asked("dense")) dense_sets();
  if (asked("ablation")) ablation();
  if (asked("gliding")) gliding_table();
}
