#include "scene/scene_data.hpp"
#include "scene/tree_builder.hpp"

#include <condyle/scene.hpp>

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/SVD>

#include <cmath>
#include <string>
#include <vector>

namespace condyle {
namespace {

/// Poses of every body of a scene at a configuration, by what closures refer to.
class Poses {
 public:
  Poses(const SceneData& data, const Eigen::VectorXd& q) : data_(data), q_(q) {
    for (const Tree& tree : data.trees) links_.push_back(link_poses(tree, q.segment(tree.q, tree.model->nq)));
  }
  Pose operator()(const BodyRef& body) const {
    const auto i = static_cast<std::size_t>(body.index);
    switch (body.kind) {
      case BodyRef::Kind::world: return {};
      case BodyRef::Kind::static_body: return data_.static_bodies[i].pose;
      case BodyRef::Kind::link: return links_[i][static_cast<std::size_t>(body.link)];
      case BodyRef::Kind::free_body: break;
    }
    const int k = data_.free_bodies[i].q;
    return Pose::from_xyz_quaternion(q_.segment<3>(k), q_.segment<4>(k + 3));
  }

 private:
  const SceneData& data_;
  const Eigen::VectorXd& q_;
  std::vector<std::vector<Pose>> links_;
};

/// Errors of all closures (spherical, revolute, weld) at q: metres and radians, one entry per row.
Eigen::VectorXd closure_errors(const SceneData& data, const Eigen::VectorXd& q) {
  std::vector<double> out;
  const Poses pose(data, q);
  for (const SceneClosure& c : data.closures) {
    const Pose gap = (pose(c.a) * c.frame_a).inverse() * (pose(c.b) * c.frame_b);
    out.insert(out.end(), gap.p.data(), gap.p.data() + 3);
    if (c.kind == ClosureKind::revolute) out.insert(out.end(), {gap.R(0, 2), gap.R(1, 2)});
    if (c.kind == ClosureKind::weld) {
      const Eigen::AngleAxisd turn(gap.R);
      for (int k = 0; k < 3; ++k) out.push_back(turn.angle() * turn.axis()[k]);
    }
  }
  return Eigen::Map<Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(out.size()));
}

/// q moved by h along velocity i; free bases turn about their own axes.
Eigen::VectorXd moved(const SceneData& data, Eigen::VectorXd q, int i, double h) {
  const auto free_pose = [&](int at, int k) {
    if (k < 3) {
      q.segment<3>(at) += h * Pose::from_xyz_quaternion(q.segment<3>(at), q.segment<4>(at + 3)).R.col(k);
      return;
    }
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(h, Eigen::Vector3d::Unit(k - 3)));
    q.segment<4>(at + 3) = (Eigen::Quaterniond(q.segment<4>(at + 3).data()) * turn).coeffs();
  };
  for (const Tree& tree : data.trees) {
    if (i < tree.v || i >= tree.v + tree.model->nv) continue;
    if (tree.model->free_base && i - tree.v < 6) return free_pose(tree.q, i - tree.v), q;
    for (const TreeJoint& joint : tree.model->joints) {
      if (i != tree.v + joint.v) continue;
      double* at = q.data() + tree.q + joint.q;
      const double angle = joint.nq == 2 ? std::atan2(at[1], at[0]) + h : at[0] + h;
      at[0] = joint.nq == 2 ? std::cos(angle) : angle;
      if (joint.nq == 2) at[1] = std::sin(angle);
    }
    return q;
  }
  for (const FreeBody& body : data.free_bodies)
    if (i >= body.v && i < body.v + 6) free_pose(body.q, i - body.v);
  return q;
}

struct Loops {
  int rows = 0, rank = 0;
  double smallest = 0;   ///< singular value that counts
  double open = 0;       ///< largest error at the start
  double open_rate = 0;  ///< largest rate of an error at the start
};

Loops loops_of(const Scene& scene) {
  const SceneData& data = scene.data();
  const State x = scene.initial_state();
  const Eigen::VectorXd e = closure_errors(data, x.q);
  Loops out;
  out.rows = static_cast<int>(e.size());
  out.open = e.cwiseAbs().maxCoeff();
  Eigen::MatrixXd J(e.size(), scene.nv());
  constexpr double h = 1e-5;
  for (int i = 0; i < scene.nv(); ++i)
    J.col(i) = (closure_errors(data, moved(data, x.q, i, h)) - closure_errors(data, moved(data, x.q, i, -h))) / (2 * h);
  out.open_rate = (J * x.v).cwiseAbs().maxCoeff();
  const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(J).singularValues();
  for (Eigen::Index k = 0; k < s.size(); ++k)
    if (s[k] > 1e-7 * s[0]) out.smallest = s[k], ++out.rank;
  return out;
}

struct Mechanism {
  std::string name;
  std::map<std::string, std::string> parameters;
  int bodies, nv, closures, rows, mobility;
};

void PrintTo(const Mechanism& m, std::ostream* out) { *out << m.name; }

class BuiltinMechanism : public testing::TestWithParam<Mechanism> {};

TEST_P(BuiltinMechanism, IsClosedAtTheStartAndHasItsDegreesOfFreedom) {
  const Mechanism& m = GetParam();
  SceneOptions options;
  options.parameters = m.parameters;
  const Scene scene = load_scene(m.name, options);
  EXPECT_EQ(scene.body_count(), m.bodies);
  EXPECT_EQ(scene.nv(), m.nv);
  EXPECT_EQ(static_cast<int>(scene.data().closures.size()), m.closures);
  const Loops loops = loops_of(scene);
  EXPECT_EQ(loops.rows, m.rows);
  EXPECT_LT(loops.open, 1e-10) << "m or rad";
  EXPECT_LT(loops.open_rate, 1e-7) << "m/s or rad/s, from differences";
  EXPECT_EQ(scene.nv() - loops.rank, m.mobility) << "rank " << loops.rank << ", smallest singular value " << loops.smallest;
}

INSTANTIATE_TEST_SUITE_P(
    All, BuiltinMechanism,
    testing::Values(Mechanism{"fourbar_fixed", {}, 3, 3, 1, 5, 1},
                    Mechanism{"fourbar_fixed", {{"angle_deg", "-150"}, {"speed_rad_s", "-9"}}, 3, 3, 1, 5, 1},
                    Mechanism{"fourbar_free", {}, 4, 9, 1, 5, 7},
                    Mechanism{"fourbar_free", {{"floor", "true"}, {"angle_deg", "10"}}, 4, 9, 1, 5, 7},
                    Mechanism{"fivebar", {}, 4, 4, 1, 5, 2},
                    Mechanism{"fivebar", {{"left_deg", "150"}, {"right_deg", "100"}}, 4, 4, 1, 5, 2},
                    Mechanism{"slider_crank", {}, 3, 3, 1, 5, 1},
                    Mechanism{"slider_crank", {{"angle_deg", "180"}}, 3, 3, 1, 5, 1},
                    Mechanism{"stewart", {}, 19, 24, 6, 18, 6}, Mechanism{"delta", {}, 16, 21, 6, 18, 3},
                    Mechanism{"delta", {{"angle_deg", "60"}}, 16, 21, 6, 18, 3},
                    Mechanism{"fourbars", {}, 60, 60, 20, 60, 20}, Mechanism{"fourbars", {{"n", "3"}}, 9, 9, 3, 9, 3},
                    Mechanism{"boxes_fixed", {}, 2, 12, 1, 6, 6}),
    [](const testing::TestParamInfo<Mechanism>& m) { return m.param.name + "_" + std::to_string(m.index); });

// The linkage that other simulators were measured with: 0.10, 0.20, 0.16 on a base of 0.20, crank at 60 degrees.
TEST(BuiltinMechanisms, TheFourBarsHaveTheMeasuredGeometry) {
  const Scene scene = load_scene("fourbars");
  EXPECT_NEAR(scene.total_mass(), 20 * (0.10 + 0.20 + 0.16), 1e-12);
  EXPECT_EQ(scene.defaults().dt, 1e-3);
  const State x = scene.initial_state();
  EXPECT_EQ(x.v.norm(), 0);
  const Poses pose(scene.data(), x.q);
  BodyRef body;
  const auto origin = [&](const char* name) {
    EXPECT_TRUE(scene.data().find_body(std::string("linkage/") + name, body)) << name;
    return pose(body).p;
  };
  EXPECT_LT((origin("crank0") - Eigen::Vector3d(0, 0, 0)).norm(), 1e-15);
  EXPECT_LT((origin("coupler0") - Eigen::Vector3d(0.05, 0, 0.1 * std::sqrt(0.75))).norm(), 1e-15);
  const Eigen::Vector3d C = origin("rocker0");
  EXPECT_NEAR((C - origin("coupler0")).norm(), 0.2, 1e-14);
  EXPECT_NEAR((C - Eigen::Vector3d(0.2, 0, 0)).norm(), 0.16, 1e-14);
  EXPECT_GT(C.z(), 0.1) << "the open branch, above the base";
  EXPECT_LT((origin("crank1") - origin("coupler0")).norm(), 1e-14) << "the next one stands on the coupler";
  for (const LinkSpec& link : scene.data().trees[0].description->links) {
    if (link.name != "coupler7") continue;
    EXPECT_EQ(link.inertial.mass, 0.2);
    EXPECT_NEAR(link.inertial.inertia(1, 1), 0.2 / 12 * (0.2 * 0.2 + 0.01 * 0.01), 1e-17);
    EXPECT_NEAR(link.inertial.inertia(0, 0), 0.2 / 12 * (2 * 0.01 * 0.01), 1e-17);
  }
}

TEST(BuiltinMechanisms, TheRolesOfTheirJointsAreKnown) {
  for (const auto& [name, count] : {std::pair<const char*, std::size_t>{"stewart", 6}, {"delta", 3}, {"fivebar", 2}}) {
    const SceneData& data = load_scene(name).data();
    EXPECT_EQ(data.motors.size(), count) << name;
    ASSERT_EQ(data.actuators.size(), count) << name;
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(data.motors[i].v, data.actuators[i].v) << name;
  }
}

}  // namespace
}  // namespace condyle
