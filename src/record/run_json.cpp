#include "record/run_json.hpp"

#include <condyle/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace condyle {

namespace {
using Json = nlohmann::ordered_json;
Json range(const RunSummary::Range& r) { return {{"mean", r.mean}, {"max", r.max}}; }
}  // namespace

std::string run_json(const RunSummary& run) {
  Json out;
  out["scene"] = run.scene;
  out["backend"] = run.backend;
  out["solver"] = run.solver;
  out["dt"] = run.dt;
  out["steps"] = run.steps;
  out["simulated_s"] = run.simulated_s;
  out["bodies"] = run.bodies;
  out["dofs"] = run.dofs;
  out["wall_s"] = run.wall_s;
  out["step_us"] = {{"mean", run.step_us.mean}, {"p50", run.step_us.p50}, {"p99", run.step_us.p99}};
  for (int k = 0; k < stage_count; ++k)
    out["stage_us"][to_string(static_cast<Stage>(k))] = run.stage_us[static_cast<std::size_t>(k)];
  out["contacts"] = range(run.contacts);
  out["rows"] = range(run.rows);
  out["iterations"] = range(run.iterations);
  out["factorizations"] = range(run.factorizations);
  out["certified_steps"] = run.certified;
  out["uncertified_steps"] = run.uncertified;
  out["worst"] = {{"step", run.worst.step},
                  {"residual", run.worst.residual},
                  {"constraint", run.worst.constraint},
                  {"reason", run.worst.reason}};
  out["residual"] = {{"max", run.residual.max}, {"p50", run.residual.p50}, {"tolerance", run.residual.tolerance}};
  out["penetration_max_m"] = run.penetration;
  out["closure_max_m"] = run.closure_m;
  out["closure_max_rad"] = run.closure_rad;
  out["limit_violation_max"] = run.limit_violation;
  out["slip_max"] = run.slip;
  out["energy"] = {
      {"initial_J", run.energy_initial}, {"final_J", run.energy_final}, {"max_step_increase_J", run.energy_increase}};
  out["momentum_error_max"] = run.momentum_error ? Json(*run.momentum_error) : Json();
  out["state_hash"] = fmt::format("{:016x}", run.state_hash);  // a text: 64 bits do not fit in every reader's numbers
  out["version"] = version;
  out["warnings"] = run.warnings;
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace condyle
