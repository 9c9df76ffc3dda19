#include <condyle/simulator.hpp>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>

namespace condyle {
namespace {

SimulatorOptions options_of(const Scene& scene) {
  SimulatorOptions options;
  options.dt = scene.defaults().dt;
  options.integrator = scene.defaults().integrator;
  return options;
}

class BuiltinMotion : public testing::TestWithParam<std::string> {};

TEST_P(BuiltinMotion, IsCertifiedMovesAndGainsNoEnergy) {
  const Scene scene = load_scene(GetParam());
  Simulator sim(scene, options_of(scene));
  State x = scene.initial_state();
  const double start = sim.energy(x).total();
  double highest = start, scale = 0, fastest = 0;
  while (x.t < scene.defaults().end) {
    const StepReport& report = sim.step(x);
    ASSERT_TRUE(report.certified()) << "t = " << x.t << ": " << report.message();
    highest = std::max(highest, report.energy.total());
    scale = std::max(scale, report.energy.kinetic);
    fastest = std::max(fastest, x.v.cwiseAbs().maxCoeff());
  }
  EXPECT_GT(fastest, 0.1);
  EXPECT_LT(fastest, 60) << "rad/s or m/s: nobody could follow this";
  EXPECT_LT(highest - start, 0.01 * scale) << "energy at the start " << start << " J, at most " << highest << " J";
}

/// Scenes that nothing constrains: joints, springs and free flight alone.
std::vector<std::string> names() {
  return {"arm",      "chain",     "double_pendulum", "free_bodies",  "humanoid",      "nunchuk",
          "pendulum", "quadruped", "spring_mass",     "stiff_spring", "tumbling_plate"};
}

INSTANTIATE_TEST_SUITE_P(AllScenes, BuiltinMotion, testing::ValuesIn(names()),
                         [](const testing::TestParamInfo<std::string>& scene) { return scene.param; });

TEST(BuiltinScenes, KeepsItsMomentumInFreeSpace) {
  for (const char* name : {"humanoid", "quadruped", "nunchuk", "tumbling_plate"}) {
    const Scene scene = load_scene(name);
    ASSERT_EQ(scene.gravity().norm(), 0) << name;
    Simulator sim(scene, options_of(scene));
    State x = scene.initial_state();
    const Momentum before = sim.momentum(x);
    for (int i = 0; i < 1000; ++i) sim.step(x);
    const Momentum after = sim.momentum(x);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.mass) << name;
    EXPECT_LT((after.angular_about_com() - before.angular_about_com()).norm(), 1e-9 * before.angular_about_com().norm())
        << name;
  }
}

TEST(BuiltinScenes, ThePlateTurnsOver) {
  const Scene scene = load_scene("tumbling_plate");
  Simulator sim(scene, options_of(scene));
  State x = scene.initial_state();
  double least = 8, most = -8;
  while (x.t < scene.defaults().end) {
    sim.step(x);
    least = std::min(least, x.v[4]);
    most = std::max(most, x.v[4]);
  }
  EXPECT_LT(least, -7) << "the spin about the body's own y axis never turned round";
  EXPECT_GT(most, 7);
}

TEST(BuiltinScenes, TheSpringSwingsWithItsFrequency) {
  SceneOptions options;
  options.parameters = {{"frequency_hz", "2"}, {"mass_kg", "3"}};
  const Scene scene = load_scene("spring_mass", options);
  Simulator sim(scene, options_of(scene));
  State x = scene.initial_state();
  for (int i = 0; i < 125; ++i) sim.step(x);  // a quarter of 0.5 s
  EXPECT_NEAR(x.q[0], 0, 1e-3);
  for (int i = 0; i < 125; ++i) sim.step(x);
  EXPECT_NEAR(x.q[0], -0.1, 1e-3);
}

}  // namespace
}  // namespace condyle
