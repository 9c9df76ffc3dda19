#include "cli/common.hpp"

#include "scene/names.hpp"

#include <condyle/version.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <new>

namespace condyle::cli {

namespace fs = std::filesystem;

void print_error(const std::string& command, const Error& error) {
  const std::string place = error.place().text();
  fmt::print(stderr, "condyle{}: {}{}{}\n", command.empty() ? "" : " " + command, place, place.empty() ? "" : ": ",
             error.reason());
  if (!error.cure().empty()) fmt::print(stderr, "  cure: {}\n", error.cure());
}

namespace {
int internal_error(const std::string& command, const std::string& what) {
  fmt::print(
      stderr,
      "condyle {}: internal error: {}\n"
      "  This is a bug of Condyle {}, not of your input. Please report this message with the command line, the files it\n"
      "  names and the output of 'condyle check'.\n",
      command, what, version);
  return exit_internal;
}
}  // namespace

int guarded(const std::string& command, const std::function<int()>& body) {
  try {
    const int code = body();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw Error("cannot-write", {"", 0, "standard output"}, "it cannot be written", "is the disk full?");
    return code;
  } catch (const Error& error) {
    print_error(command, error);
    return exit_bad_input;
  } catch (const std::bad_alloc&) {
    return internal_error(command, "the memory of this machine is not enough");
  } catch (const std::exception& error) {
    return internal_error(command, error.what());
  }
}

void Output::add_options(CommandLine& line) {
  line.group("Output");
  line.option_with_default("--json", json, "[FILE|-]", "-",
                           "write the results as one JSON object; -: to standard output, then nothing else goes there");
  line.flag("--quiet", quiet, "print nothing but errors");
}

void Output::check() const {
  if (json && !json_to_stdout()) check_writable("--json", *json);
}

void Output::write_json(const std::string& object) const {
  if (!json) return;
  if (json_to_stdout()) {
    fmt::print("{}\n", object);
    return;
  }
  std::ofstream out(*json, std::ios::binary);
  out << object << '\n';
  out.close();
  if (!out)
    throw Error("cannot-write", {*json, 0, "--json"}, "the file cannot be written",
                "check its folder's permissions and the room on the disk");
}

void check_writable(const std::string& option, const std::string& file) {
  std::error_code problem;
  if (file.empty()) throw Error("bad-option", {"", 0, option}, "the name of the file is empty", "name a file");
  if (fs::is_directory(file, problem)) throw Error("cannot-write", {file, 0, option}, "this is a folder", "name a file");
  const fs::path folder = fs::path(file).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, problem))
    throw Error("cannot-write", {file, 0, option}, fmt::format("there is no folder '{}'", folder.string()), "make it first");
}

double number(const std::string& option, const std::string& text, const std::string& range,
              const std::function<bool(double)>& ok) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (text.empty() || stop != end || problem != std::errc() || !std::isfinite(value) || !ok(value))
    throw Error("bad-option", {"", 0, option}, fmt::format("'{}' does not do", text), "it must be " + range);
  return value;
}

std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (text.empty() || stop != end || problem != std::errc() || value < least || value > most)
    throw Error("bad-option", {"", 0, option}, fmt::format("'{}' does not do", text),
                fmt::format("it must be a whole number from {} to {}", least, most));
  return value;
}

std::size_t choice_index(const std::string& option, const std::string& text, const std::vector<std::string>& known) {
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i] == text) return i;
  throw Error("bad-option", {"", 0, option}, fmt::format("there is no '{}'{}", text, did_you_mean(text, known)),
              fmt::format("it must be {}", fmt::join(known, " or ")));
}

std::map<std::string, std::string> read_settings(const std::vector<std::string>& settings) {
  std::map<std::string, std::string> out;
  for (const std::string& setting : settings) {
    const auto equal = setting.find('=');
    if (equal == std::string::npos || equal == 0)
      throw Error("bad-option", {"", 0, "--set " + setting}, "this is not key=value", "write it as --set n=100");
    if (!out.emplace(setting.substr(0, equal), setting.substr(equal + 1)).second)
      throw Error("bad-option", {"", 0, "--set " + setting}, "the key is set twice", "set it once");
  }
  return out;
}

void ReadFlags::add_options(CommandLine& line) {
  line.group("Reading of robot files");
  line.option("--base", base, "fixed|free",
              "of a robot by itself; without it: fixed if the root link is massless or called world");
  line.list("--package-path", package_path, "DIR",
            "folder in which package:// names and meshes are looked for; may be repeated");
  line.option("--sidecar", sidecar, "FILE",
              "loop closures of the robot; without it: <stem>.yaml or robot.yaml beside the file");
  line.option("--mesh-policy", mesh_policy, "hull|convex-parts|bvh", "how collision meshes are simulated (hull)");
  line.option("--default-inertia", default_inertia, "MASS,RADIUS",
              "kg, m: links without inertial become solid spheres of this size");
  line.flag("--strict", strict, "refuse a file of which anything would be ignored");
  line.flag("--skip-meshes", skip_meshes, "leave out collision meshes that are missing or unreadable");
  line.flag("--skip-unsupported", skip_unsupported, "leave out what cannot be simulated instead of refusing the file");
  line.flag("--skip-unknown-names", skip_unknown_names, "leave out what refers to a name that does not exist");
}

ReadOptions ReadFlags::read() const {
  ReadOptions out;
  out.package_path = package_path;
  for (const std::string& folder : package_path)
    if (std::error_code problem; !fs::is_directory(folder, problem))
      throw Error("bad-option", {folder, 0, "--package-path"}, "there is no such folder", "name a folder that exists");
  out.sidecar = sidecar.value_or("");
  out.strict = strict;
  out.skip_meshes = skip_meshes;
  out.skip_unsupported = skip_unsupported;
  out.skip_unknown_names = skip_unknown_names;
  if (mesh_policy)
    out.mesh_policy = choice<MeshPolicy>(
        "--mesh-policy", *mesh_policy,
        {{"hull", MeshPolicy::hull}, {"convex-parts", MeshPolicy::convex_parts}, {"bvh", MeshPolicy::bvh}});
  if (default_inertia) {
    const auto comma = default_inertia->find(',');
    const std::string mass = default_inertia->substr(0, comma);
    const std::string radius = comma == std::string::npos ? "" : default_inertia->substr(comma + 1);
    const auto positive = [](double x) { return x > 0; };
    const std::string range = "two positive numbers, kg and m: --default-inertia 0.1,0.02";
    out.default_inertia = {number("--default-inertia", mass, range, positive),
                           number("--default-inertia", radius, range, positive)};
  }
  return out;
}

Base ReadFlags::base_kind() const {
  if (!base) return Base::automatic;
  return choice<Base>("--base", *base, {{"fixed", Base::fixed}, {"free", Base::free}});
}

void print_line(const std::string& label, const std::string& text) { fmt::print("{:<14}{}\n", label, text); }

std::string count_of(std::uint64_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace condyle::cli
