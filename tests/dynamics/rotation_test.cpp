#include "dynamics/rotation.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

TEST(RotationExponential, IsRightToTheLastDigitsInTheSeriesAndInTheClosedForm) {
  for (int i = 20; i <= 3000; ++i) {  // from 0.02 rad: below, the references themselves cancel
    const long double t = 1e-3L * i;  // to both sides of the change at half a radian
    const ExpCoefficients e(static_cast<double>(t * t));
    EXPECT_NEAR(e.half, static_cast<double>(sinl(t / 2) / t), 1e-15) << static_cast<double>(t);
    EXPECT_NEAR(e.cosine, static_cast<double>(cosl(t / 2)), 1e-15) << static_cast<double>(t);
    EXPECT_NEAR(e.b, static_cast<double>((1 - cosl(t)) / (t * t)), 1e-15) << static_cast<double>(t);
    EXPECT_NEAR(e.c, static_cast<double>((t - sinl(t)) / (t * t * t)), 3e-15) << static_cast<double>(t);
  }
  const ExpCoefficients zero(0);
  EXPECT_EQ(zero.half, 0.5);
  EXPECT_EQ(zero.cosine, 1);
}

TEST(RotationExponential, TurnsAQuaternionByAQuarter) {
  const double start[4] = {0, 0, 0, 1};
  double turned[4];
  const Eigen::Vector3d w(0, 0, M_PI / 2);
  rotate(start, w, ExpCoefficients(w.squaredNorm()), turned);
  const Eigen::Matrix3d R = rotation_of(turned);
  EXPECT_LT((R * Eigen::Vector3d::UnitX() - Eigen::Vector3d::UnitY()).norm(), 1e-15);
}

}  // namespace
}  // namespace condyle
