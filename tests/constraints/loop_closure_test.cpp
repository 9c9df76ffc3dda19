#include "constraints/loop_closure.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

namespace condyle {
namespace {

constexpr ClosureKind kinds[] = {ClosureKind::spherical,   ClosureKind::revolute,  ClosureKind::universal,
                                 ClosureKind::cylindrical, ClosureKind::prismatic, ClosureKind::planar,
                                 ClosureKind::weld,        ClosureKind::distance};

Eigen::Matrix3d turn(const Eigen::Vector3d& w) {
  return w.norm() > 0 ? Eigen::AngleAxisd(w.norm(), w.normalized()).toRotationMatrix() : Eigen::Matrix3d::Identity();
}

/// A pose after moving with a world twist (velocity of its origin, angular velocity) for a time.
Pose moved(const Pose& pose, const Eigen::Matrix<double, 6, 1>& twist, double t) {
  return {turn(t * twist.tail<3>()) * pose.R, pose.p + t * twist.head<3>()};
}

Eigen::VectorXd residual(const ClosureRows& rows) {
  Eigen::VectorXd f(rows.linear.rows + rows.angular.rows);
  f << rows.f_linear.head(rows.linear.rows), rows.f_angular.head(rows.angular.rows);
  return f;
}

Eigen::VectorXd rate(const ClosureRows& rows, const Pose& a, const Pose& b, const Eigen::Matrix<double, 6, 1>& ta,
                     const Eigen::Matrix<double, 6, 1>& tb) {
  Eigen::VectorXd out(rows.linear.rows + rows.angular.rows);
  const Eigen::Vector3d w = tb.tail<3>() - ta.tail<3>();
  int n = 0;
  for (const PairRows* half : {&rows.linear, &rows.angular})
    for (int i = 0; i < half->rows; ++i) {
      // at any reference: the row knows how to be moved
      const Eigen::Vector3d reference(0.3, -2, 1.1);
      Eigen::Matrix<double, 6, 1> relative;
      relative << tb.head<3>() + tb.tail<3>().cross(reference - b.p) - ta.head<3>() - ta.tail<3>().cross(reference - a.p), w;
      out[n++] = half->row_at(i, reference).dot(relative);
    }
  return out;
}

TEST(LoopClosure, RowsAreTheExactDerivativeOfTheResidualNearAndFarFromTheManifold) {
  test::Random random(1);
  double worst = 0;
  for (const ClosureKind kind : kinds)
    for (const double apart : {0.0, 1e-3, 0.3, 2.0})
      for (int k = 0; k < 20; ++k) {
        const Pose a = random.pose(2);
        Pose b = a * Pose{turn(random.vector3(0.5 * apart)), random.vector3(apart)};
        if (kind == ClosureKind::distance && apart < 0.1) b.p += Eigen::Vector3d(0.1, 0.2, 0.3);  // its manifold is not here
        const Eigen::Matrix<double, 6, 1> ta = random.vector(6), tb = random.vector(6);
        const double h = 1e-5;
        ClosureRows here, after, before;
        loop_closure(kind, 0.4, a, b, here);
        loop_closure(kind, 0.4, moved(a, ta, h), moved(b, tb, h), after);
        loop_closure(kind, 0.4, moved(a, ta, -h), moved(b, tb, -h), before);
        ASSERT_EQ(here.linear.rows + here.angular.rows, rows_of(kind));
        ASSERT_EQ(here.linear.rows, linear_rows_of(kind));
        const Eigen::VectorXd numeric = (residual(after) - residual(before)) / (2 * h);
        const double error = test::relative_difference(numeric, rate(here, a, b, ta, tb));
        worst = std::max(worst, error);
        EXPECT_LT(error, 1e-7) << to_string(kind) << " apart " << apart;
      }
  RecordProperty("worst", std::to_string(worst));
  std::printf("worst relative difference to central differences: %.3g\n", worst);
}

TEST(LoopClosure, ResidualIsZeroExactlyForTheMotionsThatTheKindAllows) {
  test::Random random(2);
  for (int k = 0; k < 20; ++k) {
    const Pose a = random.pose(1);
    const double angle = random.uniform(-1.5, 1.5), angle2 = random.uniform(-1.5, 1.5), slide = random.uniform();
    const Eigen::Matrix3d about_z = turn(Eigen::Vector3d(0, 0, angle)), about_x = turn(Eigen::Vector3d(angle2, 0, 0));
    const auto largest = [&](ClosureKind kind, const Pose& relative, double length = 0) {
      ClosureRows rows;
      loop_closure(kind, length, a, a * relative, rows);
      return residual(rows).lpNorm<Eigen::Infinity>();
    };
    const Eigen::Vector3d none = Eigen::Vector3d::Zero(), along = slide * Eigen::Vector3d::UnitZ(),
                          in_plane(slide, angle, 0);
    EXPECT_LT(largest(ClosureKind::spherical, {random.pose().R, none}), 1e-14);
    EXPECT_LT(largest(ClosureKind::revolute, {about_z, none}), 1e-14);
    EXPECT_LT(largest(ClosureKind::universal, {about_z * about_x, none}), 1e-14) << "hinges about A's z and B's x";
    EXPECT_LT(largest(ClosureKind::cylindrical, {about_z, along}), 1e-14);
    EXPECT_LT(largest(ClosureKind::prismatic, {Eigen::Matrix3d::Identity(), along}), 1e-14);
    EXPECT_LT(largest(ClosureKind::planar, {about_z, in_plane}), 1e-14);
    EXPECT_LT(largest(ClosureKind::weld, {}), 1e-14);
    EXPECT_LT(largest(ClosureKind::distance, {random.pose().R, 0.7 * random.vector3().normalized()}, 0.7), 1e-14);
    // and is not for those that it does not allow
    EXPECT_GT(largest(ClosureKind::revolute, {about_x, none}), 0.5 * std::abs(angle2));
    EXPECT_GT(largest(ClosureKind::prismatic, {about_z, along}), 0.5 * std::abs(angle));
    EXPECT_GT(largest(ClosureKind::cylindrical, {about_z, in_plane}), 0.5 * std::abs(slide));
    EXPECT_GT(largest(ClosureKind::planar, {about_z, along}), 0.5 * std::abs(slide));
    EXPECT_GT(largest(ClosureKind::weld, {about_z, none}), 0.5 * std::abs(angle));
    EXPECT_GT(largest(ClosureKind::universal, {turn(Eigen::Vector3d(0, 0.2 + std::abs(angle), 0)), none}), 0.19);
  }
}

TEST(LoopClosure, ANewtonStepNeverOvershootsWhateverTheAngle) {
  for (const double theta : {0.1, 1.0, 2.0, 3.0}) {
    for (const ClosureKind kind : {ClosureKind::weld, ClosureKind::revolute}) {
      ClosureRows rows;
      loop_closure(kind, 0, {}, {turn(Eigen::Vector3d(theta, 0, 0)), Eigen::Vector3d::Zero()}, rows);
      // turning B about x by s changes f_x at this rate; the Newton step is f / rate = sin θ <= θ
      const double step = rows.f_angular[0] / rows.angular.turn(0, 0);
      EXPECT_NEAR(step, std::sin(theta), 1e-12) << to_string(kind) << " at " << theta;
    }
  }
}

TEST(LoopClosure, HalfATurnAndCoincidentPointsGiveFiniteRows) {
  for (const ClosureKind kind : kinds) {
    ClosureRows rows;
    loop_closure(kind, 0, {}, {turn(Eigen::Vector3d(M_PI, 0, 0)), Eigen::Vector3d::Zero()}, rows);
    EXPECT_TRUE(residual(rows).allFinite()) << to_string(kind);
    EXPECT_TRUE(rows.linear.direction.allFinite() && rows.angular.turn.allFinite()) << to_string(kind);
  }
}

}  // namespace
}  // namespace condyle
