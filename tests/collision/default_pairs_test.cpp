#include "collision/default_pairs.hpp"
#include "collision/tree_joints.hpp"
#include "test_shapes.hpp"

#include <gtest/gtest.h>

#include <set>

namespace condyle {
namespace {

/// A robot with a ball of radius 0.1 on each link, 1 m apart:
///
///   root ══fixed══ plate ──hinge── upper ──hinge── lower ══fixed══ tool
///                    │
///                    └──hinge── head
///
/// Welded bodies: {root, plate}, {upper}, {lower, tool}, {head}.
std::shared_ptr<ModelDescription> robot(const std::string& format = "urdf") {
  auto out = std::make_shared<ModelDescription>();
  out->name = "robot";
  out->format = format;
  for (const char* name : {"root", "plate", "head", "upper", "lower", "tool"}) {
    LinkSpec link;
    link.name = name;
    link.has_inertial = true;
    link.inertial = {1, Eigen::Vector3d::Zero(), 0.1 * Eigen::Matrix3d::Identity()};
    out->links.push_back(link);
  }
  const auto join = [&](int parent, int child, JointKind kind, const Eigen::Vector3d& place) {
    JointSpec joint;
    joint.name = "to_" + out->links[static_cast<std::size_t>(child)].name;
    joint.kind = kind;
    joint.parent = parent;
    joint.child = child;
    joint.origin.p = place;
    out->joints.push_back(joint);
  };
  join(0, 1, JointKind::fixed, {1, 0, 0});
  join(1, 2, JointKind::revolute, {0, 1, 0});
  join(1, 3, JointKind::revolute, {1, 0, 0});
  join(3, 4, JointKind::revolute, {1, 0, 0});
  join(4, 5, JointKind::fixed, {1, 0, 0});
  for (int link = 0; link < 6; ++link)
    for (const ShapeRole role : {ShapeRole::collision, ShapeRole::visual}) {
      ShapeSpec shape;
      shape.link = link;
      shape.role = role;
      shape.shape = make(ShapeKind::sphere, 0.1);
      out->shapes.push_back(shape);
    }
  return out;
}

BodySpec body(const std::string& name, const Shape& shape, const Pose& pose, bool is_static = false) {
  BodySpec out;
  out.name = name;
  out.shapes = {shape};
  out.pose = pose;
  out.is_static = is_static;
  out.inertial.mass = 1;
  return out;
}

ModelOptions with_base(Base base, const std::string& name = "", const Pose& pose = {}) {
  ModelOptions options;
  options.base = base;
  options.name = name;
  options.pose = pose;
  return options;
}

std::set<std::string> names(const SceneData& scene, const PairTable& table) {
  std::set<std::string> out;
  for (const ShapePair& pair : table.pairs) {
    const auto name = [&scene](int i) { return scene.body_name(scene.shapes[static_cast<std::size_t>(i)].body); };
    out.insert(name(pair.a) + " " + name(pair.b));
  }
  return out;
}

PairTable table_of(const Scene& scene, const PairOptions& options = {}) {
  CoalShapes made;
  return default_pairs(scene.data(), make_shapes(scene.data(), made), initial_shape_poses(scene.data()), options);
}

TEST(CandidatePairs, OfARobotLeaveOutWeldedBodiesAndNeighbours) {
  for (const Base base : {Base::fixed, Base::free}) {
    const Scene scene = SceneBuilder().add_model(robot(), with_base(base)).finish();
    const PairTable table = candidate_pairs(scene.data());
    const std::set<std::string> expected = {"robot/root robot/lower", "robot/root robot/tool",  "robot/plate robot/lower",
                                            "robot/plate robot/tool", "robot/head robot/upper", "robot/head robot/lower",
                                            "robot/head robot/tool"};
    EXPECT_EQ(names(scene.data(), table), expected);
    EXPECT_EQ(table.candidates, 7);
    const std::map<std::string, int> filtered = {{"parent-child", 6}, {"same-body", base == Base::free ? 2 : 1}};
    for (const auto& [reason, count] : filtered) EXPECT_EQ(table.filtered.at(reason), count) << reason;
    EXPECT_EQ(table.filtered.count("both-static"), base == Base::free ? 0u : 1u);
    EXPECT_TRUE(std::is_sorted(table.pairs.begin(), table.pairs.end()));
  }
}

TEST(CandidatePairs, OfAnMjcfModelKeepAStaticParent) {
  const Scene fixed = SceneBuilder().add_model(robot("mjcf"), with_base(Base::fixed)).finish();
  const Scene free = SceneBuilder().add_model(robot("mjcf"), with_base(Base::free)).finish();
  EXPECT_EQ(candidate_pairs(free.data()).candidates, 7);
  EXPECT_EQ(candidate_pairs(fixed.data()).candidates, 11) << "head and upper may touch root and plate";
}

TEST(CandidatePairs, SeeAUniversalJointThatIsTwoHingesAsOne) {
  // to_tool becomes hinge, massless link, hinge: lower and tool are still neighbours.
  const auto build = [](const Place& first, const Place& second) {
    auto model = robot();
    model->links.insert(model->links.begin() + 5, LinkSpec{"half", {}, false, {}});
    for (ShapeSpec& shape : model->shapes) shape.link += shape.link == 5;
    JointSpec& half = model->joints[4];
    half.kind = JointKind::revolute;
    half.place = first;
    JointSpec other = half;
    other.name = "to_tool_B";
    other.parent = 5;
    other.child = 6;
    other.place = second;
    model->joints.push_back(other);
    return SceneBuilder().add_model(model, with_base(Base::fixed)).finish();
  };
  const Place place{"robot.urdf", 1, "<joint to_tool>"}, elsewhere{"robot.urdf", 1, "<joint to_half>"};
  const Scene one = build(place, place), two = build(elsewhere, place), unknown = build({}, {});
  EXPECT_EQ(names(one.data(), candidate_pairs(one.data())).count("robot/lower robot/tool"), 0u);
  EXPECT_EQ(names(two.data(), candidate_pairs(two.data())).count("robot/lower robot/tool"), 1u);
  EXPECT_EQ(names(unknown.data(), candidate_pairs(unknown.data())).count("robot/lower robot/tool"), 1u);
}

TEST(CandidatePairs, OfDifferentTreesAreNeverNeighbours) {
  // Two instances share one model, so that joint numbers and parents are the same in both.
  const auto model = robot();
  const Scene scene = SceneBuilder()
                          .add_model(model, with_base(Base::fixed, "a"))
                          .add_model(model, with_base(Base::fixed, "b", at(0, 0, 5)))
                          .finish();
  const PairTable table = candidate_pairs(scene.data());
  EXPECT_EQ(table.candidates, 7 + 7 + 36 - 4) << "all pairs across but the static ones";
  EXPECT_EQ(names(scene.data(), table).count("a/root b/upper"), 1u);
}

TEST(CandidatePairs, LeaveOutTwoStaticBodies) {
  const Shape ball = make(ShapeKind::sphere, 0.1);
  const Scene scene = SceneBuilder()
                          .add_model(robot(), with_base(Base::fixed))
                          .add_body(body("wall", ball, at(0, 0, 7), true))
                          .add_body(body("post", ball, at(0, 0, 8), true))
                          .add_body(body("cube", ball, at(0, 0, 9)))
                          .add_body(body("dice", ball, at(0, 0, 10)))
                          .add_shape("world", ShapeRole::collision, ball)
                          .finish();
  const PairTable table = candidate_pairs(scene.data());
  const std::set<std::string> found = names(scene.data(), table);
  for (const char* wanted : {"wall cube", "post dice", "cube dice", "robot/root cube", "robot/head wall", "cube world"})
    EXPECT_EQ(found.count(wanted), 1u) << wanted;
  for (const char* unwanted : {"wall post", "robot/root wall", "robot/plate post", "wall world", "post world"})
    EXPECT_EQ(found.count(unwanted), 0u) << unwanted;
  EXPECT_EQ(table.candidates, 7 + 4 * 3 + 6 * 2 + 1 + 3 * 2);
}

TEST(CandidatePairs, LeaveOutWhatTheSceneExcludes) {
  const Scene scene = SceneBuilder()
                          .add_model(robot(), with_base(Base::fixed))
                          .add_body(body("cube", make(ShapeKind::sphere, 0.1), at(0, 0, 9)))
                          .exclude_pair("robot/tool", "robot/root")
                          .exclude_pair("cube", "robot/head")
                          .finish();
  const PairTable table = candidate_pairs(scene.data());
  EXPECT_EQ(table.filtered.at("excluded"), 2);
  EXPECT_EQ(table.candidates, 7 + 6 - 2);
  const std::set<std::string> found = names(scene.data(), table);
  EXPECT_EQ(found.count("robot/root robot/tool") + found.count("robot/head cube"), 0u);
  EXPECT_EQ(found.count("robot/plate robot/tool"), 1u) << "exclusion goes by link, not by welded body";
}

TEST(DefaultPairs, TakeOutWhatOverlapsAtTheStartAndListIt) {
  const Shape box = make(ShapeKind::box);
  const auto build = [&](double gap) {
    return SceneBuilder().add_body(body("a", box, Pose())).add_body(body("b", box, at(0, 0, 1 + gap))).finish();
  };
  EXPECT_EQ(table_of(build(0.1)).pairs.size(), 1u);
  EXPECT_EQ(table_of(build(-0.0009)).pairs.size(), 1u) << "less than a millimetre stays";
  const PairTable table = table_of(build(-0.05));
  EXPECT_EQ(table.candidates, 1);
  EXPECT_TRUE(table.pairs.empty());
  EXPECT_EQ(table.filtered.at("overlapping"), 1);
  ASSERT_EQ(table.overlapping.size(), 1u);
  EXPECT_EQ(table.overlapping[0].a, "a:0");
  EXPECT_EQ(table.overlapping[0].b, "b:0");
  EXPECT_NEAR(table.overlapping[0].depth, 0.05, 1e-6);
  PairOptions keep;
  keep.keep_overlapping = true;
  const PairTable kept = table_of(build(-0.05), keep);
  EXPECT_EQ(kept.pairs.size(), 1u);
  ASSERT_EQ(kept.overlapping.size(), 1u);
  EXPECT_TRUE(kept.overlapping[0].kept);
  EXPECT_EQ(kept.filtered.count("overlapping"), 0u);

  LoadReport report;
  report_pairs(table, report);
  ASSERT_EQ(report.entries.size(), 1u);
  EXPECT_EQ(report.entries[0].code, "overlapping-pair");
  EXPECT_NE(report.entries[0].reason.find("50 mm"), std::string::npos) << report.entries[0].reason;
}

TEST(DefaultPairs, CanKeepAFootThatStartsInTheFloor) {
  auto model = robot();
  model->shapes[10].shape.size[0] = 2.05;
  model->shapes[10].shape.pose.p = {-1, 0, 0};  // a large ball around lower, 2 m from the plate and 2 m above the floor
  PairOptions within;
  within.only_within_trees = true;
  const Scene scene = SceneBuilder().add_model(model, with_base(Base::fixed, "", at(0, 0, 2))).add_ground().finish();
  const PairTable table = table_of(scene, within);
  const auto find = [&table](const std::string& a, const std::string& b) -> const OverlapEntry* {
    for (const OverlapEntry& entry : table.overlapping)
      if (entry.a == a && entry.b == b) return &entry;
    return nullptr;
  };
  const OverlapEntry* floor = find("robot/tool:0", "ground:0");
  const OverlapEntry* plate = find("robot/plate:0", "robot/tool:0");
  ASSERT_TRUE(floor && plate);
  EXPECT_TRUE(floor->kept);
  EXPECT_FALSE(plate->kept);
  for (const OverlapEntry& entry : table.overlapping)
    EXPECT_EQ(std::binary_search(table.pairs.begin(), table.pairs.end(), entry.pair), entry.kept)
        << entry.a << " " << entry.b;
}

TEST(DefaultPairs, LookAtTheStartPositionOfTheJoints) {
  // With the elbow (to_lower) folded by a half turn, the tool comes back to the plate.
  ModelOptions folded = with_base(Base::fixed);
  folded.joints["to_lower"] = M_PI;
  auto model = robot();
  for (JointSpec& joint : model->joints) joint.axis = Eigen::Vector3d::UnitZ();
  model->joints[4].origin.p = {2, 0, 0};
  EXPECT_TRUE(table_of(SceneBuilder().add_model(model, with_base(Base::fixed)).finish()).overlapping.empty());
  const PairTable table = table_of(SceneBuilder().add_model(model, folded).finish());
  ASSERT_EQ(table.overlapping.size(), 1u);
  EXPECT_EQ(table.overlapping[0].a, "robot/plate:0");
  EXPECT_EQ(table.overlapping[0].b, "robot/tool:0");
  EXPECT_NEAR(table.overlapping[0].depth, 0.2, 1e-6);
}

TEST(DefaultPairs, MoveWithAFreeBase) {
  const Shape ball = make(ShapeKind::sphere, 0.1);
  const Scene scene =
      SceneBuilder()
          .add_model(robot(), with_base(Base::free, "", {rotation_z_to(Eigen::Vector3d(1, 0, 0)), Eigen::Vector3d(0, 0, 3)}))
          .add_body(body("target", ball, at(0, 0, -1)))
          .finish();
  const PairTable table = table_of(scene);  // the robot's x axis points down: its tool is 4 m below its root
  ASSERT_EQ(table.overlapping.size(), 1u);
  EXPECT_EQ(table.overlapping[0].a, "robot/tool:0");
}

TEST(DefaultPairs, NeverPairTwoUnboundedShapes) {
  const Shape halfspace = make(ShapeKind::halfspace);
  BodySpec moving = body("moving", halfspace, Pose());
  moving.inertial.inertia.setIdentity();
  BodySpec leaf = body("leaf", make(ShapeKind::plane), Pose());
  leaf.inertial.inertia.setIdentity();
  const Scene scene = SceneBuilder().add_ground().add_body(moving).add_body(leaf).finish();
  const PairTable table = table_of(scene);
  EXPECT_EQ(table.candidates, 3);
  EXPECT_TRUE(table.pairs.empty());
  EXPECT_EQ(table.filtered.at("both-unbounded"), 3);
}

TEST(DefaultPairs, LeaveOutShapesWithoutGeometry) {
  auto model = robot();
  model->shapes[0].shape = make(ShapeKind::mesh);  // a mesh that was skipped, on root
  const PairTable table = table_of(SceneBuilder().add_model(model, with_base(Base::fixed)).finish());
  EXPECT_EQ(table.candidates, 7);
  EXPECT_EQ(table.filtered.at("no-geometry"), 2);
  EXPECT_EQ(table.pairs.size(), 5u);
}

TEST(DefaultPairs, ReportWhatCoalCannotTest) {
  auto field = std::make_shared<HeightField>();
  field->heights = Eigen::MatrixXd::Zero(2, 2);
  field->extent = {2, 2};
  Shape terrain = make(ShapeKind::heightfield);
  terrain.field = field;
  BodySpec raft = body("raft", cube_mesh(MeshPolicy::bvh), at(0, 0, 3));
  raft.inertial.inertia.setIdentity();
  const Scene scene = SceneBuilder().add_body(body("terrain", terrain, Pose(), true)).add_body(raft).finish();
  const PairTable table = table_of(scene);
  EXPECT_EQ(table.pairs.size(), 1u);
  ASSERT_EQ(table.unsupported.size(), 1u);
  EXPECT_EQ(table.unsupported[0].a, "terrain:0");
  LoadReport report;
  report_pairs(table, report);
  ASSERT_EQ(report.entries.size(), 1u);
  EXPECT_EQ(report.entries[0].outcome, Outcome::ignored);
}

TEST(ReportShapes, NamesMeshesThatAreNotSimulatedAsAsked) {
  auto model = robot();
  model->shapes[0].shape = cube_mesh(MeshPolicy::hull, {1, 1, 0});
  model->shapes[0].place = {"robot.urdf", 12, "<collision>"};
  model->shapes[2].shape = cube_mesh();
  model->shapes[4].shape = make(ShapeKind::mesh);
  const Scene scene = SceneBuilder().add_model(model, with_base(Base::fixed)).finish();
  CoalShapes made;
  LoadReport report;
  report_shapes(scene.data(), make_shapes(scene.data(), made), report);
  ASSERT_EQ(report.entries.size(), 2u);
  EXPECT_EQ(report.entries[0].place.text(), "robot.urdf:12 <collision>");
  EXPECT_EQ(report.entries[0].outcome, Outcome::applied);
  EXPECT_NE(report.entries[0].reason.find("is flat"), std::string::npos) << report.entries[0].reason;
  EXPECT_EQ(report.entries[1].place.element, "shape 'robot/head:0'");
  EXPECT_EQ(report.entries[1].outcome, Outcome::ignored);
}

TEST(DefaultPairs, SeeEveryPartOfAMesh) {
  Mesh mesh;  // two boxes far apart; a ball sits in the second
  add_box(mesh, {0, 0, 0}, {1, 1, 1});
  add_box(mesh, {5, 0, 0}, {1, 1, 1});
  BodySpec pair = body("pair", mesh_shape(mesh, MeshPolicy::convex_parts), Pose());
  pair.inertial.inertia.setIdentity();
  const Scene scene =
      SceneBuilder().add_body(pair).add_body(body("ball", make(ShapeKind::sphere, 0.1), at(5.5, 0.5, 0.95))).finish();
  const PairTable table = table_of(scene);
  ASSERT_EQ(table.overlapping.size(), 1u);
  EXPECT_NEAR(table.overlapping[0].depth, 0.15, 1e-6);
}

}  // namespace
}  // namespace condyle
