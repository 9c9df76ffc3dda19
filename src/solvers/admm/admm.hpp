#pragma once
// ADMM on the dual problem: rules for the penalty, over-relaxation, Anderson acceleration (ADMM Alg. 1, CRBD Alg. 6,
// SOLVER_RECIPES 3).
#include "solvers/admm/anderson.hpp"
#include "solvers/admm/penalty.hpp"
#include "solvers/best_iterate.hpp"
#include "solvers/shifted_system.hpp"

namespace condyle {

class Admm {
 public:
  struct Count {
    int iterations = 0, factorizations = 0;  ///< no iteration: the matrix has no factor
  };
  /// Begins at `start` (rows; nullptr: zero) and stops at `target`, or at options.eps_abs if that is given.
  Count run(ScaledIsland& island, const AdmmOptions& options, double target, const double* start, BestIterate& best);

 private:
  struct Norms {  ///< max norms of (40) and (41)
    double primal = 0, dual = 0;
  };
  void begin(ScaledIsland& island, const AdmmOptions& options, const double* start);
  bool factor(ScaledIsland& island, const AdmmOptions& options, Count& count);
  void solve_for_f(ScaledIsland& island, const AdmmOptions& options);
  void split(const ScaledIsland& island);
  Norms norms(const AdmmOptions& options) const;
  bool passes_the_papers_test(const ScaledIsland& island, const AdmmOptions& options) const;

  ShiftedSystem system_;
  Anderson anderson_;
  Penalty penalty_;
  std::vector<double> shift_, f_, y_, z_, x_, Tx_, right_, transposed_, last_f_, last_y_;
};

}  // namespace condyle
