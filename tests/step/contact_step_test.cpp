// The step with contacts as a machine: what it carries along, repeats, refuses and says.
#include <condyle/condyle.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace condyle {
namespace {

Shape box_shape(double edge) {
  Shape s;
  s.kind = ShapeKind::box;
  s.size = Eigen::Vector3d::Constant(edge);
  return s;
}

/// A heap of boxes that tumble onto each other.
Scene heap(const std::vector<int>& order) {
  SceneBuilder build;
  build.add_ground({.friction = 0.6});
  for (const int i : order) {
    BodySpec body;
    body.name = "box_" + std::to_string(i);
    body.shapes = {box_shape(0.1)};
    body.inertial.mass = 0.5 + 0.3 * i;
    body.pose.p = {0.03 * i, 0.02 * (i % 2), 0.06 + 0.12 * i};
    body.pose.R = Eigen::AngleAxisd(0.2 * i, Eigen::Vector3d(1, 0.3 * i, 0.5).normalized()).toRotationMatrix();
    build.add_body(body);
  }
  return build.finish();
}

TEST(ContactStep, GoesOnBitForBitFromASavedState) {
  const Scene scene = heap({0, 1, 2, 3, 4});
  Simulator sim(scene, {.dt = 2e-3});
  State x = scene.initial_state();
  for (int i = 0; i < 200; ++i) sim.step(x);
  EXPECT_FALSE(x.warm.empty()) << "the state must carry impulses along";
  const std::string file = CONDYLE_TEST_OUTPUT "/heap.state";
  save(x, scene.identity(), file);
  State y = restore(file, scene.identity());
  EXPECT_EQ(x, y);
  Simulator other(scene, {.dt = 2e-3});
  for (int i = 0; i < 400; ++i) {
    sim.step(x);
    other.step(y);
    ASSERT_EQ(hash(x), hash(y)) << "step " << x.step;
  }
}

TEST(ContactStep, GoesOnBitForBitFromARecordedFrame) {
  const Scene scene = heap({0, 1, 2, 3});
  Simulator sim(scene, {.dt = 2e-3});
  State x = scene.initial_state();
  const std::string file = CONDYLE_TEST_OUTPUT "/heap.h5";
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(scene.nv());
  Recorder recorder(file, scene, sim.options());
  recorder.start(x);
  std::vector<std::size_t> rows;
  for (int i = 0; i < 300; ++i) {
    const StepReport& report = sim.step(x, tau);
    rows.push_back(sim.constraints().size());
    recorder.add(x, tau, report, sim.constraints());
  }
  recorder.close();
  const Recording recording(file);
  for (const std::uint64_t frame : {1, 120, 250, 300}) EXPECT_EQ(recording.constraints(frame).size(), rows[frame - 1]);
  State y = recording.state(150);
  Simulator other(scene, {.dt = 2e-3});
  for (int i = 150; i < 300; ++i) other.step(y);
  EXPECT_EQ(hash(x), hash(y));
  // the table in the file is the one in memory
  const std::vector<ConstraintRow> stored = recording.constraints(300), made = sim.constraints();
  ASSERT_EQ(stored.size(), made.size());
  for (std::size_t i = 0; i < stored.size(); ++i) {
    EXPECT_EQ(stored[i].id, made[i].id);
    EXPECT_EQ(stored[i].impulse, made[i].impulse);
    EXPECT_EQ(stored[i].mode, made[i].mode);
    EXPECT_LT((stored[i].frame - made[i].frame).norm(), 1e-15);
  }
}

TEST(ContactStep, TurnsTheTableAroundWhenTheTwoBodiesAreAddedTheOtherWay) {
  for (const bool floor_first : {true, false}) {
    SceneBuilder build;
    if (floor_first) build.add_ground();
    BodySpec body;
    body.name = "box";
    body.shapes = {box_shape(0.2)};
    body.inertial.mass = 2;
    body.pose.p = {0, 0, 0.1};
    build.add_body(body);
    if (!floor_first) build.add_ground();
    const Scene scene = build.finish();
    Simulator sim(scene);
    State x = scene.initial_state();
    for (int i = 0; i < 10; ++i) sim.step(x);
    double up = 0;
    for (const ConstraintRow& row : sim.contacts()) {
      ASSERT_GE(std::max(row.body_a, row.body_b), 0);
      const bool b_is_box = row.body_b >= 0 && sim.body_names()[static_cast<std::size_t>(row.body_b)] == "box";
      up += b_is_box ? row.impulse.z() : -row.impulse.z();
      EXPECT_EQ(row.mode, ContactMode::stick);
    }
    EXPECT_NEAR(up, 2 * 9.81 * 1e-3, 1e-8) << "N s on the box";
  }
}

TEST(ContactStep, GivesAProblemThatSolvesAgainToTheSameVelocity) {
  const Scene scene = heap({0, 1, 2});
  Simulator sim(scene, {.dt = 2e-3});
  State x = scene.initial_state();
  for (int i = 0; i < 250; ++i) ASSERT_TRUE(sim.step(x).certified()) << sim.report().message();
  const ContactProblem problem = sim.problem();
  ASSERT_GT(problem.rows(), 0);
  EXPECT_EQ(problem.defect(), "");
  ASSERT_EQ(problem.names.size(), problem.blocks.size());
  const SolveResult again = solve(problem, {.tolerance = 1e-9});
  EXPECT_EQ(again.status.code, SolverStatus::Code::solved) << again.status.message;
  const std::string file = CONDYLE_TEST_OUTPUT "/heap_problem.condyle.h5";
  write_problem(problem, file);
  const ContactProblem read = read_problem(file);
  const SolveResult from_file = solve(read, {.tolerance = 1e-9});
  EXPECT_EQ(again.solution.impulse, from_file.solution.impulse) << "the file must hold the problem to the last bit";
  EXPECT_EQ(read.names, problem.names);
}

TEST(Policy, StopLeavesTheStateWhereItWas) {
  // a block squeezed between two fixed walls that overlap it cannot be solved for with Baumgarte's bias
  SceneBuilder build;
  build.set_gravity(Eigen::Vector3d::Zero());
  for (const int side : {-1, 1}) {
    BodySpec wall;
    wall.name = side < 0 ? "left" : "right";
    wall.is_static = true;
    wall.shapes = {box_shape(0.2)};
    wall.pose.p.x() = 0.19 * side;
    build.add_body(wall);
  }
  BodySpec block;
  block.name = "block";
  block.shapes = {box_shape(0.2)};
  block.inertial.mass = 1;
  build.add_body(block);
  const Scene scene = build.finish();
  SimulatorOptions options;
  options.laws.correction = Correction::baumgarte;
  Simulator accepting(scene, options);
  State x = scene.initial_state();
  ASSERT_EQ(accepting.step(x).status, StepStatus::uncertified) << accepting.report().message();
  EXPECT_FALSE(accepting.report().reason.empty());
  EXPECT_FALSE(accepting.report().worst.empty());
  EXPECT_TRUE(x.finite());

  options.on_failure = OnFailure::stop;
  Simulator stopping(scene, options);
  State y = scene.initial_state();
  const State before = y;
  EXPECT_EQ(stopping.step(y).status, StepStatus::rejected);
  EXPECT_EQ(y, before);

  options.on_failure = OnFailure::substep;
  options.max_substeps = 4;
  Simulator halving(scene, options);
  State z = scene.initial_state();
  halving.step(z);
  EXPECT_EQ(halving.report().status, StepStatus::uncertified);
  EXPECT_EQ(halving.report().substeps, 4);
  EXPECT_NEAR(z.t, options.dt, 1e-15);
  EXPECT_EQ(z.step, 1u);
}

TEST(Policy, SplitCorrectionSolvesWhatBaumgarteCannot) {
  SceneBuilder build;
  build.add_ground();
  BodySpec block;
  block.name = "block";
  block.shapes = {box_shape(0.2)};
  block.inertial.mass = 1;
  block.pose.p.z() = 0.0999;
  build.add_body(block);
  const Scene scene = build.finish();
  for (const Correction correction : {Correction::split, Correction::baumgarte, Correction::none}) {
    SimulatorOptions options;
    options.laws.correction = correction;
    Simulator sim(scene, options);
    State x = scene.initial_state();
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(sim.step(x).certified()) << sim.report().message();
    if (correction == Correction::none)
      EXPECT_NEAR(x.q[2], 0.0999, 1e-9);
    else
      EXPECT_NEAR(x.q[2], 0.1, 2e-6) << static_cast<int>(correction);
  }
}

}  // namespace
}  // namespace condyle
