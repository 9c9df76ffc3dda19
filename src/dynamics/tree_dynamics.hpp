#pragma once
// One tree of a scene: kinematics, joint-space inertia, free motion. All work memory is here; the Pinocchio model is
// shared and const. The methods are spread over files by the Pinocchio calls they make, because each such call costs
// seconds to compile.
#include "dynamics/free_motion.hpp"
#include "scene/scene_data.hpp"

#include <memory>

namespace condyle {

class TreeDynamics {
 public:
  explicit TreeDynamics(const Tree& tree);
  ~TreeDynamics();
  TreeDynamics(TreeDynamics&&) noexcept;
  TreeDynamics& operator=(TreeDynamics&&) noexcept;

  int nq() const;
  int nv() const;
  bool free_base() const;

  // --- kinematics and inertia at q -------------------------------------------------------------------------------
  /// M(q) with armature, joint placements and joint Jacobians. Does nothing if q is, bit for bit, the last one.
  void update(const Eigen::Ref<const Eigen::VectorXd>& q);
  Eigen::MatrixXd mass_matrix() const;  ///< nv × nv, symmetric, armature included, of the last update
  Pose joint_pose(int joint) const;     ///< Pinocchio joint in the world, of the last update
  Pose link_pose(int link) const;
  void mass_matrix(Eigen::Ref<Eigen::MatrixXd> M) const;
  int joints() const;                         ///< of Pinocchio, with the universe
  std::vector<int> support(int joint) const;  ///< velocities of the tree that move the joint, ascending
  /// World twist of what velocity k moves, for a unit of it: linear at the world's origin, angular; of the last update.
  const double* jacobian_column(int k) const;
  /// Diagonal of M^-1 at the last update: the effective inverse mass of each degree of freedom.
  Eigen::VectorXd inverse_inertia_diagonal();
  /// Names of joints whose inertia is not positive at the last update; empty: M is positive definite.
  std::vector<std::string> joints_without_inertia();

  // --- free motion -----------------------------------------------------------------------------------------------
  /// Which springs enter A; others are explicit. 0/1 per degree of freedom.
  void set_implicit_springs(const Eigen::VectorXd& mask);
  /// Coriolis, centrifugal and gravity forces at (q of the last update, v).
  const Eigen::VectorXd& bias(const Eigen::Ref<const Eigen::VectorXd>& v);
  /// v* of the scheme from (q0, v0) under applied forces tau, a free base's in the axes of q0 (Moreau midpoint: of q_m);
  /// leaves A factored. v_free is the unknown that the contact
  /// problem is about: v+ or, in the mid-velocity scheme, v̂. Returns the Newton iterations (0: explicit); -1: no
  /// convergence; -2: A is not positive definite.
  int free_velocity(const Scheme& scheme, const Eigen::Ref<const Eigen::VectorXd>& q0,
                    const Eigen::Ref<const Eigen::VectorXd>& v0, const Eigen::Ref<const Eigen::VectorXd>& tau,
                    Eigen::Ref<Eigen::VectorXd> v_free);
  /// The A of the last free_velocity, symmetric, in the contact problem's unknown: M(q^θ) with dampers and springs, over 1-θ
  /// in the mid-velocity scheme. Later updates do not change it.
  void inertia(const Scheme& scheme, Eigen::Ref<Eigen::MatrixXd> A) const;
  /// x ← A^-1 x with the A of the last free_velocity.
  void solve(Eigen::Ref<Eigen::VectorXd> x);
  /// q_out = q ⊕ h v on the manifold; a free base goes straight while it turns.
  void integrate(const Eigen::Ref<const Eigen::VectorXd>& q, double h, const Eigen::Ref<const Eigen::VectorXd>& v,
                 Eigen::Ref<Eigen::VectorXd> q_out);

  // --- accounting, at the q of the last update ----------------------------------------------------------------------
  double kinetic_energy(const Eigen::Ref<const Eigen::VectorXd>& v) const;
  double potential_energy() const;
  double elastic_energy(const Eigen::Ref<const Eigen::VectorXd>& q);
  /// Adds this tree's share.
  void add_momentum(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v, Momentum& out);

  /// Momentum of a free-floating tree.
  BaseMomentum base_momentum(const Eigen::Ref<const Eigen::VectorXd>& v) const;
  /// What an impulse on the base (6, base axes at the base frame's origin) adds to it.
  BaseMomentum impulse_on_base(const Eigen::Matrix<double, 6, 1>& impulse) const;
  /// Changes the base velocity so that base_momentum(v) becomes `wanted`.
  void set_base_momentum(const BaseMomentum& wanted, Eigen::Ref<Eigen::VectorXd> v) const;
  double base_mass() const;

  struct Work;

 private:
  void factor(const Scheme& scheme, double damping_factor, double stiffness_factor);
  void spring_displacement(const Eigen::VectorXd& q);
  int implicit_velocity(const Scheme& scheme, const Eigen::Ref<const Eigen::VectorXd>& tau);
  bool factored_positive() const;

  std::unique_ptr<Work> work_;
};

}  // namespace condyle
