// Neither the assembly nor the projection of loops allocates once its sizes have been reached.
#include "problem/assembly.hpp"
#include "step/loop_projection.hpp"
#include "support/allocation_counter.hpp"
#include "support/mechanisms.hpp"
#include "support/random_state.hpp"

#include <condyle/assemble.hpp>

#include <gtest/gtest.h>

#ifdef CONDYLE_COUNTS_ALLOCATIONS

namespace condyle {
namespace {

using test::allocations_of;

TEST(Allocation, NeitherBuildNorCorrectionNorTableNorProjectionAllocatesAfterTheFirstTime) {
  test::Random random(1);
  SceneBuilder build;
  const Eigen::Matrix3d y_as_z = rotation_z_to(Eigen::Vector3d::UnitY());
  for (int i = 0; i < 3; ++i) {  // linkages of different sizes
    test::Sketch sketch("linkage");
    int last = 0;
    for (int k = 0; k < 3 + i; ++k) last = sketch.hinge(last, Eigen::Vector3d::UnitY(), {k == 0 ? 0.0 : 0.4, 0, 0});
    sketch.joint(1).lower = -1.5, sketch.joint(1).upper = -1.3;
    ModelOptions options;
    options.name = "linkage_" + std::to_string(i);
    options.base = Base::fixed;
    options.joints = {{"joint_1", -1.3}, {"joint_2", 1.2}, {"joint_3", 0.9}};
    build.add_model(sketch.model(), options);
    LoopSpec loop;
    loop.name = "loop_" + std::to_string(i), loop.kind = ClosureKind::revolute;
    loop.body_a = options.name + "/base", loop.body_b = options.name + "/link_" + std::to_string(last);
    loop.frame_a = {y_as_z, Eigen::Vector3d(0.5, 0, 0)}, loop.frame_b = {y_as_z, Eigen::Vector3d(0.4, 0, 0)};
    build.add_loop(loop);
  }
  for (const char* name : {"stone", "rock", "ground"}) {
    BodySpec body;
    body.name = name;
    body.is_static = name[0] == 'g';
    body.inertial = random.inertial(1);
    body.shapes = {Shape{}};
    build.add_body(body);
  }
  const Scene scene = build.finish();
  const SceneData& data = scene.data();
  const AssembleResult start = assemble(scene, scene.initial_state());
  ASSERT_TRUE(start.converged) << start.message;

  std::vector<TreeDynamics> trees;
  trees.reserve(data.trees.size());
  for (const Tree& tree : data.trees) trees.emplace_back(tree);
  const FreeBodies bodies(data.free_bodies, data.gravity);
  Kinematics kinematics(data, trees);
  LoopProjection loops(data);
  Eigen::VectorXd q = start.state.q, f;
  BlockDiagonal A;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    trees[i].update(q.segment(data.trees[i].q, data.trees[i].model->nq));
    A.add_block(trees[i].nv()) = trees[i].mass_matrix();
  }
  for (int i = 0; i < bodies.size(); ++i) A.add_block(6) = bodies.inertia_block(i);
  std::vector<Contact> contacts(20);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    contacts[i].pair = {static_cast<int>(i % 2), i % 3 == 0 && i % 2 == 0 ? 1 : 2};
    contacts[i].at.point = random.vector3();
    contacts[i].at.gap = -1e-3;
    contacts[i].id = i + 1;
  }
  Assembly assembly(data, {});
  ContactProblem correction;
  std::vector<ConstraintRow> table;
  std::vector<double> residuals;
  const Eigen::VectorXd drift = random.vector(data.nq, 1e-6), no_bias, still = Eigen::VectorXd::Zero(data.nv);
  Eigen::VectorXd v = random.vector(data.nv), lambda;
  const auto step = [&] {
    q.head(data.free_q) += drift.head(data.free_q);
    const LoopProjection::Outcome done = loops.project(trees, bodies, kinematics, q);
    if (!done.converged || done.iterations == 0) std::abort();
    loops.project_velocity(trees, bodies, kinematics, q, v);
    loops.residual(kinematics, q, f);
    const FreeMotion motion{kinematics, trees, A, q, v, v, 1e-3};
    const ContactProblem& problem = assembly.build(motion, contacts, no_bias);
    lambda = problem.bias;
    residuals.assign(problem.blocks.size(), 0);
    if (!assembly.build_correction(motion, still, contacts, correction)) std::abort();
    assembly.table(lambda, problem.bias, residuals, table);
  };
  step();
  step();
  EXPECT_EQ(allocations_of(step), 0);
  EXPECT_EQ(allocations_of(step), 0);
}

}  // namespace
}  // namespace condyle

#endif
