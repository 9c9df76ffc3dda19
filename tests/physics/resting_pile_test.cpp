// A pile at rest: the impulses of the last step are still the right ones, so most steps need no solver at all.
#include <condyle/condyle.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace condyle {
namespace {

TEST(RestingPile, TakesMostStepsWithoutAnIterationAndStaysWhereItIs) {
  for (const char* boxes : {"10", "20"}) {
    SceneOptions scene_options;
    scene_options.parameters["n"] = boxes;
    const Scene scene = load_scene("box_pile", scene_options);
    SimulatorOptions options;
    options.dt = 0.005;
    Simulator simulator(scene, options);
    State state = scene.initial_state();
    // when the last box has come to lie is the heap's own affair: it differs from one rounding of the numbers to another
    const double latest = 6;  // s
    do simulator.step(state);
    while (state.t < 0.5 || (state.v.cwiseAbs().maxCoeff() > options.tolerance && state.t < latest));
    ASSERT_LT(state.t, latest) << boxes << " boxes still move at " << state.v.cwiseAbs().maxCoeff();
    for (int k = 0; k < 100; ++k) simulator.step(state);  // overlaps of the landing are taken away: motion without velocity
    const Eigen::VectorXd q_begin = state.q;
    int without_iteration = 0, certified = 0;
    double speed = 0;
    const int steps = 400;
    for (int k = 0; k < steps; ++k) {
      const StepReport& report = simulator.step(state);
      without_iteration += report.iterations == 0;
      certified += report.certified();
      speed = std::max(speed, state.v.cwiseAbs().maxCoeff());
    }
    fmt::print("{} boxes: {} of {} steps without an iteration, speed at most {:.1e} m/s or rad/s, moved by {:.1e}\n", boxes,
               without_iteration, steps, speed, (state.q - q_begin).cwiseAbs().maxCoeff());
    EXPECT_EQ(certified, steps) << boxes;
    EXPECT_GT(without_iteration, 0.85 * steps) << boxes;
    EXPECT_LT(speed, options.tolerance) << boxes << " boxes: what is taken for rest must not speed up";
    // two seconds at a tenth of the tolerance
    EXPECT_LT((state.q - q_begin).cwiseAbs().maxCoeff(), 0.1 * options.tolerance * steps * options.dt) << boxes;
  }
}

}  // namespace
}  // namespace condyle
