// Newton's balance: in every step of every built-in scene the momentum, linear and angular, of each free body and of each
// link changes by its weight, by the impulses in the table of constraints and by what the joints transmit, and by nothing
// else.
//
//   build/release/bin/test_physics --gtest_filter='*Books*'                    300 steps of each scene
//   CONDYLE_WHOLE=1 build/release/bin/test_physics --gtest_filter='*Books*'    each scene from its start to its end
//
// A number of steps and not of seconds, so that every machine checks the same.
#include "physics/body_books.hpp"
#include "physics/contact_run.hpp"
#include "physics/tree_books.hpp"
#include "support/robot_scenes.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <deque>
#include <limits>

namespace condyle {
namespace {

using test::body_motion;
using test::BodyMotion;

/// The books of a scene: taken before a step, closed after it.
struct Books {
  explicit Books(test::ContactRun& r) : run(r), data(r.scene.data()), given(r.sim), before(r.x) {
    for (const Tree& tree : data.trees) trees.emplace_back(tree, run.sim.options());
  }

  /// After a step; `before` is the state that the last call saw.
  void close() {
    compare({});
    before = run.x;
  }

  /// m/s or rad/s: the worst of this step's books alone with a table that is not the true one.
  double off_by(const std::function<void(ConstraintRow&)>& falsify) {
    const std::array<Worst, 3> kept{bodies, links, floating};
    bodies = links = floating = Worst();
    compare(falsify);
    const double out = std::max({bodies.error, links.error, floating.error});
    bodies = kept[0], links = kept[1], floating = kept[2];
    return out;
  }

  void compare(const std::function<void(ConstraintRow&)>& falsify) {
    given.collect(before, falsify);
    const ContactProblem problem = uses_v_free() && !run.sim.constraints().empty() ? run.sim.problem() : ContactProblem();
    const Eigen::VectorXd &v_solved = run.sim.solved_velocity(), &v_free = problem.rows() > 0 ? problem.v_free : v_solved;
    for (std::size_t i = 0; i < data.free_bodies.size(); ++i) close_body(i, v_solved);
    for (std::size_t i = 0; i < data.trees.size(); ++i) close_tree(i, v_solved, v_free);
  }

  bool uses_v_free() const { return !data.trees.empty() && run.sim.options().integrator != Integrator::symplectic; }

  void close_body(std::size_t i, const Eigen::VectorXd& v_solved) {
    const FreeBody& body = data.free_bodies[i];
    const double dt = run.sim.options().dt;
    const BodyMotion begin = body_motion(body, before.q, before.v), end = body_motion(body, run.x.q, run.x.v);
    note(body_error(body, data.gravity, dt, begin, end, given.bodies[i], Eigen::Vector3d::Zero()), bodies, body.name);
    if (run.sim.options().integrator != Integrator::symplectic) return;
    const BodyMotion solved = body_motion(body, before.q, v_solved);
    note(body_error(body, data.gravity, dt, begin, solved, given.bodies[i], gyroscopic_impulse(body, dt, begin, before.v)),
         bodies, body.name);
  }

  void close_tree(std::size_t i, const Eigen::VectorXd& v_solved, const Eigen::VectorXd& v_free) {
    const Tree& tree = data.trees[i];
    const auto q_of = [&](const Eigen::VectorXd& x) { return Eigen::VectorXd(x.segment(tree.q, tree.model->nq)); };
    const auto v_of = [&](const Eigen::VectorXd& x) { return Eigen::VectorXd(x.segment(tree.v, tree.model->nv)); };
    test::TreeBooks& books = trees[i];
    note(books.error(q_of(before.q), v_of(before.v), v_of(v_solved), v_of(v_free), given.links[i],
                     v_of(given.joints) + v_of(given.applied)),
         links, tree.name);
    if (!tree.model->free_base) return;
    const auto begin = books.whole(q_of(before.q), v_of(before.v)), end = books.whole(q_of(run.x.q), v_of(run.x.v));
    note(books.whole_error(begin, end, given.links[i], data.gravity), floating, tree.name);
  }

  struct Worst {
    double error = 0;  ///< m/s or rad/s
    std::string where;
  };

  void note(double error, Worst& worst, const std::string& name) {
    if (error <= worst.error) return;
    worst.error = error;
    worst.where = fmt::format("{} at t = {:.6g} s", name, run.x.t);
  }

  test::ContactRun& run;
  const SceneData& data;
  test::GivenImpulses given;
  State before;
  std::deque<test::TreeBooks> trees;
  Worst bodies, links, floating;
};

int most_steps() { return std::getenv("CONDYLE_WHOLE") ? std::numeric_limits<int>::max() : 300; }

class EveryScene : public testing::TestWithParam<std::string> {};

TEST_P(EveryScene, ClosesTheBooksOfEveryBodyInEveryStep) {
  if (const std::string missing = test::missing_robot(GetParam()); !missing.empty()) GTEST_SKIP() << missing;
  test::ContactRun run(GetParam(), {});
  Books books(run);
  const double tolerance = run.sim.options().tolerance, end = run.scene.defaults().end;
  int steps = 0;
  while (run.x.t < end - 0.5 * run.sim.options().dt && steps < most_steps()) {
    run.until(run.x.t + run.sim.options().dt, [&] { books.close(); });
    ASSERT_NE(run.sim.report().status, StepStatus::rejected) << run.sim.report().message();
    ++steps;
  }
  fmt::print(
      "{}: {} steps to t = {:.6g} of {} s, {} not certified; off by {:.2g} (bodies), {:.2g} (links), {:.2g} (floating "
      "trees) m/s\n",
      GetParam(), steps, run.x.t, end, run.uncertified, books.bodies.error, books.links.error, books.floating.error);
  EXPECT_LT(books.bodies.error, tolerance) << GetParam() << ": m/s or rad/s, " << books.bodies.where;
  EXPECT_LT(books.links.error, tolerance) << GetParam() << ": m/s or rad/s, " << books.links.where;
  EXPECT_LT(books.floating.error, tolerance) << GetParam() << ": m/s or rad/s, " << books.floating.where;
}

/// A floating trunk that slides on the floor, with whatever a joint can have, tied to two free boxes.
const char* const everything = R"(condyle: 1
gravity: [0, 0, -9.81]
models:
  - name: rig
    base: free
    pose: {xyz: [0, 0, 0.06], rpy: [0, 0, 0.3]}
    velocity: {linear: [0.3, 0, 0], angular: [0, 0, 0.7]}
    joints: {shoulder: 0.3, elbow: 0.268}
    joint_velocities: {shoulder: 1, elbow: 0.62, slide: -1, flap: 2}
    inline_urdf: |
      <robot name="rig">
        <link name="trunk">
          <inertial><mass value="3"/><inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.04"/></inertial>
          <collision><geometry><box size="0.3 0.2 0.1"/></geometry></collision>
        </link>
        <link name="upper"><inertial><origin xyz="0.1 0 0.02"/><mass value="1"/>
          <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.003"/></inertial></link>
        <link name="lower"><inertial><origin xyz="0.1 0.01 0"/><mass value="0.5"/>
          <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/></inertial></link>
        <link name="rod"><inertial><origin xyz="0 0 0.05"/><mass value="0.4"/>
          <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial></link>
        <link name="wing"><inertial><origin xyz="0 0.1 0"/><mass value="0.3"/>
          <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.0005" iyz="0" izz="0.001"/></inertial></link>
        <joint name="shoulder" type="continuous"><parent link="trunk"/><child link="upper"/>
          <origin xyz="0.1 0 0.1"/><axis xyz="0 1 0"/></joint>
        <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
          <origin xyz="0.2 0 0"/><axis xyz="0 0.6 0.8"/></joint>
        <joint name="slide" type="prismatic"><parent link="trunk"/><child link="rod"/>
          <origin xyz="-0.1 0 0.1"/><axis xyz="0 0 1"/><limit lower="0" upper="0.2" effort="100" velocity="10"/></joint>
        <joint name="flap" type="continuous"><parent link="trunk"/><child link="wing"/>
          <origin xyz="0 0.1 0.1"/><axis xyz="1 0 0"/></joint>
      </robot>
bodies:
  - {name: floor, static: true, shape: {halfspace: {normal: [0, 0, 1]}}}
  - {name: held, shape: {box: [0.1, 0.05, 0.04]}, mass: 0.7, pose: {xyz: [1, 0, 1]}, velocity: {angular: [1, 2, 0]}}
  - {name: tied, shape: {box: [0.1, 0.05, 0.04]}, mass: 0.7, pose: {xyz: [-1, 0, 1]}, velocity: {angular: [3, 0, 1]}}
  - {name: welded, shape: {box: [0.1, 0.1, 0.1]}, mass: 0.6, pose: {xyz: [1.3, 0, 1]}}
joint_properties:
  - {joint: rig/shoulder, stiffness: 3, reference: 0.1, damping: 0.05, armature: 0.01}
  - {joint: rig/flap, friction: 0.3}
couplings: [{joint: rig/elbow, of: rig/shoulder, polycoef: [0.1, 0.5, 0.2]}]
actuators:
  - {joint: rig/slide, kind: pd, kp: 50, kd: 2, target: -0.1, effort: 20}
  - {joint: rig/flap, kind: torque, value: {times: [0, 0.2], values: [0.1, 0.2]}, effort: 1}
loops:
  - {name: rope, kind: distance, frames: [{body: rig/lower, pose: {xyz: [0.2, 0, 0]}}, held]}
  - {name: glue, kind: weld, between: [held, welded], at: {xyz: [1.2, 0, 1]}}
springs: [{name: s, between: [rig/wing, tied], at: [[0, 0.2, 0], [0.02, 0, 0]], stiffness: 30, damping: 1, length: 0.4}]
forces: [{body: rig/lower, force: [3, 1, 0], torque: [0, 0.1, 0], until: 0.1}, {body: tied, force: [0, 1, 0], axes: body,
  factor: {times: [0, 0.1], values: [1, 2]}}]
)";

TEST(Books, OfARigThatHasEverythingCloseAndNoticeEveryFalseEntry) {
  for (const Integrator scheme : {Integrator::symplectic, Integrator::explicit_euler}) {
    SimulatorOptions options;
    options.integrator = scheme;
    test::ContactRun run(read_scene_text(everything, "everything.yaml"), options);
    run.may_be_uncertified = scheme != Integrator::symplectic;
    Books books(run);
    std::map<std::string, int> noticed;
    const auto must_notice = [&](const std::string& what, const std::function<void(ConstraintRow&)>& falsify) {
      EXPECT_GT(books.off_by(falsify), run.sim.options().tolerance) << to_string(scheme) << ": " << what;
      ++noticed[what];
    };
    int steps = 0;
    run.until(0.3, [&] {
      if (++steps % 20 == 0)
        for (const ConstraintRow& row : run.sim.constraints()) {
          if (row.impulse.norm() < 1e-4) continue;
          const auto only = [id = row.id](const auto& change) {
            return [=](ConstraintRow& other) {
              if (other.id == id) change(other);
            };
          };
          must_notice(to_string(row.kind), only([](ConstraintRow& r) { r.impulse *= 0.99; }));
          if (row.joint < 0)
            must_notice("point", only([](ConstraintRow& r) { r.point += r.frame.col(0) * 0.01 + r.frame.col(2) * 0.01; }));
          if (row.moment.norm() > 1e-6) must_notice("moment", only([](ConstraintRow& r) { r.moment *= 0.99; }));
          if (row.followed_joint >= 0) must_notice("followed", only([](ConstraintRow& r) { r.followed_share *= 0.99; }));
        }
      books.close();
    });
    EXPECT_LT(books.bodies.error, run.sim.options().tolerance) << to_string(scheme) << ": " << books.bodies.where;
    EXPECT_LT(books.links.error, run.sim.options().tolerance) << to_string(scheme) << ": " << books.links.where;
    EXPECT_LT(books.floating.error, run.sim.options().tolerance) << to_string(scheme) << ": " << books.floating.where;
    for (const ConstraintKind kind :
         {ConstraintKind::contact, ConstraintKind::closure, ConstraintKind::coupling, ConstraintKind::joint_limit,
          ConstraintKind::joint_friction, ConstraintKind::actuator, ConstraintKind::spring_damper})
      EXPECT_GT(noticed[to_string(kind)], 0) << to_string(scheme) << ": none had an impulse of " << to_string(kind);
    for (const char* what : {"point", "moment", "followed"})
      EXPECT_GT(noticed[what], 0) << to_string(scheme) << ": " << what;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const BuiltinScene& scene : builtin_scenes()) out.push_back(scene.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Builtin, EveryScene, testing::ValuesIn(names()), [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace condyle
