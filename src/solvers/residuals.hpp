#pragma once
// The one judge of all solvers, with its work memory. It takes λ and nothing else from a solver: v+, σ and Γ(σ) are
// recomputed from the problem's own numbers, by products that no solver iterates with.
#include "linalg/block_factor.hpp"
#include "linalg/block_jacobian.hpp"
#include "problem/operators.hpp"

#include <condyle/solver.hpp>

#include <vector>

namespace condyle {

class Judge {
 public:
  /// How much is asked: the certificate alone needs no Delassus matrix where the blocks have their weights.
  enum class Depth { certificate, everything };
  const Residuals& judge(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity,
                         bool convex, Depth depth = Depth::everything);
  const Eigen::VectorXd& sigma() const { return sigma_; }
  const Eigen::VectorXd& velocity() const { return velocity_; }           ///< v+ from λ; empty for dual-only problems
  const Eigen::VectorXd& row_velocity() const { return row_velocity_; }   ///< J v+; empty for dual-only problems
  const std::vector<double>& block_residuals() const { return shares_; }  ///< each block's e_i

 private:
  bool recompute_motion(const ContactProblem& problem, const Eigen::VectorXd& impulse);
  void watch_sliding(const ContactProblem& problem, const ConstraintBlock& block, const Eigen::VectorXd& impulse);
  void judge_block(const ContactProblem& problem, std::size_t i, const Eigen::VectorXd& impulse, bool convex);
  void weigh(const ContactProblem& problem);
  void refuse();

  BlockFactor factor_;
  JacobianProduct product_;
  DelassusDiagonal diagonal_;
  std::vector<double> Gii_, shares_;
  std::vector<int> Gii_begin_;
  Eigen::VectorXd velocity_, row_velocity_, sigma_, g_;
  double diagonal_floor_ = 0, weight_floor_ = 0;
  bool everything_ = true;
  double slid_ = 0, lifted_ = 0;  ///< Σ λ_n μ ‖σ_t‖ and Σ λ_n σ_n of what slides
  double natural2_ = 0, scaled2_ = 0, scaled_impulse2_ = 0, scaled_g2_ = 0, scaled_sigma2_ = 0;
  Residuals out_;
};

/// The scaled residual stays while impulses grow without bound (`growth`: the largest ‖λ̃‖ / ‖g̃‖ that iterates had), or the
/// natural one lies: no impulse may exist (SOLVER_RECIPES 5).
bool suspects_no_solution(const Residuals& residuals, double growth = 0);

}  // namespace condyle
