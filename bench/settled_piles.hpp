#pragma once
// Settled piles for benchmarks: box_pile with n cubes after its fall, kept as state files in the build folder, since the
// fall of a thousand cubes takes minutes. How it settled does not matter, that it rests does: its kinetic energy is printed.
#include <condyle/condyle.hpp>

#include <fmt/format.h>

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

/// While it falls: steps twice as long, contacts a little soft (SAP's law, with which ADMM needs few iterations), solved as
/// far as 100 iterations come; soft contacts creep by a millimetre in a second. Then rigid and exactly, until it rests.
/// `partial` is kept up to date, so that a run that was cut goes on from there.
inline State settle(const Scene& scene, double dt, int n, const std::string& partial) {
  State state = std::filesystem::exists(partial) ? restore(partial, scene.identity()) : scene.initial_state();
  const auto run = [&](const char* solver, LawKind law, double step, int iterations, double tolerance, double seconds,
                       double rest) {
    SimulatorOptions options;
    options.dt = step;
    options.solver = solver;
    options.tolerance = tolerance;
    options.max_iterations = iterations;
    options.account_energy = false;
    options.laws.kind = law;
    Simulator simulator(scene, options);
    for (double end = state.t + seconds; state.t < end;) {
      for (int k = 0; k < 20; ++k) simulator.step(state);
      const double speed = mean_speed(scene, state);
      fmt::print(stderr, "  {} cubes, t = {:.2f} s, mean speed {:.1e} m/s, residual {:.1e}\n", n, state.t, speed,
                 simulator.report().residual);
      save(state, scene.identity(), partial);
      if (speed < rest) return;
    }
  };
  run("admm", LawKind::near_rigid, 2 * dt, 100, 1e-3, 3, 2e-3);
  const SimulatorOptions exact;
  run("auto", LawKind::rigid, dt, exact.max_iterations, exact.tolerance, 3, 1e-9);
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
