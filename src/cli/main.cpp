#include "cli/common.hpp"
#include "scene/names.hpp"

#include <condyle/version.hpp>

#include <fmt/format.h>

namespace condyle::cli {

namespace {

struct Command {
  const char* name;
  const char* argument;
  const char* about;
  int (*run)(const Arguments&);
};

constexpr Command commands[] = {
    {"run", "SCENE", "simulate a scene: summary, recording, replay page", run_command},
    {"load", "MODEL", "load a robot and print the load report", load_command},
    {"solve", "FILE...", "solve stored contact problems with one or more solvers", solve_command},
    {"scenes", "[NAME]", "list the built-in scenes, or print one as a scene file", scenes_command},
    {"replay", "REC", "make one HTML page of a recording: 3D, forces, plots, tables", replay_command},
    {"info", "REC", "what is in a recording", info_command},
    {"solvers", "", "list solvers, what each solves, its parameters", solvers_command},
    {"check", "", "versions, library paths, CPU features, a self test", check_command},
};

void print_overview() {
  fmt::print("condyle {}: simulates articulated bodies in generalized coordinates\n\n", version);
  for (const Command& command : commands)
    fmt::print("  condyle {:<8}{:<8}{}\n", command.name, command.argument, command.about);
  fmt::print(
      "\nEach command has --help with examples; a first try:\n"
      "  condyle run pendulum\n"
      "  condyle run chain --set n=20 --time 3 --record chain.h5\n"
      "  condyle load robot:ur5\n");
}

int dispatch(const Arguments& arguments) {
  if (arguments.empty() || arguments.front() == "--help" || arguments.front() == "-h" || arguments.front() == "help") {
    print_overview();
    return exit_done;
  }
  const std::string& name = arguments.front();
  if (name == "--version") {
    fmt::print("condyle {}\n", version);
    return exit_done;
  }
  std::vector<std::string> known;
  for (const Command& command : commands) {
    if (name == command.name)
      return guarded(name, [&] { return command.run(Arguments(arguments.begin() + 1, arguments.end())); });
    known.emplace_back(command.name);
  }
  const bool option = name.starts_with('-');
  const std::vector<std::string> candidates = option ? std::vector<std::string>{"--help", "--version"} : known;
  throw Error("usage", {"", 0, "'" + name + "'"},
              (option ? "there is no such option" : "there is no such command") + did_you_mean(name, candidates),
              fmt::format("the commands are {}; condyle COMMAND --help shows the options of each", fmt::join(known, ", ")));
}

}  // namespace

}  // namespace condyle::cli

int main(int argc, char** argv) {
  const condyle::cli::Arguments arguments(argv + 1, argv + argc);
  return condyle::cli::guarded("", [&] { return condyle::cli::dispatch(arguments); });
}
