// The program of the README: a limp robot falls onto a floor that then carries it.
//
// Prints:
//   after 4 s the floor carries 164.121 N of a robot of 164.121 N
#include <condyle/condyle.hpp>
#include <iostream>

int main() {
  condyle::SceneBuilder build;
  build.add_model("condyle:robots/quadruped.urdf",  // or a file of your own
                  {.pose = condyle::Pose::from_xyz_rpy({0, 0, 0.6}, {0.3, 0.2, 0})});
  build.add_ground({.friction = 0.6});
  const condyle::Scene scene = build.finish();  // immutable; scene.report() is the load report

  condyle::Simulator sim(scene, {.dt = 1e-3});  // options are plain structs
  condyle::State x = scene.initial_state();     // q, v, t: everything the next step reads
  for (int i = 0; i < 4000; ++i) {
    const condyle::StepReport& step = sim.step(x);  // never throws for numerical trouble
    if (!step.certified()) std::cerr << step.message() << '\n';
  }
  double carried = 0;
  for (const condyle::ConstraintRow& row : sim.contacts())  // impulses on B from A, world axes
    if (sim.body_names()[row.body_a] == "ground") carried += row.impulse.z() / 1e-3;
  std::cout << "after " << x.t << " s the floor carries " << carried << " N of a robot of " << 9.81 * scene.total_mass()
            << " N\n";
}
