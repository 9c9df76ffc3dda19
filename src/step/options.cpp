#include <condyle/simulator.hpp>

#include "step/simulator_work.hpp"

#include <fmt/format.h>

#include <cmath>

namespace condyle {

namespace {
constexpr int most_threads = 256;
}

SolverOptions solver_options_of(const SimulatorOptions& options) {
  SolverOptions out;
  out.solver = options.solver;
  out.tolerance = options.tolerance;
  out.max_iterations = options.max_iterations;
  out.threads = options.threads;
  out.time_limit_ms = options.solver_time_limit_ms;
  out.criterion = SolverOptions::Criterion::speed;
  out.parameters = options.solver_parameters;
  return out;
}

void SimulatorOptions::check() const {
  const auto bad = [](const char* field, double value, const char* range) {
    throw Error("bad-option", {"", 0, std::string("option ") + field}, fmt::format("{} is {}", field, value),
                std::string("it must be ") + range);
  };
  if (!(dt > 0) || std::isinf(dt)) bad("dt", dt, "a positive number of seconds");
  if (!(tolerance > 0) || std::isinf(tolerance)) bad("tolerance", tolerance, "a positive speed in m/s");
  if (max_iterations < 1) bad("max_iterations", max_iterations, "1 or more");
  if (threads < 1 || threads > most_threads) bad("threads", threads, "from 1 to 256");
  if (!(mid_velocity_theta >= 0 && mid_velocity_theta < 1))
    bad("mid_velocity_theta", mid_velocity_theta, "from 0 to below 1");
  if (!(newton_tolerance > 0) || std::isinf(newton_tolerance))
    bad("newton_tolerance", newton_tolerance, "a positive number");
  if (!(contact_margin >= 0) || std::isinf(contact_margin))
    bad("contact_margin", contact_margin, "a length in m, 0 or more");
  if (max_substeps < 1) bad("max_substeps", max_substeps, "1 or more");
  laws.check();
  solver_options_of(*this).check();
}

const char* to_string(OnFailure policy) {
  switch (policy) {
    case OnFailure::accept: return "accept";
    case OnFailure::substep: return "substep";
    case OnFailure::stop: return "stop";
  }
  return "";
}

const char* to_string(StepStatus status) {
  switch (status) {
    case StepStatus::certified: return "certified";
    case StepStatus::uncertified: return "uncertified";
    case StepStatus::rejected: return "rejected";
  }
  return "";
}

const char* to_string(Stage stage) {
  constexpr const char* names[] = {"kinematics", "collision", "assembly", "solve", "integrate", "other"};
  return names[static_cast<int>(stage)];
}

std::string StepReport::message() const {
  if (certified()) return fmt::format("step {}: certified, residual {:.3g} m/s", step, residual);
  return fmt::format("step {}: {}: {}", step, to_string(status), reason);
}

}  // namespace condyle
