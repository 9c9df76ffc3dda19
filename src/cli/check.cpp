#include "cli/common.hpp"
#include "cli/machine.hpp"
#include "collision/versions.hpp"
#include "dynamics/versions.hpp"
#include "linalg/kernels.hpp"
#include "record/versions.hpp"
#include "scene/robot_source.hpp"
#include "scene/versions.hpp"

#include <condyle/simulator.hpp>
#include <condyle/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <set>

namespace condyle::cli {

namespace {

#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#else
constexpr const char* compiler = "gcc " __VERSION__;
#endif

struct Problem {
  std::string what, cure;
};

struct Findings {
  std::vector<LibraryVersion> versions;
  std::vector<LoadedLibrary> libraries;
  std::vector<std::string> features;
  std::string models;  ///< folder of Condyle's own models; empty: not found
  std::size_t robots = 0;
  double fall_error = 0;  ///< of the self test, relative
  std::vector<Problem> problems;
};

std::vector<LibraryVersion> all_versions() {
  std::vector<LibraryVersion> out = {{"condyle", version}, {"compiler", compiler}};
  for (const auto& room : {dynamics_libraries(), collision_libraries(), scene_libraries(), record_libraries()})
    out.insert(out.end(), room.begin(), room.end());
  return out;
}

/// A body in free fall for a tenth of a second, against the closed form of the symplectic scheme:
/// z = z0 - g dt² n (n + 1) / 2, v = -g n dt.
double fall_error() {
  SceneBuilder build;
  BodySpec ball;
  ball.name = "ball";
  ball.shapes = {Shape{}};
  ball.inertial.mass = 2;
  ball.pose.p.z() = 1;
  build.add_body(ball);
  const Scene scene = build.finish();
  SimulatorOptions options;
  Simulator simulator(scene, options);
  State x = scene.initial_state();
  constexpr int n = 100;
  for (int i = 0; i < n; ++i)
    if (!simulator.step(x).certified()) return 1;
  const double g = scene.gravity().norm(), dt = options.dt, drop = g * dt * dt * n * (n + 1) / 2, speed = g * n * dt;
  return std::max(std::abs(1 - x.q[2] - drop) / drop, std::abs(-x.v[2] - speed) / speed);
}

/// Two copies of one library, or Pinocchio and Coal of different builds, crash in ways that explain nothing.
void judge_libraries(Findings& found) {
  std::set<std::string> seen;
  std::string pinocchio, coal;
  for (const LoadedLibrary& library : found.libraries) {
    if (!seen.insert(library.name).second)
      found.problems.push_back({fmt::format("{} is loaded twice, the second time from {}", library.name, library.path),
                                "unset LD_LIBRARY_PATH and LD_PRELOAD, then configure and build again"});
    const std::string folder = std::filesystem::path(library.path).parent_path().string();
    if (library.name == "libpinocchio_default") pinocchio = folder;
    if (library.name == "libcoal") coal = folder;
  }
  if (!pinocchio.empty() && !coal.empty() && pinocchio != coal)
    found.problems.push_back({fmt::format("Pinocchio is loaded from {}, Coal from {}", pinocchio, coal),
                              "unset LD_LIBRARY_PATH; run scripts/setup and build with a preset"});
}

Findings look() {
  Findings found;
  found.versions = all_versions();
  found.libraries = loaded_libraries();
  found.features = cpu_features();
  judge_libraries(found);
  try {
    found.models = data_folder();
  } catch (const Error& error) {
    found.problems.push_back({error.reason(), error.cure()});
  }
  try {
    found.robots = robot_names().size();
  } catch (const Error& error) {
    found.problems.push_back({error.reason(), error.cure()});
  }
  found.fall_error = fall_error();
  if (!(found.fall_error < 1e-12))
    found.problems.push_back({fmt::format("a falling body is off its closed form by {:.3g}", found.fall_error),
                              "build again from a clean folder; if it stays, report it with this output"});
  return found;
}

std::string abi() {
  return fmt::format("alignment {} bytes, malloc already aligned: {}, vectors: {}", EIGEN_MAX_ALIGN_BYTES,
                     EIGEN_MALLOC_ALREADY_ALIGNED ? "yes" : "no", Eigen::SimdInstructionSetsInUse());
}

void line(const std::string& label, const std::string& text) { fmt::print("  {:<24}{}\n", label, text); }

void print_findings(const Findings& found) {
  fmt::print("versions\n");
  for (const LibraryVersion& library : found.versions) line(library.name, library.version);
  fmt::print("\nlibraries loaded\n");
  for (const LoadedLibrary& library : found.libraries) line(library.name, short_path(library.path));
  fmt::print("\nmachine\n");
  line("CPU features",
       found.features.empty() ? "none of those asked for" : fmt::format("{}", fmt::join(found.features, " ")));
  line("kernels in use", kernels().name);
  line("Eigen ABI", abi());
  fmt::print("\ndata\n");
  line("models", found.models.empty() ? "not found" : short_path(found.models));
  line("robot package",
       found.robots ? fmt::format("{} robots", found.robots) : "not installed (optional: scripts/setup --robots)");
  fmt::print("\nself test\n");
  line("free fall", fmt::format("relative error {:.2g}", found.fall_error));
  fmt::print("\n");
  for (const Problem& problem : found.problems) fmt::print("problem: {}\n   cure: {}\n", problem.what, problem.cure);
  if (found.problems.empty()) fmt::print("all good\n");
}

std::string check_json(const Findings& found) {
  nlohmann::ordered_json out;
  for (const LibraryVersion& library : found.versions) out["versions"][library.name] = library.version;
  for (const LoadedLibrary& library : found.libraries) out["libraries"][library.name] = library.path;
  out["cpu_features"] = found.features;
  out["kernels"] = kernels().name;
  out["eigen"] = {{"max_align_bytes", EIGEN_MAX_ALIGN_BYTES},
                  {"malloc_already_aligned", EIGEN_MALLOC_ALREADY_ALIGNED != 0},
                  {"vectors", Eigen::SimdInstructionSetsInUse()}};
  out["models"] = found.models;
  out["robots"] = found.robots;
  out["fall_error"] = found.fall_error;
  out["problems"] = nlohmann::ordered_json::array();
  for (const Problem& problem : found.problems) out["problems"].push_back({{"what", problem.what}, {"cure", problem.cure}});
  out["status"] = found.problems.empty() ? "all good" : "problems";
  return out.dump(2);
}

}  // namespace

int check_command(const Arguments& arguments) {
  Output output;
  CommandLine line("check", "versions, library paths, CPU features, ABI and a self test; ends with 'all good' or the cure");
  output.add_options(line);
  line.example("condyle check", "what to send along with a report of a bug");
  if (!line.parse(arguments)) return exit_done;
  output.check();
  const Findings found = look();
  if (output.text()) print_findings(found);
  if (output.json) output.write_json(check_json(found));
  if (found.problems.empty()) return exit_done;
  if (!output.text())
    fmt::print(stderr, "condyle check: {}\n  cure: {}\n", found.problems.front().what, found.problems.front().cure);
  return exit_uncertified;
}

}  // namespace condyle::cli
