// CANAL's cases for solvers that divide do what their names say.
#include "physics/contact_run.hpp"

#include <fmt/format.h>

#include <numbers>

namespace condyle {
namespace {

TEST(Quadrupeds, FallIntoAHeapThatTheFloorCarries) {
  test::ContactRun run("quadrupeds", {{"n", "2"}});
  ASSERT_EQ(run.scene.nv(), 36);
  const double mass = run.scene.total_mass();
  EXPECT_NEAR(mass, 2 * 16.73, 1e-9);
  Eigen::Vector3d on_floor = Eigen::Vector3d::Zero();
  int most = 0;
  run.until(0.7, [&] {
    on_floor += run.contact_impulse_on("floor");
    most = std::max(most, static_cast<int>(run.sim.constraints().size()));
  });
  EXPECT_GE(most, 12);
  const Momentum now = run.sim.momentum(run.x);
  EXPECT_NEAR(-on_floor.z() - now.linear.z(), mass * 9.81 * run.x.t, 1e-3 * mass * 9.81) << on_floor.transpose();
}

TEST(Pouring, LeavesEveryBallInTheBox) {
  test::ContactRun run("pouring", {{"n", "9"}});
  ASSERT_EQ(run.scene.nv(), 1 + 9 * 6);
  EXPECT_NEAR(run.scene.total_mass(), 0.2 + 9 * 0.01 * 4 / 3 * std::numbers::pi * 0.125, 1e-6) << "10 g/cm3, 5 mm";
  run.until(1.0);
  EXPECT_NEAR(run.x.q[0], 1.5, 0.02) << "rad: the servo keeps its speed under the load";
  run.until(3.0);
  EXPECT_NEAR(run.x.q[0], 2.4, 1e-6) << "rad: the stop";
  for (int i = 1; i <= 9; ++i) {
    const Eigen::Vector3d p = run.sim.pose(run.x, fmt::format("ball{}", i)).p;
    EXPECT_GT(p.x(), 0.005 - 1e-4) << "ball " << i << " at " << p.transpose();
    EXPECT_LT(p.x(), 0.235 + 1e-4) << "ball " << i << " at " << p.transpose();
    EXPECT_LT(std::abs(p.y()), 0.075 + 1e-4) << "ball " << i << " at " << p.transpose();
    EXPECT_LT(p.z(), 0.04) << "ball " << i << " at " << p.transpose();
    EXPECT_GT(p.z(), 0.005 - 1e-4) << "ball " << i << " at " << p.transpose();
  }
}

}  // namespace
}  // namespace condyle
