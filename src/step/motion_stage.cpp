#include "dynamics/rotation.hpp"
#include "step/simulator_work.hpp"

#include <fmt/format.h>

#include <cstring>

namespace condyle {

namespace {
constexpr double loop_tolerance = 1e-12;  ///< m and rad
constexpr double loop_alarm = 1e-9;       ///< m and rad: a loop that stays open by more is said
constexpr int most_loop_iterations = 10;

/// The linear velocity v of a pose q0, given in its axes, in the axes of q1.
void turn_to(const double* q1, const double* q0, double* v) {
  Eigen::Map<Eigen::Vector3d> linear(v);
  linear = (rotation_of(q1 + 3).transpose() * (rotation_of(q0 + 3) * linear)).eval();
}
}  // namespace

/// From v+ (or v̂) to q+: which velocity carries the position is what distinguishes the schemes. The position correction
/// moves q and is not part of any velocity.
void Simulator::Work::advance(State& x) {
  const double dt = scheme.dt, share = 1 - scheme.mid_velocity;
  const auto move = [&](Eigen::VectorXd& from, double h, Eigen::VectorXd& velocity, Eigen::VectorXd& to) {
    for (std::size_t i = 0; i < trees.size(); ++i) trees[i].integrate(q_of(from, i), h, v_of(velocity, i), q_of(to, i));
    bodies.integrate(from.data() + data.free_q, h, velocity.data() + data.free_v, to.data() + data.free_q);
  };
  const auto carry = [&](Eigen::VectorXd& from, double h, Eigen::VectorXd& velocity) {
    if (!pushed) return move(from, h, velocity, q);
    v_move = velocity + push * (dt / h);
    move(from, h, v_move, q);
  };
  switch (scheme.kind) {
    case Integrator::explicit_euler: carry(x.q, dt, x.v); break;
    case Integrator::symplectic:
    case Integrator::implicit_euler: carry(x.q, dt, v); break;
    case Integrator::midpoint:
      v = 0.5 * (v + x.v);
      carry(x.q, dt, v);
      v = 2 * v - x.v;
      break;
    case Integrator::moreau_midpoint:  // v+ is in the axes of q_m, which is where it moves the base from
      if (!assembly) move_to_middle(x);
      carry(q_mid, 0.5 * dt, v);
      break;
    case Integrator::mid_velocity:
      carry(x.q, dt, v);
      v = (v - scheme.mid_velocity * x.v) / share;
      v_free = (v_free - scheme.mid_velocity * x.v) / share;
      break;
  }
  v_solved = v;
}

void Simulator::Work::move_to_middle(State& x) {
  for (std::size_t i = 0; i < trees.size(); ++i)
    trees[i].integrate(q_of(x.q, i), 0.5 * scheme.dt, v_of(x.v, i), q_of(q_mid, i));
  bodies.integrate(x.q.data() + data.free_q, 0.5 * scheme.dt, x.v.data() + data.free_v, q_mid.data() + data.free_q);
}

/// Closures were solved for at the start's Jacobian; what is left after the move is of third order in dt. Taking it away at
/// once keeps it from adding up.
void Simulator::Work::close_loops() {
  report.closure_m = report.closure_rad = 0;
  if (loops.rows() == 0) return;
  const auto begin = StageClock::Clock::now();
  const LoopProjection::Outcome outcome =
      loops.project(trees, bodies, kinematics, q, loop_tolerance, options.project_loops ? most_loop_iterations : 0);
  report.closure_m = outcome.metres;
  report.closure_rad = outcome.radians;
  report.projection_us = std::chrono::duration<double, std::micro>(StageClock::Clock::now() - begin).count();
  if (!options.project_loops || std::max(outcome.metres, outcome.radians) <= loop_alarm) return;
  report.status = StepStatus::uncertified;
  const auto closures = static_cast<int>(data.closures.size());
  report.worst = outcome.worst < 0          ? std::string()
                 : outcome.worst < closures ? data.closures[static_cast<std::size_t>(outcome.worst)].name
                                            : data.couplings[static_cast<std::size_t>(outcome.worst - closures)].name;
  report.reason = fmt::format("loop '{}' stays open by {:.3g} m, {:.3g} rad: it cannot be closed near this configuration",
                              report.worst, outcome.metres, outcome.radians);
}

/// v+ has its components in the axes of q0 (q_m); the state wants them in those of q+. The joint rates stay; what floats
/// gets the velocity whose momentum is exactly the old one plus the impulses, or, if that is switched off, v+ turned.
void Simulator::Work::carry_momentum(State& x) {
  const Eigen::VectorXd& from = constraint_q(x);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    trees[i].update(q_of(q, i));
    if (!trees[i].free_base()) continue;
    if (options.conserve_momentum)
      trees[i].set_base_momentum(momenta[i], v_of(v, i));
    else
      turn_to(q.data() + data.trees[i].q, from.data() + data.trees[i].q, v.data() + data.trees[i].v);
  }
  const double* q1 = q.data() + data.free_q;
  double* v1 = v.data() + data.free_v;
  if (options.conserve_momentum)
    bodies.carry_momentum(scheme, x.q.data() + data.free_q, x.v.data() + data.free_v, tau.data() + data.free_v,
                          v_free.data() + data.free_v, from.data() + data.free_q, q1, v1);
  else
    for (int i = 0; i < bodies.size(); ++i) turn_to(q1 + 7 * i, from.data() + data.free_q + 7 * i, v1 + 6 * i);
}

/// Schemes of second order get their order only from velocities on the loops' tangent, as RATTLE has them; in the others the
/// velocity is that of the way from the last configuration, as in SHAKE, and is left as certified.
void Simulator::Work::settle_velocity() {
  const bool second_order = scheme.kind == Integrator::midpoint || scheme.kind == Integrator::mid_velocity;
  if (loops.rows() > 0 && options.project_loops && second_order) loops.project_velocity(trees, bodies, kinematics, q, v);
}

Energy Simulator::Work::energy_now(State& x) {
  Energy e;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    trees[i].update(q_of(x.q, i));
    e.kinetic += trees[i].kinetic_energy(v_of(x.v, i));
    e.potential += trees[i].potential_energy();
    e.elastic += trees[i].elastic_energy(q_of(x.q, i));
  }
  e.kinetic += bodies.kinetic_energy(x.v.data() + data.free_v);
  e.potential += bodies.potential_energy(x.q.data() + data.free_q);
  return e;
}

void Simulator::Work::account(State& x) {
  const auto same = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
  };
  const bool follows = has_last && same(x.q, q_last) && same(x.v, v_last);
  x.q.swap(q);
  x.v.swap(v);
  if (assembly) x.warm.swap(warm);
  x.step += 1;
  x.t += scheme.dt;
  report.step = x.step;
  report.t = x.t;
  if (options.account_energy) {
    const double energy_before = report.energy.total();
    report.energy = energy_now(x);
    report.energy_change = follows ? report.energy.total() - energy_before : 0;
    q_last = x.q;
    v_last = x.v;
    has_last = true;
  }
  report.limit_violation = limits.largest(x.q);
}

}  // namespace condyle
