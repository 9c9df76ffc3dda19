// The scenes that the problem families are recorded from do what their names say.
#include "physics/contact_run.hpp"

#include <fmt/format.h>

namespace condyle {
namespace {

TEST(LinkChain, IsHeldByContactsAloneAndTheHookCarriesIt) {
  test::ContactRun run("link_chain", {{"n", "8"}});
  Eigen::Vector3d on_hook = Eigen::Vector3d::Zero();
  double farthest = 0;
  run.until(0.5, [&] {
    on_hook += run.contact_impulse_on("hook");
    Pose last = run.sim.pose(run.x, "hook");
    for (int i = 1; i <= 8; ++i) {
      const Pose link = run.sim.pose(run.x, fmt::format("link{}", i));
      if (i > 1) farthest = std::max(farthest, (link.p - last.p).norm());
      last = link;
    }
  });
  // The inner opening of a frame is 54 mm by 28 mm: stretched, the centres are 54 mm apart, and never farther than twice
  // from a centre to a corner of the opening, where two links meet at the most.
  EXPECT_LT(farthest, 2 * std::hypot(0.027, 0.014)) << "m: a link has left its neighbour";
  EXPECT_GT(farthest, 0.0535);
  // over half a second the hook has carried the weight, but for the momentum that the links still have
  const Momentum now = run.sim.momentum(run.x);
  EXPECT_NEAR(-on_hook.z() - now.linear.z(), 0.8 * 9.81 * 0.5, 1e-3 * 0.8 * 9.81 * 0.5) << on_hook.transpose();
}

TEST(BoxStacks, LeanAndStand) {
  test::ContactRun run("box_stacks", {{"n", "10"}});
  run.until(1.0);
  EXPECT_LT(run.x.v.cwiseAbs().maxCoeff(), 1e-3) << "m/s or rad/s after a second";
  for (int i = 0; i < 10; ++i) {
    const double z = run.sim.pose(run.x, fmt::format("b{}", i)).p.z();
    EXPECT_NEAR(z, 0.05 + 0.1 * (i % 5), 1e-3) << "box " << i;
  }
}

TEST(CapsuleHeap, StaysInItsBin) {
  test::ContactRun run("capsule_heap", {{"n", "8"}});
  run.until(1.0);
  for (int i = 0; i < 8; ++i) {
    const Eigen::Vector3d p = run.sim.pose(run.x, fmt::format("c{}", i)).p;
    EXPECT_LT(p.cwiseAbs().head<2>().maxCoeff(), 0.142 - 0.03 + 1e-3) << "capsule " << i << " at " << p.transpose();
    EXPECT_GT(p.z(), 0.03 - 1e-3) << "capsule " << i;
  }
}

}  // namespace
}  // namespace condyle
