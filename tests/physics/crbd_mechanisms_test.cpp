// The mechanisms of CRBD's table II: stand-ins that have its counts, move with their loops closed, and end where their
// servos lead them.
#include "physics/contact_run.hpp"
#include "scene/scene_data.hpp"
#include "support/long_run.hpp"

#include <condyle/assemble.hpp>

#include <fmt/format.h>

namespace condyle {
namespace {

using test::ContactRun;

struct Counts {
  const char* name;
  bool fixed;
  int bodies, joints;      ///< with the base, and with the weld that holds a fixed one
  int freedoms, actuated;  ///< of all joints, closures among them, and of a free base; driven ones
  int rows;                ///< in maximal coordinates
  double ratio;            ///< of the heaviest body's mass to the lightest's
  int mobility;            ///< what the loops leave
};

void PrintTo(const Counts& c, std::ostream* out) { *out << c.name; }

class CrbdMechanism : public testing::TestWithParam<Counts> {};

TEST_P(CrbdMechanism, HasTheCountsOfTheTable) {
  const Counts& c = GetParam();
  const Scene scene = load_scene(c.name);
  const SceneData& data = scene.data();
  ASSERT_EQ(data.trees.size(), 1u);
  EXPECT_TRUE(data.free_bodies.empty());
  EXPECT_EQ(data.trees[0].model->free_base, !c.fixed);
  int bodies = 0, joints = c.fixed ? 1 : 0, freedoms = c.fixed ? 0 : 6, rows = c.fixed ? 6 : 0;
  double lightest = 1e9, heaviest = 0;
  for (const LinkSpec& link : data.trees[0].description->links) {
    if (!link.has_inertial) continue;
    ++bodies;
    lightest = std::min(lightest, link.inertial.mass);
    heaviest = std::max(heaviest, link.inertial.mass);
  }
  const auto count = [&](int held) { ++joints, freedoms += 6 - held, rows += held; };
  for (const TreeJoint& joint : data.trees[0].model->joints) count(6 - joint.nv);
  for (const SceneClosure& closure : data.closures) count(rows_of(closure.kind));
  EXPECT_EQ(bodies, c.bodies);
  EXPECT_EQ(joints, c.joints);
  EXPECT_EQ(freedoms, c.freedoms);
  EXPECT_EQ(static_cast<int>(data.actuators.size()), c.actuated);
  EXPECT_EQ(rows, c.rows);
  EXPECT_NEAR(heaviest / lightest, c.ratio, 0.005);
  const AssembleResult result = assemble(scene, scene.initial_state());
  fmt::print("{}: {} bodies, {} joints, {} + {} degrees of freedom, {} rows, masses {:.4g} to 1; {}\n", c.name, bodies,
             joints, freedoms - static_cast<int>(data.actuators.size()), data.actuators.size(), rows, heaviest / lightest,
             result.message);
  EXPECT_TRUE(result.converged) << result.message;
  EXPECT_LT(std::max(result.residual_m, result.residual_rad), 1e-10);
  EXPECT_EQ(result.mobility, c.mobility) << result.message;
}

// The table gives gazelle 38 + 22 and figure 80 + 20 degrees of freedom; with its own joints and rows they can only be
// 6 x 45 - 214 = 34 + 22 and 6 x 67 - 304 = 78 + 20. Its arm is counted without the weld. The bust's two hinges that close
// loops are driven in the table; here servos drive the 21 of its tree.
INSTANTIATE_TEST_SUITE_P(TableII, CrbdMechanism,
                         testing::Values(Counts{"arm", true, 8, 7 + 1, 7, 0, 41, 19.5, 7},
                                         Counts{"quadruped", false, 13, 12, 18, 0, 60, 29.1, 18},
                                         Counts{"biped", false, 15, 14, 20, 14, 70, 42.49, 20},
                                         Counts{"machine", false, 21, 20, 26, 20, 100, 321.39, 26},
                                         Counts{"bust", true, 22, 24, 23, 21, 121, 90.67, 17},
                                         Counts{"walker", false, 31, 36, 42, 24, 180, 99.55, 24},
                                         Counts{"gazelle", true, 38, 45, 34 + 22, 22, 214, 1012.54, 23},
                                         Counts{"figure", true, 54, 67, 78 + 20, 20, 304, 25544.44, 29}),
                         [](const auto& tested) { return std::string(tested.param.name); });

class CrbdMotion : public testing::TestWithParam<std::string> {};

TEST_P(CrbdMotion, IsCertifiedAndKeepsItsLoopsClosed) {
  ContactRun run(GetParam(), {});
  double open = 0, fastest = 0, depth = 0;
  run.until(test::seconds(run.scene.defaults().end, 0.5), [&] {
    const StepReport& step = run.sim.report();
    open = std::max({open, step.closure_m, step.closure_rad});
    depth = std::max(depth, step.penetration);
    fastest = std::max(fastest, run.x.v.cwiseAbs().maxCoeff());
  });
  fmt::print("{}: {} contacts and loops at the end, open by {:.2g} m or rad, worst residual {:.2g} m/s\n", GetParam(),
             run.sim.constraints().size(), open, run.worst);
  EXPECT_LT(open, 1e-8) << "m or rad";
  EXPECT_LT(depth, 1e-4) << "m";
  EXPECT_GT(fastest, 0.1) << "rad/s: nothing moves";
  EXPECT_LT(fastest, 30) << "rad/s";
}
INSTANTIATE_TEST_SUITE_P(TableII, CrbdMotion, testing::Values("biped", "machine", "bust", "walker", "gazelle", "figure"),
                         [](const auto& tested) { return tested.param; });

/// The trunk of a free mechanism: where it is, and how far from upright.
struct Trunk {
  explicit Trunk(const State& x)
      : place(x.q.head<3>()), tilt(std::acos(std::min(1.0, Pose::from_xyz_quaternion(place, x.q.segment<4>(3)).R(2, 2)))) {}
  Eigen::Vector3d place;
  double tilt;  ///< rad
};

TEST(Walker, WalksUpright) {
  ContactRun run("walker", {});
  const double seconds = test::seconds(3, 1.2);
  double lowest = 1, tilt = 0;
  run.until(seconds, [&] {
    const Trunk trunk(run.x);
    lowest = std::min(lowest, trunk.place.z());
    tilt = std::max(tilt, trunk.tilt);
  });
  const Eigen::Vector3d at = Trunk(run.x).place;
  fmt::print("walker: {:.3f} m forward and {:.3f} m aside in {} s, never below {:.3f} m, tilted by at most {:.3f} rad\n",
             at.x(), at.y(), seconds, lowest, tilt);
  EXPECT_GT(at.x(), 0.1 * seconds) << "m";
  EXPECT_LT(std::abs(at.y()), 0.2 * at.x()) << "m";
  EXPECT_GT(lowest, 0.4) << "m";
  EXPECT_LT(tilt, 0.2) << "rad";
}

TEST(Biped, StandsWhileItLooksRound) {
  ContactRun run("biped", {});
  run.until(2);
  const Trunk trunk(run.x);
  EXPECT_LT((trunk.place - Eigen::Vector3d(0, 0, 0.62)).norm(), 0.02) << trunk.place.transpose();
  EXPECT_LT(trunk.tilt, 0.05) << "rad";
}

TEST(Machine, DrivesABend) {
  ContactRun run("machine", {});
  run.until(2);
  const Trunk trunk(run.x);
  fmt::print("machine: at ({:.3f}, {:.3f}) m after 2 s\n", trunk.place.x(), trunk.place.y());
  EXPECT_GT(trunk.place.head<2>().norm(), 0.7) << "m, of 1.2 that the rims run";
  EXPECT_GT(trunk.place.y(), 0.05) << "m: to the left";
  EXPECT_LT(trunk.tilt, 0.05) << "rad";
}

}  // namespace
}  // namespace condyle
