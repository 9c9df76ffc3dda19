// A stranger's first program: a stone is thrown and lands where the textbook says.
#include <condyle/condyle.hpp>

#include <cmath>
#include <cstdio>

int main() {
  condyle::Shape ball;
  ball.size.setConstant(0.1);
  condyle::BodySpec stone;
  stone.name = "stone";
  stone.shapes = {ball};
  stone.inertial.mass = 2;
  stone.velocity << 3, 0, 4, 0, 0, 0;
  condyle::SceneBuilder build;
  const condyle::Scene scene = build.add_body(stone).finish();

  condyle::Simulator sim(scene, {.dt = 1e-3});
  condyle::State x = scene.initial_state();
  for (int i = 0; i < 500; ++i) {
    const condyle::StepReport& step = sim.step(x);
    if (!step.certified()) return std::puts(step.message().c_str()), 1;
  }
  // symplectic Euler: z = v t - g t (t + dt) / 2
  const double t = 0.5, z = 4 * t - 9.81 * t * (t + 1e-3) / 2;
  std::printf("Condyle %s: stone at x %.6f z %.6f, expected %.6f %.6f\n", condyle::version, x.q[0], x.q[2], 3 * t, z);
  return std::abs(x.q[0] - 3 * t) < 1e-12 && std::abs(x.q[2] - z) < 1e-12 ? 0 : 1;
}
