// What rests stays at rest: 60 s on a floor, on a box, on triangles and on a height field, at three steps. No contact
// appears or vanishes, the contacts carry the weight, nothing turns and nothing creeps.
#include "physics/contact_run.hpp"

namespace condyle {
namespace {

struct Resting {
  std::string name;
  std::function<void(SceneBuilder&)> build;
  double mass;
  int contacts;  ///< of the body called "body"
};

Shape box(double x, double y, double z) {
  Shape s;
  s.kind = ShapeKind::box;
  s.size = {x, y, z};
  return s;
}

BodySpec body(const Shape& shape, double mass, double height) {
  BodySpec b;
  b.name = "body";
  b.shapes = {shape};
  b.inertial.mass = mass;
  b.pose.p = {0.013, -0.007, height};
  b.pose.R = Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  return b;
}

/// A prism on a regular hexagon, as a mesh whose hull is simulated.
Shape hexagonal_prism(double radius, double height) {
  auto mesh = std::make_shared<Mesh>();
  for (const double z : {-0.5 * height, 0.5 * height})
    for (int k = 0; k < 6; ++k)
      mesh->vertices.emplace_back(radius * std::cos(k * M_PI / 3), radius * std::sin(k * M_PI / 3), z);
  for (int k = 1; k < 5; ++k) {
    mesh->triangles.emplace_back(0, k + 1, k);
    mesh->triangles.emplace_back(6, 6 + k, 6 + k + 1);
  }
  for (int k = 0; k < 6; ++k) {
    const int n = (k + 1) % 6;
    mesh->triangles.emplace_back(k, n, 6 + n);
    mesh->triangles.emplace_back(k, 6 + n, 6 + k);
  }
  Shape s;
  s.kind = ShapeKind::mesh;
  s.size = Eigen::Vector3d::Ones();
  s.mesh = mesh;
  s.policy = MeshPolicy::hull;
  return s;
}

/// A flat floor of triangles, 10 × 10 cells of 7 cm, so that every body lies across several of them.
Shape triangle_floor() {
  auto mesh = std::make_shared<Mesh>();
  const int n = 11;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) mesh->vertices.emplace_back(0.07 * (j - 5), 0.07 * (i - 5), 0);
  for (int i = 0; i + 1 < n; ++i)
    for (int j = 0; j + 1 < n; ++j) {
      const int a = i * n + j;
      mesh->triangles.emplace_back(a, a + 1, a + n + 1);
      mesh->triangles.emplace_back(a, a + n + 1, a + n);
    }
  Shape s;
  s.kind = ShapeKind::mesh;
  s.size = Eigen::Vector3d::Ones();
  s.mesh = mesh;
  s.policy = MeshPolicy::bvh;
  return s;
}

Shape flat_field() {
  auto field = std::make_shared<HeightField>();
  field->heights = Eigen::MatrixXd::Zero(9, 9);
  field->extent = {0.9, 0.9};
  Shape s;
  s.kind = ShapeKind::heightfield;
  s.field = field;
  return s;
}

void add_static(SceneBuilder& build, const Shape& shape) {
  BodySpec floor;
  floor.name = "floor";
  floor.is_static = true;
  floor.shapes = {shape};
  build.add_body(floor);
}

const std::vector<Resting>& cases() {
  static const std::vector<Resting> all{
      {"box on plane", [](SceneBuilder& b) { b.add_ground().add_body(body(box(0.2, 0.3, 0.1), 2, 0.05)); }, 2, 4},
      {"cylinder on plane",
       [](SceneBuilder& b) {
         Shape s;
         s.kind = ShapeKind::cylinder;
         s.size = {0.1, 0.2, 0};
         b.add_ground().add_body(body(s, 3, 0.1));
       },
       3, -1},
      {"convex mesh on plane",
       [](SceneBuilder& b) {
         BodySpec prism = body(hexagonal_prism(0.1, 0.1), 1, 0.05);
         // of a regular hexagon with circumradius r and height h: I_z = 5 m r²/12, I_x = 5 m r²/24 + m h²/12
         prism.inertial.inertia = Eigen::Vector3d(0.05 / 24 + 0.01 / 12, 0.05 / 24 + 0.01 / 12, 0.05 / 12).asDiagonal();
         b.add_ground().add_body(prism);
       },
       1, 6},
      {"box on box",
       [](SceneBuilder& b) {
         BodySpec lower = body(box(0.3, 0.3, 0.1), 5, 0.05);
         lower.name = "lower";
         b.add_ground().add_body(lower).add_body(body(box(0.2, 0.2, 0.1), 1, 0.15));
       },
       1, 4},
      {"box on triangles",
       [](SceneBuilder& b) {
         add_static(b, triangle_floor());
         b.add_body(body(box(0.2, 0.3, 0.1), 2, 0.05));
       },
       2, -1},
      {"box on height field",
       [](SceneBuilder& b) {
         add_static(b, flat_field());
         b.add_body(body(box(0.2, 0.3, 0.1), 2, 0.05));
       },
       2, -1},
  };
  return all;
}

class Rests : public testing::TestWithParam<std::tuple<int, double>> {};

TEST_P(Rests, ForAMinuteWithoutCreepTurnOrChangeOfContacts) {
  const Resting& resting = cases()[static_cast<std::size_t>(std::get<0>(GetParam()))];
  SimulatorOptions options;
  options.dt = std::get<1>(GetParam());
  SceneBuilder build;
  resting.build(build);
  test::ContactRun run(build.finish(), options);
  const Pose begin = run.sim.pose(run.x, "body");
  int contacts = -1, changes = 0;
  double weight_error = 0, speed = 0;
  run.until(60, [&] {
    const int now = run.sim.report().contacts;
    if (contacts >= 0 && now != contacts) ++changes;
    contacts = now;
    const double force = run.contact_impulse_on("body").z() / options.dt;
    weight_error = std::max(weight_error, std::abs(force / (resting.mass * 9.81) - 1));
    speed = std::max(speed, run.x.v.lpNorm<Eigen::Infinity>());
  });
  const Pose end = run.sim.pose(run.x, "body");
  EXPECT_EQ(changes, 0) << resting.name << ": the number of contacts changed";
  if (resting.contacts > 0 && resting.name != "box on box") {
    EXPECT_EQ(contacts, resting.contacts) << resting.name;
  }
  EXPECT_GE(contacts, 3) << resting.name;
  EXPECT_LT(weight_error, 1e-6) << resting.name;
  EXPECT_LT(std::abs(test::yaw_of(end) - test::yaw_of(begin)), 1e-6) << resting.name;
  EXPECT_LT((end.p - begin.p).norm(), 60 * options.tolerance) << resting.name;
  EXPECT_LT(speed, options.tolerance) << resting.name;
}

INSTANTIATE_TEST_SUITE_P(AtAllSteps, Rests, testing::Combine(testing::Range(0, 6), testing::Values(1e-3, 5e-3, 1e-2)),
                         [](const auto& tested) {
                           std::string name = cases()[static_cast<std::size_t>(std::get<0>(tested.param))].name;
                           for (char& c : name)
                             if (c == ' ') c = '_';
                           return name + "_at_" + std::to_string(std::lround(1e3 * std::get<1>(tested.param))) + "_ms";
                         });

}  // namespace
}  // namespace condyle
