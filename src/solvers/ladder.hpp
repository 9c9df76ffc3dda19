#pragma once
// One island from a start to a certified impulse: cheap methods first, the sure ones after them (SOLVER_RECIPES 5).
#include "solvers/canal/canal.hpp"
#include "solvers/interior/interior_point.hpp"
#include "solvers/least_loop_impulse.hpp"
#include "solvers/registry.hpp"
#include "solvers/subadmm/subadmm.hpp"

#include <span>

namespace condyle {

/// Which methods ran, as bits, in the order of the names.
enum PathBit : unsigned {
  path_zero = 1,
  path_start = 2,
  path_newton = 4,
  path_admm = 8,
  path_closer = 16,
  path_minimum_norm = 32,
  path_closer_from_zero = 64,
  path_other_penalties = 128,
  path_pgs = 256,
  path_interior = 512,
  path_closers_in_turns = 1024,
  path_sap = 2048,
  path_canal = 4096,
  path_subadmm = 8192,
  path_path = 16384
};
const char* path_name(unsigned bit);

/// What rests must not creep, and Newton's last steps are cheap: a step's solution aims this far below what is asked.
inline constexpr double aim_below = 1e-4;

class IslandSolver {
 public:
  struct Outcome {
    int iterations = 0, factorizations = 0;
    unsigned path = 0;
    bool finite = true;
    double momentum_error = 0;  ///< SAP's e_m
  };
  /// `start`: the whole problem's λ or empty. The impulse is in best(). `moves`: the island is in motion, and what it is
  /// left with below the tolerance does not matter.
  Outcome solve(ScaledIsland& island, const SolverChoice& choice, const SolverOptions& options, const Eigen::VectorXd& start,
                bool moves = false);
  const BestIterate& best() const { return best_; }
  /// SubADMM takes more of the problem than the island has; before solve. `pool`: for the inside of the island.
  void divide(const ContactProblem& problem, const Delassus& delassus, const ScaledIsland& island, Splitting split,
              WorkerPool* pool) {
    subadmm_.divide(problem, delassus, island, split);
    pool_ = pool;
  }
  /// All islands that follow must be done by then.
  void set_deadline(std::chrono::steady_clock::time_point t) { best_.deadline = t; }

 private:
  void climb(ScaledIsland& island, const SolverChoice& choice, const SolverOptions& options, bool has_start, Outcome& out);
  /// The ladder of the relative criterion, for problems from files: to the last digit, whatever it takes
  /// (stored_ladder.cpp).
  void climb_stored(ScaledIsland& island, const SolverChoice& choice, const SolverOptions& options, bool has_start,
                    Outcome& out);
  bool closers_in_turns(ScaledIsland& island, std::span<const ProximalOptions> closers, int rounds, double target,
                        Outcome& out);
  bool closer_from_zero(ScaledIsland& island, const SolverChoice& choice, double target, Outcome& out);
  bool other_penalties(ScaledIsland& island, const SolverChoice& choice, double target, Outcome& out);
  bool solve_moving(ScaledIsland& island, const SolverChoice& choice, double tolerance, const double* first, Outcome& out);
  bool sweep_and_follow(ScaledIsland& island, int sweeps, double tolerance, Outcome& out);
  bool sweeps_and_paths(ScaledIsland& island, int sweeps, int rounds, double tolerance, Outcome& out);
  double goal(double tolerance) const { return moves_ ? tolerance : aim_below * tolerance; }
  bool minimum_norm(ScaledIsland& island, int steps, double target, Outcome& out);
  bool close(ScaledIsland& island, const ProximalOptions& closer, double target, Outcome& out);
  bool follow(ScaledIsland& island, double target, const std::vector<double>& start, Outcome& out);
  bool newton(ScaledIsland& island, const ProximalOptions& options, double target, Outcome& out, unsigned bit);
  bool polish(ScaledIsland& island, const SolverChoice& choice, double tolerance, int steps, Outcome& out, unsigned bit);
  bool canal(ScaledIsland& island, const CanalOptions& multipliers, const ProximalOptions& closer, double target,
             const double* start, Outcome& out);
  bool interior(ScaledIsland& island, const InteriorOptions& options, const double* start, double tolerance, double aim,
                Outcome& out);
  bool paths_from(ScaledIsland& island, int rounds, double tolerance, Outcome& out);
  bool interior_and_paths(ScaledIsland& island, const InteriorOptions& options, const double* start, double tolerance,
                          Outcome& out);
  void shrink_loop_impulses(ScaledIsland& island, double enough);
  bool admm(ScaledIsland& island, AdmmOptions options, double target, const double* start, Outcome& out, unsigned bit);

  BestIterate best_;
  Admm admm_;
  ProximalNewton proximal_;
  InteriorPoint interior_;
  Sap sap_;
  Canal canal_;
  Subadmm subadmm_;
  WorkerPool* pool_ = nullptr;
  Pgs pgs_;
  LeastLoopImpulse loops_;
  std::vector<double> start_, from_, swept_;
  int budget_ = 0;
  bool moves_ = false;
};

}  // namespace condyle
