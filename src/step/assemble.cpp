#include <condyle/assemble.hpp>

#include "scene/scene_data.hpp"
#include "step/loop_projection.hpp"

#include <fmt/format.h>

namespace condyle {

AssembleResult assemble(const Scene& scene, const State& state, const AssembleOptions& options) {
  const SceneData& data = scene.data();
  if (state.q.size() != data.nq || state.v.size() != data.nv || !state.finite())
    throw Error("bad-state", {"", 0, "state"},
                fmt::format("the state has {} positions and {} velocities{}, the scene {} and {}", state.q.size(),
                            state.v.size(), state.finite() ? "" : " and is not finite", data.nq, data.nv),
                "start from Scene::initial_state()");
  if (!(options.tolerance > 0) || options.max_iterations < 0)
    throw Error("bad-option", {"", 0, options.tolerance > 0 ? "option max_iterations" : "option tolerance"},
                fmt::format("tolerance is {}, max_iterations {}", options.tolerance, options.max_iterations),
                "the tolerance must be positive and the iterations not negative");
  std::vector<TreeDynamics> trees;
  trees.reserve(data.trees.size());
  for (const Tree& tree : data.trees) trees.emplace_back(tree);
  const FreeBodies bodies(data.free_bodies, data.gravity);
  Kinematics kinematics(data, trees);
  LoopProjection loops(data);

  AssembleResult out;
  out.state = state;
  const LoopProjection::Outcome done =
      loops.project(trees, bodies, kinematics, out.state.q, options.tolerance, options.max_iterations);
  loops.project_velocity(trees, bodies, kinematics, out.state.q, out.state.v);
  out.residual_m = done.metres;
  out.residual_rad = done.radians;
  out.iterations = done.iterations;
  out.converged = done.converged;
  out.rows = loops.rows();
  out.rank = loops.rank(kinematics, out.state.q);
  out.mobility = data.nv - out.rank;
  const auto closures = static_cast<int>(data.closures.size());
  if (out.rows == 0)
    out.message = "there are no loops and no couplings";
  else if (out.converged)
    out.message =
        fmt::format("{} rows of rank {} closed to {:.3g} m, {:.3g} rad in {} iterations; {} degrees of freedom are left",
                    out.rows, out.rank, out.residual_m, out.residual_rad, out.iterations, out.mobility);
  else
    out.message = fmt::format("{} '{}' stays open: {:.3g} m, {:.3g} rad are left after {} iterations",
                              done.worst < closures ? "loop" : "coupling",
                              done.worst < closures ? data.closures[static_cast<std::size_t>(done.worst)].name
                                                    : data.couplings[static_cast<std::size_t>(done.worst - closures)].name,
                              out.residual_m, out.residual_rad, out.iterations);
  return out;
}

}  // namespace condyle
