// Keys of a scene file that contacts and loops need.
#include "scene/scene_data.hpp"

#include <condyle/scene.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace condyle {
namespace {

Scene read(const std::string& text) { return read_scene_text(text, "folder/test.yaml"); }

Error refusal(const std::string& text) {
  try {
    read(text);
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "accepted:\n" << text;
  return Error("none", {}, "");
}

const std::string two = R"(condyle: 1
bodies:
  - {name: a, shape: {sphere: 0.1}, mass: 1, pose: {xyz: [0, 0, 1]}}
  - {name: b, shape: {sphere: 0.1}, mass: 2, pose: {xyz: [0.3, 0.4, 1], rpy: [0, 0, 1]}}
  - {name: wall, static: true, shape: {box: [1, 1, 1]}, pose: {xyz: [9, 0, 0]}}
)";

const std::string rig = R"(condyle: 1
models:
  - name: rig
    base: fixed
    inline_urdf: |
      <robot name="rig">
        <link name="rail"/>
        <link name="block">
          <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
        </link>
        <joint name="slide" type="prismatic">
          <parent link="rail"/><child link="block"/><axis xyz="1 0 0"/>
          <limit lower="-1" upper="1" effort="10" velocity="10"/>
        </joint>
      </robot>
)";

TEST(SceneLinks, ReadsPairRulesSpringsAndForces) {
  const Scene scene = read(two + R"(pairs: {rules: {friction: geometric, restitution: product, stiffness: minimum}}
springs:
  - {name: s, between: [a, world], at: [[0.1, 0, 0], [0, 0, 2]], stiffness: 100, damping: 2, length: 0.5}
  - {name: t, between: [b, a], at: [[0, 0, 0], [0, 0, 0]], stiffness: 7, length: 0}
forces:
  - {body: b, force: [1, 2, 3], torque: [0, 0, 4], until: 0.25}
  - {body: a, torque: [1, 0, 0]}
)");
  const SceneData& data = scene.data();
  EXPECT_EQ(data.pair_rules.friction, PairRules::Friction::geometric);
  EXPECT_EQ(data.pair_rules.restitution, PairRules::Restitution::product);
  EXPECT_EQ(data.pair_rules.stiffness, PairRules::Stiffness::minimum);
  ASSERT_EQ(data.springs.size(), 2u);
  const SceneSpring& s = data.springs[0];
  EXPECT_EQ(data.body_name(s.a), "a");
  EXPECT_EQ(data.body_name(s.b), "world");
  EXPECT_EQ(s.point_a, Eigen::Vector3d(0.1, 0, 0));
  EXPECT_EQ(s.point_b, Eigen::Vector3d(0, 0, 2));
  EXPECT_EQ(s.stiffness, 100);
  EXPECT_EQ(s.damping, 2);
  EXPECT_EQ(s.length, 0.5);
  EXPECT_EQ(data.springs[1].damping, 0);
  ASSERT_EQ(data.forces.size(), 2u);
  EXPECT_EQ(data.body_name(data.forces[0].body), "b");
  EXPECT_EQ(data.forces[0].force, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(data.forces[0].torque, Eigen::Vector3d(0, 0, 4));
  EXPECT_EQ(data.forces[0].until, 0.25);
  EXPECT_EQ(data.forces[1].until, unlimited);
}

TEST(SceneLinks, TheRulesCombineTwoMaterials) {
  const Material a{0.2, 0.5, 100, 0.3}, b{0.8, 0.1, 300, 0.1};
  const auto friction = [&](PairRules::Friction rule) { return contact_material(a, b, {.friction = rule}).friction; };
  EXPECT_NEAR(friction(PairRules::Friction::harmonic), 0.32, 1e-15);
  EXPECT_EQ(friction(PairRules::Friction::minimum), 0.2);
  EXPECT_EQ(friction(PairRules::Friction::maximum), 0.8);
  EXPECT_EQ(friction(PairRules::Friction::mean), 0.5);
  EXPECT_NEAR(friction(PairRules::Friction::geometric), 0.4, 1e-15);
  EXPECT_NEAR(friction(PairRules::Friction::product), 0.16, 1e-15);
  const auto restitution = [&](PairRules::Restitution rule) {
    return contact_material(a, b, {.restitution = rule}).restitution;
  };
  EXPECT_EQ(restitution(PairRules::Restitution::maximum), 0.5);
  EXPECT_EQ(restitution(PairRules::Restitution::minimum), 0.1);
  EXPECT_NEAR(restitution(PairRules::Restitution::mean), 0.3, 1e-15);
  EXPECT_NEAR(restitution(PairRules::Restitution::product), 0.05, 1e-15);
  const auto stiffness = [&](PairRules::Stiffness rule) { return contact_material(a, b, {.stiffness = rule}).stiffness; };
  EXPECT_NEAR(stiffness(PairRules::Stiffness::series), 75, 1e-12);
  EXPECT_EQ(stiffness(PairRules::Stiffness::minimum), 100);
  EXPECT_EQ(stiffness(PairRules::Stiffness::maximum), 300);
  EXPECT_NEAR(contact_material(a, b).dissipation_time, 0.75 * 0.3 + 0.25 * 0.1, 1e-15) << "weighted by compliance";
}

TEST(SceneLinks, RigidAndSmoothMaterialsCombineWithoutNaN) {
  const Material rigid{0, 0, unlimited, 0.2}, soft{0, 0, 50, 0.6}, rough{1, 0, unlimited, 0};
  EXPECT_EQ(contact_material(rigid, rigid).stiffness, unlimited);
  EXPECT_EQ(contact_material(rigid, rigid).friction, 0);
  EXPECT_EQ(contact_material(rigid, rigid).dissipation_time, 0.2);
  EXPECT_EQ(contact_material(rigid, soft).stiffness, 50);
  EXPECT_EQ(contact_material(rigid, soft).dissipation_time, 0.6);
  EXPECT_EQ(contact_material(rigid, rough).friction, 0) << "the harmonic rule lets the smoother side decide";
  EXPECT_EQ(contact_material(rough, rough).friction, 1);
}

TEST(SceneLinks, APairThatIsGivenByNameIsNotCombined) {
  const Scene scene = read(R"(condyle: 1
materials:
  ice: {friction: 0.1}
  wood: {friction: 0.6}
pairs: {materials: [{between: [wood, ice], friction: 0.03}]}
)");
  EXPECT_EQ(scene.data().pair_material("ice", "wood").friction, 0.03);
  EXPECT_EQ(scene.data().pair_material("wood", "ice").friction, 0.03);
  EXPECT_EQ(scene.data().pair_material("wood", "wood").friction, 0.6);
}

TEST(SceneLinks, ReadsTheLawAndItsNumbers) {
  const Scene scene = read(R"(condyle: 1
solver:
  law: softened
  correction: baumgarte
  gain: 0.3
  depenetration_speed: 0.5
  slop: 1e-6
  restitution_threshold: 0.02
  sigma_slip: 1e-4
  near_rigid_beta: 2
  time_constant: 0.03
  damping_ratio: 0.7
  impedance_0: 0.8
  impedance_width: 0.85
  width: 0.002
  midpoint: 0.4
  power: 3
)");
  const LawOptions& laws = scene.defaults().laws;
  EXPECT_EQ(laws.kind, LawKind::softened);
  EXPECT_EQ(laws.correction, Correction::baumgarte);
  EXPECT_EQ(laws.gain, 0.3);
  EXPECT_EQ(laws.depenetration_speed, 0.5);
  EXPECT_EQ(laws.slop, 1e-6);
  EXPECT_EQ(laws.restitution_threshold, 0.02);
  EXPECT_EQ(laws.sigma_slip, 1e-4);
  EXPECT_EQ(laws.near_rigid_beta, 2);
  EXPECT_EQ(laws.time_constant, 0.03);
  EXPECT_EQ(laws.damping_ratio, 0.7);
  EXPECT_EQ(laws.impedance_0, 0.8);
  EXPECT_EQ(laws.impedance_width, 0.85);
  EXPECT_EQ(laws.width, 0.002);
  EXPECT_EQ(laws.midpoint, 0.4);
  EXPECT_EQ(laws.power, 3);
  for (const auto& [word, kind] :
       {std::pair{"rigid", LawKind::rigid}, {"near_rigid", LawKind::near_rigid}, {"softened_crbd", LawKind::softened_crbd}})
    EXPECT_EQ(read(std::string("condyle: 1\nsolver: {law: ") + word + "}\n").defaults().laws.kind, kind) << word;
  EXPECT_EQ(read("condyle: 1\n").defaults().laws.kind, LawKind::rigid);
}

TEST(SceneLinks, ADistanceHoldsItsLengthOrTheOneAtTheStart) {
  const Scene scene = read(two + R"(loops:
  - {name: rope, kind: distance, frames: [a, b], length: 0.7}
  - {name: rod, kind: distance, frames: [a, {body: b, pose: {xyz: [0, 0, 1.2]}}]}
)");
  const auto& closures = scene.data().closures;
  EXPECT_EQ(closures[0].length, 0.7);
  EXPECT_NEAR(closures[1].length, 1.3, 1e-15);
}

TEST(SceneLinks, ALoopCanBePlacedInTheWorld) {
  for (const char* kind : {"spherical", "revolute", "universal", "cylindrical", "prismatic", "planar", "weld"}) {
    const Scene scene = read(two + "loops: [{name: l, kind: " + kind +
                             ", between: [a, b], at: {xyz: [0.1, 0.2, 1.5], rpy: [0.3, 0, 0]}}]\n");
    const SceneClosure& c = scene.data().closures[0];
    EXPECT_STREQ(to_string(c.kind), kind);
    const Pose at = Pose::from_xyz_rpy({0.1, 0.2, 1.5}, {0.3, 0, 0});
    for (int end = 0; end < 2; ++end) {
      const Pose body = scene.data().free_bodies[static_cast<std::size_t>(end)].pose * (end ? c.frame_b : c.frame_a);
      EXPECT_LT((body.p - at.p).norm() + (body.R - at.R).norm(), 1e-14) << kind << " end " << end;
    }
  }
}

TEST(SceneLinks, NamesTheJointsThatMotorsDrive) {
  const Scene scene = read(rig + "actuated: [rig/slide]\n");
  ASSERT_EQ(scene.data().motors.size(), 1u);
  EXPECT_EQ(scene.data().motors[0].joint, "rig/slide");
  EXPECT_EQ(scene.data().motors[0].v, 0);
  EXPECT_TRUE(read(rig).data().motors.empty());
}

TEST(SceneLinks, ReadsHeightFieldsAndMeshesWrittenInPlace) {
  const Scene scene = read(R"(condyle: 1
bodies:
  - {name: steps, static: true, shape: {heightfield: {extent: [2, 1], heights: [[0, 1, 2], [3, 4, 5]]}}}
  - {name: hills, static: true, shape: {heightfield: {extent: [4, 4], waves: {amplitude: 0.1, wavelength: 2, samples: 9}}}}
  - name: tetrahedron
    mass: 1
    inertia: [1, 1, 1]
    shape: {mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], mesh_policy: bvh, scale: 0.5}}
)");
  const auto& shapes = scene.data().shapes;
  ASSERT_TRUE(shapes[0].shape.field);
  EXPECT_EQ(shapes[0].shape.kind, ShapeKind::heightfield);
  EXPECT_EQ(shapes[0].shape.field->extent, Eigen::Vector2d(2, 1));
  EXPECT_EQ(shapes[0].shape.field->heights, (Eigen::MatrixXd(2, 3) << 0, 1, 2, 3, 4, 5).finished());
  const Eigen::MatrixXd& hills = shapes[1].shape.field->heights;
  ASSERT_EQ(hills.rows(), 9);
  EXPECT_NEAR(hills(4, 4), 0.1, 1e-16) << "a hill in the middle";
  EXPECT_NEAR(hills(4, 6), -0.1, 1e-16) << "a hollow half a wavelength away";
  EXPECT_NEAR(hills(0, 0), 0.1, 1e-15);
  ASSERT_TRUE(shapes[2].shape.mesh);
  EXPECT_EQ(shapes[2].shape.mesh->vertices.size(), 4u);
  EXPECT_EQ(shapes[2].shape.mesh->triangles[3], Eigen::Vector3i(1, 2, 3));
  EXPECT_EQ(shapes[2].shape.policy, MeshPolicy::bvh);
  EXPECT_EQ(shapes[2].shape.size, Eigen::Vector3d::Constant(0.5));
}

// Each line of this scene says something that decides the motion: no two variants may be taken for each other.
TEST(SceneLinks, TheIdentityCoversEveryNumber) {
  const std::string text = two + R"(pairs: {rules: {friction: mean, restitution: mean, stiffness: minimum}}
springs:
  - {name: s, between: [a, world], at: [[0.11, 0.12, 0.13], [0.14, 0.15, 0.16]], stiffness: 17, damping: 18, length: 19}
forces: [{body: a, force: [21, 22, 23], torque: [24, 25, 26], until: 27}]
loops: [{name: l, kind: distance, frames: [a, b], length: 31}]
)";
  const std::string shapes =
      "condyle: 1\nbodies:\n"
      "  - {name: f, static: true, shape: {heightfield: {extent: [41, 42], heights: [[43, 44], [45, 46]]}}}\n"
      "  - {name: m, static: true, shape: {mesh: {vertices: [[0, 0, 0], [51, 0, 0], [0, 1, 0], [0, 0, 1]], "
      "triangles: [[0, 2, 1], [1, 2, 3]], mesh_policy: hull}}}\n";
  const auto identity = [](const std::string& t) { return read(t).identity(); };
  int changes = 0;
  const auto differs = [&](const std::string& base, const std::string& from, const std::string& to) {
    const auto at = base.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    EXPECT_NE(identity(base), identity(std::string(base).replace(at, from.size(), to))) << from << " -> " << to;
    ++changes;
  };
  for (const char* number :
       {"0.11", "0.12", "0.13", "0.14", "0.15", "0.16", "17", "18", "19", "21", "22", "23", "24", "25", "26", "27", "31"})
    differs(text, number, "0.77");
  differs(text, "friction: mean", "friction: maximum");
  differs(text, "restitution: mean", "restitution: minimum");
  differs(text, "stiffness: minimum", "stiffness: maximum");
  differs(text, "between: [a, world]", "between: [b, world]");
  differs(text, "body: a, force", "body: b, force");
  for (const char* number : {"41", "42", "43", "44", "45", "46", "51"}) differs(shapes, number, "0.77");
  differs(shapes, "[1, 2, 3]", "[0, 1, 3]");
  differs(shapes, "mesh_policy: hull", "mesh_policy: bvh");
  differs(rig + "actuated: [rig/slide]\n", "actuated: [rig/slide]", "");
  EXPECT_EQ(changes, 32);
}

TEST(SceneLinks, TheBuilderRefusesWhatTheFileWould) {
  const auto code = [](const std::function<void(SceneBuilder&)>& act) {
    SceneBuilder build;
    BodySpec body;
    body.name = "a";
    body.inertial = {1, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
    build.add_body(body);
    try {
      act(build);
    } catch (const Error& e) {
      return e.code();
    }
    return std::string("accepted");
  };
  SpringSpec spring;
  spring.name = "s";
  spring.body_a = "a";
  spring.body_b = "world";
  EXPECT_EQ(code([&](SceneBuilder& b) { b.add_spring(spring); }), "accepted");
  EXPECT_EQ(code([&](SceneBuilder& b) { b.add_spring(spring).add_spring(spring); }), "duplicate-name");
  for (double SpringSpec::*field : {&SpringSpec::stiffness, &SpringSpec::damping, &SpringSpec::length})
    for (const double bad : {-1.0, std::nan(""), unlimited}) {
      SpringSpec wrong = spring;
      wrong.*field = bad;
      EXPECT_EQ(code([&](SceneBuilder& b) { b.add_spring(wrong); }), "bad-number") << bad;
    }
  ForceSpec force;
  force.body = "a";
  EXPECT_EQ(code([&](SceneBuilder& b) { b.add_force(force); }), "accepted");
  force.until = std::nan("");
  EXPECT_EQ(code([&](SceneBuilder& b) { b.add_force(force); }), "bad-number");
  force.until = 1;
  force.torque.x() = unlimited;
  EXPECT_EQ(code([&](SceneBuilder& b) { b.add_force(force); }), "bad-number");
  force = {};
  force.body = "world";
  EXPECT_EQ(code([&](SceneBuilder& b) { b.add_force(force); }), "bad-force");
  LoopSpec loop;
  loop.name = "l";
  loop.body_a = "a";
  loop.body_b = "world";
  loop.length = 1;
  EXPECT_EQ(code([&](SceneBuilder& b) { b.add_loop(loop); }), "bad-loop") << "a weld has no length";
  loop.kind = ClosureKind::distance;
  EXPECT_EQ(code([&](SceneBuilder& b) { b.add_loop(loop); }), "accepted");
  loop.length = std::nan("");
  EXPECT_EQ(code([&](SceneBuilder& b) { b.add_loop(loop); }), "bad-loop") << "both points are the same at the start";
  EXPECT_EQ(code([&](SceneBuilder& b) { b.add_actuated("a/b"); }), "unknown-joint");
}

struct BadCase {
  const char* what;
  std::string text;
  std::string code;
  int line;
  std::string element, says;
};

void PrintTo(const BadCase& bad, std::ostream* out) { *out << bad.what; }

class BadSceneLink : public testing::TestWithParam<BadCase> {};

TEST_P(BadSceneLink, IsRefusedAtItsLineAndElement) {
  const BadCase& bad = GetParam();
  const Error e = refusal(bad.text);
  EXPECT_EQ(e.code(), bad.code) << e.what();
  EXPECT_EQ(e.place().file, "folder/test.yaml") << e.what();
  EXPECT_EQ(e.place().line, bad.line) << e.what();
  EXPECT_EQ(e.place().element, bad.element) << e.what();
  EXPECT_NE(std::string(e.what()).find(bad.says), std::string::npos) << e.what();
}

std::string case_name(const testing::TestParamInfo<BadCase>& bad) {
  std::string name = bad.param.what;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

std::string spring(const std::string& fields) { return two + "springs:\n  - {" + fields + "}\n"; }
std::string surface(const std::string& shape) {
  return "condyle: 1\nbodies:\n  - {name: f, static: true, shape: {" + shape + "}}\n";
}
std::string solver(const std::string& fields) { return "condyle: 1\nsolver: {" + fields + "}\n"; }

INSTANTIATE_TEST_SUITE_P(
    Links, BadSceneLink,
    testing::Values(
        BadCase{"unknown rule", two + "pairs: {rules: {friction: harmonc}}\n", "unknown-word", 6, "pairs.rules.friction",
                "did you mean 'harmonic'"},
        BadCase{"rule of a wrong number", two + "pairs: {rules: {restitution: harmonic}}\n", "unknown-word", 6,
                "pairs.rules.restitution", "maximum, minimum, mean, product"},
        BadCase{"unknown key of the rules", two + "pairs: {rules: {dissipation: mean}}\n", "unknown-key", 6,
                "pairs.rules.dissipation", "friction, restitution, stiffness"},
        BadCase{"spring without stiffness", spring("name: s, between: [a, b], at: [[0, 0, 0], [0, 0, 0]], length: 1"),
                "missing-value", 7, "springs[0]", "'stiffness' is missing"},
        BadCase{"spring without length", spring("name: s, between: [a, b], at: [[0, 0, 0], [0, 0, 0]], stiffness: 1"),
                "missing-value", 7, "springs[0]", "'length' is missing"},
        BadCase{"spring with one end", spring("name: s, between: [a], at: [[0, 0, 0], [0, 0, 0]], stiffness: 1, length: 1"),
                "wrong-type", 7, "springs[0].between", "list of 2"},
        BadCase{"spring on one body",
                spring("name: s, between: [a, a], at: [[0, 0, 0], [0, 0, 0]], stiffness: 1, length: 1"), "bad-spring", 7,
                "springs[0].between", "both ends"},
        BadCase{"spring to nothing", spring("name: s, between: [a, c], at: [[0, 0, 0], [0, 0, 0]], stiffness: 1, length: 1"),
                "unknown-name", 7, "springs[0].between[1]", "'c'"},
        BadCase{"spring with a negative constant",
                spring("name: s, between: [a, b], at: [[0, 0, 0], [0, 0, 0]], stiffness: -1, length: 1"), "bad-number", 7,
                "springs[0].stiffness", "zero or greater"},
        BadCase{"spring with one point", spring("name: s, between: [a, b], at: [[0, 0, 0]], stiffness: 1, length: 1"),
                "wrong-type", 7, "springs[0].at", "list of 2"},
        BadCase{"spring with an unknown key",
                spring("name: s, between: [a, b], at: [[0, 0, 0], [0, 0, 0]], stiffness: 1, lenght: 1"), "unknown-key", 7,
                "springs[0].lenght", "did you mean 'length'"},
        BadCase{"two springs of one name",
                spring("name: s, between: [a, b], at: [[0, 0, 0], [0, 0, 0]], stiffness: 1, length: 1}\n  - {name: s, "
                       "between: [a, b], at: [[0, 0, 0], [0, 0, 0]], stiffness: 1, length: 1"),
                "duplicate-name", 8, "springs[1].name", "line 7"},
        BadCase{"empty force", two + "forces: [{body: a}]\n", "missing-value", 6, "forces[0]", "'torque'"},
        BadCase{"force on what cannot move", two + "forces: [{body: wall, force: [1, 0, 0]}]\n", "bad-force", 6, "forces[0]",
                "cannot move"},
        BadCase{"force that ends before the start", two + "forces: [{body: a, force: [1, 0, 0], until: -1}]\n", "bad-number",
                6, "forces[0].until", "zero or greater"},
        BadCase{"force of two numbers", two + "forces: [{body: a, force: [1, 0]}]\n", "wrong-type", 6, "forces[0].force",
                "list of 3"},
        BadCase{"length of a weld", two + "loops: [{name: l, kind: weld, frames: [a, b], length: 1}]\n", "unknown-key", 6,
                "loops[0].length", "only distance"},
        BadCase{"distance of zero", two + "loops: [{name: l, kind: distance, frames: [a, b], length: 0}]\n", "bad-number", 6,
                "loops[0].length", "spherical"},
        BadCase{"distance between equal points",
                two + "loops: [{name: l, kind: distance, frames: [a, {body: world, pose: "
                      "{xyz: [0, 0, 1]}}]}]\n",
                "bad-loop", 6, "loops[0]", "spherical"},
        BadCase{"distance at one place", two + "loops: [{name: l, kind: distance, between: [a, b], at: {frame: a}}]\n",
                "bad-loop", 6, "loops[0].between", "frames"},
        BadCase{"loop at two places",
                two + "loops: [{name: l, kind: weld, between: [a, b], at: {frame: a, xyz: [0, 0, 0]}}]\n", "missing-value",
                6, "loops[0].at", "one of"},
        BadCase{"loop frame that is turned",
                two + "loops: [{name: l, kind: weld, between: [a, b], at: {frame: a, rpy: [0, 0, "
                      "0]}}]\n",
                "unknown-key", 6, "loops[0].at.rpy", "belongs to 'xyz'"},
        BadCase{"motor of an unknown joint", rig + "actuated: [rig/slid]\n", "unknown-name", 16, "actuated[0]",
                "did you mean 'rig/slide'"},
        BadCase{"motor named twice", rig + "actuated: [rig/slide, rig/slide]\n", "duplicate-name", 16, "actuated[1]",
                "twice"}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Surfaces, BadSceneLink,
    testing::Values(
        BadCase{"height field of one row", surface("heightfield: {extent: [1, 1], heights: [[1, 2]]}"), "bad-shape", 3,
                "bodies[0].shape.heightfield.heights", "2 rows"},
        BadCase{"ragged height field", surface("heightfield: {extent: [1, 1], heights: [[1, 2], [1]]}"), "wrong-type", 3,
                "bodies[0].shape.heightfield.heights[1]", "list of 2"},
        BadCase{"height field without heights", surface("heightfield: {extent: [1, 1]}"), "missing-value", 3,
                "bodies[0].shape.heightfield", "'waves'"},
        BadCase{"height field without extent", surface("heightfield: {heights: [[1, 2], [1, 2]]}"), "missing-value", 3,
                "bodies[0].shape.heightfield", "'extent'"},
        BadCase{"height field of no width", surface("heightfield: {extent: [0, 1], heights: [[1, 2], [1, 2]]}"),
                "bad-number", 3, "bodies[0].shape.heightfield.extent[0]", "greater than zero"},
        BadCase{"waves of one sample",
                surface("heightfield: {extent: [1, 1], waves: {amplitude: 1, wavelength: 1, samples: 1}}"), "bad-number", 3,
                "bodies[0].shape.heightfield.waves.samples", "between 2"},
        BadCase{
            "height field that moves",
            "condyle: 1\nbodies:\n  - {name: f, mass: 1, inertia: [1, 1, 1], shape: {heightfield: {extent: [1, 1], heights: "
            "[[1, 2], [1, 2]]}}}\n",
            "bad-shape", 3, "bodies[0]", "static: true"},
        BadCase{"mesh of nothing", surface("mesh: {scale: 1}"), "missing-value", 3, "bodies[0].shape.mesh", "'file'"},
        BadCase{"mesh without triangles", surface("mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}"), "missing-value", 3,
                "bodies[0].shape.mesh", "'triangles'"},
        BadCase{"corner that is not there",
                surface("mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 3]]}"), "bad-number", 3,
                "bodies[0].shape.mesh.triangles[0][2]", "between 0 and 2"},
        BadCase{"corner used twice", surface("mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 1]]}"),
                "bad-shape", 3, "bodies[0].shape.mesh.triangles[0]", "twice"},
        BadCase{"mesh given twice", surface("mesh: {file: a.obj, vertices: [[0, 0, 0]]}"), "duplicate-key", 3,
                "bodies[0].shape.mesh.vertices", "keep one"},
        BadCase{"mesh file that is not there", surface("mesh: nothing.obj"), "mesh-missing", 3, "bodies[0].shape.mesh",
                "nothing.obj"}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    Laws, BadSceneLink,
    testing::Values(
        BadCase{"unknown law", solver("law: rigd"), "unknown-word", 2, "solver.law", "did you mean 'rigid'"},
        BadCase{"unknown correction", solver("correction: splt"), "unknown-word", 2, "solver.correction",
                "did you mean 'split'"},
        BadCase{"gain of zero", solver("gain: 0"), "bad-number", 2, "solver.gain", "at most 1"},
        BadCase{"gain above one", solver("gain: 1.5"), "bad-number", 2, "solver.gain", "at most 1"},
        BadCase{"negative slop", solver("slop: -1e-9"), "bad-number", 2, "solver.slop", "between 0"},
        BadCase{"speed of zero", solver("depenetration_speed: 0"), "bad-number", 2, "solver.depenetration_speed", "m/s"},
        BadCase{"negative threshold", solver("restitution_threshold: -1"), "bad-number", 2, "solver.restitution_threshold",
                "m/s"},
        BadCase{"negative slip", solver("sigma_slip: -1"), "bad-number", 2, "solver.sigma_slip", "between 0"},
        BadCase{"beta of zero", solver("near_rigid_beta: 0"), "bad-number", 2, "solver.near_rigid_beta", "1e-6"},
        BadCase{"impedance of one", solver("impedance_0: 1"), "bad-number", 2, "solver.impedance_0", "below 1"},
        BadCase{"impedance at width of zero", solver("impedance_width: 0"), "bad-number", 2, "solver.impedance_width",
                "below 1"},
        BadCase{"negative width", solver("width: -1"), "bad-number", 2, "solver.width", "between 0"},
        BadCase{"midpoint of one", solver("midpoint: 1"), "bad-number", 2, "solver.midpoint", "below 1"},
        BadCase{"power below one", solver("power: 0.5"), "bad-number", 2, "solver.power", "between 1"},
        BadCase{"time constant of zero", solver("time_constant: 0"), "bad-number", 2, "solver.time_constant", "1e-9"},
        BadCase{"damping ratio of zero", solver("damping_ratio: 0"), "bad-number", 2, "solver.damping_ratio", "1e-6"},
        BadCase{"unknown key of the solver", solver("gian: 1"), "unknown-key", 2, "solver.gian", "did you mean 'gain'"}),
    case_name);

}  // namespace
}  // namespace condyle
