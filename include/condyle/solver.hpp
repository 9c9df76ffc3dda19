#pragma once
// What goes into a solver and what comes out: Options, Solution, Stats, Status are four types. A solver's own stopping test
// is never the verdict: `judge` computes the residuals of every solution in the same way, from λ alone.
#include <condyle/contact_problem.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace condyle {

/// How a solve went: one entry for each time that a solver looked at its residual (with parameter check = 1 after every
/// iteration), island after island. Recomputed from the iterate's λ, as the judge has it.
struct ResidualHistory {
  struct Entry {
    double measure = 0;          ///< what the solver stops on, see SolverOptions::criterion
    double dual = 0;             ///< m/s: max ‖v̂_i - P_K*(v̂_i)‖; bilateral: σ
    double complementarity = 0;  ///< J: max |λ_i · v̂_i| of contacts and limits
  };
  std::vector<Entry> entries;
};

struct SolverOptions {
  std::string solver = "auto";
  double tolerance = 1e-7;     ///< see `criterion`; 0: exactly max_iterations
  int max_iterations = 20000;  ///< >= 1
  double time_limit_ms =
      0;  ///< wall clock; 0: none, the only way to the same answer every time. The best iterate is returned
  enum class Criterion {
    speed,    ///< the certificate, m/s
    relative  ///< the larger of the natural and the scaled residual: for stored problems
  } criterion = Criterion::speed;
  int threads = 1;                             ///< >= 1: islands are solved side by side; the numbers do not depend on it
  std::map<std::string, double> parameters{};  ///< solver.rho and the like; unknown names are errors
  ResidualHistory* history = nullptr;          ///< filled if given; the caller keeps it alive and empties it
  void check() const;                          ///< throws Error naming the bad field
};

struct Solution {
  Eigen::VectorXd impulse;   ///< m, λ [N s]
  Eigen::VectorXd velocity;  ///< n, v+; empty for dual-only problems
};

struct SolverStats {
  int iterations = 0, factorizations = 0;
  double setup_ms = 0, time_ms = 0;
  double momentum_error = 0;  ///< SAP only: e_m = ‖L⁻¹∇ℓ‖ / max(‖L⁻¹p‖, ‖L⁻¹Jᵀγ‖) of the worst island (SAP 32)
  std::string path;  ///< which methods ran, in order
};

struct SolverStatus {
  enum class Code { solved, inaccurate, stalled, suspected_infeasible, outside_assumptions, failed };
  Code code = Code::failed;
  std::string message;
};
const char* to_string(SolverStatus::Code code);

/// What the judge says of an impulse. All recomputed: v+ = v* + A⁻¹ Jᵀ λ, σ = J v+ + b + R λ, v̂ = σ + Γ(σ).
struct Residuals {
  double certificate = 0;  ///< m/s (rad/s): max_i w_i ‖λ_i - P_K(λ_i - v̂_i / w_i)‖; bilateral: ‖σ_i‖∞
  int worst = -1;          ///< block of the certificate; -1: no rows
  double natural = 0;  ///< ‖λ - P_K(λ - v̂)‖ / max(‖g‖, ‖λ‖, ‖σ‖), bilateral rows σ: as FCLIB and Siconos
  double scaled = 0;           ///< the same after block scaling, not divided by ‖λ‖ (SOLVER_RECIPES 1)
  double primal = 0;           ///< N s: max ‖λ_i - P_K(λ_i)‖
  double dual = 0;             ///< m/s: max ‖v̂_i - P_K*(v̂_i)‖; bilateral: σ
  double complementarity = 0;  ///< J: max |λ_i · v̂_i|
  double momentum = 0;         ///< m/s: largest difference between the solver's v+ and the one recomputed; 0 if it gave none
  double impulse_growth =
      0;  ///< ‖λ̃‖ / ‖g̃‖ in scaled variables: above 1e6 together with a large `scaled`, suspect no solution
  double slip = 0;  ///< m/s: largest sliding speed of a contact that carries load; compliant friction slips while it holds
  double gliding =
      0;  ///< σ_n / (μ ‖σ_t‖), by load, of contacts that carry load and slide: 0 Coulomb's law, 1 the convex model's
  double objective = 0, objective_de_saxce = 0;  ///< J: ½ λᵀ(G+R)λ + λᵀg, and λᵀΓ(σ)
};

struct SolveResult {
  Solution solution;
  SolverStats stats;
  SolverStatus status;
  Residuals residuals;
};

/// Judges λ; `velocity` is the solver's own v+ or empty. `convex`: Γ = 0, for solvers of the convex model.
Residuals judge(const ContactProblem& problem, const Eigen::VectorXd& impulse,
                const Eigen::VectorXd& velocity = Eigen::VectorXd(), bool convex = false);

/// Solves a problem that is at hand: islands apart, each judged; `start` is a first guess of λ or empty. Throws Error for
/// an unknown solver or parameter (naming the nearest) and for a problem whose numbers do not fit together.
SolveResult solve(const ContactProblem& problem, const SolverOptions& options = {},
                  const Eigen::VectorXd& start = Eigen::VectorXd());

struct SolverInfo {
  std::string name, solves, summary;
  std::vector<std::string> parameters;  ///< "rho = 0.03   penalty, in scaled variables"
};
const std::vector<SolverInfo>& solvers();

/// What kind of problem it is (CRBD VII-C).
struct ProblemDescriptors {
  int rows = 0, contacts = 0, bilateral_rows = 0, limits = 0, velocities = 0, bodies = 0;
  int rank = 0;           ///< of J (dual-only: of G), relative 1e-10; -1: too large to say
  double condition = 0;   ///< of G, largest to smallest eigenvalue above the rank tolerance; 0: not known
  double mass_ratio = 0;  ///< largest to smallest diagonal mass; 0: not known
  double density_joints = 0, density_contacts = 0, density_all = 0;
  std::string category;
};
ProblemDescriptors describe(const ContactProblem& problem);

}  // namespace condyle
