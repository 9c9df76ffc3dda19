#pragma once
// From a state's kinematics and contacts to the contact problem, and from impulses back to a table of constraints.
#include "collision/contact_finder.hpp"
#include "dynamics/kinematics.hpp"
#include "linalg/block_factor.hpp"

#include <condyle/constraint_table.hpp>
#include <condyle/contact_laws.hpp>
#include <condyle/contact_problem.hpp>

#include <memory>
#include <string>
#include <vector>

namespace condyle {

/// What a step knows before anything constrains it. References: valid during build() only.
struct FreeMotion {
  const Kinematics& kinematics;            ///< at the q at which constraints are evaluated (q0, or q_m)
  const std::vector<TreeDynamics>& trees;  ///< A of the last free_velocity
  const BlockDiagonal& A;                  ///< trees in order, then free bodies
  const Eigen::VectorXd& q;                ///< nq, the same q
  const Eigen::VectorXd& v0;               ///< nv, velocity at the start, in the axes of q
  const Eigen::VectorXd& v_free;           ///< nv, v*
  double dt = 0;
  double t = 0;  ///< s, at the start
};

class Assembly {
 public:
  Assembly(const SceneData& scene, const LawOptions& laws);
  ~Assembly();
  Assembly(Assembly&&) noexcept;
  Assembly& operator=(Assembly&&) noexcept;

  /// Stacks all rows: contacts, loop closures, couplings, joint limits that could be reached within the step, joint dry
  /// friction, pd actuators, spring-dampers. Weights w, then the laws' b and R. The order of blocks depends on the scene and
  /// on contact order alone: closures and couplings come first. No allocation once the sizes have been reached before, but
  /// for b and R when the number of rows changes (Eigen's vectors keep no room). `closure_ahead` (rows of all active
  /// closures and couplings, in their order) is f(q ⊕ dt v0): their b becomes (f_ahead - f)/dt - J v0, the curvature of the
  /// loops along the last velocity; empty: zero.
  const ContactProblem& build(const FreeMotion& motion, const std::vector<Contact>& contacts,
                              const Eigen::VectorXd& closure_ahead);

  /// Split correction: the frictionless problem of the errors that exist at this configuration (penetrations, limits beyond
  /// the slop; closures keep still), v* = 0; its solution times dt is added to the position on top of dt v, the motion that
  /// was solved for: what v opens by itself needs no push, and no push may close what v leaves open. False: there is no
  /// error.
  bool build_correction(const FreeMotion& motion, const Eigen::VectorXd& v, const std::vector<Contact>& contacts,
                        ContactProblem& out);

  /// One row for each constraint of the last build(), with λ, σ and the certificate's share per block as judged.
  void table(const Eigen::VectorXd& impulse, const Eigen::VectorXd& sigma, const std::vector<double>& block_residuals,
             std::vector<ConstraintRow>& out) const;

  /// "box:0 on floor:0, point 3", "loop 'knee'", "limit of 'arm/elbow'": made on request.
  std::string name_of(int block) const;
  /// The same into a string's own memory.
  void append_name(int block, std::string& out) const;
  /// Names of the bodies that ConstraintRow::body_a and body_b index.
  const std::vector<std::string>& body_names() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace condyle
