#pragma once
// Truths that need no simulator: formulas for contacts and joints, and the motion of a planar four-bar.
// SI units. Slopes and floors are flat; g is the size of gravity.
#include <condyle/eigen_abi.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace condyle::test {

// ---- impact ------------------------------------------------------------------------------------------------------------

/// Height of the k-th apex after a fall from height h (k = 0: h itself), restitution e.
inline double apex_height(double h, double e, int k) { return h * std::pow(e * e, k); }

/// Time of the k-th apex, k >= 1: one fall, then k - 1 whole arcs, then half an arc.
inline double apex_time(double h, double e, int k, double g = 9.81) {
  double t = std::sqrt(2 * h / g);
  for (int i = 1; i <= k; ++i) t += (i < k ? 2 : 1) * std::sqrt(2 * apex_height(h, e, i) / g);
  return t;
}

// ---- sliding -----------------------------------------------------------------------------------------------------------

/// Acceleration down a slope of angle a from rest; 0 where friction holds.
inline double incline_acceleration(double a, double mu, double g = 9.81) {
  return mu >= std::tan(a) ? 0 : g * (std::sin(a) - mu * std::cos(a));
}

struct Stop {
  double time, way;  ///< s; m or rad
};

/// A block of speed v on a floor, all of whose contacts slide the same way. Holds however its weight is shared between the
/// contacts, so for any number of them, as long as the block does not tip: mu times the height of its centre is at most half
/// its length.
inline Stop sliding_stop(double v, double mu, double g = 9.81) { return {v / (mu * g), v * v / (2 * mu * g)}; }

/// The same in steps of dt of the symplectic scheme, which moves with the velocity after the step: exact, not an estimate.
inline Stop sliding_stop_stepped(double v, double mu, double dt, double g = 9.81) {
  const double lost = mu * g * dt, n = std::floor(v / lost);
  return {(n + (v > n * lost ? 1 : 0)) * dt, dt * (n * v - lost * n * (n + 1) / 2)};
}

enum class DiscSupport {
  rim,      ///< contact points on one circle of the radius, any number >= 2 of them, any share of the weight
  uniform,  ///< even pressure over the whole face: what a disc of rubber would do; no finite set of points has it
};

/// A disc (or any body of moment I about the vertical and mass m) that spins in place at w on contacts at `radius`.
inline Stop spinning_stop(double w, double mu, double m, double I, double radius, DiscSupport support, double g = 9.81) {
  const double arm = support == DiscSupport::rim ? radius : 2.0 / 3.0 * radius;
  const double slow = mu * m * g * arm / I;
  return {w / slow, w * w / (2 * slow)};
}

/// A solid ball set sliding at v without spin: until it rolls, and the speed with which it then goes on.
struct Rolling {
  double time, way, speed;
};
inline Rolling ball_starts_to_roll(double v, double mu, double g = 9.81) {
  return {2 * v / (7 * mu * g), 12 * v * v / (49 * mu * g), 5 * v / 7};
}

// ---- joints and compliance ---------------------------------------------------------------------------------------------

/// A joint of inertia I and speed w, braked by dry friction f.
inline Stop dry_friction_stop(double w, double I, double f) { return {I * w / f, I * w * w / (2 * f)}; }

/// Penetration at rest of a body on contacts of stiffness k, n of them sharing the weight evenly.
inline double compliant_rest(double m, double k, int n = 1, double g = 9.81) { return m * g / (n * k); }

/// SAP 29-30: penetration at rest of a near-rigid contact that carries mass m with effective inverse mass w.
inline double near_rigid_rest(double m, double w, double dt, double tau, double beta = 1, double g = 9.81) {
  return beta * beta / (4 * std::numbers::pi * std::numbers::pi) * m * w * g * dt * (dt + tau);
}

/// Period of a mass on a spring; a solid cylinder that rolls has 1.5 times its mass.
inline double spring_period(double m, double k) { return 2 * std::numbers::pi * std::sqrt(m / k); }

// ---- a high-order integrator -------------------------------------------------------------------------------------------

/// y' = f(t, y) from t over one step H: modified midpoint rules of 2, 4, .. 2 `columns` parts, extrapolated in h² to order
/// 2 `columns` (Gragg, Bulirsch, Stoer). Shares nothing with the schemes of the simulator.
template <class Vector, class Rate>
Vector extrapolated_step(const Rate& f, double t, const Vector& y, double H, int columns = 7) {
  std::vector<Vector> row;
  for (int j = 0; j < columns; ++j) {
    const int n = 2 * (j + 1);
    const double h = H / n;
    Vector before = y, now = y + h * f(t, y);
    for (int i = 1; i < n; ++i) {
      const Vector next = before + 2 * h * f(t + i * h, now);
      before = now;
      now = next;
    }
    std::vector<Vector> current{0.5 * (now + before + h * f(t + H, now))};
    for (int k = 1; k <= j; ++k) {
      const double ratio = static_cast<double>(n) / (2 * (j - k + 1));
      const auto p = static_cast<std::size_t>(k - 1);
      current.push_back(current[p] + (current[p] - row[p]) / (ratio * ratio - 1));
    }
    row = current;
  }
  return row.back();
}

// ---- the four-bar ------------------------------------------------------------------------------------------------------

/// Bars of uniform section in a vertical plane: crank a from the origin, coupler b, rocker c back to (d, 0); angles turn
/// from x up. One degree of freedom, the crank's angle θ: T = ½ I(θ) θ'², so I θ'' = -½ I' θ'² - V'. Derivatives by θ are
/// exact: the loop's equation is differentiated, not the numbers.
///
///            C
///          .´ `.  c
///     b  .´     `.
///      B´         `.
///    a /            `
///     A ------------ D
///             d
struct PlanarFourBar {
  double a, b, c, d;
  std::array<double, 3> mass;  ///< crank, coupler, rocker
  double width = 0;            ///< m, of the bars in the plane: adds m width²/12 to their inertia
  double g = 9.81;

  struct Bar {
    double angle, rate, curve;            ///< φ, dφ/dθ, d²φ/dθ²
    Eigen::Vector2d centre, slope, bend;  ///< and the same for the centre of the bar
  };

  static Eigen::Vector2d along(double angle) { return {std::cos(angle), std::sin(angle)}; }
  static Eigen::Vector2d across(double angle) { return {-std::sin(angle), std::cos(angle)}; }

  /// The branch with C to the left of the way from B to D.
  std::array<Bar, 3> bars(double theta) const {
    const Eigen::Vector2d B = a * along(theta), BD = Eigen::Vector2d(d, 0) - B;
    const double f = BD.norm(), cosine = (b * b + f * f - c * c) / (2 * b * f);
    if (!(std::abs(cosine) < 1)) throw std::domain_error("the four-bar cannot be closed at this angle");
    const double second = std::atan2(BD.y(), BD.x()) + std::acos(cosine);
    const Eigen::Vector2d C = B + b * along(second), CD = Eigen::Vector2d(d, 0) - C;
    const double third = std::atan2(CD.y(), CD.x());
    // a e(θ) + b e(φ2) + c e(φ3) = (d, 0), differentiated once and twice by θ
    Eigen::Matrix2d L;
    L.col(0) = b * across(second);
    L.col(1) = c * across(third);
    const Eigen::Matrix2d inverse = L.inverse();
    const Eigen::Vector2d r = -(inverse * (a * across(theta)));
    const Eigen::Vector2d s =
        inverse * (a * along(theta) + b * r[0] * r[0] * along(second) + c * r[1] * r[1] * along(third));
    std::array<Bar, 3> out;
    Eigen::Vector2d foot(0, 0), foot_slope(0, 0), foot_bend(0, 0);
    const std::array<double, 3> length{a, b, c}, angle{theta, second, third}, rate{1, r[0], r[1]}, curve{0, s[0], s[1]};
    for (std::size_t i = 0; i < 3; ++i) {
      const Eigen::Vector2d e = length[i] * along(angle[i]), n = length[i] * across(angle[i]);
      const Eigen::Vector2d slope = rate[i] * n, bend = curve[i] * n - rate[i] * rate[i] * e;
      out[i] = {angle[i], rate[i], curve[i], foot + 0.5 * e, foot_slope + 0.5 * slope, foot_bend + 0.5 * bend};
      foot += e;
      foot_slope += slope;
      foot_bend += bend;
    }
    return out;
  }

  double own_inertia(std::size_t i) const {
    const double l = i == 0 ? a : i == 1 ? b : c;
    return mass[i] / 12 * (l * l + width * width);
  }

  double kinetic(double theta, double omega) const {
    const auto bar = bars(theta);
    double I = 0;
    for (std::size_t i = 0; i < 3; ++i)
      I += mass[i] * bar[i].slope.squaredNorm() + own_inertia(i) * bar[i].rate * bar[i].rate;
    return 0.5 * I * omega * omega;
  }
  double potential(double theta) const {
    const auto bar = bars(theta);
    double V = 0;
    for (std::size_t i = 0; i < 3; ++i) V += mass[i] * g * bar[i].centre.y();
    return V;
  }
  double energy(double theta, double omega) const { return kinetic(theta, omega) + potential(theta); }

  double acceleration(double theta, double omega) const {
    const auto bar = bars(theta);
    double I = 0, half_slope = 0, V_slope = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      I += mass[i] * bar[i].slope.squaredNorm() + own_inertia(i) * bar[i].rate * bar[i].rate;
      half_slope += mass[i] * bar[i].slope.dot(bar[i].bend) + own_inertia(i) * bar[i].rate * bar[i].curve;
      V_slope += mass[i] * g * bar[i].slope.y();
    }
    return -(half_slope * omega * omega + V_slope) / I;
  }

  struct Motion {
    double theta, omega;
  };
  /// The crank after `time` from (theta, omega), in steps of at most `step`; theta is not wrapped. At 10 ms the error of
  /// fourbar_fixed over 10 s (16 turns) is that of rounding, 1e-10 rad; at 40 ms it is 1e-6.
  Motion after(double time, Motion start, double step = 10e-3) const {
    const int n = std::max(1, static_cast<int>(std::ceil(time / step - 1e-9)));
    Eigen::Vector2d y(start.theta, start.omega);
    const auto rate = [this](double, const Eigen::Vector2d& x) { return Eigen::Vector2d(x[1], acceleration(x[0], x[1])); };
    for (int i = 0; i < n; ++i) y = extrapolated_step(rate, 0, y, time / n);
    return {y[0], y[1]};
  }
};

/// The built-in scene fourbar_fixed: bars of 0.5 kg with a section of 2 cm by 2 cm.
inline PlanarFourBar fourbar_fixed() { return {0.15, 0.35, 0.3, 0.4, {0.5, 0.5, 0.5}, 0.02, 9.81}; }

}  // namespace condyle::test
