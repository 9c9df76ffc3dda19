#pragma once
// What all commands share: exit codes, where output goes, reading of values, the words of errors.
#include "cli/command_line.hpp"

#include <condyle/scene.hpp>

#include <functional>
#include <map>
#include <utility>

namespace condyle::cli {

enum ExitCode { exit_done = 0, exit_uncertified = 1, exit_bad_input = 2, exit_internal = 3 };

using Arguments = std::vector<std::string>;

int run_command(const Arguments& arguments);
int load_command(const Arguments& arguments);
int scenes_command(const Arguments& arguments);
int info_command(const Arguments& arguments);
int replay_command(const Arguments& arguments);
int solve_command(const Arguments& arguments);
int solvers_command(const Arguments& arguments);
int check_command(const Arguments& arguments);

/// Prints file, line, element, reason and cure.
void print_error(const std::string& command, const Error& error);
/// Runs a command; what it throws becomes a message and an exit code.
int guarded(const std::string& command, const std::function<int()>& body);

/// Where the results of a command go.
struct Output {
  Text json;  ///< file, or "-": standard output
  bool quiet = false;

  void add_options(CommandLine& line);
  bool json_to_stdout() const { return json == "-"; }
  bool text() const { return !quiet && !json_to_stdout(); }
  /// Before the work begins: Error if the JSON file could not be written at its end.
  void check() const;
  /// Writes the object, if one was asked for.
  void write_json(const std::string& object) const;
};

/// Error if `file`, given by `option`, lies in no folder or is one.
void check_writable(const std::string& option, const std::string& file);

/// The number in an option's value; `range` says in words what it must be, and `ok` judges it.
double number(const std::string& option, const std::string& text, const std::string& range,
              const std::function<bool(double)>& ok);
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most);

/// The value that a name stands for; Error names the nearest.
template <class T>
T choice(const std::string& option, const std::string& text, const std::vector<std::pair<std::string, T>>& known);
/// Index of `text` in `known`.
std::size_t choice_index(const std::string& option, const std::string& text, const std::vector<std::string>& known);

/// --set key=value, repeated; Error without '=' or if a key is given twice.
std::map<std::string, std::string> read_settings(const std::vector<std::string>& settings);

/// The options that say how a robot file is read.
struct ReadFlags {
  std::vector<std::string> package_path;
  Text sidecar, mesh_policy, default_inertia, base;
  bool strict = false, skip_meshes = false, skip_unsupported = false, skip_unknown_names = false;

  void add_options(CommandLine& line);
  ReadOptions read() const;
  Base base_kind() const;
};

/// A line of a summary: what it is about, then the words.
void print_line(const std::string& label, const std::string& text);
/// "12 bodies", "1 body".
std::string count_of(std::uint64_t count, const std::string& one, const std::string& many);

template <class T>
T choice(const std::string& option, const std::string& text, const std::vector<std::pair<std::string, T>>& known) {
  std::vector<std::string> names;
  for (const auto& [name, value] : known) names.push_back(name);
  return known[choice_index(option, text, names)].second;
}

}  // namespace condyle::cli
