#include "step/loop_projection.hpp"

#include "linalg/least_norm.hpp"
#include "support/mechanisms.hpp"
#include "support/random_state.hpp"

#include <condyle/assemble.hpp>
#include <condyle/simulator.hpp>

#include <gtest/gtest.h>
#include <Eigen/QR>

namespace condyle {
namespace {

struct Loops {
  explicit Loops(const Scene& s) : scene(s), data(scene.data()), bodies(data.free_bodies, data.gravity), loops(data) {
    trees.reserve(data.trees.size());
    for (const Tree& tree : data.trees) trees.emplace_back(tree);
    kinematics = std::make_unique<Kinematics>(data, trees);
  }
  LoopProjection::Outcome project(Eigen::VectorXd& q) { return loops.project(trees, bodies, *kinematics, q); }
  Eigen::VectorXd plus(const Eigen::VectorXd& q, const Eigen::VectorXd& dv) {
    Eigen::VectorXd out(data.nq);
    for (std::size_t i = 0; i < trees.size(); ++i)
      trees[i].integrate(q.segment(data.trees[i].q, data.trees[i].model->nq), 1,
                         dv.segment(data.trees[i].v, data.trees[i].model->nv),
                         out.segment(data.trees[i].q, data.trees[i].model->nq));
    bodies.integrate(q.data() + data.free_q, 1, dv.data() + data.free_v, out.data() + data.free_q);
    return out;
  }
  Scene scene;
  const SceneData& data;
  std::vector<TreeDynamics> trees;
  FreeBodies bodies;
  std::unique_ptr<Kinematics> kinematics;
  LoopProjection loops;
};

TEST(LeastNorm, IsThePseudoInverseForEveryRank) {
  test::Random random(1);
  LeastNorm least_norm;
  for (const auto& [m, n, rank] : {std::tuple{4, 7, 4}, {6, 6, 3}, {9, 5, 5}, {8, 6, 4}, {1, 1, 1}, {3, 2, 0}}) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(m, n);
    for (int k = 0; k < rank; ++k) B += random.vector(m) * random.vector(n).transpose();
    Eigen::VectorXd c = random.vector(m), y(n);
    const Eigen::MatrixXd Bt = B.transpose();
    EXPECT_EQ(least_norm.solve(Bt.data(), n, m, c.data(), y.data(), 1e-8), rank) << m << " × " << n;
    // equations are scaled to unit length, so compare with the pseudo-inverse of the scaled ones
    for (int i = 0; i < m; ++i) {
      const double length = B.row(i).norm();
      if (length > 0) B.row(i) /= length, c[i] /= length;
    }
    const Eigen::VectorXd truth = B.completeOrthogonalDecomposition().solve(c);
    EXPECT_LT((y - truth).norm(), 1e-10 * (1 + truth.norm())) << m << " × " << n << " of rank " << rank;
  }
}

/// A floating ring of four bars: three hinges in the tree, one weld-free revolute closure.
Scene floating_ring() {
  test::Sketch sketch("ring");
  sketch.base().has_inertial = true;
  sketch.base().inertial = {1, Eigen::Vector3d(0.25, 0, 0), Eigen::Vector3d(0.01, 0.02, 0.02).asDiagonal()};
  int last = 0;
  for (int i = 0; i < 3; ++i) last = sketch.hinge(last, Eigen::Vector3d::UnitY(), {0.5, 0, 0});
  ModelOptions options;
  options.base = Base::free;
  for (const char* joint : {"joint_1", "joint_2", "joint_3"}) options.joints[joint] = M_PI / 2;
  const Eigen::Matrix3d y_as_z = rotation_z_to(Eigen::Vector3d::UnitY());
  SceneBuilder build;
  build.add_model(sketch.model(), options);
  LoopSpec loop;
  loop.name = "closing", loop.kind = ClosureKind::revolute;
  loop.body_a = "ring/base", loop.body_b = "ring/link_3";
  loop.frame_a = {y_as_z, Eigen::Vector3d::Zero()};
  loop.frame_b = {y_as_z, Eigen::Vector3d(0.5, 0, 0)};
  build.add_loop(loop);
  return build.finish();
}

TEST(LoopProjection, RemovesADriftInOneToThreeIterationsAlsoWhereRowsAreRedundant) {
  test::Random random(2);
  int most = 0;
  for (const ClosureKind kind : {ClosureKind::spherical, ClosureKind::revolute}) {
    Loops four(test::planar_linkage({0.3, 0.7, 0.5}, 0.8, {-1.2, 0.9, 1.0}, kind));
    Eigen::VectorXd q = assemble(four.scene, four.scene.initial_state()).state.q;
    for (const double drift : {1e-9, 1e-6, 1e-4}) {
      Eigen::VectorXd moved = q + random.vector(3, drift);
      const LoopProjection::Outcome done = four.project(moved);
      EXPECT_TRUE(done.converged) << to_string(kind) << " drift " << drift << " left " << done.metres;
      EXPECT_LE(done.iterations, 3);
      EXPECT_LT((moved - q).norm(), 100 * drift);
      most = std::max(most, done.iterations);
    }
  }
  Loops ring(floating_ring());
  Eigen::VectorXd q = ring.scene.initial_state().q;
  ring.project(q);
  Eigen::VectorXd moved = ring.plus(q, random.vector(ring.data.nv, 1e-5));
  EXPECT_TRUE(ring.project(moved).converged);
  std::printf("most iterations: %d\n", most);
}

TEST(LoopProjection, MovesNoCentreOfMassOfWhatFloats) {
  test::Random random(3);
  Loops ring(floating_ring());
  Simulator simulator(ring.scene);
  State x = ring.scene.initial_state();
  ring.project(x.q);
  for (const double drift : {1e-3, 1e-4}) {
    State before = x, after = x;
    before.q = ring.plus(x.q, random.vector(ring.data.nv, drift));
    after.q = before.q;
    ASSERT_TRUE(ring.project(after.q).converged);
    const double moved = (simulator.momentum(after).com - simulator.momentum(before).com).norm(),
                 changed = (after.q - before.q).norm();
    EXPECT_LT(moved, 3 * changed * changed) << "to second order; the joints moved by " << changed;
  }
}

TEST(LoopProjection, IsTheLeastChangeInTheMetricOfTheInertia) {
  test::Random random(4);
  Loops ring(floating_ring());
  Eigen::VectorXd q = ring.scene.initial_state().q;
  ring.project(q);
  Eigen::VectorXd v = random.vector(ring.data.nv), v_loop = v;
  ring.loops.project_velocity(ring.trees, ring.bodies, *ring.kinematics, q, v_loop);
  Eigen::MatrixXd J;
  ring.loops.jacobian(*ring.kinematics, q, J);
  EXPECT_LT((J * v_loop).norm(), 1e-13);
  // M (v_loop - v) is a combination of the rows
  const Eigen::VectorXd force = ring.trees[0].mass_matrix() * (v_loop - v);
  const Eigen::VectorXd lambda = J.transpose().completeOrthogonalDecomposition().solve(force);
  EXPECT_LT((J.transpose() * lambda - force).norm(), 1e-11 * force.norm());
}

TEST(LoopProjection, LeavesTreesWithoutLoopsAloneAndSolvesSeparateLoopsApart) {
  SceneBuilder build;
  const Eigen::Matrix3d y_as_z = rotation_z_to(Eigen::Vector3d::UnitY());
  for (int i = 0; i < 5; ++i) {
    test::Sketch sketch("arm");
    int last = 0;
    for (int k = 0; k < 3; ++k) last = sketch.hinge(last, Eigen::Vector3d::UnitY(), {k == 0 ? 0.0 : 0.5, 0, 0});
    ModelOptions options;
    options.name = "arm_" + std::to_string(i);
    options.base = Base::fixed;
    options.joints = {{"joint_1", -1.3 + 0.01 * i}, {"joint_2", 1.2}, {"joint_3", 1.25}};
    build.add_model(sketch.model(), options);
    if (i == 2) continue;  // this one has no loop
    LoopSpec loop;
    loop.name = "loop_" + std::to_string(i), loop.kind = ClosureKind::revolute;
    loop.body_a = options.name + "/base", loop.body_b = options.name + "/link_3";
    loop.frame_a = {y_as_z, Eigen::Vector3d(0.6, 0, 0)}, loop.frame_b = {y_as_z, Eigen::Vector3d(0.5, 0, 0)};
    build.add_loop(loop);
  }
  Loops many(build.finish());
  EXPECT_EQ(many.loops.rows(), 20);
  Eigen::VectorXd q = many.scene.initial_state().q;
  const Eigen::VectorXd before = q;
  const LoopProjection::Outcome done = many.project(q);
  EXPECT_TRUE(done.converged) << done.metres;
  EXPECT_EQ((q - before).segment<3>(6).norm(), 0) << "arm_2 has no loop";
  EXPECT_EQ(many.loops.rank(*many.kinematics, q), 8) << "each loop is planar: two rows of five are independent";
}

TEST(LoopProjection, SaysWhichLoopCannotBeClosed) {
  const Scene scene = test::planar_linkage({0.3, 0.2, 0.2}, 5, {-1.2, 0.9, 1.0}, ClosureKind::spherical);
  const AssembleResult result = assemble(scene, scene.initial_state());
  EXPECT_FALSE(result.converged);
  EXPECT_TRUE(result.state.finite());
  EXPECT_NE(result.message.find("'end' stays open"), std::string::npos) << result.message;
  EXPECT_GE(result.residual_m, 5 - 0.7) << "the bars are 0.7 m long together";
  EXPECT_LT(result.residual_m, 4.4) << "stretched nearly as far as they go: " << result.message;
}

TEST(LoopProjection, CouplingsAreKeptTogetherWithLoops) {
  SceneBuilder build;
  test::Sketch sketch("hand");
  const int one = sketch.hinge(0, Eigen::Vector3d::UnitY(), Eigen::Vector3d::Zero());
  const int two = sketch.hinge(one, Eigen::Vector3d::UnitY(), {0.1, 0, 0});
  sketch.slider(two, Eigen::Vector3d::UnitX(), {0.1, 0, 0});
  ModelOptions options;
  options.base = Base::fixed;
  options.joints = {{"joint_1", 0.4}};
  build.add_model(sketch.model(), options);
  build.add_coupling({"hand/joint_2", "hand/joint_1", {0.1, 1.0, 0.3}, {}});
  build.add_coupling({"hand/joint_3", "hand/joint_2", {0, 0.05}, {}});
  const Scene scene = build.finish();
  const AssembleResult result = assemble(scene, scene.initial_state());
  ASSERT_TRUE(result.converged) << result.message;
  const Eigen::VectorXd& q = result.state.q;
  EXPECT_NEAR(q[1], 0.1 + q[0] + 0.3 * q[0] * q[0], 1e-12);
  EXPECT_NEAR(q[2], 0.05 * q[1], 1e-12);
  EXPECT_EQ(result.mobility, 1);
}

}  // namespace
}  // namespace condyle
