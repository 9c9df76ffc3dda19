#pragma once
// The solvers by name, and their parameters read from SolverOptions.
#include "solvers/admm/admm.hpp"
#include "solvers/canal/canal.hpp"
#include "solvers/pgs/pgs.hpp"
#include "solvers/proximal/proximal_newton.hpp"
#include "solvers/sap/sap.hpp"
#include "solvers/subadmm/options.hpp"

#include <condyle/solver.hpp>

namespace condyle {

enum class Method { ladder, admm, pgs, sap, canal, subadmm };

/// Options as a solver takes them.
struct SolverChoice {
  Method method = Method::ladder;
  bool convex = false;
  AdmmOptions admm;
  ProximalOptions proximal;
  PgsOptions pgs;
  SapOptions sap;
  CanalOptions canal;
  SubadmmOptions subadmm;
  bool closer = true;  ///< after CANAL, where it stalls
  Form form = Form::automatic;
  bool islands = true;
  bool scaled = true;
  bool warm_newton = true;
  int small_rows = 60;  ///< up to here Newton goes first even without a start
};

/// Throws Error for an unknown solver, an unknown or bad parameter.
SolverChoice choose_solver(const SolverOptions& options);

}  // namespace condyle
