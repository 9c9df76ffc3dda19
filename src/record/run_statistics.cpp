#include "record/run_statistics.hpp"

#include "scene/scene_data.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {

constexpr std::uint64_t most_samples = 1 << 20;

/// Why this scene does not conserve momentum by itself; empty: it does.
std::string outside_force(const SceneData& scene, double most_contacts) {
  for (const Tree& tree : scene.trees)
    if (!tree.model->free_base) return "'" + tree.name + "' stands on a fixed base";
  const auto fixed = [](const BodyRef& body) {
    return body.kind == BodyRef::Kind::world || body.kind == BodyRef::Kind::static_body;
  };
  for (const SceneClosure& closure : scene.closures)
    if (closure.active && (fixed(closure.a) || fixed(closure.b))) return "'" + closure.name + "' holds on to the world";
  if (most_contacts > 0) return "there was contact";
  if (scene.nv == 0) return "nothing moves";
  return {};
}

/// Radius of gyration of all moving mass about its centre: a length for angular momentum to be compared with.
double gyration_radius(Simulator& simulator, const State& x, const Eigen::Vector3d& com) {
  const SceneData& scene = simulator.scene().data();
  double moment = 0, mass = 0;
  const auto add = [&](const Inertial& part, const Pose& pose) {
    moment += part.mass * (pose * part.com - com).squaredNorm() + 0.5 * part.inertia.trace();
    mass += part.mass;
  };
  for (const Tree& tree : scene.trees)
    for (const TreeLink& link : tree.model->links)
      if (link.inertial.mass > 0) add(link.inertial, simulator.pose(x, tree.name + "/" + link.name));
  for (const FreeBody& body : scene.free_bodies)
    add(body.inertial, Pose::from_xyz_quaternion(x.q.segment<3>(body.q), x.q.segment<4>(body.q + 3)));
  return mass > 0 ? std::sqrt(moment / mass) : 0;
}

/// Error relative to the quantity itself or, where that is next to nothing, to what the scene's energy could carry of it.
double relative(double error, double itself, double possible) {
  const double scale = itself > 1e-6 * possible ? itself : possible;
  return scale > 0 ? error / scale : error;
}

}  // namespace

Samples::Samples(std::uint64_t expected) { values_.reserve(std::min(std::max<std::uint64_t>(expected, 2), most_samples)); }

void Samples::add(double value) {
  if (seen_++ % stride_ != 0) return;
  if (values_.size() == values_.capacity()) {
    for (std::size_t i = 0; 2 * i < values_.size(); ++i) values_[i] = values_[2 * i];
    values_.resize((values_.size() + 1) / 2);
    stride_ *= 2;
    if ((seen_ - 1) % stride_ != 0) return;
  }
  values_.push_back(value);
}

double Samples::quantile(double share) {
  if (values_.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::llround(share * static_cast<double>(values_.size() - 1)));
  const auto at = values_.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values_.begin(), at, values_.end());
  return *at;
}

RunStatistics::RunStatistics(Simulator& simulator, const State& start, std::uint64_t expected_steps)
    : simulator_(simulator),
      start_(start),
      start_energy_(simulator.energy(start)),
      start_momentum_(simulator.momentum(start)),
      last_energy_(start_energy_.total()),
      times_(expected_steps),
      residuals_(expected_steps) {
  const Scene& scene = simulator.scene();
  const SimulatorOptions& options = simulator.options();
  sums_.scene = scene.name();
  sums_.backend = "generalized";
  sums_.solver = options.solver;
  sums_.integrator = to_string(options.integrator);
  sums_.dt = options.dt;
  sums_.bodies = scene.body_count();
  sums_.dofs = scene.nv();
  sums_.residual.tolerance = options.tolerance;
  sums_.energy_initial = last_energy_;
  sums_.warnings = simulator.notes();
}

void RunStatistics::add(const StepReport& report, double wall_us) {
  step_us_.add(wall_us);
  times_.add(wall_us);
  residuals_.add(report.residual);
  for (std::size_t k = 0; k < stage_us_.size(); ++k) stage_us_[k] += report.stage_us[k];
  judge(report);
  if (report.status == StepStatus::rejected) return;

  contacts_.add(report.contacts);
  rows_.add(report.rows);
  iterations_.add(report.iterations);
  factorizations_.add(report.factorizations);
  const auto keep_largest = [](double& kept, double value) {
    if (value > kept) kept = value;
  };
  keep_largest(sums_.residual.max, report.residual);
  keep_largest(sums_.penetration, report.penetration);
  keep_largest(sums_.closure_m, report.closure_m);
  keep_largest(sums_.closure_rad, report.closure_rad);
  keep_largest(sums_.limit_violation, report.limit_violation);
  keep_largest(sums_.slip, report.slip);
  keep_largest(sums_.gliding, report.gliding);
  if (!simulator_.options().account_energy) return;
  const double energy = report.energy.total();
  keep_largest(sums_.energy_increase, energy - last_energy_);
  last_energy_ = energy;
}

/// The worst step is a rejected one, else the uncertified one with the largest residual, then the one in which a
/// declared constraint is broken most; among equals the first.
void RunStatistics::judge(const StepReport& report) {
  const bool certified = report.certified(), rejected = report.status == StepStatus::rejected;
  ++sums_.steps;
  ++(certified ? sums_.certified : sums_.uncertified);
  const double broken = std::max({report.limit_violation, report.closure_m, report.closure_rad, report.penetration});
  const RunSummary::Worst& worst = sums_.worst;
  const bool worse = report.residual > worst.residual || (report.residual == worst.residual && broken > worst_break_);
  const bool first = sums_.steps == 1 || (worst_certified_ && !certified);
  if (!rejected && !first && (certified != worst_certified_ || !worse)) return;
  sums_.rejected = rejected;
  worst_certified_ = certified;
  worst_break_ = broken;
  sums_.worst.step = report.step;
  sums_.worst.residual = report.residual;
  sums_.worst.constraint = report.worst;
  sums_.worst.reason = report.reason;
}

void RunStatistics::check_momentum(const State& end, RunSummary& out) {
  const SceneData& scene = simulator_.scene().data();
  out.momentum_reason = outside_force(scene, contacts_.max);
  if (!out.momentum_reason.empty() || !end.finite()) return;

  const Momentum &before = start_momentum_, after = simulator_.momentum(end);
  const double t = end.t - start_.t;
  const Eigen::Vector3d weight = before.mass * t * scene.gravity;
  const double kinetic = std::max(start_energy_.kinetic, simulator_.energy(end).kinetic);
  const double possible = std::sqrt(2 * before.mass * kinetic);
  const double linear = relative((after.linear - before.linear - weight).norm(),
                                 std::max({before.linear.norm(), after.linear.norm(), weight.norm()}), possible);
  const Eigen::Vector3d spin0 = before.angular_about_com(), spin1 = after.angular_about_com();
  const double angular = relative((spin1 - spin0).norm(), std::max(spin0.norm(), spin1.norm()),
                                  possible * gyration_radius(simulator_, start_, before.com));
  out.momentum_error = std::max(linear, angular);
}

RunSummary RunStatistics::finish(const State& end, double wall_s) {
  RunSummary out = sums_;
  const std::uint64_t n = out.steps;
  out.simulated_s = end.t - start_.t;
  out.wall_s = wall_s;
  out.step_us = {step_us_.over(n).mean, times_.quantile(0.5), times_.quantile(0.99)};
  for (std::size_t k = 0; k < stage_us_.size(); ++k) out.stage_us[k] = n ? stage_us_[k] / static_cast<double>(n) : 0;
  out.contacts = contacts_.over(n);
  out.rows = rows_.over(n);
  out.iterations = iterations_.over(n);
  out.factorizations = factorizations_.over(n);
  out.residual.p50 = residuals_.quantile(0.5);
  out.energy_final = simulator_.energy(end).total();
  out.state_hash = hash(end);
  check_momentum(end, out);
  return out;
}

}  // namespace condyle
