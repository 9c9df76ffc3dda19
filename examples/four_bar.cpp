// A four-bar linkage: a chain of three bars whose end a loop holds to the frame. In the plane two rows would do; a hinge in
// space has five, and the three that are redundant do no harm.
//
//               coupler 0.35
//            o─────────────────o
//   crank    │                  \    rocker
//   0.15     o───────────────────o   0.30, the loop is at its foot
//                frame 0.40
//
// Prints:
//   5 rows, rank 2, mobility 1
//   all 2000 steps certified
//   loop open by less than 1e-12 m: yes
//   crank + coupler + rocker end at the frame's end to 1e-11 m: yes
//   energy kept to 2 % of the largest kinetic one: yes
#include <condyle/condyle.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace condyle;

/// Where the third bar ends, from the angles of the hinges alone.
Eigen::Vector2d end_of_chain(const Eigen::VectorXd& q) {
  Eigen::Vector2d at(0, 0);
  double angle = 0;
  const double lengths[] = {0.15, 0.35, 0.30};
  for (int i = 0; i < 3; ++i) {
    angle += std::atan2(q[2 * i + 1], q[2 * i]);  // a hinge without limits has its cosine and sine in q
    at += lengths[i] * Eigen::Vector2d(std::cos(angle), std::sin(angle));
  }
  return at;
}

int main() {
  // `condyle scenes fourbar_fixed` prints this scene as a file: a loop is a name, a kind and the two frames that it holds
  const Scene scene = load_scene("fourbar_fixed");
  State x = scene.initial_state();
  const AssembleResult loops = assemble(scene, x);  // how many of the rows act
  std::printf("%d rows, rank %d, mobility %d\n", loops.rows, loops.rank, loops.mobility);

  Simulator sim(scene, {.dt = 1e-3, .integrator = Integrator::moreau_midpoint});
  const double before = sim.energy(x).total();
  int certified = 0;
  double open = 0, off = 0, change = 0, kinetic = 0;
  for (int i = 0; i < 2000; ++i) {
    const StepReport& step = sim.step(x);
    certified += step.certified();
    open = std::max(open, step.closure_m);
    off = std::max(off, (end_of_chain(x.q) - Eigen::Vector2d(0.4, 0)).norm());
    change = std::max(change, std::abs(step.energy.total() - before));
    kinetic = std::max(kinetic, step.energy.kinetic);
  }
  std::printf("%s%d steps certified\n", certified == 2000 ? "all " : "only ", certified);
  std::printf("loop open by less than 1e-12 m: %s\n", open < 1e-12 ? "yes" : "no");
  std::printf("crank + coupler + rocker end at the frame's end to 1e-11 m: %s\n", off < 1e-11 ? "yes" : "no");
  std::printf("energy kept to 2 %% of the largest kinetic one: %s\n", change < 0.02 * kinetic ? "yes" : "no");
  return certified == 2000 ? 0 : 1;
}
