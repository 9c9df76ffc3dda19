#pragma once
// One solver with its work memory: what the simulator calls at every step. No allocation once a problem of that size has
// been solved before; the answer depends on the problem, the start and the options alone, never on earlier calls.
#include <condyle/solver.hpp>

#include <memory>
#include <vector>

namespace condyle {

class ProblemSolver {
 public:
  explicit ProblemSolver(const SolverOptions& options);  ///< throws Error for an unknown solver or parameter
  ~ProblemSolver();
  ProblemSolver(ProblemSolver&&) noexcept;
  ProblemSolver& operator=(ProblemSolver&&) noexcept;

  /// `start`: λ to begin with, or empty. Valid until the next call.
  /// `velocity`: v to begin with, for solvers that iterate over velocities, or empty.
  const SolveResult& solve(const ContactProblem& problem, const Eigen::VectorXd& start,
                           const Eigen::VectorXd& velocity = Eigen::VectorXd());

  /// λ that a next step should begin with: the solution, without the part that braked what was about to rest.
  const Eigen::VectorXd& next_start() const;
  /// Of the last solve, as judged: σ (m), and each block's share of the certificate.
  const Eigen::VectorXd& sigma() const;
  const std::vector<double>& block_residuals() const;
  int islands() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace condyle
