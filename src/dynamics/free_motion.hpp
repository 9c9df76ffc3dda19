#pragma once
// What every scheme of ALGORITHMS section 2 needs to know, for trees and free bodies alike.
#include <condyle/simulator.hpp>

namespace condyle {

/// The theta-method's parameters of a scheme (SAP 6-17): x^θ = θ x+ + (1-θ) x0.
struct Scheme {
  Integrator kind = Integrator::symplectic;
  double dt = 1e-3;
  double theta = 0;         ///< forces at q^θ, v^θ
  double theta_vq = 1;      ///< q+ = q0 ⊕ dt v^θvq
  double mid_velocity = 0;  ///< CANAL 2, its own θ: weight of v0 in the unknown v̂; 0 elsewhere
  bool implicit_damping = true;
  double newton_tolerance = 1e-12;

  bool implicit() const { return theta > 0; }
};

inline Scheme scheme_of(const SimulatorOptions& options) {
  Scheme s;
  s.kind = options.integrator;
  s.dt = options.dt;
  s.implicit_damping = options.implicit_damping;
  s.newton_tolerance = options.newton_tolerance;
  switch (options.integrator) {
    case Integrator::explicit_euler: s.theta = 0, s.theta_vq = 0; break;
    case Integrator::symplectic:
    case Integrator::moreau_midpoint: s.theta = 0, s.theta_vq = 1; break;
    case Integrator::implicit_euler: s.theta = 1, s.theta_vq = 1; break;
    case Integrator::midpoint: s.theta = 0.5, s.theta_vq = 0.5; break;
    case Integrator::mid_velocity: s.theta = 0, s.theta_vq = 1, s.mid_velocity = options.mid_velocity_theta; break;
  }
  return s;
}

/// Linear momentum and angular momentum about the centre of mass, world axes.
struct BaseMomentum {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();
};

}  // namespace condyle
