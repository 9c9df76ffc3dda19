#include "cli/common.hpp"
#include "scene/builtin_texts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace condyle::cli {

namespace {

/// "n = 10   number of links" in two columns.
void print_parameters(const std::vector<std::string>& parameters) {
  constexpr const char* gap = "   ";
  std::size_t width = 0;
  for (const std::string& parameter : parameters) width = std::max(width, std::min(parameter.find(gap), parameter.size()));
  for (const std::string& parameter : parameters) {
    const std::size_t end = std::min(parameter.find(gap), parameter.size());
    fmt::print("    {:<{}}  {}\n", parameter.substr(0, end), width, parameter.substr(std::min(end + 3, parameter.size())));
  }
}

void print_scenes() {
  for (const BuiltinScene& scene : builtin_scenes()) {
    fmt::print("{}: {}\n", scene.name, scene.summary);
    if (const std::string robot = robot_of_scene(scene.name); !robot.empty())
      fmt::print("    with robot:{} of the robot package (scripts/setup --robots)\n", robot);
    print_parameters(scene.parameters);
  }
  fmt::print("\ncondyle run NAME simulates one; condyle scenes NAME prints it as a scene file.\n");
}

void print_robots() {
  const std::vector<std::string> robots = robot_names();
  if (robots.empty())
    throw Error("no-robots", {}, "the robot package is not installed", "install it: scripts/setup --robots");
  for (const std::string& robot : robots) fmt::print("robot:{}\n", robot);
}

std::string lists_json(bool with_robots) {
  nlohmann::ordered_json out;
  out["scenes"] = nlohmann::ordered_json::array();
  for (const BuiltinScene& scene : builtin_scenes())
    out["scenes"].push_back({{"name", scene.name},
                             {"summary", scene.summary},
                             {"parameters", scene.parameters},
                             {"robot", robot_of_scene(scene.name)}});
  if (with_robots) out["robots"] = robot_names();
  return out.dump(2);
}

}  // namespace

int scenes_command(const Arguments& arguments) {
  std::string name;
  std::vector<std::string> settings;
  bool robots = false;
  Output output;
  CommandLine line("scenes", "list the built-in scenes, or print one as a scene file");
  line.argument("NAME", name, "the scene to print", false);
  line.group("Options");
  line.list("--set", settings, "KEY=VALUE", "parameter of the scene; may be repeated");
  line.flag("--robots", robots, "list the robots of the installed robot package");
  output.add_options(line);
  line.example("condyle scenes", "what is built in, with the parameters of each");
  line.example("condyle scenes chain --set n=5 > chain.yaml", "a scene file to change");
  if (!line.parse(arguments)) return exit_done;
  output.check();

  if (!name.empty()) {
    if (robots)
      throw Error("usage", {"", 0, "--robots"}, "this lists robots, a scene was named, too", "ask for one of them");
    const std::string text = builtin_scene_text(name, read_settings(settings));
    if (output.text()) fmt::print("{}", text);
    output.write_json(nlohmann::ordered_json{{"name", name}, {"text", text}}.dump(2));
    return exit_done;
  }
  if (!settings.empty())
    throw Error("usage", {"", 0, "--set"}, "no scene is named that it could belong to",
                "write condyle scenes NAME --set ...");
  if (output.text()) robots ? print_robots() : print_scenes();
  if (output.json) output.write_json(lists_json(robots));
  return exit_done;
}

}  // namespace condyle::cli
