// Cholesky factorizations of the primal matrices I + Ĵᵀ B Ĵ of settled piles: our own block factorization beside CHOLMOD and
// the dense one, in one run, by turns, the least CPU time of many; the residual of a solve stands beside every time. Also
// the LU factorization of the same pattern, as Newton and interior points use it, and the size from which sparse beats
// dense.
//
//   factor_bench              piles of 40, 100, 300 and 1000 cubes (settling them takes minutes the first time)
//   factor_bench 40 100       these only
//   factor_bench 10x10x10     cubes in layers, for a look without settling
//   factor_bench thresholds   only from which size sparse forms win
#include "linalg/block_cholesky.hpp"
#include "linalg/block_lu.hpp"
#include "linalg/symmetric_factor.hpp"
#include "settled_piles.hpp"
#include "solvers/interior/interior_system.hpp"
#include "solvers/primal_matrix.hpp"
#include "solvers/shifted_system.hpp"
#include "support/contact_problems.hpp"

#include <fmt/format.h>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

namespace {
using namespace condyle;

/// CPU time of this thread, so that other programs on the machine count less.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// OpenBLAS 0.3.21 takes SSE3 kernels on CPUs that it does not know: it must be told before it is loaded.
void restart_with_fast_blas(char** argv) {
  if (std::getenv("OPENBLAS_CORETYPE")) return;
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return;
  setenv("OPENBLAS_CORETYPE", __builtin_cpu_supports("avx512f") ? "SkylakeX" : "Haswell", 1);
  execv("/proc/self/exe", argv);
}

std::string blas_name() {
  using Name = char* (*)();
  void* symbol = dlsym(RTLD_DEFAULT, "openblas_get_corename");
  return symbol ? std::string("OpenBLAS, ") + reinterpret_cast<Name>(symbol)() : "not OpenBLAS (slower)";
}

struct Matrices {
  std::string name;
  ScaledIsland island;
  PrimalMatrix symmetric, general;
  int bodies = 0, contacts = 0;
};

/// The matrices of the largest island, as ADMM (one weight for all rows) and Newton (numbers of their own in each) form
/// them.
void form(Matrices& out, const ContactProblem& problem) {
  Islands islands;
  islands.find(problem);
  Delassus delassus;
  delassus.build(problem, islands);
  int largest = 0;
  for (int k = 0; k < islands.size(); ++k)
    if (islands.blocks_end(k) - islands.blocks_begin(k) > islands.blocks_end(largest) - islands.blocks_begin(largest))
      largest = k;
  const Eigen::VectorXd g = Eigen::VectorXd::Ones(problem.rows());
  out.island.set(problem, islands, largest, delassus, g, false, SolverOptions::Criterion::speed, Form::primal_sparse);
  out.bodies = static_cast<int>(out.island.bodies.size()) - 1;
  out.contacts = static_cast<int>(out.island.blocks.size());
  out.symmetric.start(out.island, true);
  out.general.start(out.island, false);
  for (int i = 0; i < out.contacts; ++i) {
    const double diagonal[3] = {33, 33, 33}, full[9] = {30, 2, -1, -3, 25, 1, 4, -2, 20};
    out.symmetric.add_diagonal(out.island, i, diagonal);
    if (out.island.blocks[static_cast<std::size_t>(i)].rows == 3)
      out.general.add(out.island, i, full);
    else
      out.general.add_diagonal(out.island, i, diagonal);
  }
}

struct Times {
  std::string name;
  double analysis = std::numeric_limits<double>::infinity(), factor = analysis, solve = analysis, order = analysis,
         residual = 0, entries = 0;
};

template <class Do>
void time(double& least, const Do& work) {
  const double begin = now();
  work();
  least = std::min(least, now() - begin);
}

double residual(const BlockMatrix& M, const Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  Eigen::VectorXd back(b.size());
  M.multiply(x.data(), back.data());
  return (back - b).norm() / b.norm();
}

std::vector<Times> measure(Matrices& m, bool with_dense) {
  const BlockMatrix& M = m.symmetric.sparse();
  const BlockPattern& pattern = *M.pattern;
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(pattern.size(), -1, 2);
  Eigen::VectorXd x;
  std::vector<std::unique_ptr<SymmetricFactor>> factors;
  std::vector<Times> times;
  for (const FactorKind kind :
       {FactorKind::blocks, FactorKind::cholmod_simplicial, FactorKind::cholmod_supernodal, FactorKind::dense}) {
    if (kind == FactorKind::dense && !with_dense) continue;
    if (auto factor = make_symmetric_factor(kind)) {
      times.push_back({factor->name()});
      factors.push_back(std::move(factor));
    }
  }
  BlockAnalysis analysis;
  const double begin = now();
  for (int repeat = 0; repeat < 200 && (repeat < 5 || now() - begin < 3); ++repeat)
    for (std::size_t k = 0; k < factors.size(); ++k) {
      if (repeat < 10) factors[k]->analyse(pattern);
      times[k].analysis = std::min(times[k].analysis, factors[k]->analysis_seconds());
      time(times[k].factor, [&] {
        if (factors[k]->factor(M) != Factored::done) std::abort();
      });
      x = b;
      time(times[k].solve, [&] { factors[k]->solve(x.data()); });
      times[k].residual = residual(M, x, b);
      times[k].entries = factors[k]->entries();
      // by turns as well, since caches are cold then, and not just before the own analysis, which would profit
      if (k == 1 && repeat < 10) time(times[0].order, [&] { analysis.order_bodies(pattern); });
    }
  return times;
}

void measure_lu(Matrices& m) {
  const BlockMatrix& M = m.general.sparse();
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(M.pattern->size(), -1, 2);
  Eigen::VectorXd x;
  BlockAnalysis analysis;
  analysis.analyse(*M.pattern);
  Times own;
  BlockLu lu;
  const double begin = now();
  for (int repeat = 0; repeat < 100 && (repeat < 5 || now() - begin < 1); ++repeat) {
    time(own.factor, [&] {
      if (lu.factor(analysis, M) != Factored::done) std::abort();
    });
    x = b;
    time(own.solve, [&] { lu.solve(x.data()); });
    own.residual = residual(M, x, b);
  }
  fmt::print("  {:<20} {:>10} {:>10.3f} {:>9.3f} {:>9.1e}   {:.1f} GFlop/s\n", "own blocks, LU", "", 1e3 * own.factor,
             1e3 * own.solve, own.residual, 2e-9 * analysis.operations() / own.factor);
}

/// What CHOLMOD spends on a new pattern against ours in parts, and the instruction sets side by side.
void measure_parts(Matrices& m, const std::vector<Times>& times) {
  const BlockMatrix& M = m.symmetric.sparse();
  BlockAnalysis analysis;
  analysis.analyse(*M.pattern);
  fmt::print("  ordering the bodies alone {:.3f} ms", 1e3 * times[0].order);
  for (std::size_t k = 1; k < times.size() && times[k].analysis > 0; ++k)
    fmt::print(", {:.1f} times cheaper than cholmod_analyze of {}", times[k].analysis / times[0].order, times[k].name);
  fmt::print("\n  own blocks by kernels (ms):");
  for (const Kernels* k : {&plain_kernels(), avx2_kernels(), avx512_kernels()}) {
    if (k == nullptr) continue;
    BlockCholesky cholesky(*k);
    double least = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < 20; ++repeat) time(least, [&] { cholesky.factor(analysis, M); });
    fmt::print(" {} {:.3f};", k->name, 1e3 * least);
  }
  fmt::print("\n");
}

void print(Matrices& m, const std::vector<Times>& times) {
  BlockAnalysis analysis;
  analysis.analyse(*m.symmetric.sparse().pattern);
  fmt::print("{}: {} bodies, {} contacts, {} velocities, {} blocks, {} supernodes, {:.1f} MFlop\n", m.name, m.bodies,
             m.contacts, m.island.velocities(), m.symmetric.sparse().pattern->blocks(), analysis.supernodes().size(),
             1e-6 * analysis.operations());
  fmt::print("  {:<20} {:>10} {:>10} {:>9} {:>9} {:>9} {:>8}   own is faster by: analysis factor solve\n", "", "analyse ms",
             "factor ms", "solve ms", "residual", "numbers", "GFlop/s");
  for (const Times& t : times)
    fmt::print("  {:<20} {:>10.3f} {:>10.3f} {:>9.3f} {:>9.1e} {:>9.0f} {:>8.1f}   {:>26.1f} {:>6.2f} {:>5.2f}\n", t.name,
               1e3 * t.analysis, 1e3 * t.factor, 1e3 * t.solve, t.residual, t.entries,
               1e-9 * analysis.operations() / t.factor, t.analysis / times[0].analysis, t.factor / times[0].factor,
               t.solve / times[0].solve);
}

std::vector<Times> compare(const std::string& name, const ContactProblem& problem, bool with_dense) {
  Matrices m;
  m.name = name;
  form(m, problem);
  std::vector<Times> times = measure(m, with_dense);
  print(m, times);
  measure_lu(m);
  measure_parts(m, times);
  std::fflush(stdout);
  return times;
}

double exponent(const std::vector<std::pair<double, double>>& points) {  // least squares of log against log
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [n, t] : points) {
    sx += std::log(n), sy += std::log(t);
    sxx += std::log(n) * std::log(n), sxy += std::log(n) * std::log(t);
  }
  const double k = static_cast<double>(points.size());
  return (k * sxy - sx * sy) / (k * sxx - sx * sx);
}

struct Spent {
  double shifted = std::numeric_limits<double>::infinity(), general = shifted;  ///< s
};

/// One factorization and one solve as ADMM (symmetric) and interior points (not symmetric) do them, forming the matrix
/// included.
Spent spend(const ContactProblem& problem, Form form) {
  Islands islands;
  islands.take_all(problem);
  Delassus delassus;
  delassus.build(problem, islands);
  const Eigen::VectorXd g = Eigen::VectorXd::Ones(problem.rows());
  ScaledIsland island;
  island.set(problem, islands, 0, delassus, g, false, SolverOptions::Criterion::speed, form);
  const std::size_t m = static_cast<std::size_t>(island.rows());
  std::vector<double> shift(m, 0.03), T(3 * m, 0.0), Y(3 * m, 0.0), x(m, 1.0);
  for (const ConstraintBlock& block : island.blocks)
    for (int k = 0; k < block.rows; ++k) {
      const std::size_t at = 3 * static_cast<std::size_t>(block.row) +
                             static_cast<std::size_t>(block.set == SetKind::cone ? k * (block.rows + 1) : 3 * k);
      T[at] = 0.03;
      Y[at] = 1 / (0.03 + island.R[static_cast<std::size_t>(block.row + k)]);
    }
  Spent out;
  ShiftedSystem shifted;
  InteriorSystem interior;
  const double begin = now();
  for (int repeat = 0; repeat < 60 && (repeat < 4 || now() - begin < 0.5); ++repeat) {
    time(out.shifted, [&] {
      if (!shifted.factor(island, shift)) std::abort();
      shifted.solve(island, x.data(), x.data());
    });
    time(out.general, [&] {
      if (!interior.factor(island, T, Y)) std::abort();
      interior.solve(island, x.data(), x.data());
    });
    std::fill(x.begin(), x.end(), 1.0);
  }
  return out;
}

/// Where the solvers should change over (solvers/scaled_island.cpp: dense_velocities, dense_rows).
void thresholds() {
  fmt::print("\nform, factor, solve once (ms): Cholesky | LU, in each form of an island\n");
  fmt::print("  {:<12} {:>5} {:>5} {:>17} {:>17} {:>17} {:>17}\n", "", "vel", "rows", "dense dual", "sparse dual",
             "dense primal", "sparse primal");
  struct Case {
    std::string name;
    ContactProblem problem;
  };
  std::vector<Case> cases;
  for (const int n : {1, 2, 4, 6, 8, 12, 16, 24, 40})
    cases.push_back({fmt::format("stack {}", n), test::cube_stack(n, 1, 0.5)});
  for (const auto& [a, b, c] :
       {std::array{2, 2, 1}, {2, 2, 2}, {2, 2, 3}, {3, 2, 3}, {3, 3, 2}, {3, 3, 3}, {4, 3, 3}, {4, 4, 4}})
    cases.push_back({fmt::format("pile {}x{}x{}", a, b, c), test::box_pile(a, b, c, 0.01)});
  for (const Case& c : cases) {
    fmt::print("  {:<12} {:>5} {:>5}", c.name, c.problem.velocities(), c.problem.rows());
    for (const Form form : {Form::dual_dense, Form::dual_sparse, Form::primal_dense, Form::primal_sparse}) {
      if (c.problem.rows() > 700 && form != Form::primal_dense && form != Form::primal_sparse) {
        fmt::print(" {:>17}", "");
        continue;
      }
      const Spent spent = spend(c.problem, form);
      fmt::print(" {:>8.3f} {:>8.3f}", 1e3 * spent.shifted, 1e3 * spent.general);
    }
    fmt::print("\n");
    std::fflush(stdout);
  }
}
}  // namespace

int main(int argc, char** argv) {
  restart_with_fast_blas(argv);
  fmt::print("kernels: {}; BLAS of CHOLMOD: {}\n", kernels().name, blas_name());
  std::vector<int> sizes;
  for (int k = 1; k < argc; ++k)
    if (std::string(argv[k]) == "thresholds") {
      thresholds();
      return 0;
    } else if (int a = 0, b = 0, c = 0; std::sscanf(argv[k], "%dx%dx%d", &a, &b, &c) == 3) {
      compare(fmt::format("\ncubes laid out as {}, not settled", argv[k]), test::box_pile(a, b, c, 0.01), a * b * c <= 300);
      if (argc == 2) return 0;
    } else {
      sizes.push_back(std::atoi(argv[k]));
    }
  const bool all = sizes.empty();
  if (all) sizes = {40, 100, 300, 1000};
  std::vector<std::vector<std::pair<double, double>>> factor_times, analysis_times;
  std::vector<std::string> names;
  for (const int n : sizes) {
    const bench::SettledPile pile = bench::settled_pile(n);
    const ContactProblem problem = bench::next_problem(pile);
    const std::vector<Times> times =
        compare(fmt::format("\nbox_pile n={} (mean speed {:.1e} m/s at t = {:.2f} s)", n, pile.speed, pile.state.t), problem,
                n <= 300);
    factor_times.resize(std::max(factor_times.size(), times.size()));
    analysis_times.resize(factor_times.size());
    names.resize(factor_times.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
      names[k] = times[k].name;
      factor_times[k].emplace_back(n, times[k].factor);
      analysis_times[k].emplace_back(n, std::max(times[k].analysis, 1e-9));
    }
    std::fflush(stdout);
  }
  if (sizes.size() < 2) return 0;
  fmt::print("\ngrowth exponents (time ~ n^e), factorization and analysis\n");
  for (std::size_t k = 0; k < names.size(); ++k)
    fmt::print("  {:<20} {:>6.2f} {:>6.2f}\n", names[k], exponent(factor_times[k]), exponent(analysis_times[k]));
  if (all) thresholds();
}
