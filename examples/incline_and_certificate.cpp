// A box on a slope of 20 degrees, tan = 0.364: with friction 0.4 it stays, with 0.3 it slides as the textbook says. Then the
// impulses of one step are spoiled by a thousandth, and the certificate, which needs nothing but them, tells.
//
// Prints:
//   friction 0.4: creeps by less than 1 nm in 1 s: yes
//   friction 0.3: slides 0.295 m in 1 s, expected 0.295 m
//   certificate of the last step below 1e-7 m/s: yes
//   the same impulses, 0.1 % larger: 9e-06 m/s, not certified; worst: box:0 on ground:0, point ...
#include <condyle/condyle.hpp>

#include <cmath>
#include <cstdio>

using namespace condyle;

constexpr double g = 9.81, slope = 20 * M_PI / 180;

Scene box_on_slope(double friction) {  // gravity is tilted instead of the floor: x is down the slope
  SceneBuilder build;
  build.set_gravity({g * std::sin(slope), 0, -g * std::cos(slope)});
  build.add_ground({.friction = friction});  // also a material called "ground"
  Shape shape;
  shape.kind = ShapeKind::box;
  shape.size = {0.4, 0.4, 0.2};
  BodySpec box{.name = "box", .shapes = {shape}, .material = "ground"};
  box.inertial.mass = 3;
  box.pose.p = {0, 0, 0.1};
  return build.add_body(box).finish();
}

int main() {
  for (const double friction : {0.4, 0.3}) {
    const Scene scene = box_on_slope(friction);
    Simulator sim(scene, {.dt = 1e-3});
    State x = scene.initial_state();
    while (x.step < 1000)
      if (!sim.step(x).certified()) return std::puts(sim.report().message().c_str()), 1;
    if (friction > std::tan(slope)) {
      std::printf("friction %g: creeps by less than 1 nm in 1 s: %s\n", friction, std::abs(x.q[0]) < 1e-9 ? "yes" : "no");
      continue;
    }
    const double a = g * (std::sin(slope) - friction * std::cos(slope));
    std::printf("friction %g: slides %.3f m in 1 s, expected %.3f m\n", friction, x.q[0], a / 2);

    std::printf("certificate of the last step below 1e-7 m/s: %s\n", sim.report().residual < 1e-7 ? "yes" : "no");
    const ContactProblem problem = sim.problem();  // P = (A, v*, J, b, R, K) of the last step, with names
    const Eigen::VectorXd impulse = 1.001 * solve(problem).solution.impulse;
    const Residuals spoiled = judge(problem, impulse);
    std::printf("the same impulses, 0.1 %% larger: %.0e m/s, %s; worst: %s\n", spoiled.certificate,
                spoiled.certificate <= 1e-7 ? "certified" : "not certified", problem.block_name(spoiled.worst).c_str());
  }
}
