#include "constraints/contact.hpp"
#include "constraints/joint_rows.hpp"
#include "constraints/materials.hpp"
#include "constraints/spring_damper.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

TEST(ContactFrame, IsRightHandedAndOrthonormalForEveryNormal) {
  test::Random random(1);
  for (int k = 0; k < 2000; ++k) {
    Eigen::Vector3d n = random.vector3().normalized();
    if (k < 6) n = Eigen::Vector3d::Unit(k / 2) * (k % 2 ? -1 : 1);
    if (k == 6) n = -Eigen::Vector3d(2, 3, 6) / 7;
    const Eigen::Matrix3d F = contact_frame(n);
    EXPECT_LT((F.transpose() * F - Eigen::Matrix3d::Identity()).norm(), 1e-12) << n.transpose();
    EXPECT_NEAR(F.determinant(), 1, 1e-12);
    EXPECT_EQ((F.col(2) - n).norm(), 0);
  }
  EXPECT_LT((contact_frame(Eigen::Vector3d::UnitZ()) - Eigen::Matrix3d::Identity()).norm(), 1e-15);
}

TEST(ContactFrame, TurnsByNoMoreThanAFewTimesTheNormalOnFloorsWallsAndCeilings) {
  test::Random random(2);
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0})
      for (int k = 0; k < 50; ++k) {
        const Eigen::Vector3d n = sign * Eigen::Vector3d::Unit(axis), m = (n + 1e-6 * random.vector3()).normalized();
        EXPECT_LT((contact_frame(n) - contact_frame(m)).norm(), 20 * (n - m).norm()) << n.transpose();
      }
}

TEST(ContactRows, GiveTheVelocityOfThePointInTheFrame) {
  test::Random random(3);
  const Eigen::Vector3d point = random.vector3(), n = random.vector3().normalized(), reference = random.vector3();
  const PairRows rows = contact_rows(point, n);
  const Eigen::Vector3d v = random.vector3(), w = random.vector3(), at_point = v + w.cross(point - reference);
  Eigen::Matrix<double, 6, 1> twist;
  twist << v, w;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(rows.row_at(i, reference).dot(twist), rows.direction.col(i).dot(at_point), 1e-14);
  EXPECT_NEAR(contact_normal_row(point, n).row_at(0, reference).dot(twist), n.dot(at_point), 1e-14);
}

SceneCoupling coupling(std::vector<double> polynomial, bool turns, bool of_turns) {
  SceneCoupling c;
  c.q = 0, c.v = 0, c.of_q = turns ? 2 : 1, c.of_v = 1;
  c.turns = turns, c.of_turns = of_turns;
  c.polynomial = std::move(polynomial);
  return c;
}

TEST(CouplingRow, IsTheDerivativeOfItsPolynomial) {
  const SceneCoupling c = coupling({0.3, -1.2, 0.5, 2.0}, false, false);
  for (const double x : {-0.7, 0.0, 0.4, 1.3}) {
    const Eigen::Vector2d q(0.2, x);
    const double h = 1e-6;
    const double after = coupling_row(c, Eigen::Vector2d(0.2, x + h)).residual,
                 before = coupling_row(c, Eigen::Vector2d(0.2, x - h)).residual;
    const JointRow row = coupling_row(c, q);
    EXPECT_NEAR(row.residual, 0.2 - (0.3 - 1.2 * x + 0.5 * x * x + 2 * x * x * x), 1e-14);
    EXPECT_EQ(row.coefficient[0], 1);
    EXPECT_NEAR(row.coefficient[1], (after - before) / (2 * h), 1e-8);
  }
}

TEST(CouplingRow, OfAContinuousJointIsWrappedToTheNearestTurn) {
  const SceneCoupling c = coupling({0, 3}, true, false);
  Eigen::Vector3d q(std::cos(0.1), std::sin(0.1), (2 * M_PI + 0.05) / 3);
  EXPECT_NEAR(coupling_row(c, q).residual, 0.05, 1e-12);
}

JointInfo joint(double lower, double upper) {
  JointInfo out;
  out.v = 4;
  out.lower = lower;
  out.upper = upper;
  return out;
}

TEST(JointLimit, HasARowOnlyOnTheSideThatCouldBeReached) {
  const JointInfo j = joint(-1, 1);
  const double dt = 1e-3;
  EXPECT_FALSE(limit_sides(j, 0, 0, 0, dt).lower || limit_sides(j, 0, 0, 0, dt).upper);
  EXPECT_TRUE(limit_sides(j, -0.999, 0, 0, dt).lower) << "near";
  EXPECT_FALSE(limit_sides(j, -0.999, 0, 0, dt).upper);
  EXPECT_TRUE(limit_sides(j, 0.5, 300, 0, dt).upper) << "fast at the start";
  EXPECT_TRUE(limit_sides(j, 0.5, 0, 300, dt).upper) << "fast without constraints";
  EXPECT_TRUE(limit_sides(j, 1.5, 0, 0, dt).upper) << "violated";
  EXPECT_FALSE(limit_sides(j, 1.5, 0, 0, dt).lower);
  const LimitSides both = limit_sides(joint(-1e-4, 1e-4), 0, 10, -10, dt);
  EXPECT_TRUE(both.lower && both.upper) << "a range that a step runs through";
  EXPECT_TRUE(limit_sides(joint(0.2, 0.2), 0.2, 0, 0, dt).locked);
}

TEST(JointLimit, RowPointsInwardsAndTheGapIsPositiveInside) {
  const JointInfo j = joint(-1, 2);
  EXPECT_EQ(limit_row(j, -0.9, false).coefficient[0], 1);
  EXPECT_EQ(limit_row(j, 1.9, true).coefficient[0], -1);
  EXPECT_NEAR(limit_row(j, -0.9, false).residual, 0.1, 1e-15);
  EXPECT_NEAR(limit_row(j, 2.1, true).residual, -0.1, 1e-15);
}

TEST(Actuator, IsAnImplicitSpringAndDamper) {
  // unit inertia: v = v* + λ with σ = v + b + R λ = 0 must be (1 + dt kd + dt² kp) v = v* + dt kp (qd - q) + dt kd vd
  ActuatorSpec spec;
  spec.kp = 900, spec.kd = 40, spec.target = 0.5, spec.target_velocity = 0.2, spec.effort = 7;
  const double dt = 2e-3, q = 0.1, v_free = -0.3;
  const ActuatorAim aim = actuator_aim(spec, 0, dt);
  ActuatorLaw law;
  ASSERT_TRUE(actuator_law(spec, aim, q, false, dt, law));
  const double lambda = -(v_free + law.bias) / (1 + law.compliance);
  const double expected = (v_free + dt * spec.kp * (spec.target - q) + dt * spec.kd * spec.target_velocity) /
                          (1 + dt * spec.kd + dt * dt * spec.kp);
  EXPECT_NEAR(v_free + lambda, expected, 1e-13);
  EXPECT_NEAR(law.bound, 7 * dt, 1e-18);
  ASSERT_TRUE(actuator_law(spec, aim, 0.5 + 2 * M_PI - 0.01, true, dt, law));
  EXPECT_NEAR(law.bias, (-spec.kp * 0.01 - spec.kd * 0.2) / (dt * spec.kp + spec.kd), 1e-9) << "the short way round";
  spec.kp = spec.kd = 0;
  EXPECT_FALSE(actuator_law(spec, aim, q, false, dt, law));
}

TEST(SpringDamper, PullsWithTheForceAtTheEndOfTheStep) {
  const Eigen::Vector3d a(0.1, 0.2, 0.3), b(0.1, 0.2, 1.3);
  SpringDamper made;
  const double dt = 1e-2, k = 50, c = 2, length = 0.8, v_free = 0.4;
  ASSERT_TRUE(spring_damper(a, b, k, c, length, dt, made));
  const double lambda = -(v_free + made.bias) / (1 + made.compliance), v = v_free + lambda;
  EXPECT_NEAR(lambda, -dt * (k * (0.2 + dt * v) + c * v), 1e-14);
  EXPECT_LT((made.row.direction.col(0) - Eigen::Vector3d::UnitZ()).norm(), 1e-15);
  EXPECT_FALSE(spring_damper(a, a, k, c, length, dt, made)) << "there is no line";
  EXPECT_FALSE(spring_damper(a, b, 0, 0, length, dt, made));
}

TEST(MaterialTable, GivesThePairsOwnMaterialElseTheRulesResult) {
  SceneBuilder build;
  build.add_material("ice", {0.1, 0.3, unlimited, 0});
  build.add_material("rubber", {0.9, 0.6, 1e4, 0.01});
  build.add_material("foam", {0.9, 0, 2e4, 0.04});
  build.set_pair_material("ice", "rubber", {0.25, 0, unlimited, 0});
  for (const char* name : {"ice", "rubber", "foam"}) {
    BodySpec body;
    body.name = name;
    body.shapes.push_back(Shape{});
    body.is_static = true;
    body.material = name;
    build.add_body(body);
  }
  const Scene scene = build.finish();
  const MaterialTable table(scene.data());
  const auto shape = [&](const std::string& material) {
    for (std::size_t i = 0; i < scene.data().shapes.size(); ++i)
      if (scene.data().shapes[i].material == material) return static_cast<int>(i);
    return -1;
  };
  EXPECT_EQ(table.of(shape("ice"), shape("rubber")).friction, 0.25);
  EXPECT_EQ(table.of(shape("rubber"), shape("ice")).friction, 0.25);
  const Material soft = table.of(shape("rubber"), shape("foam")), slick = table.of(shape("ice"), shape("foam"));
  EXPECT_NEAR(soft.stiffness, 1 / (1e-4 + 0.5e-4), 1e-9);
  EXPECT_NEAR(soft.dissipation_time, (1e-4 * 0.01 + 0.5e-4 * 0.04) / 1.5e-4, 1e-12);
  EXPECT_EQ(soft.restitution, 0.6);
  EXPECT_NEAR(slick.friction, 2 * 0.1 * 0.9 / 1.0, 1e-15);
  EXPECT_NEAR(slick.stiffness, 2e4, 1e-6);
}

}  // namespace
}  // namespace condyle
