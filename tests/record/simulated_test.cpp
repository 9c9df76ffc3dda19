// The recorder with a simulator in front of it: a pendulum on a fixed base and a tumbling body.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "record/describe.hpp"
#include "record/output.hpp"
#include "support/mechanisms.hpp"

namespace condyle::testing {
namespace {

Scene pendulum_and_body() {
  BodySpec body;
  body.name = "brick";
  body.inertial = {1.5, Eigen::Vector3d::Zero(), Eigen::Vector3d(0.01, 0.02, 0.03).asDiagonal()};
  body.velocity << 0.1, 0.2, 0.3, 1, 2, 3;

  ModelOptions pendulum;
  pendulum.joints["joint_1"] = 0.3;

  SceneBuilder build;
  build.set_name("swing and tumble");
  build.add_model(test::point_pendulum(0.5, 2.0), pendulum);
  build.add_body(body);
  return build.finish();
}

void simulate_and_record(const Scene& scene, const std::string& file, int steps) {
  Simulator simulator(scene);
  State x = scene.initial_state();
  Recorder recorder(file, scene, simulator.options(), {.expected_frames = static_cast<std::uint64_t>(steps) + 1});
  recorder.start(x);
  for (int i = 0; i < steps; ++i) {
    const Eigen::VectorXd tau = Eigen::VectorXd::Constant(scene.nv(), 0.01 * i);
    recorder.add(x, tau, simulator.step(x, tau));
  }
  recorder.close();
}

TEST(RecordedRun, GoesOnFromAnyFrameAsItDid) {
  const Scene scene = pendulum_and_body();
  const std::string file = output("run.h5");
  simulate_and_record(scene, file, 60);
  const Recording recording(file);
  ASSERT_EQ(recording.info().frames, 61u);
  EXPECT_TRUE(recording.state(0) == scene.initial_state());
  for (const std::uint64_t from : {0, 17, 40}) {
    save(recording.state(from), scene.identity(), output("state"));
    State x = restore(output("state"), scene.identity());
    Simulator simulator(scene);
    for (std::uint64_t i = from + 1; i <= 60; ++i) {
      simulator.step(x, recording.control(i));
      ASSERT_TRUE(x == recording.state(i)) << "frame " << i << ", started from frame " << from;
    }
  }
}

TEST(RecordedRun, KnowsTheNamesAndEnergiesOfItsScene) {
  const Scene scene = pendulum_and_body();
  const std::string file = output("run.h5");
  simulate_and_record(scene, file, 5);
  const Recording recording(file);
  EXPECT_EQ(recording.info().scene, "swing and tumble");
  EXPECT_EQ(recording.info().scene_identity, scene.identity());
  EXPECT_EQ(recording.info().q_names, scene.q_names());
  EXPECT_EQ(recording.info().bodies.back(), "brick");
  Simulator simulator(scene);
  const double energy = simulator.energy(recording.state(5)).kinetic;
  EXPECT_NEAR(recording.column("energy_kinetic")[5], energy, 1e-12 * energy);

  const auto description = nlohmann::json::parse(record::describe(scene, {}, "", record::draw(scene.data(), false)));
  const auto& hinge = description.at("joints").at(0);
  EXPECT_EQ(hinge.at("name"), "pendulum/joint_1");
  EXPECT_EQ(hinge.at("kind"), "revolute");
  EXPECT_EQ(hinge.at("q"), scene.q_index("pendulum/joint_1"));
  const auto& brick = description.at("joints").at(1);
  EXPECT_EQ(brick.at("q"), scene.q_index("brick"));
  EXPECT_EQ(brick.at("v"), scene.v_index("brick"));
  EXPECT_EQ(description.at("total_mass"), scene.total_mass());
}

}  // namespace
}  // namespace condyle::testing
