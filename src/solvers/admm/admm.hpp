#pragma once
// ADMM on the dual problem with Anderson acceleration (SOLVER_RECIPES 3; ADMM Alg. 1, CRBD Alg. 6).
#include "solvers/admm/anderson.hpp"
#include "solvers/best_iterate.hpp"
#include "solvers/shifted_system.hpp"

namespace condyle {

struct AdmmOptions {
  double rho = 0.03;  ///< penalty, in scaled variables
  double eta = 1e-6;  ///< proximal weight
  double omega = 1;   ///< over-relaxation, [1, 2)
  int memory = 10;    ///< of the acceleration; 0: none
  int check = 5;      ///< iterations between two measures
  int max_iterations = 400;
};

class Admm {
 public:
  /// Begins at `start` (rows; nullptr: zero) and stops at `target`. Returns iterations done; -1: the matrix has no factor.
  int run(ScaledIsland& island, const AdmmOptions& options, double target, const double* start, BestIterate& best);

 private:
  ShiftedSystem system_;
  Anderson anderson_;
  std::vector<double> shift_, f_, y_, z_, x_, Tx_, right_, transposed_;
};

}  // namespace condyle
