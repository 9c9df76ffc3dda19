#include <condyle/simulator.hpp>

#include "scene/names.hpp"

#include <fmt/format.h>

#include <cmath>

namespace condyle {

void SimulatorOptions::check() const {
  const auto bad = [](const char* field, double value, const char* range) {
    throw Error("bad-option", {"", 0, std::string("option ") + field}, fmt::format("{} is {}", field, value),
                std::string("it must be ") + range);
  };
  if (!(dt > 0) || std::isinf(dt)) bad("dt", dt, "a positive number of seconds");
  if (!(tolerance > 0) || std::isinf(tolerance)) bad("tolerance", tolerance, "a positive speed in m/s");
  if (max_iterations < 1) bad("max_iterations", max_iterations, "1 or more");
  if (!(mid_velocity_theta >= 0 && mid_velocity_theta < 1))
    bad("mid_velocity_theta", mid_velocity_theta, "from 0 to below 1");
  if (!(newton_tolerance > 0) || std::isinf(newton_tolerance))
    bad("newton_tolerance", newton_tolerance, "a positive number");
  if (solver != "auto")
    throw Error("unknown-solver", {"", 0, "option solver"},
                "there is no solver '" + solver + "'" + did_you_mean(solver, {"auto"}), "there is auto");
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
