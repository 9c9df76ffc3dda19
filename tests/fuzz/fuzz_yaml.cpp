// fuzz_yaml COUNT SEED: damages scene files and reads them. Anything but a condyle::Error that comes out, an Error
// without the name of the file, and any text that takes more than a second ends the program with 1 and the text.
#include "fuzz/mutate.hpp"

#include <condyle/scene.hpp>

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <exception>

namespace condyle::fuzz {
namespace {

const std::vector<std::string> tokens = {"condyle: 1",  "name",
                                         "gravity",     "time",
                                         "step",        "solver",
                                         "materials",   "friction",
                                         "models",      "file",
                                         "inline_urdf", "base",
                                         "pose",        "xyz",
                                         "rpy",         "joints",
                                         "velocity",    "linear",
                                         "angular",     "bodies",
                                         "shape",       "shapes",
                                         "box",         "sphere",
                                         "capsule",     "mesh",
                                         "halfspace",   "static",
                                         "mass",        "inertia",
                                         "loops",       "between",
                                         "frames",      "at",
                                         "couplings",   "polycoef",
                                         "actuators",   "joint_properties",
                                         "pairs",       "retype",
                                         "true",        "null",
                                         "~",           "&a ",
                                         "*a",          "<<: ",
                                         "- ",          "? ",
                                         ": ",          "{",
                                         "}",           "[",
                                         "]",           "|\n",
                                         ">\n",         "---\n",
                                         "...\n",       "!!float ",
                                         "%YAML 1.2\n", "\t",
                                         "\"",          "'",
                                         "#",           "\n",
                                         "  ",          "\xEF\xBB\xBF",
                                         "\xFF\xFE",    "world",
                                         "arm/joint1",  "<robot>"};

const char* full_scene = R"(condyle: 1
name: everything
gravity: [0, 0, -1.62]
time: {step: 0.002, end: 3, integrator: midpoint}
solver: {name: sap, tolerance: 1e-6, max_iterations: 50}
materials:
  wood: &wood {friction: 0.6, restitution: 0.1}
  rubber: {friction: 0.9, stiffness: 1e5, dissipation_time: 0.01}
  oak: *wood
models:
  - name: arm
    file: condyle:robots/arm.urdf
    base: fixed
    pose: {xyz: [0, 0, 0.7], rpy: [0, 0, 1]}
    joints: {joint4: 1.2}
    joint_velocities: {joint2: -0.5}
    material: wood
    default_inertia: {mass: 0.1, radius: 0.02}
    package_path: [meshes]
  - {name: dog, file: "condyle:robots/quadruped.urdf", base: free, velocity: {linear: [1, 0, 0], angular: [0, 0, 1]}}
bodies:
  - {name: floor, shape: {halfspace: {normal: [0, 0, 1], offset: -0.5}}, static: true, material: wood}
  - {name: cube, shape: {box: [0.1, 0.1, 0.1]}, mass: 0.5, pose: {xyz: [0.5, 0, 0.9], quaternion: [0, 0, 0, 1]}}
  - name: pile
    shapes: [{sphere: 0.1}, {capsule: {radius: 0.1, length: 1}, pose: {xyz: [1, 0, 0]}}, {cone: {radius: 1, length: 2}}, {ellipsoid: [1, 2, 3]}]
    mass: 3
  - {name: thing, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1, ixy: 0.1}, com: [0, 0, 1]}
loops:
  - {name: grip, kind: spherical, between: [arm/flange, cube], at: {frame: arm/flange}}
  - {name: weld, kind: weld, between: [thing, pile], at: {pose: {xyz: [0, 1, 0]}}}
  - {name: tether, kind: distance, frames: [cube, {body: world, pose: {xyz: [0, 0, 2]}}]}
retype: [{joint: dog/fl_knee, kind: fixed}]
couplings: [{joint: arm/joint7, of: arm/joint6, polycoef: [0, -1]}]
actuators:
  - {joint: arm/joint4, kind: pd, kp: 200, kd: 10, target: 0.5, effort: 150}
  - {joint: arm/joint1, kind: torque, value: 2}
joint_properties: [{joint: arm/joint5, stiffness: 3, reference: 0.25, damping: 0.5, armature: 0.01, friction: 0.2}]
pairs: {exclude: [[arm/base, floor]], materials: [{between: [wood, rubber], friction: 0.5}]}
)";

struct Tally {
  int read = 0, refused = 0;
  double slowest = 0;  ///< s
};

/// False: the reader did something it must not; said on stderr.
bool try_text(const std::string& text, Tally& tally) {
  const std::clock_t begin = std::clock();  // of the process: other programs may be busy
  std::string trouble;
  try {
    const Scene scene = read_scene_text(text, "fuzz.yaml");
    ++tally.read;
    if (!scene.initial_state().finite()) trouble = "the start state is not finite";
  } catch (const Error& e) {
    ++tally.refused;
    if (e.code().empty() || e.reason().empty()) trouble = "an error without code or reason";
    if (e.place().file.empty()) trouble = fmt::format("an error without a file: {}", e.what());
  } catch (const std::exception& e) {
    trouble = fmt::format("another exception: {}", e.what());
  }
  const double time = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  tally.slowest = std::max(tally.slowest, time);
  if (time > 1) trouble += fmt::format(" took {:.2f} s", time);
  if (!trouble.empty()) fmt::print(stderr, "{}\n", trouble);
  return trouble.empty();
}

int run(int count, std::uint64_t seed) {
  std::vector<std::string> originals{full_scene};
  for (const BuiltinScene& scene : builtin_scenes()) originals.push_back(builtin_scene_text(scene.name));
  Tally tally;
  for (int i = 0; i < count; ++i) {
    Mutator mutator(seed * 1'000'003 + static_cast<std::uint64_t>(i));
    // Every second text is the full scene: the others have few sections.
    std::string text = mutator.mutate(originals[mutator.pick(2) == 0 ? 0 : mutator.pick(originals.size())], tokens);
    while (mutator.pick(3) == 0) text = mutator.mutate(text, tokens);
    if (!try_text(text, tally)) {
      fmt::print(stderr, "input {} of seed {}:\n{}\n", i, seed, text);
      return 1;
    }
  }
  fmt::print("{} texts: {} read, {} refused, slowest {:.3f} s\n", count, tally.read, tally.refused, tally.slowest);
  return 0;
}

}  // namespace
}  // namespace condyle::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: fuzz_yaml COUNT SEED\n");
    return 2;
  }
#ifndef __SANITIZE_ADDRESS__  // the sanitizer reserves address space by the terabyte
  const rlimit most{rlim_t{4} << 30, rlim_t{4} << 30};
  setrlimit(RLIMIT_AS, &most);
#endif
  return condyle::fuzz::run(std::atoi(argv[1]), std::strtoull(argv[2], nullptr, 10));
}
