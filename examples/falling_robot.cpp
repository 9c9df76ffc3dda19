// A robot of your own in a file of its own: load it, see what was assumed, let it fall, film it, look at it in a browser.
//
// Prints:
//   quadruped: 13 bodies, 18 velocities, 16.73 kg
//   all 1500 steps certified, worst ... m/s
//   lowest in a contact: ... mm
//   falling_robot.html: ... MB, 600 or more frames; open it in a browser
#include <condyle/condyle.hpp>

#include <algorithm>
#include <cstdio>

int main() {
  using namespace condyle;
  SceneBuilder build;
  build.set_name("falling_robot");
  ModelOptions where;
  where.name = "quadruped";
  where.base = Base::free;
  where.pose = Pose::from_xyz_rpy({0, 0, 0.7}, {0.3, 0.2, 0});
  build.add_model("condyle:robots/quadruped.urdf", where);
  build.add_ground({.friction = 0.8});
  const Scene scene = build.finish();
  std::printf("quadruped: %d bodies, %d velocities, %.2f kg\n", scene.body_count(), scene.nv(), scene.total_mass());

  Simulator sim(scene, {.dt = 1e-3});
  State x = scene.initial_state();
  Recorder film("falling_robot.h5", scene, sim.options(), {.command = "examples/falling_robot"});
  film.start(x);
  const Eigen::VectorXd limp = Eigen::VectorXd::Zero(scene.nv());  // N m; a controller would fill it in each step
  int certified = 0;
  double worst = 0, deepest = 0;
  for (int i = 0; i < 1500; ++i) {
    const StepReport& step = sim.step(x, limp);
    film.add(x, limp, step, sim.constraints());
    certified += step.certified();
    worst = std::max(worst, step.residual);
    deepest = std::max(deepest, step.penetration);
  }
  film.close();
  std::printf("%s%d steps certified, worst %.1e m/s\n", certified == 1500 ? "all " : "only ", certified, worst);
  std::printf("lowest in a contact: %.3f mm\n", 1e3 * deepest);

  const ReplaySummary page = write_replay("falling_robot.h5", "falling_robot.html");
  std::printf("falling_robot.html: %.1f MB, %s frames; open it in a browser\n", 1e-6 * static_cast<double>(page.bytes),
              page.frames >= 600 ? "600 or more" : "fewer than 600");
  return certified == 1500 ? 0 : 1;
}
