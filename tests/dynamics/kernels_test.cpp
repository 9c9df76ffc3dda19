// Condyle's M, bias and v* against Pinocchio's own, and free bodies against Pinocchio's free-flyer.
#include "dynamics/free_bodies.hpp"
#include "dynamics/rotation.hpp"
#include "dynamics/tree_dynamics.hpp"
#include "support/mechanisms.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>

namespace condyle {
namespace {

namespace pin = pinocchio;
using test::relative_difference;
using ConstRef = Eigen::Ref<const Eigen::VectorXd>;

struct PinocchioResult {
  Eigen::MatrixXd M;
  Eigen::VectorXd bias, v_free;
};

PinocchioResult by_pinocchio(const pin::Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                             const Eigen::VectorXd& tau, double dt) {
  pin::Data data(model);
  PinocchioResult out;
  out.M = pin::crba(model, data, ConstRef(q), pin::Convention::LOCAL).selfadjointView<Eigen::Upper>();
  out.bias = pin::nonLinearEffects(model, data, ConstRef(q), ConstRef(v));
  out.v_free = v + dt * pin::aba(model, data, ConstRef(q), ConstRef(v), ConstRef(tau), pin::Convention::LOCAL);
  return out;
}

FreeBody random_body(test::Random& random) {
  FreeBody body;
  body.name = "stone";
  body.inertial = random.inertial(random.uniform(0.1, 10));
  return body;
}

pin::Model free_flyer(const FreeBody& body, const Eigen::Vector3d& gravity) {
  pin::Model model;
  const auto id = model.addJoint(0, pin::JointModel(pin::JointModelFreeFlyer()), pin::SE3::Identity(), "free");
  model.appendBodyToJoint(id, pin::Inertia(body.inertial.mass, body.inertial.com, body.inertial.inertia),
                          pin::SE3::Identity());
  model.gravity = pin::Motion(gravity, Eigen::Vector3d::Zero());
  return model;
}

/// Pinocchio's v̇ of a free base is that of components in turning axes; v* has its components in the axes of q0.
Eigen::VectorXd in_fixed_axes(Eigen::VectorXd v_free, const Eigen::VectorXd& v, double dt) {
  v_free.head<3>() += dt * v.segment<3>(3).cross(v.head<3>());
  return v_free;
}

TEST(FreeBody, HasTheInertiaAccelerationAndRotationOfAPinocchioFreeFlyer) {
  test::Random random(1);
  for (int k = 0; k < 200; ++k) {
    const FreeBody body = random_body(random);
    const Eigen::Vector3d gravity = random.vector3(10);
    const pin::Model model = free_flyer(body, gravity);
    const FreeBodies bodies({body}, gravity);
    Eigen::VectorXd q(7), v = random.vector(6, 5), tau = random.vector(6, 20), v_free(6), q_next(7);
    const Pose pose = random.pose(3);
    q << pose.p, pose.quaternion();
    Scheme scheme;
    scheme.dt = 0.01;
    ASSERT_EQ(bodies.free_velocity(scheme, q.data(), v.data(), tau.data(), v_free.data()), 0);
    const PinocchioResult truth = by_pinocchio(model, q, v, tau, scheme.dt);
    EXPECT_LT(relative_difference(bodies.inertia_block(0), truth.M), 1e-12);
    // the centre of mass is where both agree exactly: its velocity has no term of second order in dt
    const Eigen::Vector3d c = body.inertial.com;
    const Eigen::VectorXd expected = in_fixed_axes(truth.v_free, v, scheme.dt);
    const Eigen::Vector3d u = v_free.head<3>() + v_free.tail<3>().cross(c), w = v.tail<3>();
    const Eigen::Vector3d u_expected = expected.head<3>() + expected.tail<3>().cross(c) + scheme.dt * w.cross(w.cross(c));
    EXPECT_LT((u - u_expected).norm(), 1e-11 * (1 + u.norm()));
    EXPECT_LT((v_free.tail<3>() - truth.v_free.tail<3>()).norm(), 1e-11 * (1 + v_free.norm()));

    bodies.integrate(q.data(), 0.3, v.data(), q_next.data());
    Eigen::VectorXd dv = 0.3 * v, q_truth(7);
    pin::integrate(model, q, dv, q_truth);
    if (q_truth.tail<4>().dot(q_next.tail<4>()) < 0) q_truth.tail<4>() *= -1;
    EXPECT_LT(relative_difference(q_next.tail<4>(), q_truth.tail<4>()), 1e-12);
  }
}

/// Largest difference after a second between a stone as free body and as tree of one link.
double difference_of_backends(Integrator integrator, const Inertial& inertial, double dt) {
  test::Random random(2);
  auto description = std::make_shared<ModelDescription>();
  description->name = "tree";
  description->links = {{"stone", inertial, true, {}}};
  ModelOptions as_tree;
  as_tree.base = Base::free;
  as_tree.pose = random.pose();
  as_tree.velocity = random.vector(6, 3);
  BodySpec as_body;
  as_body.name = "body";
  as_body.inertial = inertial;
  as_body.pose = as_tree.pose;
  as_body.velocity = as_tree.velocity;
  SceneBuilder one, two;
  const Scene tree = one.add_model(description, as_tree).finish(), body = two.add_body(as_body).finish();
  SimulatorOptions options;
  options.dt = dt;
  options.integrator = integrator;
  Simulator sim_tree(tree, options), sim_body(body, options);
  State x = tree.initial_state(), y = body.initial_state();
  const Eigen::VectorXd tau = random.vector(6, 5);
  for (int i = 0; i < static_cast<int>(std::lround(1 / dt)); ++i) {
    sim_tree.step(x, tau);
    sim_body.step(y, tau);
  }
  if (x.q.tail<4>().dot(y.q.tail<4>()) < 0) y.q.tail<4>() *= -1;
  return std::max(relative_difference(x.q, y.q), relative_difference(x.v, y.v));
}

TEST(FreeBody, MovesExactlyLikeTheOneLinkTreeInTheExplicitSchemes) {
  Inertial inertial = test::Random(3).inertial(2);
  inertial.com.setZero();
  for (const Integrator integrator :
       {Integrator::explicit_euler, Integrator::symplectic, Integrator::moreau_midpoint, Integrator::mid_velocity})
    EXPECT_LT(difference_of_backends(integrator, inertial, 0.01), 1e-9) << to_string(integrator);
}

TEST(FreeBody, ConvergesToTheOneLinkTreeWhereTheTwoTakeTheMassCentreDifferently) {
  // implicit schemes, and a centre of mass beside the origin: the tree's base frame goes straight, the body's centre does
  const Inertial inertial = test::Random(3).inertial(2);
  for (const Integrator integrator : {Integrator::symplectic, Integrator::implicit_euler, Integrator::midpoint}) {
    const double coarse = difference_of_backends(integrator, inertial, 2e-3),
                 fine = difference_of_backends(integrator, inertial, 1e-3);
    EXPECT_LT(coarse, 0.05) << to_string(integrator);
    EXPECT_GT(coarse / fine, integrator == Integrator::midpoint ? 3.5 : 1.8)
        << to_string(integrator) << " " << coarse << " " << fine;
  }
}

TEST(Tree, HasPinocchiosInertiaBiasAndFreeVelocity) {
  test::Random random(4);
  for (const bool floating : {false, true}) {
    ModelOptions options;
    options.base = floating ? Base::free : Base::fixed;
    options.pose = random.pose();
    SceneBuilder build;
    const Scene scene = build.add_model(test::chain(8, 0.3, 1.2, true, false), options).finish();
    const Tree& tree = scene.data().trees[0];
    const pin::Model& model = *tree.model->model;
    TreeDynamics dynamics(tree);
    for (int k = 0; k < 50; ++k) {
      const Eigen::VectorXd v = random.vector(model.nv, 3), tau = random.vector(model.nv, 10);
      Eigen::VectorXd q(model.nq), v_free(model.nv);
      const Eigen::VectorXd dq = random.vector(model.nv, 2);
      dynamics.integrate(tree.q_initial, 1.0, dq, q);
      Scheme scheme;
      ASSERT_EQ(dynamics.free_velocity(scheme, q, v, tau, v_free), 0);
      const PinocchioResult truth = by_pinocchio(model, q, v, tau, scheme.dt);
      EXPECT_LT(relative_difference(dynamics.mass_matrix(), truth.M), 1e-10);
      EXPECT_LT(relative_difference(dynamics.bias(v), truth.bias), 1e-10);
      const Eigen::VectorXd expected = floating ? in_fixed_axes(truth.v_free, v, scheme.dt) : truth.v_free;
      EXPECT_LT(relative_difference(v_free, expected), 1e-10);
    }
  }
}

TEST(Tree, SolvesTheImplicitEquationOfTheThetaMethod) {
  // m(v*) = M(q^θ)(v* - v0) - dt k(q^θ, v^θ), recomputed here with Pinocchio's inverse dynamics
  test::Random random(5);
  SceneBuilder build;
  ModelOptions options;
  options.base = Base::free;
  options.name = "c";
  build.add_model(test::chain(5, 0.3, 1.2, true, false), options);
  JointProperties joint;
  joint.stiffness = 30;
  joint.damping = 0.4;
  joint.armature = 0.02;
  for (int i = 1; i <= 5; ++i) build.set_joint("c/joint_" + std::to_string(i), joint);
  const Scene scene = build.finish();
  const Tree& tree = scene.data().trees[0];
  const pin::Model& model = *tree.model->model;
  TreeDynamics dynamics(tree);
  for (const Integrator integrator : {Integrator::implicit_euler, Integrator::midpoint}) {
    SimulatorOptions simulator;
    simulator.integrator = integrator;
    simulator.dt = 5e-3;
    const Scheme s = scheme_of(simulator);
    for (int k = 0; k < 20; ++k) {
      const Eigen::VectorXd v0 = random.vector(model.nv, 3), tau = random.vector(model.nv, 5),
                            dq = random.vector(model.nv, 1);
      Eigen::VectorXd q0(model.nq), v(model.nv), q_theta(model.nq), spring(model.nv);
      dynamics.integrate(tree.q_initial, 1.0, dq, q0);
      ASSERT_GT(dynamics.free_velocity(s, q0, v0, tau, v), 0);
      const Eigen::Vector3d turn = s.dt * (s.theta_vq * v + (1 - s.theta_vq) * v0).segment<3>(3);
      v.head<3>() = turned(-turn, v.head<3>());  // from the axes of q0 back to those the equation is written in
      const Eigen::VectorXd move = s.dt * s.theta * (s.theta_vq * v + (1 - s.theta_vq) * v0),
                            v_theta = s.theta * v + (1 - s.theta) * v0, a = (v - v0) / s.dt;
      pin::integrate(model, q0, move, q_theta);
      pin::difference(model, tree.spring_reference, q_theta, spring);
      pin::Data data(model);
      Eigen::VectorXd applied = tau;  // a force on the base keeps its direction in the world
      applied.head<3>() = turned(-move.segment<3>(3), tau.head<3>());
      applied.segment<3>(3) = turned(-move.segment<3>(3), tau.segment<3>(3));
      Eigen::VectorXd residual = pin::rnea(model, data, ConstRef(q_theta), ConstRef(v_theta), ConstRef(a)) - applied;
      residual += tree.armature.cwiseProduct(a) + tree.damping.cwiseProduct(v_theta) + tree.stiffness.cwiseProduct(spring);
      EXPECT_LT(s.dt * residual.lpNorm<Eigen::Infinity>(), 1e-9) << to_string(integrator);
    }
  }
}

TEST(Simulator, RefusesATreeWithoutInertiaAndNamesTheJoints) {
  auto description = test::chain(3, 0.3, 1.0, false);
  description->links[3].inertial = Inertial();
  SceneBuilder build;
  const Scene scene = build.add_model(description).finish();
  try {
    Simulator sim(scene);
    FAIL() << "a massless last link must be refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "no-inertia");
    EXPECT_NE(std::string(error.what()).find("joint_3"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace condyle
