#pragma once
// Free rigid bodies in closed form, in the conventions of Pinocchio's free-flyer: q = position, quaternion xyzw;
// v = velocity of the body frame's origin, angular velocity, both in body axes.
#include "dynamics/free_motion.hpp"
#include "scene/scene_data.hpp"

#include <vector>

namespace condyle {

class FreeBodies {
 public:
  FreeBodies(const std::vector<FreeBody>& bodies, const Eigen::Vector3d& gravity);

  int size() const { return static_cast<int>(bodies_.size()); }

  /// v* of all bodies in the axes of q0 (Moreau midpoint: of q_m); q0, v0, tau, v_free are the free bodies' blocks of the
  /// state (7n, 6n, 6n, 6n). Returns the largest number of Newton iterations; -1: one did not converge.
  int free_velocity(const Scheme& scheme, const double* q0, const double* v0, const double* tau, double* v_free) const;

  /// q_out = q ⊕ h v: the centre of mass moves by h times its velocity, the body turns by exp(h ω); q_out may be q.
  void integrate(const double* q, double h, const double* v, double* q_out) const;
  /// The same of one body: 7 and 6 numbers.
  void integrate_one(int body, const double* q, double h, const double* v, double* q_out) const;

  /// After the move from q0 to q1: replaces v by the velocity at q1 whose momentum is that of (q0, v0) plus gravity's
  /// impulse, the applied forces' and, where v differs from v_free, the constraints', both given in the axes of q_axes
  /// (q0; the Moreau midpoint's q_m).
  void carry_momentum(const Scheme& scheme, const double* q0, const double* v0, const double* tau, const double* v_free,
                      const double* q_axes, const double* q1, double* v) const;

  double kinetic_energy(const double* v) const;
  double potential_energy(const double* q) const;
  void add_momentum(const double* q, const double* v, Momentum& out) const;

  /// The 6×6 block of A: [m 1, -m[c]; m[c], I_o].
  Eigen::Matrix<double, 6, 6> inertia_block(int body) const;

 private:
  struct Body {
    double mass;
    Eigen::Vector3d com;
    Eigen::Matrix3d inertia, inverse;  ///< about com
  };
  int implicit_velocity(const Scheme& scheme, const Body& body, const double* q0, const double* v0, const double* tau,
                        double* v_free) const;

  std::vector<Body> bodies_;
  Eigen::Vector3d gravity_;
};

}  // namespace condyle
