#include "cli/common.hpp"
#include "cli/load_text.hpp"
#include "record/load_json.hpp"
#include "scene/robot_source.hpp"

#include <fmt/format.h>

namespace condyle::cli {

namespace {

std::string model_file(const std::string& model) {
  if (model.ends_with(".yaml") || model.ends_with(".yml"))
    throw Error("unsupported-format", {model, 0, ""}, "this looks like a scene file, not like a robot",
                "condyle run simulates scene files");
  return robot_source(model, "");
}

}  // namespace

int load_command(const Arguments& arguments) {
  std::string model;
  bool all = false;
  ReadFlags flags;
  Output output;
  CommandLine line("load", "load a robot and print what became of every part of its file");
  line.argument("MODEL", model, "robot file (.urdf) or robot:NAME", true,
                "name one: condyle scenes --robots lists the robot package");
  line.group("Options");
  line.flag("--all", all, "print every entry of the report, not the first few of each kind");
  flags.add_options(line);
  output.add_options(line);
  line.example("condyle load arm.urdf", "the report on a terminal");
  line.example("condyle load robot:talos_reduced --strict --json report.json",
               "refuse whatever would be ignored; write the report");
  if (!line.parse(arguments)) return exit_done;
  output.check();
  const Base base = flags.base_kind();
  const ReadOptions options = flags.read();

  LoadReport found;
  try {
    auto description = std::make_shared<ModelDescription>(read_model(model_file(model), options, &found));
    found = description->report;
    const LoadedModel loaded = examine(std::move(description), base);
    if (output.text()) print_loaded(loaded, all);
    std::fflush(stdout);
    output.write_json(load_json(loaded));
    return exit_done;
  } catch (const Error& error) {
    if (error.code() != "cannot-write") output.write_json(refused_json(model, error, found));
    throw;
  }
}

}  // namespace condyle::cli
