#pragma once
// The problem sets of ADMM V-C, recorded from built-in scenes: contact problems of steps spread evenly over runs of several
// sizes, as many as the paper has. Problems without any contact say nothing and are left out.
#include <condyle/condyle.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace condyle::bench {

struct NamedProblem {
  std::string name;
  ContactProblem problem;
};

struct Family {
  std::string name;
  std::vector<NamedProblem> problems;
};

struct FamilyRecipe {
  std::string name, scene;
  int problems;
  std::vector<int> sizes;  ///< n of the scene, one run for each
  int steps;               ///< of a run
  int least_contacts, most_contacts;
  const char* solver;  ///< of the runs: capsules that roll on each other take `auto` seconds for a step
};

inline const std::vector<FamilyRecipe>& family_recipes() {
  static const std::vector<FamilyRecipe> all = {
      {"BoxesStack", "box_stacks", 255, {1, 2, 4, 7, 10, 15, 20, 25, 30, 35, 40, 45, 50}, 80, 1, 200, "auto"},
      {"Chain", "link_chain", 242, {8, 9, 10}, 600, 8, 28, "auto"},
      {"Capsules", "capsule_heap", 249, {1, 2, 4, 7, 10, 15, 20, 25, 30, 35, 40, 45, 50}, 200, 1, 200, "admm"},
  };
  return all;
}

inline SimulatorOptions options_of(const Scene& scene) {
  SimulatorOptions options;
  options.dt = scene.defaults().dt;
  options.integrator = scene.defaults().integrator;
  options.laws = scene.defaults().laws;
  return options;
}

/// `count` of n things, evenly spread.
inline bool takes(std::size_t i, std::size_t n, std::size_t count) {
  return n <= count || i * count / n != (i + 1) * count / n;
}

inline Family record_family(const FamilyRecipe& recipe) {
  Family family{recipe.name, {}};
  std::vector<NamedProblem> all;
  int steps = 0, uncertified = 0;
  for (const int n : recipe.sizes) {
    const Scene scene = load_scene(recipe.scene, {.parameters = {{"n", std::to_string(n)}}});
    SimulatorOptions options = options_of(scene);
    options.tolerance = 1e-6;  // what the set is solved to afterwards
    options.max_iterations = 400;
    options.solver = recipe.solver;
    Simulator sim(scene, options);
    State x = scene.initial_state();
    for (int k = 0; k < recipe.steps; ++k) {
      const StepReport& report = sim.step(x);
      ++steps;
      uncertified += !report.certified();
      if (report.status == StepStatus::rejected) break;
      if (report.contacts < recipe.least_contacts || report.contacts > recipe.most_contacts) continue;
      all.push_back({fmt::format("{} n={} step {}", recipe.scene, n, report.step), sim.problem()});
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (takes(i, all.size(), static_cast<std::size_t>(recipe.problems))) family.problems.push_back(std::move(all[i]));
  int least = 1 << 30, most = 0, small = 1 << 30, large = 0;
  for (const NamedProblem& one : family.problems) {
    least = std::min(least, one.problem.contacts());
    most = std::max(most, one.problem.contacts());
    small = std::min(small, one.problem.velocities());
    large = std::max(large, one.problem.velocities());
  }
  fmt::print(
      "{:<12} {:>4} problems from {} steps of {} ({} not certified), contacts {} to {}, degrees of freedom {} to {}\n",
      family.name, family.problems.size(), steps, recipe.scene, uncertified, least, most, small, large);
  std::fflush(stdout);
  return family;
}

/// The 43 stored Coulomb problems in space; empty where they are not beside the checkout.
inline Family stored_family() {
  Family family{"stored 3D set", {}};
  const std::filesystem::path folder = std::filesystem::path(CONDYLE_SOURCE_DIR) / ".." / "shared" / "problems";
  for (const char* name : {"boxes", "capsules", "confeti", "contactbench", "global-small", "lmgc", "piles", "rolling",
                           "rover", "spheres", "toy"}) {
    if (!std::filesystem::exists(folder / name)) continue;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder / name)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) family.problems.push_back({file.filename().string(), read_problem(file)});
  }
  fmt::print("{:<12} {:>4} problems{}\n", family.name, family.problems.size(),
             family.problems.empty() ? ": ../shared/problems is not there, nothing of it is measured" : "");
  return family;
}

}  // namespace condyle::bench
