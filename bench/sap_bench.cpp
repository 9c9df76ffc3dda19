// SAP on clutter, beside what its paper reports (VI-C): Newton iterations, momentum error, slip, the sweep over sigma, and
// the cost against the number of bodies for SAP, CANAL, ADMM and SubADMM, by stage.
//   sap_bench clutter [N ...]      settle N bodies with and without walls (8 40)
//   sap_bench sigma [N]            sweep of sigma_slip (40)
//   sap_bench size [N ...]         one settled heap of each size, solved again by every solver (40 80 160 320 640 1000)
#include "problem/islands.hpp"
#include "problem/operators.hpp"
#include "solvers/problem_solver.hpp"
#include "solvers/shifted_system.hpp"
#include "solvers/subadmm/tree_split.hpp"
#include "support/scaled_islands.hpp"
#include "support/slip.hpp"

#include <condyle/condyle.hpp>

#include <Eigen/Eigenvalues>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {
using namespace condyle;

SimulatorOptions options_of(const Scene& scene, const std::string& solver, double sigma = 1e-3, double rel_tol = 1e-5) {
  SimulatorOptions options;
  options.dt = scene.defaults().dt;
  options.laws = scene.defaults().laws;
  options.laws.sigma_slip = sigma;
  options.solver = solver;
  if (solver == "sap") options.solver_parameters = {{"rel_tol", rel_tol}, {"until_certified", 0}, {"islands", 0}};
  options.tolerance = 1e-4;  // the paper's stopping rule decides; the certificate is printed
  return options;
}

struct Settled {
  double first = 0, settled = 0, solve_ms = 0, step_ms = 0, most = 0, certificate = 0, e_m = 0;
  double median = 0, nine_tenths = 0, fastest = 0;  ///< m/s, of the bodies' centres at the end
  int at60 = 0, at520 = 0;
  Slip slip;
};

/// e_m of a step: the problem solved again, cold, by the same rule.
double momentum_error(const ContactProblem& problem, double rel_tol) {
  SolverOptions options;
  options.solver = "sap";
  options.parameters = {{"rel_tol", rel_tol}, {"until_certified", 0}};
  return solve(problem, options).stats.momentum_error;
}

Settled settle(Simulator& sim, State& x, double end) {
  Settled out;
  int first = 0, settled = 0;
  while (x.t < end - 1e-9) {
    const StepReport& report = sim.step(x);
    const int step = static_cast<int>(report.step);
    if (x.t <= 1) out.first += report.iterations, ++first;
    if (x.t > end - 2) {
      out.settled += report.iterations;
      ++settled;
      out.solve_ms += 1e-3 * report.stage_us[static_cast<std::size_t>(Stage::solve)];
    }
    if (step == 60) out.at60 = report.iterations;
    if (step == 520) out.at520 = report.iterations;
    out.most = std::max<double>(out.most, report.iterations);
    out.certificate = std::max(out.certificate, report.residual);
    if (step % 50 == 0) out.e_m = std::max(out.e_m, momentum_error(sim.problem(), 1e-5));
    if (report.status == StepStatus::rejected) break;
  }
  out.first /= std::max(1, first);
  out.settled /= std::max(1, settled);
  out.solve_ms /= std::max(1, settled);
  out.slip = slip_of(sim);
  std::vector<double> speeds;  // of free bodies: six velocities each, linear first
  for (int b = 0; b < x.v.size() / 6; ++b) speeds.push_back(x.v.segment<3>(6 * b).norm());
  std::sort(speeds.begin(), speeds.end());
  out.median = speeds[speeds.size() / 2];
  out.nine_tenths = speeds[speeds.size() * 9 / 10];
  out.fastest = speeds.back();
  return out;
}

void print_heading() {
  fmt::print("slip: mean over loaded contacts; (31): sigma mu g dt; limit: mean of sigma w mu lambda_n, what sticking allows\n");
  fmt::print("{:>5} {:>5} {:>8} {:>8} {:>5} {:>6} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "N",
             "walls", "it. <1s", "settled", "most", "at 60", "at 520", "contacts", "sticking", "e_m", "50 % m/s", "90 % m/s",
             "max m/s", "slip", "(31)", "limit", "cert.", "solve ms");
}
void print_row(int n, bool walls, const Settled& s, double sigma, double dt) {
  fmt::print(
      "{:>5} {:>5} {:>8.2f} {:>8.2f} {:>5.0f} {:>6} {:>7} {:>9} {:>9} {:>9.1e} {:>9.1e} {:>9.1e} {:>9.1e} {:>9.1e} {:>9.1e} "
      "{:>9.1e} {:>9.1e} {:>9.3f}\n",
      n, walls ? "yes" : "no", s.first, s.settled, s.most, s.at60, s.at520, s.slip.contacts, s.slip.sticking, s.e_m, s.median,
      s.nine_tenths, s.fastest, s.slip.mean, sigma * 1.0 * dt * 9.81, s.slip.limit, s.certificate, s.solve_ms);
  std::fflush(stdout);
}

void clutter(const std::vector<int>& sizes) {
  print_heading();
  for (const int n : sizes)
    for (const bool walls : {true, false}) {
      const Scene scene = load_scene("clutter", {.parameters = {{"n", std::to_string(n)}, {"walls", walls ? "1" : "0"}}});
      const SimulatorOptions options = options_of(scene, "sap");
      Simulator sim(scene, options);
      State x = scene.initial_state();
      print_row(n, walls, settle(sim, x, 10), options.laws.sigma_slip, options.dt);
    }
}

/// Largest over smallest eigenvalue of A^-½ (A + Jᵀ R⁻¹ J) A^-½ with every contact sticking.
double condition(const ContactProblem& problem) {
  const Eigen::MatrixXd A = dense_hessian(problem, Eigen::VectorXd::Zero(problem.rows()));
  const Eigen::MatrixXd H = dense_hessian(problem, problem.compliance.cwiseInverse());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eigen(H, A, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues().maxCoeff() / eigen.eigenvalues().minCoeff();
}

void sigma_sweep(int n) {
  fmt::print("sigma_slip, condition of the Hessian with all contacts sticking\n");
  print_heading();
  for (const double sigma : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const Scene scene = load_scene("clutter", {.parameters = {{"n", std::to_string(n)}}});
    const SimulatorOptions options = options_of(scene, "sap", sigma);
    Simulator sim(scene, options);
    State x = scene.initial_state();
    const Settled s = settle(sim, x, 6);
    fmt::print("sigma {:g}: condition {:.2e}\n", sigma, condition(sim.problem()));
    print_row(n, true, s, sigma, options.dt);
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

/// Milliseconds of one factorization with the assembly of its matrix, measured apart: by blocks of bodies, or SubADMM's
/// trees.
double factor_ms(const ContactProblem& problem, bool trees) {
  test::OneIsland one(problem, trees ? Form::primal_dense : Form::primal_sparse);
  TreeSplit split;
  ShiftedSystem system;
  const std::vector<double> shift(static_cast<std::size_t>(problem.rows()), 0.03);
  if (trees) split.set(problem, one.delassus, one.island, Splitting::body);
  double best = 1e300;
  for (int repeat = 0; repeat < 4; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    if (trees)
      for (int t = 0; t < split.trees(); ++t) split.factor(t, 0.3);
    else
      system.factor(one.island, shift);
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

void size_study(const std::vector<int>& sizes) {
  const std::vector<std::string> names = {"sap", "canal", "admm", "subadmm", "auto"};
  std::map<std::string, std::vector<double>> times;
  std::vector<double> counts;
  fmt::print("factor ms: factorizations times one of them, measured apart; rest: products, projections, line searches\n");
  fmt::print("{:>5} {:>6} {:>6} {:>6}  {:<7} {:>9} {:>9} {:>9} {:>9} {:>6} {:>9} {:>6} {:>6} {:>9}  {}\n", "N", "cont.",
             "rows", "vel.", "", "cold ms", "warm ms", "setup ms", "factor ms", "share", "rest ms", "it.", "fact.", "m/s",
             "status");
  for (const int n : sizes) {
    const Scene scene = load_scene("clutter", {.parameters = {{"n", std::to_string(n)}}});
    SimulatorOptions options = options_of(scene, "sap", 1e-3, 1e-3);
    Simulator sim(scene, options);
    State x = scene.initial_state();
    while (x.t < 2) sim.step(x);
    const ContactProblem first = sim.problem();
    std::vector<ContactProblem> problems = {first};
    counts.push_back(n);
    std::map<std::string, double> cold, warm;
    std::map<std::string, SolveResult> results;
    for (int repeat = 0; repeat < (n > 300 ? 2 : 4); ++repeat)  // interleaved, the smallest time of each
      for (const std::string& name : names) {
        SolverOptions o;
        o.solver = name;
        o.tolerance = 1e-6;
        o.parameters["islands"] = 0;  // one system: else factorizations of small islands would count as much as large ones
        ProblemSolver solver(o);
        solver.solve(first, {});
        const SolveResult result = solver.solve(first, {});
        if (!cold.count(name) || result.stats.time_ms < cold[name]) {
          cold[name] = result.stats.time_ms;
          results[name] = result;
        }
        ContactProblem next = first;
        next.v_free *= 1.001;
        const double again = solver.solve(next, result.solution.impulse, result.solution.velocity).stats.time_ms;
        warm[name] = warm.count(name) ? std::min(warm[name], again) : again;
      }
    const double by_blocks = factor_ms(first, false), by_trees = factor_ms(first, true);
    for (const std::string& name : names) {
      const SolveResult& r = results[name];
      times[name].push_back(cold[name]);
      const double factors = r.stats.factorizations * (name == "subadmm" ? by_trees : by_blocks);
      fmt::print(
          "{:>5} {:>6} {:>6} {:>6}  {:<7} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>5.0f}% {:>9.3f} {:>6} {:>6} {:>9.1e}  {} "
          "by "
          "{}\n",
          n, first.contacts(), first.rows(), first.velocities(), name, cold[name], warm[name], r.stats.setup_ms, factors,
          100 * factors / cold[name], cold[name] - r.stats.setup_ms - factors, r.stats.iterations, r.stats.factorizations,
          r.residuals.certificate, to_string(r.status.code), r.stats.path);
      std::fflush(stdout);
    }
  }
  if (sizes.size() > 1)
    for (const std::string& name : names) fmt::print("{}: time ~ N^{:.2f}\n", name, slope_of(counts, times[name]));
}
}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "clutter";
  std::vector<int> sizes;
  for (int k = 2; k < argc; ++k) sizes.push_back(std::atoi(argv[k]));
  if (what == "clutter") clutter(sizes.empty() ? std::vector<int>{8, 40} : sizes);
  if (what == "sigma") sigma_sweep(sizes.empty() ? 40 : sizes[0]);
  if (what == "size") size_study(sizes.empty() ? std::vector<int>{40, 80, 160, 320, 640, 1000} : sizes);
}
