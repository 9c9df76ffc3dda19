#include "dynamics/free_bodies.hpp"

#include "dynamics/rotation.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>

namespace condyle {

namespace {
using Vector3 = Eigen::Vector3d;
using In = Eigen::Map<const Vector3>;

constexpr int max_newton_iterations = 30;

void store(double* to, const Vector3& x) { Eigen::Map<Vector3>{to} = x; }

Eigen::Matrix3d cross_matrix(const Vector3& x) {
  Eigen::Matrix3d out;
  out << 0, -x[2], x[1], x[2], 0, -x[0], -x[1], x[0], 0;
  return out;
}
}  // namespace

FreeBodies::FreeBodies(const std::vector<FreeBody>& bodies, const Eigen::Vector3d& gravity) : gravity_(gravity) {
  bodies_.reserve(bodies.size());
  for (const FreeBody& b : bodies)
    bodies_.push_back({b.inertial.mass, b.inertial.com, b.inertial.inertia, b.inertial.inertia.inverse()});
}

int FreeBodies::free_velocity(const Scheme& scheme, const double* q0, const double* v0, const double* tau,
                              double* v_free) const {
  const double dt = scheme.dt * (1 - scheme.mid_velocity);  // v̂ lies that share of the way to v+ (CANAL 2)
  int iterations = 0;
  for (const Body& b : bodies_) {
    if (scheme.implicit()) {
      const int n = implicit_velocity(scheme, b, q0, v0, tau, v_free);
      if (n < 0) return n;
      iterations = std::max(iterations, n);
    } else {
      double middle[4];
      const double* orientation = q0 + 3;
      const Vector3 w = In(v0 + 3);
      Vector3 u = In(v0) + w.cross(b.com);  // of the centre of mass
      if (scheme.kind == Integrator::moreau_midpoint) {
        const Vector3 half = 0.5 * scheme.dt * w;
        rotate(orientation, half, ExpCoefficients(half.squaredNorm()), middle);
        orientation = middle;
        u = turned(-half, u);  // the same velocity in the axes of q_m
      }
      const Vector3 force = In(tau), torque = In(tau + 3) - b.com.cross(force);
      const Vector3 w_free = w + dt * (b.inverse * (torque - w.cross(b.inertia * w)));
      const Vector3 u_free = u + dt * (rotation_of(orientation).transpose() * gravity_ + force / b.mass);
      store(v_free + 3, w_free);
      store(v_free, u_free - w_free.cross(b.com));
    }
    q0 += 7, v0 += 6, tau += 6, v_free += 6;
  }
  return iterations;
}

/// Seen from the centre of mass the two halves separate: Newton on the three angular unknowns; the linear velocity, in the
/// axes of q0, changes by gravity and the applied force alone.
int FreeBodies::implicit_velocity(const Scheme& s, const Body& b, const double* q0, const double* v0, const double* tau,
                                  double* v_free) const {
  const double dt = s.dt, theta = s.theta;
  const Vector3 w0 = In(v0 + 3), u0 = In(v0) + w0.cross(b.com);
  const Vector3 force = In(tau), torque = In(tau + 3) - b.com.cross(force);
  Vector3 w = w0;
  int iteration = 0;
  for (double last = std::numeric_limits<double>::infinity();; ++iteration) {
    const Vector3 m = theta * w + (1 - theta) * w0, Im = b.inertia * m;
    const Vector3 turn = dt * theta * (s.theta_vq * w + (1 - s.theta_vq) * w0);
    const Vector3 r = b.inertia * (w - w0) - dt * (turned(-turn, torque) - m.cross(Im));
    const Eigen::Matrix3d J = b.inertia + dt * theta * (cross_matrix(m) * b.inertia - cross_matrix(Im));
    const Vector3 dw = J.inverse() * r;
    w -= dw;
    const double change = dw.lpNorm<Eigen::Infinity>(), scale = 1 + w.lpNorm<Eigen::Infinity>();
    if (change <= s.newton_tolerance * scale || (change >= last && change <= 1e-9 * scale)) break;
    if (iteration == max_newton_iterations || !std::isfinite(change)) return -1;
    last = change;
  }
  const Vector3 u = u0 + dt * (rotation_of(q0 + 3).transpose() * gravity_ + force / b.mass);
  store(v_free + 3, w);
  store(v_free, u - w.cross(b.com));
  return iteration + 1;
}

/// The centre of mass goes straight while the body turns about it: a screw motion would bend its path.
void FreeBodies::integrate_one(int body, const double* q, double h, const double* v, double* q_out) const {
  const Body& b = bodies_[static_cast<std::size_t>(body)];
  const Vector3 w = h * In(v + 3);
  const Vector3 centre = In(q) + rotation_of(q + 3) * (b.com + h * In(v) + w.cross(b.com));
  rotate(q + 3, w, ExpCoefficients(w.squaredNorm()), q_out + 3);
  store(q_out, centre - rotation_of(q_out + 3) * b.com);
}

void FreeBodies::integrate(const double* q, double h, const double* v, double* q_out) const {
  for (int i = 0; i < size(); ++i) integrate_one(i, q + 7 * i, h, v + 6 * i, q_out + 7 * i);
}

void FreeBodies::carry_momentum(const Scheme& scheme, const double* q0, const double* v0, const double* tau,
                                const double* v_free, const double* q_axes, const double* q1, double* v) const {
  const double dt = scheme.dt;
  for (const Body& b : bodies_) {
    const Eigen::Matrix3d R0 = rotation_of(q0 + 3), R1 = rotation_of(q1 + 3);
    const Vector3 w0 = In(v0 + 3), u0 = In(v0) + w0.cross(b.com);
    const Vector3 force = dt * In(tau), torque = dt * In(tau + 3) - b.com.cross(force);
    // the constraints' impulse, seen from the centre of mass: A (v - v_free)
    const Vector3 jump_w = In(v + 3) - In(v_free + 3), jump_u = In(v) - In(v_free) + jump_w.cross(b.com);
    const Eigen::Matrix3d Rj = q_axes == q0 ? R0 : rotation_of(q_axes + 3);
    const Vector3 velocity = R0 * (u0 + force / b.mass) + Rj * jump_u + dt * gravity_;
    const Vector3 angular = R0 * (b.inertia * w0 + torque) + Rj * (b.inertia * jump_w);
    const Vector3 w1 = b.inverse * (R1.transpose() * angular);
    store(v + 3, w1);
    store(v, R1.transpose() * velocity - w1.cross(b.com));
    q0 += 7, q_axes += 7, q1 += 7, v0 += 6, tau += 6, v_free += 6, v += 6;
  }
}

double FreeBodies::kinetic_energy(const double* v) const {
  double twice = 0;
  for (const Body& b : bodies_) {
    const Vector3 w = In(v + 3), u = In(v) + w.cross(b.com);
    twice += b.mass * u.squaredNorm() + w.dot(b.inertia * w);
    v += 6;
  }
  return 0.5 * twice;
}

double FreeBodies::potential_energy(const double* q) const {
  double energy = 0;
  for (const Body& b : bodies_) {
    const Vector3 x = In(q) + rotation_of(q + 3) * b.com;
    energy -= b.mass * gravity_.dot(x);
    q += 7;
  }
  return energy;
}

void FreeBodies::add_momentum(const double* q, const double* v, Momentum& out) const {
  for (const Body& b : bodies_) {
    const Eigen::Matrix3d R = rotation_of(q + 3);
    const Vector3 w = In(v + 3), u = In(v) + w.cross(b.com), x = In(q) + R * b.com, p = b.mass * (R * u);
    out.linear += p;
    out.angular += x.cross(p) + R * (b.inertia * w);
    out.com += b.mass * x;
    out.mass += b.mass;
    q += 7, v += 6;
  }
}

Eigen::Matrix<double, 6, 6> FreeBodies::inertia_block(int body) const {
  const Body& b = bodies_[static_cast<std::size_t>(body)];
  const Eigen::Matrix3d c = cross_matrix(b.com);
  Eigen::Matrix<double, 6, 6> out;
  out << b.mass * Eigen::Matrix3d::Identity(), -b.mass * c, b.mass * c, b.inertia - b.mass * c * c;
  return out;
}

}  // namespace condyle
