#pragma once
// Keeps a configuration on the manifold of the scene's loops and couplings, f(q) = 0: Newton in the metric of the inertia,
// so that the correction is what internal forces of the joints would do and moves no centre of mass.
#include "dynamics/free_bodies.hpp"
#include "dynamics/kinematics.hpp"

#include <memory>

namespace condyle {

class LoopProjection {
 public:
  explicit LoopProjection(const SceneData& scene);
  ~LoopProjection();
  LoopProjection(LoopProjection&&) noexcept;
  LoopProjection& operator=(LoopProjection&&) noexcept;

  int rows() const;  ///< of all active closures and couplings; 0: nothing to do

  /// f, rows(): m and rad, at the configuration of the kinematics (which must be updated to q).
  void residual(const Kinematics& kinematics, const Eigen::VectorXd& q, Eigen::VectorXd& f) const;

  struct Outcome {
    int iterations = 0;
    double metres = 0, radians = 0;  ///< largest entries of f afterwards; couplings count by their joint's unit
    int worst = -1;                  ///< closure (or number of closures + coupling) of the largest one
    bool converged = false;          ///< below the tolerance (m, rad)
  };
  /// Moves q; trees and kinematics end updated at the new q. Redundant rows are legal: the step is the least-squares one.
  Outcome project(std::vector<TreeDynamics>& trees, const FreeBodies& bodies, Kinematics& kinematics, Eigen::VectorXd& q,
                  double tolerance = 1e-12, int max_iterations = 10);

  /// Changes v to the nearest velocity, in the metric of the inertia, that keeps f = 0. Trees and kinematics are updated to
  /// q.
  void project_velocity(const std::vector<TreeDynamics>& trees, const FreeBodies& bodies, const Kinematics& kinematics,
                        const Eigen::VectorXd& q, Eigen::VectorXd& v);
  /// J of f, rows() × nv, dense: for tests and small systems.
  void jacobian(const Kinematics& kinematics, const Eigen::VectorXd& q, Eigen::MatrixXd& J) const;
  /// Rank of J: singular values above `tolerance` times the largest of their group of connected loops.
  int rank(const Kinematics& kinematics, const Eigen::VectorXd& q, double tolerance = 1e-8) const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace condyle
