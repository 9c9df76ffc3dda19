// The stacked rows against differences of what they are rows of, the weights against dense algebra, and the table.
#include "problem/assembly.hpp"

#include "linalg/block_jacobian.hpp"
#include "step/loop_projection.hpp"
#include "support/mechanisms.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include <set>

namespace condyle {
namespace {

using test::Random;

/// A scene at a state with all that the assembly wants to know of it.
struct Bench {
  explicit Bench(Scene s, double dt_ = 1e-3)
      : scene(std::move(s)), data(scene.data()), dt(dt_), bodies(data.free_bodies, data.gravity) {
    trees.reserve(data.trees.size());
    for (const Tree& tree : data.trees) trees.emplace_back(tree);
    kinematics = std::make_unique<Kinematics>(data, trees);
    const State x = scene.initial_state();
    q = x.q;
    v0 = x.v;
    v_free = v0;
    update();
  }
  void update() {
    Scheme scheme;
    scheme.dt = dt;
    A.clear();
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(data.nv);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const Tree& tree = data.trees[i];
      if (tree.model->nv == 0) continue;
      Eigen::VectorXd out(tree.model->nv);
      ASSERT_EQ(trees[i].free_velocity(scheme, q.segment(tree.q, tree.model->nq), v0.segment(tree.v, tree.model->nv),
                                       tau.segment(tree.v, tree.model->nv), out),
                0);
      v_free.segment(tree.v, tree.model->nv) = out;
      Eigen::MatrixXd block(tree.model->nv, tree.model->nv);
      trees[i].inertia(scheme, block);
      A.add_block(tree.model->nv) = block;
    }
    if (bodies.size())
      bodies.free_velocity(scheme, q.data() + data.free_q, v0.data() + data.free_v, tau.data() + data.free_v,
                           v_free.data() + data.free_v);
    for (int i = 0; i < bodies.size(); ++i) A.add_block(6) = bodies.inertia_block(i);
    move_to(q);
  }
  void move_to(const Eigen::VectorXd& to) {
    for (std::size_t i = 0; i < trees.size(); ++i) trees[i].update(to.segment(data.trees[i].q, data.trees[i].model->nq));
    kinematics->update(to);
  }
  Eigen::VectorXd plus(const Eigen::VectorXd& dv) {
    Eigen::VectorXd out(data.nq);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const Tree& tree = data.trees[i];
      trees[i].integrate(q.segment(tree.q, tree.model->nq), 1, dv.segment(tree.v, tree.model->nv),
                         out.segment(tree.q, tree.model->nq));
    }
    bodies.integrate(q.data() + data.free_q, 1, dv.data() + data.free_v, out.data() + data.free_q);
    return out;
  }
  FreeMotion motion() const { return {*kinematics, trees, A, q, v0, v_free, dt}; }
  void shake(Random& random, double size) {
    q = plus(random.vector(data.nv, size));
    v0 = random.vector(data.nv);
    update();
  }

  Scene scene;
  const SceneData& data;
  double dt;
  std::vector<TreeDynamics> trees;
  FreeBodies bodies;
  std::unique_ptr<Kinematics> kinematics;
  Eigen::VectorXd q, v0, v_free;
  BlockDiagonal A;
};

BodySpec stone(const std::string& name, Random& random) {
  BodySpec body;
  body.name = name;
  body.inertial = random.inertial(random.uniform(0.5, 3));
  body.pose = random.pose();
  return body;
}

/// Two fixed trees that branch, a floating one, two free bodies, and one closure of a kind between two named bodies.
Scene everything(ClosureKind kind, const std::string& a, const std::string& b, Random& random, bool with_loop = true) {
  SceneBuilder build;
  for (const char* name : {"left", "right", "floating"}) {
    test::Sketch sketch(name);
    const int first = sketch.hinge(0, random.vector3().normalized(), random.vector3());
    const int second = sketch.add(first, JointKind::ball, Eigen::Vector3d::UnitZ(), random.pose());
    sketch.add(second, JointKind::continuous, random.vector3().normalized(), random.pose());
    sketch.slider(first, random.vector3().normalized(), random.vector3());
    ModelOptions options;
    options.base = Base::fixed;
    if (std::string(name) == "floating") {
      options.base = Base::free;
      sketch.base().has_inertial = true;
      sketch.base().inertial = random.inertial(2);
    }
    options.pose = random.pose();
    build.add_model(sketch.model(), options);
  }
  build.add_body(stone("stone", random));
  build.add_body(stone("rock", random));
  if (with_loop) {
    LoopSpec loop;
    loop.name = "loop";
    loop.kind = kind;
    loop.body_a = a;
    loop.body_b = b;
    loop.frame_a = random.pose(0.3);
    loop.frame_b = random.pose(0.3);
    if (kind == ClosureKind::distance) loop.length = 0.4;
    build.add_loop(loop);
  }
  return build.finish();
}

const std::pair<const char*, const char*> pairs[] = {{"left/link_4", "right/link_3"},
                                                     {"left/link_3", "left/link_4"},
                                                     {"right/link_4", "world"},
                                                     {"world", "floating/link_4"},
                                                     {"stone", "rock"},
                                                     {"stone", "floating/link_3"},
                                                     {"right/link_2", "stone"},
                                                     {"floating/base", "floating/link_4"}};
constexpr ClosureKind kinds[] = {ClosureKind::spherical,   ClosureKind::revolute,  ClosureKind::universal,
                                 ClosureKind::cylindrical, ClosureKind::prismatic, ClosureKind::planar,
                                 ClosureKind::weld,        ClosureKind::distance};

TEST(Assembly, RowsOfEveryClosureAreTheDerivativeOfItsResidualAndVanishOutsideItsSupport) {
  Random random(1);
  double worst = 0;
  for (const ClosureKind kind : kinds)
    for (const auto& [a, b] : pairs) {
      Bench bench(everything(kind, a, b, random));
      bench.shake(random, 0.5);
      Assembly assembly(bench.data, {});
      const ContactProblem& problem = assembly.build(bench.motion(), {}, {});
      EXPECT_EQ(problem.defect(), "");
      const Eigen::MatrixXd J = dense(problem.J);
      LoopProjection loops(bench.data);
      ASSERT_EQ(J.rows(), rows_of(kind));
      ASSERT_EQ(loops.rows(), rows_of(kind));
      Eigen::MatrixXd other;
      loops.jacobian(*bench.kinematics, bench.q, other);
      EXPECT_LT(test::relative_difference(J, other), 1e-12);

      Eigen::MatrixXd numeric(J.rows(), J.cols());
      const double h = 1e-6;
      for (int k = 0; k < bench.data.nv; ++k) {
        Eigen::VectorXd f[2];
        for (const int side : {0, 1}) {
          const Eigen::VectorXd moved = bench.plus((side ? h : -h) * Eigen::VectorXd::Unit(bench.data.nv, k));
          bench.move_to(moved);
          loops.residual(*bench.kinematics, moved, f[side]);
        }
        numeric.col(k) = (f[1] - f[0]) / (2 * h);
      }
      const double error = test::relative_difference(J, numeric);
      worst = std::max(worst, error);
      EXPECT_LT(error, 1e-6) << to_string(kind) << " between " << a << " and " << b;

      BodyRef ref[2];
      bench.data.find_body(a, ref[0]);
      bench.data.find_body(b, ref[1]);
      std::set<int> one, two;
      for (const int k : bench.kinematics->support(bench.kinematics->body_of(ref[0]))) one.insert(k);
      for (const int k : bench.kinematics->support(bench.kinematics->body_of(ref[1]))) two.insert(k);
      for (int k = 0; k < bench.data.nv; ++k)
        if (one.count(k) == two.count(k)) {
          EXPECT_EQ(J.col(k).norm(), 0) << a << ", " << b << ": velocity " << k;
        }
    }
  std::printf("worst relative difference to central differences: %.3g\n", worst);
}

std::vector<Contact> random_contacts(const SceneData& data, Random& random, int count) {
  std::vector<Contact> out;
  for (int i = 0; i < count; ++i) {
    Contact contact;
    contact.pair = {static_cast<int>(i % static_cast<int>(data.shapes.size() - 1)),
                    static_cast<int>(data.shapes.size()) - 1};
    contact.at.point = random.vector3();
    contact.at.normal = random.vector3().normalized();
    contact.at.gap = random.uniform(-1e-3, 1e-3);
    contact.id = static_cast<std::uint64_t>(i + 1);
    out.push_back(contact);
  }
  return out;
}

/// A floating tree and two stones over the ground, each with shapes, and joints of all kinds with rows of their own.
Scene rich(Random& random, const Eigen::Matrix3d& R = Eigen::Matrix3d::Identity()) {
  test::Sketch sketch("robot");
  sketch.base().has_inertial = true;
  sketch.base().inertial = {2, Eigen::Vector3d(0.1, 0, 0.1), Eigen::Vector3d(0.1, 0.2, 0.15).asDiagonal()};
  const int a = sketch.hinge(0, Eigen::Vector3d::UnitY(), {0.3, 0, 0});
  const int b = sketch.slider(a, Eigen::Vector3d::UnitZ(), {0.2, 0, 0});
  const int c = sketch.hinge(b, Eigen::Vector3d::UnitX(), {0, 0.2, 0});
  sketch.joint(a).lower = -0.4, sketch.joint(a).upper = 0.001;
  sketch.joint(b).lower = 0.002, sketch.joint(b).upper = 1;
  sketch.joint(c).friction = 0.3;
  ModelOptions options;
  options.base = Base::free;
  options.pose = {R, R * Eigen::Vector3d(0, 0, 1)};
  SceneBuilder build;
  build.set_gravity(R * Eigen::Vector3d(0, 0, -9.81));
  build.add_model(sketch.model(), options);
  Shape ball;
  ball.size.setConstant(0.1);
  for (const char* name : {"stone", "rock"}) {
    BodySpec body = stone(name, random);
    body.pose = {R, R * Eigen::Vector3d(name[0] == 's' ? 2 : 3, 0, 1)};
    body.shapes = {ball};
    build.add_body(body);
  }
  build.add_shape("robot/link_3", ShapeRole::collision, ball);
  build.add_shape("robot/link_1", ShapeRole::collision, ball);
  BodySpec ground;
  ground.name = "ground";
  ground.is_static = true;
  ground.shapes = {ball};
  build.add_body(ground);
  build.add_coupling({"robot/joint_3", "robot/joint_1", {0.1, 0.5, 0.2}, {}});
  ActuatorSpec pd;
  pd.joint = "robot/joint_2", pd.kind = ActuatorKind::pd, pd.kp = 100, pd.kd = 3, pd.target = 0.2, pd.effort = 5;
  build.add_actuator(pd);
  SpringSpec spring;
  spring.name = "spring", spring.body_a = "stone", spring.body_b = "robot/link_3", spring.stiffness = 50, spring.damping = 1;
  build.add_spring(spring);
  LoopSpec loop;
  loop.name = "tether", loop.kind = ClosureKind::weld, loop.body_a = "stone", loop.body_b = "rock";
  loop.frame_a.p = Eigen::Vector3d(0.5, 0, 0), loop.frame_b.p = Eigen::Vector3d(-0.5, 0, 0);
  build.add_loop(loop);
  return build.finish();
}

TEST(Assembly, WeightsAreThoseOfTheDenseDelassusMatrix) {
  Random random(2);
  Bench bench(rich(random));
  bench.shake(random, 0.3);
  Assembly assembly(bench.data, {});
  const ContactProblem& problem = assembly.build(bench.motion(), random_contacts(bench.data, random, 12), {});
  EXPECT_EQ(problem.defect(), "");
  const Eigen::MatrixXd J = dense(problem.J), G = J * dense(problem.A).llt().solve(J.transpose());
  for (const ConstraintBlock& block : problem.blocks) {
    const double w = G.block(block.row, block.row, block.rows, block.rows).norm() / block.rows;
    EXPECT_NEAR(block.weight, w, 1e-10 * w) << to_string(block.kind);
  }
}

TEST(Assembly, AllKindsAreThereOnceWithIdsOfTheirOwnInTheOrderClosuresJointsLimitsContacts) {
  Random random(3);
  Bench bench(rich(random));
  bench.q[7] = -0.399;  // joint_1 near its lower limit
  bench.update();
  Assembly assembly(bench.data, {});
  const ContactProblem& problem = assembly.build(bench.motion(), random_contacts(bench.data, random, 8), {});
  std::set<std::uint64_t> ids;
  std::vector<ConstraintKind> order;
  for (const ConstraintBlock& block : problem.blocks) {
    EXPECT_NE(block.id, 0u);
    EXPECT_TRUE(ids.insert(block.id).second) << "an id twice: " << to_string(block.kind);
    if (order.empty() || order.back() != block.kind) order.push_back(block.kind);
  }
  const std::vector<ConstraintKind> wanted{
      ConstraintKind::closure,  ConstraintKind::coupling,    ConstraintKind::spring_damper, ConstraintKind::joint_friction,
      ConstraintKind::actuator, ConstraintKind::joint_limit, ConstraintKind::contact};
  EXPECT_EQ(order, wanted);
  EXPECT_EQ(problem.contacts(), 8);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) names.push_back(assembly.name_of(static_cast<int>(i)));
  const std::set<std::string> all(names.begin(), names.end());
  for (const char* name : {"loop 'tether'", "coupling of 'robot/joint_3'", "spring 'spring'", "friction of 'robot/joint_3'",
                           "actuator of 'robot/joint_2'", "limit of 'robot/joint_1'", "limit of 'robot/joint_2'"})
    EXPECT_TRUE(all.count(name)) << name << " is not among " << testing::PrintToString(names);
  // shapes of the same two bodies share one carrier
  EXPECT_LT(problem.J.carriers.size(), problem.blocks.size());
}

TEST(Assembly, TheSameContactsGiveTheSameProblemWhateverWasBuiltBefore) {
  Random random(4);
  Bench bench(rich(random));
  const std::vector<Contact> few = random_contacts(bench.data, random, 3), many = random_contacts(bench.data, random, 40);
  Assembly fresh(bench.data, {}), used(bench.data, {});
  used.build(bench.motion(), many, {});
  const ContactProblem &a = fresh.build(bench.motion(), few, {}), &b = used.build(bench.motion(), few, {});
  EXPECT_EQ(a.J.values, b.J.values);
  EXPECT_EQ(a.bias, b.bias);
  EXPECT_EQ(a.compliance, b.compliance);
  EXPECT_EQ(a.blocks.size(), b.blocks.size());
}

TEST(Assembly, ContactsBetweenFreeBodiesConserveMomentum) {
  Random random(5);
  Bench bench(rich(random));
  bench.shake(random, 1);
  std::vector<Contact> contacts(3);
  for (std::size_t i = 0; i < 3; ++i) {
    contacts[i].pair = {0, 1};  // stone, rock
    contacts[i].at.point = random.vector3();
    contacts[i].at.normal = random.vector3().normalized();
    contacts[i].id = i + 1;
  }
  Assembly assembly(bench.data, {});
  const ContactProblem& problem = assembly.build(bench.motion(), contacts, {});
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(problem.rows());
  for (const ConstraintBlock& block : problem.blocks)
    if (block.kind == ConstraintKind::contact || block.kind == ConstraintKind::closure)
      lambda.segment(block.row, block.rows) = random.vector(block.rows);
  const Eigen::VectorXd dv = dense(problem.A).llt().solve(dense(problem.J).transpose() * lambda);
  Momentum change;
  bench.bodies.add_momentum(bench.q.data() + bench.data.free_q, dv.data() + bench.data.free_v, change);
  EXPECT_LT(change.linear.norm(), 1e-13);
  EXPECT_LT(change.angular.norm(), 1e-12);
}

TEST(Assembly, IsIndependentOfTheWorldsOrientation) {
  Random turn_random(99);
  const Eigen::Matrix3d R = turn_random.pose().R;
  Random one(6), two(6);
  Bench straight(rich(one)), turned(rich(two, R));
  std::vector<Contact> contacts = random_contacts(straight.data, one, 6), moved = contacts;
  for (Contact& contact : moved) contact.at.point = R * contact.at.point, contact.at.normal = R * contact.at.normal;
  Assembly a(straight.data, {}), b(turned.data, {});
  const ContactProblem &p = a.build(straight.motion(), contacts, {}), &q = b.build(turned.motion(), moved, {});
  ASSERT_EQ(p.rows(), q.rows());
  const Eigen::MatrixXd J = dense(p.J), K = dense(q.J);
  // tangents differ, all else is the same: velocities are in body axes
  for (const ConstraintBlock& block : p.blocks) {
    const int first = block.kind == ConstraintKind::contact ? block.row + 2 : block.row;
    const int rows = block.row + block.rows - first;
    EXPECT_LT(test::relative_difference(J.middleRows(first, rows), K.middleRows(first, rows)), 1e-12)
        << to_string(block.kind);
    EXPECT_LT((p.bias - q.bias).segment(first, rows).norm(), 1e-10);
  }
}

TEST(Assembly, TheBiasOfClosuresIsTheirCurvatureAlongTheLastVelocity) {
  Random random(7);
  Bench bench(rich(random));
  bench.shake(random, 0.1);
  LoopProjection loops(bench.data);
  Eigen::VectorXd f;
  loops.residual(*bench.kinematics, bench.q, f);
  ASSERT_EQ(f.size(), 7);  // weld 6, coupling 1
  ASSERT_GT(f.norm(), 1e-3);
  const Eigen::VectorXd ahead = random.vector(7);
  Assembly assembly(bench.data, {});
  const ContactProblem& problem = assembly.build(bench.motion(), {}, ahead);
  const Eigen::VectorXd wanted = (ahead - f) / bench.dt - dense(problem.J).topRows(7) * bench.motion().v0;
  EXPECT_LT((problem.bias.head<7>() - wanted).norm(), 1e-10 * wanted.norm());
  LawOptions laws;
  laws.correction = Correction::baumgarte;
  Assembly pulled(bench.data, laws);
  const Eigen::VectorXd b = pulled.build(bench.motion(), {}, ahead).bias.head<7>();
  EXPECT_LT((b - wanted - 0.2 * f / bench.dt).norm(), 1e-10 * b.norm());
}

TEST(Assembly, TheTableGivesTheForceOnBFromAInWorldAxesAndTheMode) {
  Random random(8);
  Bench bench(rich(random));
  bench.q[7] = -0.399;
  bench.update();
  Assembly assembly(bench.data, {});
  const std::vector<Contact> contacts = random_contacts(bench.data, random, 4);
  const ContactProblem& problem = assembly.build(bench.motion(), contacts, {});
  Eigen::VectorXd lambda = random.vector(problem.rows()), sigma = Eigen::VectorXd::Zero(problem.rows());
  std::vector<double> residuals(problem.blocks.size());
  std::vector<int> contact_blocks;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    residuals[i] = static_cast<double>(i) + 1;
    if (problem.blocks[i].kind == ConstraintKind::contact) contact_blocks.push_back(static_cast<int>(i));
    if (problem.blocks[i].kind == ConstraintKind::joint_limit) lambda[problem.blocks[i].row] = 0.7;
  }
  const auto row_of = [&](int i) {
    return problem.blocks[static_cast<std::size_t>(contact_blocks[static_cast<std::size_t>(i)])].row;
  };
  lambda.segment<3>(row_of(0)) << 0, 0, 0;
  lambda.segment<3>(row_of(1)) << 0.1, 0.1, 2;
  lambda.segment<3>(row_of(2)) << 0.5, 0, 1;
  sigma.segment<3>(row_of(2)) << -0.2, 0, 0;
  std::vector<ConstraintRow> table;
  assembly.table(lambda, sigma, residuals, table);
  ASSERT_EQ(table.size(), problem.blocks.size() - 1) << "the two halves of the weld are one row";
  EXPECT_EQ(table[0].kind, ConstraintKind::closure);
  EXPECT_EQ(table[0].residual, 2);
  EXPECT_EQ(assembly.body_names()[static_cast<std::size_t>(table[0].body_a)], "stone");
  EXPECT_EQ(assembly.body_names()[static_cast<std::size_t>(table[0].body_b)], "rock");
  std::vector<ConstraintRow> found;
  for (const ConstraintRow& row : table)
    if (row.kind == ConstraintKind::contact) found.push_back(row);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].mode, ContactMode::open);
  EXPECT_EQ(found[1].mode, ContactMode::stick);
  EXPECT_EQ(found[2].mode, ContactMode::slip);
  EXPECT_NEAR(
      (found[1].impulse - (0.1 * found[1].frame.col(0) + 0.1 * found[1].frame.col(1) + 2 * contacts[1].at.normal)).norm(), 0,
      1e-14);
  // the table's wrenches do the work of the rows: moving B alone
  const Eigen::VectorXd power = dense(problem.J).transpose() * lambda;
  Eigen::VectorXd from_table = Eigen::VectorXd::Zero(bench.data.nv);
  for (const ConstraintRow& row : table) {
    if (row.joint >= 0) {
      if (row.kind != ConstraintKind::coupling) from_table[row.joint] += row.impulse[0];
      continue;
    }
    for (const int side : {0, 1}) {
      const int body = side ? row.body_b : row.body_a;
      BodyRef ref;
      ASSERT_TRUE(bench.data.find_body(assembly.body_names()[static_cast<std::size_t>(body)], ref));
      for (const int k : bench.kinematics->support(bench.kinematics->body_of(ref))) {
        const Eigen::VectorXd unit = Eigen::VectorXd::Unit(bench.data.nv, k);
        const Twist twist = bench.kinematics->twist(bench.kinematics->body_of(ref), unit);
        from_table[k] += (side ? 1 : -1) * (row.impulse.dot(twist.at(row.point)) + row.moment.dot(twist.angular));
      }
    }
  }
  for (const ConstraintBlock& block : problem.blocks)
    if (block.kind == ConstraintKind::coupling)
      from_table += dense(problem.J).row(block.row).transpose() * lambda[block.row];
  EXPECT_LT((power - from_table).norm(), 1e-12 * power.norm());
}

TEST(Assembly, TheCorrectionIsAboutErrorsAloneAndKeepsEverythingElseStill) {
  Random random(9);
  Bench bench(rich(random));
  bench.q[8] = 0.1;
  bench.update();
  Assembly assembly(bench.data, {});
  std::vector<Contact> contacts = random_contacts(bench.data, random, 2);
  contacts[0].at.gap = 1e-4, contacts[1].at.gap = 0;
  ContactProblem out;
  const Eigen::VectorXd still = Eigen::VectorXd::Zero(bench.data.nv);
  EXPECT_FALSE(assembly.build_correction(bench.motion(), still, contacts, out));
  contacts[1].at.gap = -1e-4;
  ASSERT_TRUE(assembly.build_correction(bench.motion(), still, contacts, out));
  EXPECT_EQ(out.defect(), "");
  EXPECT_EQ(out.v_free.norm(), 0);
  for (const ConstraintBlock& block : out.blocks)  // errors give a little, everything else is held
    EXPECT_EQ(out.compliance.segment(block.row, block.rows).norm() > 0, block.set == SetKind::nonnegative);
  int normals = 0;
  for (const ConstraintBlock& block : out.blocks) {
    EXPECT_TRUE(block.set == SetKind::bilateral || block.set == SetKind::nonnegative);
    if (block.set == SetKind::bilateral) {
      EXPECT_EQ(out.bias.segment(block.row, block.rows).norm(), 0);
    }
    if (block.kind == ConstraintKind::contact) {
      const double wanted = ++normals == 1 ? 0.1 : -0.2 * (1e-4 - 1e-7) / bench.dt;
      EXPECT_NEAR(out.bias[block.row], wanted, 1e-12);
    }
  }
  EXPECT_EQ(normals, 2);
  contacts[1].at.gap = 1e-3;
  bench.q[8] = -0.1;  // the slider is beyond its lower limit by 0.102 m
  bench.update();
  ASSERT_TRUE(assembly.build_correction(bench.motion(), still, contacts, out));
  LawOptions laws;
  int pushed = 0;
  for (const ConstraintBlock& block : out.blocks)
    if (block.kind == ConstraintKind::joint_limit && out.bias[block.row] < 0) {
      EXPECT_NEAR(out.bias[block.row], -laws.depenetration_speed, 1e-12);
      ++pushed;
    }
  EXPECT_EQ(pushed, 1);
  laws.kind = LawKind::near_rigid;
  Assembly soft(bench.data, laws);
  EXPECT_FALSE(soft.build_correction(bench.motion(), still, contacts, out)) << "a law with R lives on its penetration";
}

TEST(Assembly, AJointWhoseLimitsAreEqualIsHeldBothWays) {
  test::Sketch sketch("arm");
  const int locked = sketch.hinge(0, Eigen::Vector3d::UnitY(), Eigen::Vector3d::Zero());
  sketch.joint(locked).lower = sketch.joint(locked).upper = 0.3;
  ModelOptions options;
  options.base = Base::fixed;
  options.joints["joint_1"] = 0.3;
  SceneBuilder build;
  build.add_model(sketch.model(), options);
  Bench bench(build.finish());
  Assembly assembly(bench.data, {});
  const ContactProblem& problem = assembly.build(bench.motion(), {}, {});
  ASSERT_EQ(problem.blocks.size(), 1u);
  EXPECT_EQ(problem.blocks[0].set, SetKind::bilateral);
}

}  // namespace
}  // namespace condyle
