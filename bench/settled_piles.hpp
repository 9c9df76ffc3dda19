#pragma once
// Settled piles for benchmarks: box_pile with n cubes after its fall, kept as state files in the build folder, since the
// fall of a thousand cubes takes minutes. How it settled does not matter, that it rests does: its kinetic energy is printed.
#include <condyle/condyle.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace condyle::bench {

struct SettledPile {
  Scene scene;
  State state;
  double dt = 0;
  double speed = 0;  ///< m/s, of one cube with the mean kinetic energy
};

namespace detail {
inline double mean_speed(const Scene& scene, const State& state) {
  Simulator simulator(scene);
  const double mass = simulator.momentum(state).mass;
  return std::sqrt(2 * simulator.energy(state).kinetic / mass);
}

/// It falls with contacts that are a little soft (SAP's law and solver, which is sure of its way). Such contacts creep for
/// ever and give way under their load, by 0.2 mm at the bottom of a hundred cubes; so they are hardened little by little
/// until overlaps are below what the rigid law would correct. Impulses that hold the pile up are then known, and the rigid
/// law begins with them. `partial` is kept up to date, so that a run that was cut goes on from there.
inline State settle(const Scene& scene, double dt, int n, const std::string& partial) {
  State state = std::filesystem::exists(partial) ? restore(partial, scene.identity()) : scene.initial_state();
  double drag = 0;  // share of the velocities that a step takes away
  const auto run = [&](const SimulatorOptions& options, int steps, const auto& rests) {
    Simulator simulator(scene, options);
    for (int k = 0, solved = 0; k < steps; ++k) {
      solved += simulator.step(state).iterations > 0;
      state.v *= 1 - drag;
      if (k % 10 < 9) continue;
      fmt::print(stderr, "  {} cubes, t = {:.2f} s, mean speed {:.1e} m/s, overlap {:.1e} m, {} contacts, residual {:.1e}\n", n,
                 state.t, mean_speed(scene, state), simulator.report().penetration, simulator.report().contacts,
                 simulator.report().residual);
      save(state, scene.identity(), partial);
      if (rests(solved)) return;
      solved = 0;
    }
  };
  SimulatorOptions soft;
  soft.dt = dt;
  soft.account_energy = false;
  soft.solver = "sap";
  soft.max_iterations = 2000;
  soft.laws.kind = LawKind::near_rigid;
  soft.solver_parameters = {{"rel_tol", 1e-4}, {"until_certified", 0}, {"iterations", 1000}};
  run(soft, 1000, [&](int) { return mean_speed(scene, state) < 3e-3; });
  soft.solver_parameters["rel_tol"] = 1e-7;
  for (; soft.laws.near_rigid_beta > 0.03; soft.laws.near_rigid_beta *= 0.8) {  // R_n by 0.64
    run(soft, 10, [](int) { return true; });
    soft.laws.sigma_slip = std::max(3e-6, 0.7 * soft.laws.sigma_slip);
  }
  // The last cubes that lean against others take seconds, under the exact law, which does not creep; one that hangs on two
  // corners would swing for ever. A step of a thousand cubes that is not solved at once is not waited for: the next one
  // finds them elsewhere.
  drag = 0.05;
  SimulatorOptions exact;
  exact.dt = dt;
  exact.account_energy = false;
  exact.solver_time_limit_ms = 1500;
  int quiet = 0;  // tens of steps
  run(exact, 4000, [&](int solved) {
    quiet = solved <= 2 && mean_speed(scene, state) < 1e-9 ? quiet + 1 : 0;
    return quiet == 5;
  });
  return state;
}
}  // namespace detail

/// Cubes that rest in a bin; the first call for an n makes the file.
inline SettledPile settled_pile(int n) {
  namespace fs = std::filesystem;
  SceneOptions options;
  options.parameters["n"] = std::to_string(n);
  SettledPile pile{load_scene("box_pile", options), {}, 0.005};
  const std::string file = (fs::path(CONDYLE_BENCH_CACHE) / fmt::format("box_pile_{}.state", n)).string();
  if (fs::exists(file)) {
    try {
      pile.state = restore(file, pile.scene.identity());
    } catch (const Error&) {  // of another version of the scene
      fs::remove(file);
    }
  }
  if (!fs::exists(file)) {
    fs::create_directories(CONDYLE_BENCH_CACHE);
    pile.state = detail::settle(pile.scene, pile.dt, n, file + ".partial");
    save(pile.state, pile.scene.identity(), file);
    fs::remove(file + ".partial");
  }
  pile.speed = detail::mean_speed(pile.scene, pile.state);
  return pile;
}

/// The contact problem of the next step.
inline ContactProblem next_problem(const SettledPile& pile) {
  SimulatorOptions options;
  options.dt = pile.dt;
  options.solver = "admm";
  options.max_iterations = 1;
  Simulator simulator(pile.scene, options);
  State state = pile.state;
  simulator.step(state);
  return simulator.problem();
}

}  // namespace condyle::bench
