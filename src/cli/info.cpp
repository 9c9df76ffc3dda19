#include "cli/common.hpp"

#include <condyle/recording.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace condyle::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Range {
  double first = 0, last = 0, min = 0, max = 0;
};

/// Of the frames that have a number: the first one, before any step, has none.
Range range_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return {};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {values.front(), values.back(), *least, *most};
}

/// What the columns of a recording say of the whole run.
struct Findings {
  Range kinetic, potential, elastic, total;
  double worst_residual = 0;
  std::uint64_t worst_frame = 0, uncertified = 0;
};

Findings look(const Recording& recording) {
  Findings out;
  const std::vector<double> kinetic = recording.column("energy_kinetic"), potential = recording.column("energy_potential"),
                            elastic = recording.column("energy_elastic"), residual = recording.column("residual");
  std::vector<double> total(kinetic.size());
  for (std::size_t i = 0; i < total.size(); ++i) total[i] = kinetic[i] + potential[i] + elastic[i];
  out.kinetic = range_of(kinetic);
  out.potential = range_of(potential);
  out.elastic = range_of(elastic);
  out.total = range_of(total);
  for (std::size_t i = 0; i < residual.size(); ++i)
    if (residual[i] > out.worst_residual) {
      out.worst_residual = residual[i];
      out.worst_frame = i;
    }
  for (const double status : recording.column("status"))
    out.uncertified += status != static_cast<double>(StepStatus::certified);
  return out;
}

Json json(const Range& r) { return {{"first", r.first}, {"last", r.last}, {"min", r.min}, {"max", r.max}}; }

std::string info_json(const Recording& recording, const Findings& found) {
  const RecordingInfo& info = recording.info();
  Json out;
  out["file"] = info.file;
  out["scene"] = info.scene;
  out["scene_identity"] = fmt::format("{:016x}", info.scene_identity);
  out["version"] = info.version;
  out["command"] = info.command;
  out["integrator"] = info.integrator;
  out["solver"] = info.solver;
  out["dt"] = info.dt;
  out["nq"] = info.nq;
  out["nv"] = info.nv;
  out["frames"] = info.frames;
  out["t_first"] = info.t_first;
  out["t_last"] = info.t_last;
  out["complete"] = info.complete;
  out["energy_J"] = {{"kinetic", json(found.kinetic)},
                     {"potential", json(found.potential)},
                     {"elastic", json(found.elastic)},
                     {"total", json(found.total)}};
  out["residual"] = {{"max", found.worst_residual}, {"frame", found.worst_frame}};
  out["uncertified_frames"] = found.uncertified;
  out["steps"] = {{"taken", info.steps},      {"uncertified", info.uncertified},       {"rejected", info.rejected},
                  {"worst", info.worst_step}, {"worst_residual", info.worst_residual}, {"tolerance", info.tolerance}};
  out["columns"] = recording.columns();
  out["bodies"] = info.bodies;
  out["q_names"] = info.q_names;
  out["v_names"] = info.v_names;
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string few(const std::vector<std::string>& names) {
  const std::size_t shown = std::min<std::size_t>(names.size(), 6);
  const std::vector<std::string> first(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown));
  return fmt::format("{}: {}{}", names.size(), fmt::join(first, ", "), shown < names.size() ? ", ..." : "");
}

std::string words(const Range& r) {
  return fmt::format("{:.6g} J → {:.6g} J, from {:.6g} to {:.6g} J", r.first, r.last, r.min, r.max);
}

/// Of every step of the run, whether a frame was made of it or not.
std::string certificate(const RecordingInfo& info) {
  if (info.steps == 0) return "no step was taken";
  const std::string worst = fmt::format("worst residual {:.3g} m/s in step {}, tolerance {:g} m/s", info.worst_residual,
                                        info.worst_step, info.tolerance);
  return info.uncertified == 0 ? fmt::format("all {} steps certified, {}", info.steps, worst)
                               : fmt::format("{} of {} steps not certified, {}", info.uncertified, info.steps, worst);
}

void print_info(const Recording& recording, const Findings& found) {
  const RecordingInfo& info = recording.info();
  fmt::print("{}: {}\n", info.file, info.complete ? "complete" : "not closed by its program, readable up to its last flush");
  print_line("scene", fmt::format("{} (identity {:016x})", info.scene, info.scene_identity));
  print_line("made by", fmt::format("condyle {}{}", info.version, info.command.empty() ? "" : ": " + info.command));
  print_line("integrator", fmt::format("{}, step {:g} s, solver {}", info.integrator, info.dt, info.solver));
  print_line("frames", fmt::format("{}, from {:g} s to {:g} s", info.frames, info.t_first, info.t_last));
  print_line("energy", words(found.total));
  print_line("  kinetic", words(found.kinetic));
  print_line("  potential", words(found.potential));
  print_line("  elastic", words(found.elastic));
  print_line("certificate", certificate(info));
  print_line("positions", few(info.q_names));
  print_line("velocities", few(info.v_names));
  print_line("bodies", few(info.bodies));
  print_line("columns", fmt::format("{}", fmt::join(recording.columns(), ", ")));
  print_line("to see it", fmt::format("condyle replay {}", info.file));
}

}  // namespace

int info_command(const Arguments& arguments) {
  std::string file;
  Output output;
  CommandLine line("info", "what is in a recording");
  line.argument("REC", file, "recording (.h5)", true, "name one: condyle run SCENE --record FILE.h5 makes one");
  output.add_options(line);
  line.example("condyle info chain.h5", "scene, times, energies, columns");
  line.example("condyle info chain.h5 --json -", "the same for a script");
  if (!line.parse(arguments)) return exit_done;
  output.check();

  const Recording recording(file);
  const Findings found = look(recording);
  if (output.text()) print_info(recording, found);
  if (output.json) output.write_json(info_json(recording, found));
  return exit_done;
}

}  // namespace condyle::cli
