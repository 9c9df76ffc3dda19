// Each law on a point mass above a floor: one row, closed forms beside.
#include "constraints/laws.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace condyle {
namespace {

constexpr double g = 9.81;

/// A mass on the floor, one normal row; w = 1/m. Steps with gravity and an exact one-row solve.
struct Drop {
  LawOptions options;
  Material material;
  double dt = 1e-3, mass = 2, gap = 0, v = 0;
  double impulse = 0;

  void step(double gravity = g) {
    const double velocity[3] = {0, 0, v}, w = 1 / mass;
    const ContactLaw law = contact_law(options, material, dt, gap, velocity, w, w, w);
    const double v_free = v - dt * gravity;
    impulse = exists(options, gap) ? std::max(0.0, -(v_free + law.bias[2]) / (w + law.normal)) : 0;
    v = v_free + w * impulse;
    gap += dt * v;
  }
};

TEST(RigidLaw, StopsAFallingMassExactlyAtTheSurface) {
  Drop drop;
  drop.gap = 0.003, drop.v = -2;
  for (int i = 0; i < 3; ++i) drop.step();
  EXPECT_NEAR(drop.gap, 0, 1e-15);
  for (int i = 0; i < 100; ++i) drop.step();
  EXPECT_NEAR(drop.gap, 0, 1e-15);
  EXPECT_NEAR(drop.impulse, drop.mass * g * drop.dt, 1e-12);
}

TEST(RigidLaw, SplitLeavesAPenetrationAloneAndBaumgarteRemovesItsShareNoFasterThanTheCap) {
  Drop split, baumgarte;
  split.gap = baumgarte.gap = -1e-5;
  baumgarte.options.correction = Correction::baumgarte;
  baumgarte.options.slop = 0;
  split.step();
  EXPECT_EQ(split.gap, -1e-5);
  for (int i = 0; i < 10; ++i) baumgarte.step();
  EXPECT_NEAR(baumgarte.gap, -1e-5 * std::pow(0.8, 10), 1e-12) << "decays by 1 - gain in a step";
  baumgarte.gap = -0.01;
  baumgarte.step();
  EXPECT_NEAR(baumgarte.v, baumgarte.options.depenetration_speed, 1e-12);
  baumgarte.options.slop = 0.02;
  baumgarte.gap = -0.01, baumgarte.v = 0;
  baumgarte.step();
  EXPECT_NEAR(baumgarte.v, 0, 1e-15) << "within the slop";
}

TEST(Restitution, GivesBackItsShareOfTheSpeedOnlyOnImpactAndAboveTheThreshold) {
  Drop drop;
  drop.material.restitution = 0.6;
  drop.gap = 1e-4, drop.v = -2;
  drop.step(0);
  EXPECT_NEAR(drop.v, 1.2, 1e-14);
  drop.gap = 1e-6, drop.v = -0.5 * drop.options.restitution_threshold;
  drop.step(0);
  EXPECT_NEAR(drop.gap, 0, 1e-15) << "too slow: no bounce, stops at the surface";
  drop.gap = 0.01, drop.v = -2;
  drop.step(0);
  EXPECT_EQ(drop.v, -2) << "does not arrive in this step";
  drop.gap = -1e-3, drop.v = -2, drop.options.correction = Correction::baumgarte;
  drop.step(0);
  EXPECT_NEAR(drop.v, 1.2, 1e-14) << "no positional term on top";
}

TEST(CompliantLaw, RestsWhereTheSpringCarriesTheWeight) {
  Drop drop;
  drop.material.stiffness = 1e4;
  drop.material.dissipation_time = 0.02;
  for (int i = 0; i < 20000; ++i) drop.step();
  EXPECT_NEAR(drop.gap, -drop.mass * g / 1e4, 1e-12);
  EXPECT_NEAR(drop.v, 0, 1e-12);
}

TEST(CompliantLaw, IsTheImplicitSpringAndDamper) {
  Drop drop;
  drop.material.stiffness = 5e3;
  drop.material.dissipation_time = 0.01;
  drop.gap = -0.002, drop.v = -0.3;
  const double gap = drop.gap;
  drop.step();
  // force at the end of the step: -k (x+ + τ v+)
  EXPECT_NEAR(drop.impulse, -drop.dt * 5e3 * (gap + drop.dt * drop.v + 0.01 * drop.v), 1e-13);
  const double velocity[3] = {0, 0, -1};
  EXPECT_NEAR(contact_law(drop.options, drop.material, 1e-3, 0.004, velocity, 0.5, 0.5, 0.5).bias[2], 4, 1e-12)
      << "before they touch, dissipation does not act";
  EXPECT_NEAR(contact_law(drop.options, drop.material, 1e-3, 0, velocity, 0.5, 0.5, 0.5).tangent, 1e-3 * 0.5, 1e-18);
}

TEST(NearRigidLaw, SinksByTheStatedDepth) {
  for (const double dt : {1e-3, 1e-2}) {
    Drop drop;
    drop.options.kind = LawKind::near_rigid;
    drop.dt = dt;
    for (int i = 0; i < 2000; ++i) drop.step();
    const double tau = dt / M_PI, depth = g * dt * (dt + tau) / (4 * M_PI * M_PI);  // m w = 1
    EXPECT_NEAR(drop.gap, -depth, 1e-9 * depth + 1e-15) << "at dt " << dt;
    EXPECT_NEAR(depth, dt == 1e-3 ? 3.3e-7 : 3.3e-5, dt == 1e-3 ? 1e-8 : 1e-6);
  }
}

TEST(NearRigidLaw, KeepsTheSofterMaterialAndTheUsersDissipation) {
  LawOptions options;
  options.kind = LawKind::near_rigid;
  Material soft;
  soft.stiffness = 1e3, soft.dissipation_time = 0.05;
  const double velocity[3] = {0, 0, 0}, dt = 1e-3, w = 0.5;
  const ContactLaw law = contact_law(options, soft, dt, -1e-3, velocity, w, w, w);
  EXPECT_NEAR(law.normal, 1 / (dt * 1e3 * (dt + 0.05)), 1e-12);
  EXPECT_NEAR(law.bias[2], -1e-3 / (dt + 0.05), 1e-15);
  soft.stiffness = 1e12;
  EXPECT_NEAR(contact_law(options, soft, dt, -1e-3, velocity, w, w, w).normal, w / (4 * M_PI * M_PI), 1e-15);
  EXPECT_GT(bilateral_law(options, dt, {1e-4, 0, w, w}).compliance, 0) << "every row that SAP sees has R > 0";
  EXPECT_GT(limit_law(options, dt, {1e-4, 0, w, w}).compliance, 0);
  EXPECT_NEAR(rubbing_law(options, w).compliance, 1e-3 * w, 1e-18);
}

TEST(NearRigidLaw, AJointWithAnErrorReturnsToItWithinAFewSteps) {
  LawOptions options;
  options.kind = LawKind::near_rigid;
  double f = 1e-3, v = 0;
  const double dt = 1e-3, w = 1;
  for (int i = 0; i < 10; ++i) {
    const RowLaw law = bilateral_law(options, dt, {f, v, w, w});
    const double lambda = -(v + law.bias) / (w + law.compliance);
    v += w * lambda;
    f += dt * v;
  }
  EXPECT_LT(std::abs(f), 1e-3 * std::pow(0.3, 10));
}

/// Residual of a unit mass on one softened bilateral row after a time.
double softened_residual(LawKind kind, double time, double dt) {
  LawOptions options;
  options.kind = kind;
  options.impedance_0 = options.impedance_width = 0.95;
  double f = 1e-4, v = 0;
  for (int i = 0; i < static_cast<int>(time / dt + 0.5); ++i) {
    const RowLaw law = bilateral_law(options, dt, {f, v, 1, 1});
    v -= (v + law.bias) / (1 + law.compliance);
    f += dt * v;
  }
  return f;
}

TEST(SoftenedLaw, DecaysWithTheStatedTimeConstantAndTheFormAsPrintedTwentyTimesSlower) {
  // without forces the row is x'' = -d (B x' + K x); d = d_w: critically damped with time constant T up to O(dt/T)
  const double T = 0.02, t = 0.1;
  const double expected = 1e-4 * (1 + t / T) * std::exp(-t / T);
  EXPECT_NEAR(softened_residual(LawKind::softened, t, 1e-5), expected, 2e-3 * expected);
  const double ours = std::log(1e-4 / softened_residual(LawKind::softened, t, 1e-3)),
               printed = std::log(1e-4 / softened_residual(LawKind::softened_crbd, t, 1e-3));
  EXPECT_GT(ours / printed, 10) << ours << " against " << printed;
  EXPECT_LT(ours / printed, 40) << ours << " against " << printed;
}

TEST(SoftenedLaw, MixesTheFreeVelocityAndTheReferenceByItsImpedance) {
  LawOptions options;
  options.kind = LawKind::softened;
  const double dt = 1e-3, r = -3e-4, v = -0.2, v_free = -0.25, G = 0.7;
  const double d = impedance(options, r), T = 0.02, dw = 0.95;
  const double x = 0.3, share = x * x / 0.5;
  EXPECT_NEAR(d, 0.9 + share * 0.05, 1e-12);
  const RowLaw law = limit_law(options, dt, {r, v, G, G});
  const double lambda = -(v_free + law.bias) / (G + law.compliance);
  const double reference = v - dt * (2 / (dw * T) * v + d / (dw * dw * T * T) * r);
  EXPECT_NEAR(v_free + G * lambda, (1 - d) * v_free + d * reference, 1e-13);
  EXPECT_FALSE(exists(options, 1e-6));
  EXPECT_TRUE(exists(options, -1e-6));
  EXPECT_NEAR(impedance(options, 0.8e-3), 0.9 + 0.05 * (1 - 0.2 * 0.2 / 0.5), 1e-12);
  EXPECT_EQ(impedance(options, 5e-3), 0.95);
  options.width = 0;
  EXPECT_EQ(impedance(options, 5e-3), 0.5 * (0.9 + 0.95));
}

TEST(Correction, RemovesTheErrorBeyondTheSlopAndKeepsTheRoomThatIsLeft) {
  LawOptions options;
  EXPECT_NEAR(correction_bias(options, 1e-3, 2e-4), 0.2, 1e-15);
  EXPECT_EQ(correction_bias(options, 1e-3, -0.5e-7), 0);
  EXPECT_NEAR(correction_bias(options, 1e-3, -1e-5), -0.2 * (1e-5 - 1e-7) / 1e-3, 1e-15);
  EXPECT_EQ(correction_bias(options, 1e-3, -1), -options.depenetration_speed);
  Material soft;
  soft.stiffness = 1e5;
  EXPECT_FALSE(penetration_is_error(options, soft));
  EXPECT_TRUE(penetration_is_error(options, {}));
}

TEST(LawOptions, RefusesEachBadFieldByName) {
  const auto refused = [](auto&& change, const std::string& field) {
    LawOptions options;
    change(options);
    try {
      options.check();
      ADD_FAILURE() << field << " was accepted";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(field), std::string::npos) << error.what();
    }
  };
  LawOptions().check();
  refused([](LawOptions& o) { o.gain = 0; }, "gain");
  refused([](LawOptions& o) { o.gain = 1.1; }, "gain");
  refused([](LawOptions& o) { o.depenetration_speed = 0; }, "depenetration_speed");
  refused([](LawOptions& o) { o.slop = -1; }, "slop");
  refused([](LawOptions& o) { o.restitution_threshold = std::nan(""); }, "restitution_threshold");
  refused([](LawOptions& o) { o.sigma_slip = 0; }, "sigma_slip");
  refused([](LawOptions& o) { o.near_rigid_beta = -1; }, "near_rigid_beta");
  refused([](LawOptions& o) { o.time_constant = 0; }, "time_constant");
  refused([](LawOptions& o) { o.damping_ratio = 0; }, "damping_ratio");
  refused([](LawOptions& o) { o.impedance_0 = 1; }, "impedance_0");
  refused([](LawOptions& o) { o.impedance_width = 0; }, "impedance_width");
  refused([](LawOptions& o) { o.midpoint = 1; }, "midpoint");
  refused([](LawOptions& o) { o.power = 0.5; }, "power");
}

}  // namespace
}  // namespace condyle
