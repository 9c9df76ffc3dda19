// Projections against brute force, derivatives against finite differences.
#include "cones/alart_curnier.hpp"
#include "cones/sets.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

double distance(const double* a, const double* b, int rows) {
  double sum = 0;
  for (int k = 0; k < rows; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

bool in_cone(const double* x, int rows, double mu, double slack) {
  return tangent_norm(x, rows) <= mu * x[rows - 1] + slack;
}

TEST(ConeProjection, LiesInTheConeAndNoPointOfTheConeIsNearer) {
  test::Random random(1);
  for (int sample = 0; sample < 300; ++sample)
    for (const int rows : {2, 3})
      for (const double mu : {0.0, 1e-3, 0.3, 1.0, 5.0}) {
        double x[3] = {random.uniform(), random.uniform(), random.uniform()}, p[3];
        if (sample % 10 == 0) x[0] = x[1] = 0;
        if (rows == 2) x[1] = random.uniform();
        project_cone(x, rows, mu, p);
        ASSERT_TRUE(in_cone(p, rows, mu, 1e-15)) << p[0] << " " << p[1] << " " << p[2] << " mu " << mu;
        const double nearest = distance(x, p, rows);
        // every ray of the cone, at the best place along it
        for (int ray = 0; ray < 60; ++ray) {
          const double angle = 2 * M_PI * ray / 60, opening = random.uniform(0, 1) < 0.5 ? 1.0 : random.uniform(0, 1);
          double r[3] = {mu * opening * std::cos(angle), mu * opening * std::sin(angle), 1};
          if (rows == 2) r[1] = 1;
          double along = 0, length = 0;
          for (int k = 0; k < rows; ++k) {
            along += r[k] * x[k];
            length += r[k] * r[k];
          }
          const double t = std::max(0.0, along / length);
          for (double& c : r) c *= t;
          ASSERT_GE(distance(x, r, rows), nearest - 1e-12) << "mu " << mu << " rows " << rows;
        }
      }
}

TEST(ConeProjection, SplitsEveryVectorIntoConeAndPolarCone) {
  test::Random random(2);
  for (int sample = 0; sample < 1000; ++sample) {
    const double mu = random.uniform(0, 2);
    double x[3] = {random.uniform(), random.uniform(), random.uniform()}, minus[3], p[3], q[3];
    for (int k = 0; k < 3; ++k) minus[k] = -x[k];
    project_cone(x, 3, mu, p);
    project_dual_cone(minus, 3, mu, q);
    double product = 0;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(p[k] - q[k], x[k], 1e-15);
      product += p[k] * q[k];
    }
    EXPECT_NEAR(product, 0, 1e-15);
    EXPECT_GE(q[2] - mu * tangent_norm(q, 3), -1e-15);
  }
}

TEST(ConeProjection, IsExactOnARayAndOnTheAxis) {
  double p[3];
  const double x[3] = {0.3, 0.4, 2};
  project_cone(x, 3, 0, p);
  EXPECT_EQ(p[0], 0);
  EXPECT_EQ(p[1], 0);
  EXPECT_EQ(p[2], 2);
  const double below[3] = {0, 0, -2};
  project_cone(below, 3, 0.7, p);
  EXPECT_EQ(p[0] + p[1] + p[2], 0);
  const double on_axis[3] = {0, 0, 2};
  project_cone(on_axis, 3, 0.7, p);
  EXPECT_EQ(p[2], 2);
}

TEST(StrictOperator, HasTheDerivativeOfItsFiniteDifferences) {
  test::Random random(3);
  int stick = 0, slip = 0, open = 0;
  for (int sample = 0; sample < 500; ++sample)
    for (const int rows : {2, 3}) {
      const double mu = random.uniform(0.1, 1), h = 1e-6;
      double x[3] = {random.uniform(), random.uniform(), random.uniform()}, out[3], Q[9];
      const double n = x[rows - 1], s = tangent_norm(x, rows);
      if (std::abs(n) < 1e-3 || std::abs(s - mu * n) < 1e-3) continue;  // the kinks
      strict_cone(x, rows, mu, out, Q);
      (n < 0 ? open : s <= mu * n ? stick : slip)++;
      for (int l = 0; l < rows; ++l) {
        double plus[3], minus[3], up[3], down[3], ignored[9];
        std::copy(x, x + 3, up);
        std::copy(x, x + 3, down);
        up[l] += h;
        down[l] -= h;
        strict_cone(up, rows, mu, plus, ignored);
        strict_cone(down, rows, mu, minus, ignored);
        for (int k = 0; k < rows; ++k) EXPECT_NEAR(Q[l * rows + k], (plus[k] - minus[k]) / (2 * h), 1e-5) << k << l;
      }
    }
  EXPECT_GT(std::min({stick, slip, open}), 50);
}

TEST(StrictOperator, HasTheFixedPointsOfTheNaturalMapWithDeSaxce) {
  // a sliding contact: λ on the cone against σ_t, σ_n = 0
  test::Random random(4);
  for (int sample = 0; sample < 200; ++sample) {
    const double mu = random.uniform(0.1, 1), angle = random.uniform(-3, 3), speed = random.uniform(0.1, 1);
    const double lambda[3] = {-mu * 2 * std::cos(angle), -mu * 2 * std::sin(angle), 2};
    const double sigma[3] = {speed * std::cos(angle), speed * std::sin(angle), 0};
    ConstraintBlock block;
    block.set = SetKind::cone;
    block.rows = 3;
    block.friction = mu;
    double strict_x[3], natural_x[3], strict[3], natural[3], Q[9];
    for (int k = 0; k < 3; ++k) {
      strict_x[k] = lambda[k] - 0.7 * sigma[k];
      natural_x[k] = lambda[k] - 0.7 * (sigma[k] + (k == 2 ? de_saxce(block, sigma) : 0));
    }
    strict_cone(strict_x, 3, mu, strict, Q);
    project(block, natural_x, natural);
    EXPECT_LT(distance(strict, lambda, 3), 1e-14);
    EXPECT_LT(distance(natural, lambda, 3), 1e-14);
  }
}

TEST(Boxes, AreClampedAndFrictionBoxesByTheirNormalImpulse) {
  ConstraintBlock block;
  block.rows = 2;
  block.set = SetKind::box;
  block.lower = -1;
  block.upper = 2;
  const double x[2] = {-3, 5};
  double p[2];
  project(block, x, p);
  EXPECT_EQ(p[0], -1);
  EXPECT_EQ(p[1], 2);
  block.set = SetKind::friction_box;
  project(block, x, p, 0.5);
  EXPECT_EQ(p[0], -0.5);
  EXPECT_EQ(p[1], 1);
  project(block, x, p, -1);  // no normal impulse, no friction
  EXPECT_EQ(p[0], 0);
  EXPECT_EQ(p[1], 0);
  block.set = SetKind::nonnegative;
  project(block, x, p);
  EXPECT_EQ(p[0], 0);
  EXPECT_EQ(p[1], 5);
}

}  // namespace
}  // namespace condyle
