#pragma once
// SubADMM (Lee et al., Alg. 2): velocities tree by tree, slacks constraint by constraint, in turns. README.md.
#include "solvers/admm/anderson.hpp"
#include "solvers/best_iterate.hpp"
#include "solvers/shifted_system.hpp"
#include "solvers/subadmm/team.hpp"
#include "solvers/subadmm/tree_split.hpp"
#include "solvers/worker_pool.hpp"

#include <memory>

namespace condyle {

class Subadmm {
 public:
  struct Count {
    int iterations = 0, factorizations = 0;
    double beta = 0;  ///< the last one
  };
  /// Divides the island; before run.
  void divide(const ContactProblem& problem, const Delassus& delassus, const ScaledIsland& island, Splitting split) {
    split_.set(problem, delassus, island, split);
  }
  /// Begins at `start` (rows; nullptr: zero) and stops at `target`. `pool`: trees and constraints are shared out among its
  /// workers, which changes no number; nullptr: one thread.
  Count run(ScaledIsland& island, const SubadmmOptions& options, double target, const double* start, BestIterate& best,
            WorkerPool* pool);
  const TreeSplit& split() const { return split_; }

 private:
  enum class Next { go_on, factor, end };
  struct Norms {
    double primal = 0, dual = 0;
  };
  struct Share {  ///< of one worker
    int block_begin = 0, block_end = 0, tree_begin = 0, tree_end = 0;
    bool factored = true;
  };
  void share_out(const ScaledIsland& island, WorkerPool* pool);
  void begin(ScaledIsland& island, const double* start);
  void loop(ScaledIsland& island, const SubadmmOptions& options, double target, BestIterate& best, int worker);
  void factor(ScaledIsland& island, int worker);
  void update_constraints(const ScaledIsland& island, int worker);
  void update_velocities(ScaledIsland& island, int worker);
  Next decide(ScaledIsland& island, const SubadmmOptions& options, double target, BestIterate& best);
  bool change_penalty(const ScaledIsland& island, const SubadmmOptions& options);
  Norms norms(const ScaledIsland& island);
  void solve_block(const ScaledIsland& island, int block, const std::vector<double>& y, double* impulse) const;

  TreeSplit split_;
  ShiftedSystem system_;  // without splitting
  Anderson anderson_;
  std::unique_ptr<Team> team_ = std::make_unique<Team>();
  std::vector<Share> shares_;
  double beta_ = 1;
  Count count_;
  Next next_ = Next::go_on;
  std::vector<double> y_, Ty_, f_, w_, side_impulse_;  // each slack's
  std::vector<double> impulse_, next_impulse_;         // each row's
  std::vector<double> shift_, h_, lag_, transposed_;   // without splitting
  std::vector<int> on_tree_;
};

}  // namespace condyle
