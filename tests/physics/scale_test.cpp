// Lengths and masses a hundred times larger or smaller, gravity and every default as they are: each step is certified, and
// what comes to rest does so at the same place, measured in its own size.
#include "physics/contact_run.hpp"
#include "support/heaps.hpp"
#include "support/scaled_scene.hpp"

#include <fmt/format.h>

namespace condyle {
namespace {

struct Scaled {
  const char* name;
  std::function<Scene()> make;
  double end;  ///< s, at length 1; things fall in the root of their length
};

const std::vector<Scaled>& cases() {
  static const std::vector<Scaled> all{
      {"stack",
       [] {
         return load_scene("stack", {.parameters = {{"n", "6"}, {"ratio", "100"}}});
       },
       1},
      {"fourbar",
       [] {
         return load_scene("fourbar_free", {.parameters = {{"floor", "1"}}});
       },
       1},
      {"quadruped", [] { return load_scene("quadruped_drop"); }, 0.6},
      {"heap", [] { return test::heaps(1, 4); }, 0.5},
  };
  return all;
}

class Scales : public testing::TestWithParam<std::tuple<int, double, double>> {};

TEST_P(Scales, ChangeNothingInWhatConverges) {
  const auto [which, length, mass] = GetParam();
  const Scaled& made = cases()[static_cast<std::size_t>(which)];
  const Scene scene = test::scaled(made.make(), {length, mass});
  SimulatorOptions options;
  options.dt = scene.defaults().dt;
  test::ContactRun run(scene, options);
  const State begin = run.x;
  double deepest = 0;
  int contacts = 0, most = 0;
  run.until(made.end * std::max(1.0, std::sqrt(length)) * (length > 1 ? 0.6 : 1), [&] {
    deepest = std::max(deepest, run.sim.report().penetration);
    contacts = std::max(contacts, run.sim.report().contacts);
    most = std::max(most, run.sim.report().iterations);
  });
  EXPECT_EQ(run.uncertified, 0) << made.name << ", length " << length << ", mass " << mass;
  EXPECT_GT(contacts, 0) << made.name;
  // of a turn by ω dt a step misses ½ L (ω dt)², and what tumbles has ω² of a few g / L
  EXPECT_LT(deepest, std::max(1e-3 * length, 2 * 9.81 * options.dt * options.dt)) << "m, " << made.name;
  EXPECT_LT(most, 5000) << made.name;
  if (std::string(made.name) == "stack") {
    EXPECT_LT((run.x.q - begin.q).lpNorm<Eigen::Infinity>(), 1e-6 * std::max(length, 0.1)) << "m: it must stand";
  }
}

/// A box falls past the corner of another, five hundredths of an edge away from it.
TEST(SmallThings, FallPastEachOtherAsFreelyAsLargeOnes) {
  for (const double length : {0.01, 1.0, 100.0}) {
    SceneBuilder build;
    for (const bool falling : {false, true}) {
      BodySpec box;
      box.name = falling ? "falling" : "standing";
      box.is_static = !falling;
      Shape shape;
      shape.kind = ShapeKind::box;
      shape.size = Eigen::Vector3d::Constant(0.1 * length);
      box.shapes = {shape};
      box.inertial.mass = 1;
      if (falling) box.pose.p = length * Eigen::Vector3d(0.105, 0.02, 0.15);
      build.add_body(box);
    }
    test::ContactRun run(build.finish());
    const double z = run.x.q[2], dt = run.sim.options().dt;
    int n = 0, contacts = 0;
    run.until(0.2 * std::sqrt(length), [&] {
      ++n;
      contacts += run.sim.report().contacts;
    });
    EXPECT_NEAR(run.x.q[2], z - 9.81 * dt * dt * n * (n + 1) / 2, 1e-12 * std::max(1.0, length)) << "length " << length;
    EXPECT_EQ(contacts, 0) << "length " << length;
  }
}

INSTANTIATE_TEST_SUITE_P(OfLengthAndMass, Scales,
                         testing::Combine(testing::Range(0, 4), testing::Values(0.01, 1.0, 100.0),
                                          testing::Values(0.01, 100.0)),
                         [](const auto& tested) {
                           const auto word = [](double x) { return x < 1 ? "hundredth" : x > 1 ? "hundred" : "one"; };
                           return fmt::format("{}_length_{}_mass_{}",
                                              cases()[static_cast<std::size_t>(std::get<0>(tested.param))].name,
                                              word(std::get<1>(tested.param)), word(std::get<2>(tested.param)));
                         });

}  // namespace
}  // namespace condyle
