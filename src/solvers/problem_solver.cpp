#include "solvers/problem_solver.hpp"

#include "problem/islands.hpp"
#include "problem/operators.hpp"
#include "solvers/island_shares.hpp"
#include "solvers/ladder.hpp"
#include "solvers/residuals.hpp"
#include "solvers/worker_pool.hpp"

#include <condyle/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

namespace condyle {

namespace {
using Clock = std::chrono::steady_clock;

/// Shares of the tolerance: how good a start must be to be taken, and what change of velocity is none.
constexpr double rest_below = 1e-2, drift_below = 1e-5;
/// How much of its speed a resting island may gain in a step by impulses that stay as they are.
constexpr double gain_below = 3;
/// What moves at so many tolerances at most is about to rest; what holds it up is looked for with so many iterations.
constexpr double slow_below = 10;
constexpr int hold_iterations = 10;

double milliseconds(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

SolverOptions checked(const SolverOptions& options) {
  options.check();
  return options;
}

/// Work memory of one thread.
struct IslandWorker {
  ScaledIsland island;
  IslandSolver solver;
};

struct IslandResult {
  IslandSolver::Outcome outcome;
  double setup_ms = 0, growth = 0;
};
}  // namespace

struct ProblemSolver::Work {
  SolverOptions options, brief;  ///< brief: to find what holds up
  SolverChoice choice;
  Islands islands;
  Delassus delassus;
  JacobianProduct product;
  std::vector<IslandWorker> workers;
  std::optional<WorkerPool> pool;  ///< empty: one thread
  std::vector<IslandResult> of_island;
  IslandShares shares;
  Judge judge;
  Eigen::VectorXd g, g_still;  ///< g_still: as if nothing had moved before the step
  SolveResult result;
  bool start_judged = false, v0_known = false;
  Eigen::VectorXd gained, had;  ///< J (v+ - v0) of the start, and J v0
  Eigen::VectorXd next;         ///< λ for the next step to begin with
  double growth = 0;            ///< largest ‖λ̃‖ / ‖g̃‖ that any iterate of an unsolved island had

  explicit Work(const SolverOptions& o) : options(checked(o)), brief(o), choice(choose_solver(o)) {
    brief.max_iterations = std::min(o.max_iterations, hold_iterations);
    brief.history = nullptr;
    workers.resize(static_cast<std::size_t>(options.threads));
    if (options.threads > 1) pool.emplace(options.threads);
    result.stats.path.reserve(256);  // all methods' names: a longer path must not allocate in a later step
  }

  bool start_will_do(const ContactProblem& problem, const Eigen::VectorXd& start, const Eigen::VectorXd& v0);
  void find_drift(const ContactProblem& problem, const Eigen::VectorXd& v0);
  bool start_rests(const ContactProblem& problem, int k) const;
  bool is_about_to_rest(const ContactProblem& problem, int k) const;
  bool moves(const ContactProblem& problem, int k) const;
  void find_what_holds_up(const Eigen::VectorXd& start, IslandWorker& worker, IslandResult& out);
  double still(const ContactProblem& problem, const Eigen::VectorXd& v0);
  bool prepare(const ContactProblem& problem);
  /// `inside`: the threads are for the island's inside, where a solver can use them there.
  void solve_island(const ContactProblem& problem, const Eigen::VectorXd& start, const Eigen::VectorXd& velocity, int k,
                    IslandWorker& worker, bool inside);
  bool one_island_has_most() const;
  void solve_islands(const ContactProblem& problem, const Eigen::VectorXd& start, const Eigen::VectorXd& velocity);
  void judge_and_say(const ContactProblem& problem, const std::string& trouble);
};

/// What rests needs no solver: the impulses of the last step are judged before anything is formed or factored.
bool ProblemSolver::Work::start_will_do(const ContactProblem& problem, const Eigen::VectorXd& start,
                                        const Eigen::VectorXd& v0) {
  if (choice.method != Method::ladder || options.criterion != SolverOptions::Criterion::speed || problem.dual_only)
    return false;
  result.residuals = judge.judge(problem, start, Eigen::VectorXd(), choice.convex, Judge::Depth::certificate);
  start_judged = std::isfinite(result.residuals.certificate);
  if (!start_judged) return false;
  find_drift(problem, v0);
  islands.find(problem);
  for (int k = 0; k < islands.size(); ++k)
    if (!start_rests(problem, k)) return false;
  result.solution.impulse = start;
  result.solution.velocity = judge.velocity();
  result.residuals.momentum = still(problem, v0);
  result.stats.path = path_name(path_start);
  result.status.code = SolverStatus::Code::solved;
  result.status.message.clear();
  return true;
}

/// What the start adds to the rows' velocities.
void ProblemSolver::Work::find_drift(const ContactProblem& problem, const Eigen::VectorXd& v0) {
  v0_known = v0.size() == problem.velocities();
  if (!v0_known) return;
  had.resize(problem.rows());
  product.multiply(problem.J, v0.data(), had.data());
  gained = judge.row_velocity() - had;
}

/// An island that the judge of the whole start found at rest needs nothing formed or factored.
///
/// The impulses of a step also stop what velocity was left before it. Taken again they have it the other way round, and a
/// pile would never come to rest. So a start that is not as good as a solution may add to the motion that is there (under
/// constant impulses a pile leans over like a pencil on its tip, faster with each step), but not make one.
bool ProblemSolver::Work::start_rests(const ContactProblem& problem, int k) const {
  double residual = 0, gain = 0, speed = 0;
  for (const int* i = islands.blocks_begin(k); i != islands.blocks_end(k); ++i) {
    residual = std::max(residual, judge.block_residuals()[static_cast<std::size_t>(*i)]);
    if (!(residual <= rest_below * options.tolerance)) return false;
    if (!v0_known) continue;
    const ConstraintBlock& block = problem.blocks[static_cast<std::size_t>(*i)];
    gain = std::max(gain, gained.segment(block.row, block.rows).cwiseAbs().maxCoeff());
    speed = std::max(speed, had.segment(block.row, block.rows).cwiseAbs().maxCoeff());
  }
  return residual <= aim_below * options.tolerance ||
         (v0_known && gain <= std::max(drift_below * options.tolerance, gain_below * speed));
}

/// Its start was within the tolerance, and hardly anything moves.
bool ProblemSolver::Work::is_about_to_rest(const ContactProblem& problem, int k) const {
  return start_judged && v0_known && !moves(problem, k) &&
         std::all_of(islands.blocks_begin(k), islands.blocks_end(k),
                     [&](int i) { return judge.block_residuals()[static_cast<std::size_t>(i)] <= options.tolerance; });
}

/// Something in it is known to have moved before the step.
bool ProblemSolver::Work::moves(const ContactProblem& problem, int k) const {
  return start_judged && v0_known && std::any_of(islands.blocks_begin(k), islands.blocks_end(k), [&](int i) {
           const ConstraintBlock& block = problem.blocks[static_cast<std::size_t>(i)];
           return had.segment(block.row, block.rows).cwiseAbs().maxCoeff() > slow_below * options.tolerance;
         });
}

/// Impulses that stopped a small velocity hold a pile up and brake. The next step has nothing to brake: it begins with what
/// solves the same island with v0 = 0. (Begun with the solution it would make the stopped motion the other way round; with
/// a mixture of the last two steps' impulses it drifts again and needs a solver after six steps.)
void ProblemSolver::Work::find_what_holds_up(const Eigen::VectorXd& start, IslandWorker& worker, IslandResult& out) {
  worker.island.take_free_motion(g_still);
  const IslandSolver::Outcome held = worker.solver.solve(worker.island, choice, brief, start);
  out.outcome.iterations += held.iterations;
  out.outcome.factorizations += held.factorizations;
  if (worker.solver.best().measure <= rest_below * options.tolerance)
    worker.island.scatter(worker.solver.best().impulse.data(), next);
}

/// An island that was at rest and has no velocity but what solvers leave open stays where it is, to the bit: its next step
/// is the same problem, for which the same impulses do. Else a thousandfold weight on a light box leans over forty times as
/// far in each step, and is solved again in every second one. Returns the largest velocity that was left out (m/s, rad/s): a
/// difference of momentum, as the judge has it.
double ProblemSolver::Work::still(const ContactProblem& problem, const Eigen::VectorXd& v0) {
  Eigen::VectorXd& v = result.solution.velocity;
  if (v0.size() != v.size() || options.criterion != SolverOptions::Criterion::speed) return 0;
  const double noise = aim_below * options.tolerance;
  const auto of_body = [&](const Eigen::VectorXd& x, int b) {
    const int first = problem.A.begin[static_cast<std::size_t>(b)], n = problem.A.block_size(b);
    return n == 0 ? 0.0 : x.segment(first, n).cwiseAbs().maxCoeff();
  };
  double left_out = 0;
  for (int k = 0; k < islands.size(); ++k) {
    const auto rests = [&](int b) { return of_body(v, b) <= noise && of_body(v0, b) <= noise; };
    if (!std::all_of(islands.bodies_begin(k), islands.bodies_end(k), rests)) continue;
    for (const int* b = islands.bodies_begin(k); b != islands.bodies_end(k); ++b) {
      left_out = std::max(left_out, of_body(v, *b));
      v.segment(problem.A.begin[static_cast<std::size_t>(*b)], problem.A.block_size(*b)).setZero();
    }
  }
  return left_out;
}

bool ProblemSolver::Work::prepare(const ContactProblem& problem) {
  if (choice.islands)
    islands.find(problem);
  else
    islands.take_all(problem);
  g.resize(problem.rows());
  if (problem.dual_only) {
    g = problem.g;
    return true;
  }
  if (delassus.build(problem, islands) >= 0) return false;
  product.multiply(problem.J, problem.v_free.data(), g.data());
  g += problem.bias;
  if (start_judged && v0_known) g_still = g - had;
  return true;
}

/// Touches nothing that another island's worker touches: its own rows of λ, its own result.
void ProblemSolver::Work::solve_island(const ContactProblem& problem, const Eigen::VectorXd& start,
                                       const Eigen::VectorXd& velocity, int k, IslandWorker& worker, bool inside) {
  const auto begin = Clock::now();
  IslandResult& out = of_island[static_cast<std::size_t>(k)];
  out = IslandResult();
  if (start_judged && start_rests(problem, k)) {
    for (const int* i = islands.blocks_begin(k); i != islands.blocks_end(k); ++i) {
      const ConstraintBlock& block = problem.blocks[static_cast<std::size_t>(*i)];
      result.solution.impulse.segment(block.row, block.rows) = next.segment(block.row, block.rows) =
          start.segment(block.row, block.rows);
    }
    out.outcome.path = path_start;
    return;
  }
  Form form = choice.form;
  if (form == Form::automatic && choice.method == Method::pgs)
    form = problem.rows() <= 1000 ? Form::dual_dense : Form::dual_sparse;
  const bool divided = choice.method == Method::subadmm && choice.subadmm.split != Splitting::none;
  if (form == Form::automatic && divided && !problem.dual_only && delassus.symmetric())
    form = Form::primal_dense;  // of which only products are asked: nothing is formed
  worker.island.set(problem, islands, k, delassus, g, choice.convex, options.criterion, form, choice.scaled);
  if (choice.method == Method::sap) worker.island.take_motion(problem, delassus, velocity);
  if (choice.method == Method::subadmm)
    worker.solver.divide(problem, delassus, worker.island, choice.subadmm.split, inside ? &*pool : nullptr);
  out.setup_ms = milliseconds(Clock::now() - begin);
  out.outcome = worker.solver.solve(worker.island, choice, options, start, moves(problem, k));
  worker.island.scatter(worker.solver.best().impulse.data(), result.solution.impulse);
  worker.island.scatter(worker.solver.best().impulse.data(), next);
  out.growth = worker.solver.best().measure <= options.tolerance ? 0 : worker.solver.best().largest;
  if (out.growth == 0 && is_about_to_rest(problem, k)) find_what_holds_up(start, worker, out);
}

bool ProblemSolver::Work::one_island_has_most() const {
  std::ptrdiff_t all = 0, most = 0;
  for (int k = 0; k < islands.size(); ++k) {
    const std::ptrdiff_t blocks = islands.blocks_end(k) - islands.blocks_begin(k);
    all += blocks;
    most = std::max(most, blocks);
  }
  return 2 * most > all;
}

/// Each island's numbers depend on that island alone, and everything is added up in their order: so it does not matter how
/// many threads there are.
void ProblemSolver::Work::solve_islands(const ContactProblem& problem, const Eigen::VectorXd& start,
                                        const Eigen::VectorXd& velocity) {
  const int count = islands.size();
  of_island.resize(static_cast<std::size_t>(count));
  next.setZero(problem.rows());
  const bool inside = pool && choice.method == Method::subadmm && one_island_has_most();
  if (pool && count > 1 && !inside) {
    shares.divide(problem, islands, pool->workers());
    pool->run([&](int w) {
      for (const int k : shares.of(w))
        solve_island(problem, start, velocity, k, workers[static_cast<std::size_t>(w)], false);
    });
  } else {
    for (int k = 0; k < count; ++k) solve_island(problem, start, velocity, k, workers[0], inside);
  }
  unsigned path = 0;
  growth = 0;
  bool finite = true;
  for (const IslandResult& one : of_island) {
    result.stats.setup_ms += one.setup_ms;
    result.stats.iterations += one.outcome.iterations;
    result.stats.factorizations += one.outcome.factorizations;
    result.stats.momentum_error = std::max(result.stats.momentum_error, one.outcome.momentum_error);
    path |= one.outcome.path;
    finite = finite && one.outcome.finite;
    growth = std::max(growth, one.growth);
  }
  for (unsigned bit = 1; bit <= path; bit *= 2)
    if (path & bit) {
      if (!result.stats.path.empty()) result.stats.path += " + ";
      result.stats.path += path_name(bit);
    }
  if (!problem.dual_only) {
    result.solution.velocity.setZero(problem.velocities());
    product.add_transposed(problem.J, result.solution.impulse.data(), result.solution.velocity.data());
    delassus.factor().solve(result.solution.velocity.data());
    result.solution.velocity += problem.v_free;
    still(problem, velocity);
  }
  judge_and_say(problem, finite ? "" : "the problem has numbers that are not finite");
}

void ProblemSolver::Work::judge_and_say(const ContactProblem& problem, const std::string& trouble) {
  const bool speed = options.criterion == SolverOptions::Criterion::speed;
  const auto ask = [&](Judge::Depth depth) {
    result.residuals = judge.judge(problem, result.solution.impulse, result.solution.velocity, choice.convex, depth);
  };
  ask(speed ? Judge::Depth::certificate : Judge::Depth::everything);
  if (speed && !(result.residuals.certificate <= options.tolerance)) ask(Judge::Depth::everything);  // the words need it
  const Residuals& r = result.residuals;
  const double value = speed ? r.certificate : std::max(r.natural, r.scaled);
  SolverStatus& status = result.status;
  status.message.clear();
  using Code = SolverStatus::Code;
  if (!trouble.empty() || !std::isfinite(value)) {
    status.code = Code::failed;
    status.message = trouble.empty() ? "the residual is not a number" : trouble;
    return;
  }
  if (options.tolerance > 0 && value <= options.tolerance) {
    status.code = Code::solved;
    return;
  }
  const std::string where = r.worst >= 0 ? problem.block_name(r.worst) : "nothing";
  if (options.tolerance == 0) {
    status.code = Code::inaccurate;
    status.message = fmt::format("{} iterations were asked for, not a tolerance; residual {:.3g}, worst at {}",
                                 options.max_iterations, value, where);
    return;
  }
  const bool made_soft = choice.method == Method::sap && (problem.compliance.array() <= 0).any();
  if (made_soft && result.stats.momentum_error <= choice.sap.relative) {
    status.code = Code::inaccurate;
    status.message = fmt::format(
        "sap solved its own problem (e_m = {:.2g}), in which no row is rigid; the problem as it is is missed by {:.3g}{}, "
        "worst at {}",
        result.stats.momentum_error, value, speed ? " m/s" : "", where);
    return;
  }
  growth = std::max(growth, r.impulse_growth);
  if (suspects_no_solution(r, growth)) {
    status.code = Code::suspected_infeasible;
    status.message = fmt::format(
        "probably no impulse solves this: impulses grow {:.1e} times beyond the free motion while the "
        "scaled residual stays at {:.2g}; worst at {} ({:.3g} m/s)",
        growth, r.scaled, where, r.certificate);
    return;
  }
  status.code = value <= 1e3 * options.tolerance ? Code::inaccurate : Code::stalled;
  const bool late = workers.front().solver.best().out_of_time();
  status.message = fmt::format("{}residual {:.3g} instead of {:.3g}{} after {} iterations, worst at {}",
                               late ? fmt::format("the {} ms are over: ", options.time_limit_ms) : "", value,
                               options.tolerance, speed ? " m/s" : "", result.stats.iterations, where);
}

ProblemSolver::ProblemSolver(const SolverOptions& options) : work_(std::make_unique<Work>(options)) {}
ProblemSolver::~ProblemSolver() = default;
ProblemSolver::ProblemSolver(ProblemSolver&&) noexcept = default;
ProblemSolver& ProblemSolver::operator=(ProblemSolver&&) noexcept = default;

const SolveResult& ProblemSolver::solve(const ContactProblem& problem, const Eigen::VectorXd& start,
                                        const Eigen::VectorXd& velocity) {
  Work& work = *work_;
  const auto begin = Clock::now();
  SolveResult& result = work.result;
  result.solution.impulse.setZero(problem.rows());
  result.stats.iterations = result.stats.factorizations = 0;
  result.stats.setup_ms = result.stats.momentum_error = 0;
  if (work.options.time_limit_ms > 0)
    for (IslandWorker& worker : work.workers)
      worker.solver.set_deadline(begin + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double, std::milli>(work.options.time_limit_ms)));
  result.stats.path.clear();
  if (problem.dual_only) result.solution.velocity.resize(0);
  work.start_judged = false;
  if (start.size() == problem.rows() && start.size() > 0 && work.start_will_do(problem, start, velocity)) {
    work.next = start;
    result.stats.time_ms = milliseconds(Clock::now() - begin);
    return result;
  }
  if (!work.prepare(problem)) {
    result.solution.velocity = problem.v_free;
    work.judge_and_say(problem, "A is not positive definite");
    work.next = result.solution.impulse;
  } else {
    result.stats.setup_ms = milliseconds(Clock::now() - begin);
    const bool fits = start.size() == problem.rows();
    static const Eigen::VectorXd none;
    work.solve_islands(problem, fits ? start : none, velocity);
  }
  result.stats.time_ms = milliseconds(Clock::now() - begin);
  return result;
}

const Eigen::VectorXd& ProblemSolver::next_start() const { return work_->next; }
const Eigen::VectorXd& ProblemSolver::sigma() const { return work_->judge.sigma(); }
const std::vector<double>& ProblemSolver::block_residuals() const { return work_->judge.block_residuals(); }
int ProblemSolver::islands() const { return work_->islands.size(); }

SolveResult solve(const ContactProblem& problem, const SolverOptions& options, const Eigen::VectorXd& start) {
  if (const std::string defect = problem.defect(); !defect.empty())
    throw Error("bad-problem", Place{"", 0, problem.name}, defect, "mend the problem; nothing was solved");
  if (start.size() != 0 && start.size() != problem.rows())
    throw Error("bad-size", Place{"", 0, problem.name},
                fmt::format("the start has {} numbers, the problem {} rows", start.size(), problem.rows()),
                "give an impulse for each row, or none");
  ProblemSolver solver(options);
  SolveResult result = solver.solve(problem, start);
  result.residuals = judge(problem, result.solution.impulse, result.solution.velocity,
                           choose_solver(options).convex);  // a step needs the certificate alone, a caller wants all of it
  return result;
}

}  // namespace condyle
