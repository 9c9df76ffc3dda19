#pragma once
// Dense contact sets as CANAL's single-step tests have them: hundreds of contacts on few degrees of freedom.
#include "support/contact_problems.hpp"
#include "support/random_state.hpp"

#include <cmath>

namespace condyle::test {

inline constexpr double dense_dt = 1.0 / 240;

/// Free twist of a body at rest under gravity and a wrench, after one step.
inline Eigen::Matrix<double, 6, 1> pushed(double mass, const Eigen::Vector3d& inertia, const Eigen::VectorXd& wrench) {
  Eigen::Matrix<double, 6, 1> v;
  v.head<3>() = dense_dt * (wrench.head<3>() / mass - Eigen::Vector3d(0, 0, 9.81));
  v.tail<3>() = dense_dt * wrench.tail<3>().cwiseQuotient(inertia);
  return v;
}

/// Contacts round the z axis: `count` points at radius r and height z (from the upper body's centre), normals that lean
/// inwards by `lean` from the vertical, gaps up to `gap`.
struct Ring {
  double r, z, lean;
  int count;
};

inline void add_ring(ProblemBuilder& build, Random& random, int carrier, const Ring& ring, double friction, double gap) {
  for (int k = 0; k < ring.count; ++k) {
    const double a = 2 * M_PI * (k + 0.3 * random.vector(1)[0]) / ring.count;
    const Eigen::Vector3d out(std::cos(a), std::sin(a), 0);
    const Eigen::Vector3d n = std::cos(ring.lean) * Eigen::Vector3d::UnitZ() - std::sin(ring.lean) * out;
    build.contact(carrier, ring.r * out + ring.z * Eigen::Vector3d::UnitZ(), n, friction,
                  gap * (1 + random.vector(1)[0]) / 2 / dense_dt);
  }
}

/// Bowl, bowl in it, plate on its rim, pot of 5 kg on the plate (bowls and plate 0.1 kg: a mass ratio of 50), each pushed by
/// a random wrench. `points` scales how many contacts: 1 gives 184 contacts on 24 velocities.
inline ContactProblem dish_pile(std::uint64_t seed, double friction = 0.5, double points = 1, double push = 1) {
  Random random(static_cast<unsigned>(seed));
  ProblemBuilder build;
  const double masses[4] = {0.1, 0.1, 0.1, 5};
  const double radii[4] = {0.07, 0.07, 0.12, 0.1}, heights[4] = {0.06, 0.06, 0.02, 0.12};
  for (int k = 0; k < 4; ++k) {
    const double across = masses[k] * (radii[k] * radii[k] / 4 + heights[k] * heights[k] / 12);
    const Eigen::Vector3d inertia(across, across, masses[k] * radii[k] * radii[k] / 2);
    Eigen::VectorXd wrench = random.vector(6, push);
    wrench.head<3>() *= 10 * std::sqrt(masses[k] / 0.5);
    wrench.tail<3>() *= 0.3 * std::sqrt(masses[k] / 0.5);
    build.body(masses[k], inertia, pushed(masses[k], inertia, wrench));
  }
  const auto count = [&](int n) { return std::max(3, static_cast<int>(std::lround(n * points))); };
  const int foot = build.twist_carrier(-1, 0, {}, Eigen::Vector3d::Zero());
  add_ring(build, random, foot, {0.035, -0.03, 0, count(24)}, friction, 0);
  const int nested = build.twist_carrier(0, 1, Eigen::Vector3d(0, 0, 0.012), Eigen::Vector3d::Zero());
  for (int ring = 0; ring < 4; ++ring)  // along the wall of the lower bowl, which rises at 50 degrees
    add_ring(build, random, nested, {0.035 + 0.01 * ring, -0.025 + 0.012 * ring, 0.87, count(24)}, friction, 2e-5);
  const int plate = build.twist_carrier(1, 2, Eigen::Vector3d(0, 0, 0.04), Eigen::Vector3d::Zero());
  add_ring(build, random, plate, {0.07, -0.01, 0, count(24)}, friction, 1e-5);
  const int pot = build.twist_carrier(2, 3, Eigen::Vector3d(0, 0, 0.07), Eigen::Vector3d::Zero());
  add_ring(build, random, pot, {0.09, -0.06, 0, count(24)}, friction, 1e-5);
  add_ring(build, random, pot, {0.05, -0.06, 0, count(16)}, friction, 1e-5);
  build.problem.dt = dense_dt;
  return build.problem;
}

/// Two dishes in each other, pushed along the floor: everything slides.
inline ContactProblem dish_slide(std::uint64_t seed, double speed = 0.5, double friction = 0.3) {
  Random random(static_cast<unsigned>(seed));
  ProblemBuilder build;
  const Eigen::Vector3d inertia(1.5e-4, 1.5e-4, 2.5e-4);
  for (int k = 0; k < 2; ++k) {
    Eigen::Matrix<double, 6, 1> v = pushed(0.1, inertia, random.vector(6, 0.01));
    v[0] += speed;
    build.body(0.1, inertia, v);
  }
  add_ring(build, random, build.twist_carrier(-1, 0, {}, Eigen::Vector3d::Zero()), {0.035, -0.03, 0, 24}, friction, 0);
  const int nested = build.twist_carrier(0, 1, Eigen::Vector3d(0, 0, 0.012), Eigen::Vector3d::Zero());
  for (int ring = 0; ring < 4; ++ring)
    add_ring(build, random, nested, {0.035 + 0.01 * ring, -0.025 + 0.012 * ring, 0.87, 24}, friction, 2e-5);
  build.problem.dt = dense_dt;
  return build.problem;
}

/// A nut of 0.4 kg on a fixed M48 thread (pitch 5 mm, flanks of 60 degrees): points along both flanks of six turns, gaps
/// between 0 and the play of the pose, pushed by a random wrench. 180 contacts on 6 velocities.
inline ContactProblem nut_on_bolt(std::uint64_t pose, std::uint64_t seed, double friction = 0.2) {
  Random place(static_cast<unsigned>(1000 + pose)), random(static_cast<unsigned>(seed));
  ProblemBuilder build;
  const double mass = 0.4, radius = 0.0225, pitch = 0.005, play = 5e-5;
  const Eigen::Vector3d inertia(1.6e-4, 1.6e-4, 2.6e-4);
  Eigen::VectorXd wrench = random.vector(6);
  wrench.head<3>() *= 50;
  wrench.tail<3>() *= 2;
  build.body(mass, inertia, pushed(mass, inertia, wrench));
  const int carrier = build.twist_carrier(-1, 0, {}, Eigen::Vector3d::Zero());
  const Eigen::Vector3d shift = play * place.vector3(0.3);  // where the nut sits within its play
  constexpr int turns = 6, points = 15;
  for (int k = 0; k < turns * points; ++k) {
    const double a = 2 * M_PI * k / points + 0.1 * place.vector(1)[0], z = pitch * (a / (2 * M_PI) - turns / 2.0);
    const Eigen::Vector3d out(std::cos(a), std::sin(a), 0), along(-std::sin(a), std::cos(a), pitch / (2 * M_PI * radius));
    for (const int side : {-1, 1}) {  // the bolt's upper flank carries the nut, the lower one holds it down
      const Eigen::Vector3d flank = std::cos(M_PI / 6) * side * Eigen::Vector3d::UnitZ() + std::sin(M_PI / 6) * out;
      const Eigen::Vector3d n = (flank - flank.dot(along) / along.squaredNorm() * along).normalized();
      const double gap = std::max(0.0, 0.5 * play + n.dot(shift) + 0.05 * play * place.vector(1)[0]);
      build.contact(carrier, radius * out + z * Eigen::Vector3d::UnitZ(), n, friction, gap / dense_dt);
    }
  }
  build.problem.dt = dense_dt;
  return build.problem;
}

}  // namespace condyle::test
