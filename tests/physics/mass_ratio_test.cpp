// Heavy on light: what stands stays, what hangs together does, and every step is certified to 1e-9 m/s where it is asked.
// The whole scenes: CONDYLE_LONG=1 build/release/bin/test_physics --gtest_filter='MassRatio*'
#include "physics/contact_run.hpp"
#include "support/long_run.hpp"

#include <fmt/format.h>

namespace condyle {
namespace {

using test::ContactRun;

class EveryStep : public testing::TestWithParam<std::tuple<const char*, double>> {};

TEST_P(EveryStep, IsCertifiedToANanometreASecond) {
  const auto [name, quick] = GetParam();
  SimulatorOptions options;
  options.tolerance = 1e-9;
  ContactRun run(name, {}, options);
  run.until(test::seconds(run.scene.defaults().end, quick));
  EXPECT_EQ(run.uncertified, 0) << name;
  EXPECT_LE(run.worst, 1e-9) << "m/s";
  RecordProperty("worst", fmt::format("{:.3g}", run.worst));
}

INSTANTIATE_TEST_SUITE_P(MassRatio, EveryStep,
                         testing::Values(std::tuple{"cube_stack_15", 0.28}, std::tuple{"humanoid_fall", 0.8}),
                         [](const auto& tested) { return std::string(std::get<0>(tested.param)); });

struct Standing {
  long iterations = 0;
  double drift = 0, penetration = 0;
};

Standing stand(double ratio, double until) {
  SimulatorOptions options;
  options.dt = 5e-3;
  ContactRun run("stack", {{"n", "10"}, {"ratio", fmt::format("{}", ratio)}}, options);
  const State begin = run.x;
  Standing out;
  run.until(until, [&] {
    out.iterations += run.sim.report().iterations;
    out.penetration = std::max(out.penetration, run.sim.report().penetration);
    for (int body = 0; body < 10; ++body) out.drift = std::max(out.drift, (run.x.q - begin.q).segment<3>(7 * body).norm());
  });
  return out;
}

TEST(MassRatio, OfAThousandStandsForAMinuteAtThreeTimesTheIterationsOfEqualMasses) {
  const double until = test::seconds(60, 15);
  const Standing heavy = stand(1000, until), equal = stand(1, until);
  EXPECT_LT(heavy.drift, 1e-5) << "m";
  EXPECT_LT(heavy.penetration, 1e-5) << "m";
  EXPECT_LT(equal.drift, 1e-5) << "m";
  EXPECT_LE(heavy.iterations, 3 * equal.iterations) << equal.iterations << " with equal masses";
  fmt::print("1000:1 {} iterations, drift {:.2g} m, penetration {:.2g} m; 1:1 {} iterations, drift {:.2g} m\n",
             heavy.iterations, heavy.drift, heavy.penetration, equal.iterations, equal.drift);
}

TEST(MassRatio, OfAThousandRestsToTheBit) {
  SimulatorOptions options;
  options.dt = 5e-3;
  ContactRun run("stack", {{"n", "10"}, {"ratio", "1000"}}, options);
  run.until(0.1);
  const State still = run.x;
  run.until(2, [&] { EXPECT_EQ(run.sim.report().iterations, 0) << run.sim.report().path; });
  EXPECT_EQ(run.x.q, still.q) << "m";
}

TEST(MassRatio, OfTenThousandAtTheEndOfFiftyLinksKeepsThemTogether) {
  ContactRun run("loaded_chain", {{"n", "50"}, {"ratio", "10000"}});
  double open = 0, start = run.sim.energy(run.x).total(), highest = start, swing = 0;
  run.until(test::seconds(2, 0.06), [&] {
    open = std::max(open, run.sim.report().closure_m);
    highest = std::max(highest, run.sim.report().energy.total());
    swing = std::max(swing, run.sim.report().energy.kinetic);
  });
  EXPECT_LT(open, 1e-7) << "m";
  EXPECT_GT(swing, 1) << "J: the load is meant to swing";
  EXPECT_LT(highest - start, 1e-3 * swing) << "J gained";
  fmt::print("loops open by at most {:.2g} m; energy {:.6g} J, at most {:.2g} J above the start\n", open, start,
             highest - start);
}

}  // namespace
}  // namespace condyle
