// The robots of the ADMM paper: limp falls that only lose energy, a hand that holds cubes, a quadruped that climbs.
#include "support/robot_scenes.hpp"
#include "physics/contact_run.hpp"
#include "scene/scene_data.hpp"
#include "support/long_run.hpp"

#include <fmt/format.h>

namespace condyle {
namespace {

using test::ContactRun;

#define SKIP_WITHOUT_ROBOT(scene) \
  if (const std::string missing = test::missing_robot(scene); !missing.empty()) GTEST_SKIP() << missing

struct Fall {
  const char* name;
  int nv;
  double seconds;  ///< in the short run
};

void PrintTo(const Fall& f, std::ostream* out) { *out << f.name; }

class LimpFall : public testing::TestWithParam<Fall> {};

TEST_P(LimpFall, IsCertifiedAndOnlyLosesEnergy) {
  SKIP_WITHOUT_ROBOT(GetParam().name);
  ContactRun run(GetParam().name, {});
  EXPECT_EQ(run.scene.nv(), GetParam().nv);
  const double start = run.sim.energy(run.x).total();
  double last = start, rise = 0, depth = 0, open = 0;
  std::size_t touching = 0;
  run.until(test::seconds(run.scene.defaults().end, GetParam().seconds), [&] {
    const StepReport& step = run.sim.report();
    rise = std::max(rise, step.energy.total() - last);
    last = step.energy.total();
    depth = std::max(depth, step.penetration);
    open = std::max({open, step.closure_m, step.closure_rad});
    touching = std::max(touching, static_cast<std::size_t>(step.contacts));
  });
  fmt::print(
      "{}: energy {:.6g} -> {:.6g} J, at most {:.2g} J up in a step; {} contacts, {:.2g} m deep, loops open {:.2g} m\n",
      GetParam().name, start, last, rise, touching, depth, open);
  EXPECT_LT(last, start);
  EXPECT_LT(rise, 1e-3 * (start - last)) << "J";
  EXPECT_LT(depth, 1e-3) << "m";
  EXPECT_LT(open, 1e-8) << "m or rad";
  EXPECT_GT(touching, 2u);
}
INSTANTIATE_TEST_SUITE_P(Robots, LimpFall,
                         testing::Values(Fall{"ur5_fall", 6, 2}, Fall{"talos_fall", 38, 0.35}, Fall{"cassie_fall", 36, 0.5}),
                         [](const auto& tested) { return std::string(tested.param.name); });

Eigen::Vector3d place_of(const ContactRun& run, const std::string& body) {
  return run.x.q.segment<3>(run.scene.q_index(body));
}

TEST(AllegroCubes, AreHeldByFrictionAlone) {
  SKIP_WITHOUT_ROBOT("allegro_cubes");
  ContactRun run("allegro_cubes", {});
  std::vector<std::string> cubes;
  for (const FreeBody& body : run.scene.data().free_bodies) cubes.push_back(body.name);
  ASSERT_EQ(cubes.size(), 9u);
  std::vector<Eigen::Vector3d> start, settled;
  for (const std::string& cube : cubes) start.push_back(place_of(run, cube));
  run.until(1);
  for (const std::string& cube : cubes) settled.push_back(place_of(run, cube));
  run.until(2);
  double sunk = 0, slip = 0;
  for (std::size_t i = 0; i < cubes.size(); ++i) {
    sunk = std::max(sunk, (settled[i] - start[i]).norm());
    slip = std::max(slip, (place_of(run, cubes[i]) - settled[i]).norm());
  }
  fmt::print("allegro_cubes: {:.2g} m until held, {:.2g} m in the second after; worst residual {:.2g} m/s\n", sunk, slip,
             run.worst);
  EXPECT_LT(sunk, 5e-3) << "m: the fingers came too late";
  EXPECT_LT(slip, 1e-5) << "m";
  EXPECT_LT(run.sim.report().penetration, 1e-5) << "m";
}

TEST(SoloSlope, WalksUphill) {
  SKIP_WITHOUT_ROBOT("solo_slope");
  ContactRun run("solo_slope", {});
  const double seconds = test::seconds(run.scene.defaults().end, 2), slope = 8 * M_PI / 180;
  const Eigen::Vector3d uphill(std::cos(slope), 0, std::sin(slope)), normal(-std::sin(slope), 0, std::cos(slope));
  const Eigen::Vector3d start = place_of(run, "solo");
  double lowest = 1, tilt = 0;
  run.until(seconds, [&] {
    const Pose trunk = Pose::from_xyz_quaternion(run.x.q.head<3>(), run.x.q.segment<4>(3));
    lowest = std::min(lowest, trunk.p.dot(normal));
    tilt = std::max(tilt, std::acos(std::min(1.0, trunk.R.col(2).dot(normal))));
  });
  const Eigen::Vector3d way = place_of(run, "solo") - start;
  fmt::print(
      "solo_slope: {:.3f} m uphill and {:.3f} m aside in {} s; trunk at least {:.3f} m high, tilted by at most {:.1f}°\n",
      way.dot(uphill), way.y(), seconds, lowest, tilt * 180 / M_PI);
  EXPECT_GT(way.dot(uphill), 0.1 * seconds) << "m";
  EXPECT_LT(std::abs(way.y()), 0.3 * way.dot(uphill)) << "m";
  EXPECT_GT(lowest, 0.18) << "m: it has fallen";
  EXPECT_LT(tilt, 0.35) << "rad";
}

}  // namespace
}  // namespace condyle
