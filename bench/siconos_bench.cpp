// The stored 3D problems by Siconos' proximal point solver (fc3d PROX) and by `auto`, in one process, interleaved: the CPU
// time of solving alone, one thread, the smallest of several runs after the first. Both get the same input, the Delassus
// matrix and the free velocity of the contacts, both are asked for the same tolerance, and both are judged from their
// impulses by Condyle's judge on the problem of the file. Siconos gets the matrix in each storage that it knows, and the
// best of them counts. Built only where Siconos is found (Debian: libsiconos-numerics-dev).
//   siconos_bench [TOLERANCE] [FAMILY or all]
#include "linalg/block_factor.hpp"
#include "linalg/block_jacobian.hpp"
#include "solvers/problem_solver.hpp"

#include <condyle/problem_file.hpp>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>

#include <unistd.h>

namespace {
using namespace condyle;
namespace fs = std::filesystem;

/// Of this thread: other programs on the machine do not count.
double cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

/// Siconos' rows are (normal, tangents), ours (tangents, normal).
int theirs(int row) { return row % 3 == 2 ? row - 2 : row + 1; }

struct Dual {
  Eigen::MatrixXd W;
  Eigen::VectorXd q;
  std::vector<double> mu;
};

Dual dual_of(const ContactProblem& problem) {
  const int m = problem.rows();
  Dual out{Eigen::MatrixXd::Zero(m, m), Eigen::VectorXd(m), {}};
  Eigen::VectorXd g = problem.g, column(m);
  BlockFactor factor;
  JacobianProduct product;
  if (!problem.dual_only) {
    factor.factor(problem.A);
    g.resize(m);
    product.multiply(problem.J, problem.v_free.data(), g.data());
    g += problem.bias;
  }
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(m), v;
  for (int j = 0; j < m; ++j) {
    unit[j] = 1;
    if (problem.dual_only) {
      column = problem.G.col(j);
    } else {
      v = Eigen::VectorXd::Zero(problem.velocities());
      product.add_transposed(problem.J, unit.data(), v.data());
      factor.solve(v.data());
      product.multiply(problem.J, v.data(), column.data());
    }
    unit[j] = 0;
    for (int i = 0; i < m; ++i) out.W(theirs(i), theirs(j)) = column[i];
    out.q[theirs(j)] = g[j];
  }
  for (const ConstraintBlock& block : problem.blocks) out.mu.push_back(block.friction);
  return out;
}

ContactProblem dual_only(const ContactProblem& problem, const Dual& dual) {
  if (problem.dual_only) return problem;
  ContactProblem out;
  out.name = problem.name;
  out.dual_only = true;
  const int m = problem.rows();
  Eigen::MatrixXd G(m, m);
  out.g.resize(m);
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) G(i, j) = dual.W(theirs(i), theirs(j));
    out.g[j] = dual.q[theirs(j)];
  }
  out.G = G.sparseView();
  out.bias = out.compliance = Eigen::VectorXd::Zero(m);
  out.blocks = problem.blocks;
  return out;
}

enum class Storage { dense, blocks, sparse };

struct Peer {
  FrictionContactProblem problem{};
  ::SolverOptions* options = nullptr;
  Storage storage;
  std::vector<double> q, mu, reaction, velocity;
  double best_ms = std::numeric_limits<double>::infinity();

  Peer(const Dual& dual, Storage s, double tolerance)
      : storage(s), q(dual.q.data(), dual.q.data() + dual.q.size()), mu(dual.mu) {
    const int m = static_cast<int>(q.size());
    NumericsMatrix* M = NM_create(s == Storage::dense ? NM_DENSE : NM_SPARSE, m, m);
    if (s != Storage::dense) NM_triplet_alloc(M, 1);
    if (s != Storage::dense) M->matrix2->origin = NSM_TRIPLET;
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i)
        if (s == Storage::dense || dual.W(i, j) != 0) NM_entry(M, i, j, dual.W(i, j));
    if (s == Storage::blocks) {
      SparseBlockStructuredMatrix* blocks = SBM_new();
      SBM_from_csparse(3, NM_csc(M), blocks);
      M = NM_new_SBM(m, m, blocks);
    }
    problem.dimension = 3;
    problem.numberOfContacts = m / 3;
    problem.M = M;
    problem.q = q.data();
    problem.mu = mu.data();
    options = solver_options_create(SICONOS_FRICTION_3D_PROX);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    reaction.resize(q.size());
    velocity.resize(q.size());
  }
  double run() {
    std::fill(reaction.begin(), reaction.end(), 0.0);
    std::fill(velocity.begin(), velocity.end(), 0.0);
    const double begin = cpu_ms();
    fc3d_driver(&problem, reaction.data(), velocity.data(), options);
    return cpu_ms() - begin;
  }
  Eigen::VectorXd impulse() const {
    Eigen::VectorXd out(static_cast<Eigen::Index>(reaction.size()));
    for (int k = 0; k < out.size(); ++k) out[k] = reaction[static_cast<std::size_t>(theirs(k))];
    return out;
  }
};

struct Totals {
  int both = 0, problems = 0, ours = 0, natural = 0, scaled = 0;
  double log_ratio = 0;
};

void compare(const fs::path& file, double tolerance, Totals& totals) {
  const ContactProblem problem = read_problem(file);
  const Dual dual = dual_of(problem);
  const ContactProblem same = dual_only(problem, dual);
  const Eigen::VectorXd none;
  std::vector<Peer> peers;
  peers.reserve(3);
  for (const Storage s : {Storage::dense, Storage::blocks, Storage::sparse})
    if (s != Storage::dense || problem.rows() <= 600) peers.emplace_back(dual, s, tolerance);
  condyle::SolverOptions options;
  options.tolerance = tolerance;
  options.criterion = condyle::SolverOptions::Criterion::relative;
  ProblemSolver solver(options);
  double ours_ms = std::numeric_limits<double>::infinity(), spent = 0;
  Residuals ours;
  // in turns, a few runs in a row each: the other one's data must not be what is measured
  for (int turn = 0; turn < 60 && (turn < 2 || spent < 800); ++turn) {
    const int in_a_row = spent < 20 * (turn + 1) ? 5 : 1;
    for (int k = 0; k < in_a_row; ++k) {
      const double begin = cpu_ms();
      const SolveResult& result = solver.solve(same, none);
      const double ms = cpu_ms() - begin;
      spent += ms;
      if (turn == 0)  // warms up
        ours = judge(problem, result.solution.impulse, none);
      else
        ours_ms = std::min(ours_ms, ms);
    }
    for (Peer& peer : peers)
      for (int k = 0; k < in_a_row; ++k) {
        const double ms = peer.run();
        spent += ms;
        if (turn > 0) peer.best_ms = std::min(peer.best_ms, ms);
      }
  }
  const Peer* best = nullptr;
  Residuals peer_residuals;
  for (const Peer& peer : peers) {
    const Residuals r = judge(problem, peer.impulse(), none);
    const bool solves = r.natural <= tolerance, best_solves = best && peer_residuals.natural <= tolerance;
    if (!best || (solves && !best_solves) || (solves == best_solves && peer.best_ms < best->best_ms)) {
      best = &peer;
      peer_residuals = r;
    }
  }
  const bool our_word = std::max(ours.natural, ours.scaled) <= tolerance, their_word = peer_residuals.natural <= tolerance;
  ++totals.problems;
  totals.ours += our_word;
  totals.natural += their_word;
  totals.scaled += their_word && peer_residuals.scaled <= tolerance;
  if (our_word && their_word) {
    ++totals.both;
    totals.log_ratio += std::log(ours_ms / best->best_ms);
  }
  const char* names[] = {"dense", "blocks", "sparse"};
  fmt::print("{:<44} {:>5}  {:>9.3f} {:>8.1e} {:>8.1e}  {:>9.3f} {:>8.1e} {:>8.1e} {:<6}  {:>6.2f}{}\n",
             file.filename().string(), problem.rows(), ours_ms, ours.natural, ours.scaled, best->best_ms,
             peer_residuals.natural, peer_residuals.scaled, names[static_cast<int>(best->storage)], ours_ms / best->best_ms,
             our_word && their_word ? "" : "  not counted");
  std::fflush(stdout);
}
}  // namespace

int main(int argc, char** argv) {
  const double tolerance = argc > 1 ? std::atof(argv[1]) : 1e-8;
  const std::string only = argc > 2 ? argv[2] : "all";
  if (!std::getenv("OPENBLAS_NUM_THREADS")) {  // read when the library is loaded, so begin again with it
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
  }
  numerics_set_verbose(0);
  fmt::print("{:<44} {:>5}  {:>9} {:>8} {:>8}  {:>9} {:>8} {:>8} {:<6}  {:>6}\n", "file", "rows", "ours ms", "natural",
             "scaled", "PROX ms", "natural", "scaled", "matrix", "ratio");
  Totals totals;
  for (const char* family : {"boxes", "capsules", "confeti", "contactbench", "global-small", "lmgc", "piles", "rolling",
                             "rover", "spheres", "toy"}) {
    if (only != "all" && only != family) continue;
    const fs::path folder = fs::path(CONDYLE_SOURCE_DIR) / "../shared/problems" / family;
    std::vector<fs::path> files;
    if (fs::exists(folder))
      for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) compare(file, tolerance, totals);
  }
  fmt::print("of {} problems ours solves {} by both residuals, PROX {} by the natural one and {} by both\n", totals.problems,
             totals.ours, totals.natural, totals.scaled);
  if (totals.both > 0)
    fmt::print("geometric mean of our time over PROX's, {} problems: {:.3f}\n", totals.both,
               std::exp(totals.log_ratio / totals.both));
}
