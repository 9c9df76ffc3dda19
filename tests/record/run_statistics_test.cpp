#include "record/run_statistics.hpp"
#include "record/run_json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace condyle {
namespace {

Scene two_bricks() {
  SceneBuilder build;
  build.set_name("bricks");
  for (const char* name : {"a", "b"}) {
    BodySpec brick;
    brick.name = name;
    Shape box;
    box.kind = ShapeKind::box;
    box.size << 0.1, 0.2, 0.3;
    brick.shapes = {box};
    brick.inertial.mass = name[0] == 'a' ? 1 : 3;
    brick.pose.p << (name[0] == 'a' ? -1 : 1), 0, 2;
    brick.velocity << 0.5, 0, 1, 3, -2, 1;
    build.add_body(brick);
  }
  return build.finish();
}

StepReport report_of(std::uint64_t step, StepStatus status, double residual) {
  StepReport report;
  report.step = step;
  report.status = status;
  report.residual = residual;
  return report;
}

TEST(Samples, QuantilesAreThoseOfTheSortedValues) {
  Samples samples(101);
  for (int i = 0; i <= 100; ++i) samples.add((i * 37) % 101);  // 0..100 in a mixed order
  EXPECT_EQ(samples.quantile(0), 0);
  EXPECT_EQ(samples.quantile(0.5), 50);
  EXPECT_EQ(samples.quantile(0.99), 99);
  EXPECT_EQ(samples.quantile(1), 100);
  Samples none(10);
  EXPECT_EQ(none.quantile(0.5), 0);
}

TEST(Samples, MoreValuesThanThereIsRoomForAreThinnedOutEvenly) {
  Samples samples(64);
  constexpr int n = 10000;
  for (int i = 0; i < n; ++i) samples.add(i);
  EXPECT_NEAR(samples.quantile(0.5), 0.5 * n, 0.04 * n);
  EXPECT_NEAR(samples.quantile(1), n, 0.04 * n);
}

TEST(RunStatistics, TheWorstStepIsTheUncertifiedOneWithTheLargestResidual) {
  const Scene scene = two_bricks();
  Simulator simulator(scene);
  const State x = scene.initial_state();
  RunStatistics statistics(simulator, x, 10);
  statistics.add(report_of(1, StepStatus::certified, 9e-8), 1);
  statistics.add(report_of(2, StepStatus::uncertified, 1e-3), 1);
  statistics.add(report_of(3, StepStatus::uncertified, 1e-2), 1);
  statistics.add(report_of(4, StepStatus::uncertified, 1e-2), 1);
  statistics.add(report_of(5, StepStatus::certified, 1e-9), 1);
  const RunSummary run = statistics.finish(x, 1);
  EXPECT_EQ(run.worst.step, 3u);
  EXPECT_EQ(run.worst.residual, 1e-2);
  EXPECT_EQ(run.certified, 2u);
  EXPECT_EQ(run.uncertified, 3u);
  EXPECT_EQ(run.residual.max, 1e-2);
  EXPECT_EQ(run.residual.p50, 1e-3);
}

TEST(RunStatistics, WithoutResidualsTheStepThatBreaksAConstraintMostIsTheWorst) {
  const Scene scene = two_bricks();
  Simulator simulator(scene);
  RunStatistics statistics(simulator, scene.initial_state(), 3);
  for (const double broken : {0.1, 0.3, 0.2}) {
    StepReport report = report_of(static_cast<std::uint64_t>(10 * broken + 0.5), StepStatus::uncertified, 0);
    report.limit_violation = broken;
    statistics.add(report, 1);
  }
  const RunSummary run = statistics.finish(scene.initial_state(), 1);
  EXPECT_EQ(run.worst.step, 3u);
  EXPECT_EQ(run.limit_violation, 0.3);
}

TEST(RunStatistics, ARejectedStepIsTheWorstAndCountsAsUncertified) {
  const Scene scene = two_bricks();
  Simulator simulator(scene);
  RunStatistics statistics(simulator, scene.initial_state(), 2);
  statistics.add(report_of(1, StepStatus::uncertified, 1), 1);
  StepReport report = report_of(2, StepStatus::rejected, 0);
  report.reason = "the state is not finite";
  statistics.add(report, 1);
  const RunSummary run = statistics.finish(scene.initial_state(), 1);
  EXPECT_TRUE(run.rejected);
  EXPECT_EQ(run.worst.step, 2u);
  EXPECT_EQ(run.worst.reason, "the state is not finite");
  EXPECT_EQ(run.steps, run.certified + run.uncertified);
}

TEST(RunStatistics, EnergyIncreaseIsOverEveryStepTheFirstIncluded) {
  const Scene scene = two_bricks();
  Simulator simulator(scene);
  const State x = scene.initial_state();
  RunStatistics statistics(simulator, x, 3);
  const double initial = simulator.energy(x).total();
  double energy = initial;
  for (const double change : {2.0, -5.0, 1.0}) {
    StepReport report;
    report.energy.kinetic = energy += change;
    statistics.add(report, 1);
  }
  EXPECT_NEAR(statistics.finish(x, 1).energy_increase, 2.0, 1e-12);
  EXPECT_NEAR(statistics.finish(x, 1).energy_initial, initial, 1e-12);
}

TEST(RunStatistics, MomentumThatSomethingElseChangedIsSeen) {
  const Scene scene = two_bricks();
  Simulator simulator(scene);
  State x = scene.initial_state();
  RunStatistics statistics(simulator, x, 100);
  for (int i = 0; i < 100; ++i) statistics.add(simulator.step(x), 1);
  const RunSummary undisturbed = statistics.finish(x, 1);
  ASSERT_TRUE(undisturbed.momentum_error);
  EXPECT_LT(*undisturbed.momentum_error, 1e-12);

  State pushed = x;
  pushed.v[0] += 1e-3;
  EXPECT_GT(*statistics.finish(pushed, 1).momentum_error, 1e-5);
  State turned = x;
  turned.v[5] += 1e-3;
  EXPECT_GT(*statistics.finish(turned, 1).momentum_error, 1e-7);
}

TEST(RunStatistics, MomentumIsNotJudgedWhenThereWasContact) {
  const Scene scene = two_bricks();
  Simulator simulator(scene);
  RunStatistics statistics(simulator, scene.initial_state(), 1);
  StepReport report;
  report.contacts = 1;
  statistics.add(report, 1);
  const RunSummary run = statistics.finish(scene.initial_state(), 1);
  EXPECT_FALSE(run.momentum_error);
  EXPECT_NE(run.momentum_reason, "");
  EXPECT_TRUE(nlohmann::json::parse(run_json(run))["momentum_error_max"].is_null());
}

TEST(RunStatistics, NumbersThatJsonCannotHoldAreNullAndBadTextIsReplaced) {
  RunSummary run;
  run.energy_final = std::numeric_limits<double>::quiet_NaN();
  run.scene = "br\xfcll";
  const nlohmann::json json = nlohmann::json::parse(run_json(run), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_TRUE(json["energy"]["final_J"].is_null());
}

}  // namespace
}  // namespace condyle
