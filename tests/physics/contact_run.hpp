#pragma once
// A scene and a simulator in one hand: takes steps, insists on their certificates, and balances the books of every body.
#include <condyle/condyle.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>

namespace condyle::test {

struct ContactRun {
  explicit ContactRun(const Scene& s, SimulatorOptions options = {})
      : scene(s), sim(scene, options), x(scene.initial_state()) {}
  ContactRun(const std::string& name, const std::map<std::string, std::string>& parameters, SimulatorOptions options = {})
      : ContactRun(load_scene(name, {.parameters = parameters}), with_defaults(name, parameters, options)) {}

  /// Steps until t; `after` sees every step. Every step must be certified.
  void until(double t, const std::function<void()>& after = {}) {
    while (x.t < t - 0.5 * sim.options().dt) {
      const StepReport& report = sim.step(x);
      worst = std::max(worst, report.residual);
      if (!report.certified()) {
        ++uncertified;
        if (uncertified <= 3 && !may_be_uncertified) ADD_FAILURE() << scene.name() << ": " << report.message();
        if (report.status == StepStatus::rejected) return;
      }
      if (after) after();
    }
  }

  /// Sum of the contact impulses on a body from everything else, world axes, of the last step.
  Eigen::Vector3d contact_impulse_on(const std::string& body) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const ConstraintRow& row : sim.constraints()) {
      if (row.kind != ConstraintKind::contact) continue;
      if (row.body_b >= 0 && sim.body_names()[static_cast<std::size_t>(row.body_b)] == body) sum += row.impulse;
      if (row.body_a >= 0 && sim.body_names()[static_cast<std::size_t>(row.body_a)] == body) sum -= row.impulse;
    }
    return sum;
  }

  Scene scene;
  Simulator sim;
  State x;
  double worst = 0;  ///< m/s, largest residual
  int uncertified = 0;
  bool may_be_uncertified = false;

 private:
  static SimulatorOptions with_defaults(const std::string& name, const std::map<std::string, std::string>& parameters,
                                        SimulatorOptions options) {
    const Scene loaded = load_scene(name, {.parameters = parameters});
    const SimulatorOptions plain;
    if (options.dt == plain.dt) options.dt = loaded.defaults().dt;
    if (options.integrator == plain.integrator) options.integrator = loaded.defaults().integrator;
    options.laws = loaded.defaults().laws;
    return options;
  }
};

inline double yaw_of(const Pose& pose) { return std::atan2(pose.R(1, 0), pose.R(0, 0)); }

}  // namespace condyle::test
