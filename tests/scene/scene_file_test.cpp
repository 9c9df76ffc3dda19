#include "scene/scene_data.hpp"

#include <condyle/scene.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

namespace condyle {
namespace {

Scene read(const std::string& text) { return read_scene_text(text, "folder/test.yaml"); }

/// The error that reading must end in; the test fails if it does not.
Error refusal(const std::string& text) {
  try {
    read(text);
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "accepted:\n" << text.substr(0, 2000);
  return Error("none", {}, "");
}

const std::string cube = "condyle: 1\nbodies:\n  - {name: cube, shape: {box: [0.1, 0.2, 0.3]}, mass: 6}\n";

const std::string slider = R"(condyle: 1
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

TEST(SceneFile, ReadsEverySectionOfAFullScene) {
  const Scene scene = read(R"(condyle: 1
name: arm_on_table
gravity: [0, 0, -1.62]
time: {step: 0.002, end: 3, integrator: midpoint}
solver: {name: sap, tolerance: 1e-6, max_iterations: 50}
materials:
  wood: {friction: 0.6, restitution: 0.1}
  rubber: {friction: 0.9, stiffness: 1e5, dissipation_time: 0.01}
models:
  - name: arm
    file: condyle:robots/arm.urdf
    base: fixed
    pose: {xyz: [0, 0, 0.7], rpy: [0, 0, 1]}
    joints: {joint4: 1.2}
    joint_velocities: {joint2: -0.5}
    material: wood
    mesh_policy: bvh
    skip_meshes: true
    default_inertia: {mass: 0.1, radius: 0.02}
    package_path: [meshes]
bodies:
  - {name: floor, shape: {halfspace: {normal: [0, 0, 1], offset: -0.5}}, static: true, material: wood}
  - {name: cube, shape: {box: [0.1, 0.1, 0.1]}, mass: 0.5, velocity: {linear: [1, 0, 0], angular: [0, 2, 0]}}
loops:
  - {name: grip, kind: spherical, between: [arm/flange, cube], at: {frame: arm/flange}}
  - {name: tether, kind: distance, frames: [cube, {body: world, pose: {xyz: [0, 0, 2]}}]}
couplings:
  - {joint: arm/joint7, of: arm/joint6, polycoef: [0, -1]}
actuators:
  - {joint: arm/joint4, kind: pd, kp: 200, kd: 10, target: 0.5, effort: 150}
  - {joint: arm/joint1, kind: torque, value: 2}
joint_properties:
  - {joint: arm/joint5, stiffness: 3, reference: 0.25, damping: 0.5, armature: 0.01, friction: 0.2}
pairs:
  exclude: [[arm/base, floor]]
  materials: [{between: [wood, rubber], friction: 0.5}]
)");
  const SceneData& data = scene.data();
  EXPECT_EQ(scene.name(), "arm_on_table");
  EXPECT_EQ(scene.gravity().z(), -1.62);
  EXPECT_EQ(scene.defaults().dt, 0.002);
  EXPECT_EQ(scene.defaults().end, 3);
  EXPECT_EQ(scene.defaults().integrator, Integrator::midpoint);
  EXPECT_EQ(scene.defaults().solver, "sap");
  EXPECT_EQ(scene.defaults().tolerance, 1e-6);
  EXPECT_EQ(scene.defaults().max_iterations, 50);
  EXPECT_EQ(data.materials.at("rubber").stiffness, 1e5);
  EXPECT_EQ(data.materials.at("wood").restitution, 0.1);
  EXPECT_EQ(scene.nv(), 7 + 6);
  const State x = scene.initial_state();
  EXPECT_EQ(x.q[scene.q_index("arm/joint4")], 1.2);
  EXPECT_EQ(x.v[scene.v_index("arm/joint2")], -0.5);
  EXPECT_EQ(x.v.segment<6>(scene.v_index("cube")), (Eigen::Matrix<double, 6, 1>() << 1, 0, 0, 0, 2, 0).finished());
  ASSERT_EQ(data.closures.size(), 2u);
  EXPECT_EQ(data.closures[0].kind, ClosureKind::spherical);
  EXPECT_EQ(data.closures[1].frame_b.p.z(), 2);
  ASSERT_EQ(data.couplings.size(), 1u);
  ASSERT_EQ(data.actuators.size(), 2u);
  EXPECT_EQ(data.actuators[0].spec.kp, 200);
  EXPECT_EQ(data.actuators[1].spec.value, 2);
  const int v5 = scene.v_index("arm/joint5");
  EXPECT_EQ(data.trees[0].stiffness[v5], 3);
  EXPECT_EQ(data.trees[0].damping[v5], 0.5);
  EXPECT_EQ(data.trees[0].armature[v5], 0.01);
  EXPECT_EQ(data.trees[0].friction[v5], 0.2);
  EXPECT_EQ(data.trees[0].spring_reference[v5], 0.25);
  EXPECT_EQ(data.excluded_pairs.size(), 1u);
  EXPECT_EQ(data.pair_materials.size(), 1u);
}

TEST(SceneFile, LoopEndsMeetAtTheSharedFrameInTheStartPose) {
  const Scene scene = read(R"(condyle: 1
bodies:
  - {name: a, shape: {sphere: 0.1}, mass: 1, pose: {xyz: [1, 2, 3], rpy: [0.1, 0.2, 0.3]}}
  - {name: b, shape: {sphere: {radius: 0.1}}, mass: 1, pose: {xyz: [-1, 0, 1], quaternion: [0, 0, 1, 0]}}
loops:
  - {name: pose, kind: weld, between: [a, b], at: {pose: {xyz: [0.5, 0, 0], rpy: [0, 1, 0]}}}
  - {name: frame, kind: revolute, between: [a, world], at: {frame: b}}
)");
  const SceneData& data = scene.data();
  const Pose a = data.free_bodies[0].pose, b = data.free_bodies[1].pose;
  const auto difference = [](const Pose& x, const Pose& y) { return (x.R - y.R).norm() + (x.p - y.p).norm(); };
  EXPECT_LT(difference(a * data.closures[0].frame_a, b * data.closures[0].frame_b), 1e-14);
  EXPECT_LT((data.closures[0].frame_a.p - Eigen::Vector3d(0.5, 0, 0)).norm(), 1e-14) << "the pose is one in the first body";
  EXPECT_LT(difference(a * data.closures[1].frame_a, b), 1e-14);
  EXPECT_LT(difference(data.closures[1].frame_b, b), 1e-14);
}

TEST(SceneFile, TakesInertiaFromTheShapeUnlessItIsGiven) {
  const Scene box = read(cube);
  const Inertial& computed = box.data().free_bodies[0].inertial;
  EXPECT_NEAR(computed.inertia(0, 0), 6.0 / 12 * (0.04 + 0.09), 1e-15);
  EXPECT_NEAR(computed.inertia(2, 2), 6.0 / 12 * (0.01 + 0.04), 1e-15);

  const Scene given =
      read("condyle: 1\nbodies:\n  - {name: a, mass: 2, com: [0.1, 0, 0], inertia: {ixx: 1, iyy: 1, izz: 1.5, ixy: 0.1}}\n");
  EXPECT_EQ(given.data().free_bodies[0].inertial.inertia(1, 0), 0.1);
  EXPECT_EQ(given.data().free_bodies[0].inertial.com.x(), 0.1);

  const Scene dumbbell = read(
      "condyle: 1\nbodies:\n  - name: dumbbell\n    mass: 2\n    shapes:\n"
      "      - {sphere: 0.1, pose: {xyz: [1, 0, 0]}}\n      - {sphere: 0.1, pose: {xyz: [-1, 0, 0]}}\n");
  EXPECT_NEAR(dumbbell.data().free_bodies[0].inertial.inertia(2, 2), 2 * (0.4 * 0.01 + 1), 1e-14);
}

TEST(SceneFile, PlacesHalfSpacesByNormalAndOffset) {
  const Scene scene =
      read("condyle: 1\nbodies:\n  - {name: wall, static: true, shape: {halfspace: {normal: [2, 0, 0], offset: 0.5}}}\n");
  const Shape& shape = scene.data().shapes[0].shape;
  EXPECT_LT((shape.pose.R.col(2) - Eigen::Vector3d(1, 0, 0)).norm(), 1e-14);
  EXPECT_LT((shape.pose.p - Eigen::Vector3d(0.5, 0, 0)).norm(), 1e-14);
}

TEST(SceneFile, ReadsAMeshOnceForAllBodiesThatUseIt) {
  const std::filesystem::path folder = std::filesystem::path(CONDYLE_TEST_OUTPUT) / "mesh_scene";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tetrahedron.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::string file = (folder / "scene.yaml").string();
  const Scene scene = read_scene_text(R"(condyle: 1
bodies:
  - {name: a, static: true, shape: {mesh: {file: tetrahedron.obj, scale: 2, mesh_policy: bvh}}}
  - {name: b, mass: 1, inertia: [1, 1, 1], shape: {mesh: {file: tetrahedron.obj, scale: [1, 2, 3]}}}
)",
                                      file);
  const Shape &a = scene.data().shapes[0].shape, &b = scene.data().shapes[1].shape;
  ASSERT_TRUE(a.mesh);
  EXPECT_EQ(a.mesh, b.mesh);
  EXPECT_EQ(a.mesh->triangles.size(), 4u);
  EXPECT_EQ(a.size, Eigen::Vector3d(2, 2, 2));
  EXPECT_EQ(b.size, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(a.policy, MeshPolicy::bvh);
  EXPECT_EQ(b.policy, MeshPolicy::hull);
  EXPECT_EQ(scene.report().meshes.size(), 2u);

  const Error missing = refusal("condyle: 1\nbodies:\n  - {name: a, static: true, shape: {mesh: {file: nothing.obj}}}\n");
  EXPECT_EQ(missing.code(), "mesh-missing");
  EXPECT_EQ(missing.place().element, "bodies[0].shape.mesh.file");
}

TEST(SceneFile, TheExamplesThatAreShippedLoad) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CONDYLE_SOURCE_DIR "/models/scenes")) {
    if (entry.path().extension() != ".yaml") continue;
    const Scene scene = load_scene(entry.path().string());
    EXPECT_EQ(scene.name(), entry.path().stem().string());
    ++count;
  }
  EXPECT_GE(count, 1);
}

TEST(SceneFile, RetypesAJointToABallJoint) {
  std::string text = slider;
  EXPECT_EQ(read(text).nv(), 1);
  text.replace(text.find("prismatic"), 9, "revolute");
  EXPECT_EQ(read(text + "retype: [{joint: rig/slide, kind: spherical}]\n").nv(), 3);
  EXPECT_EQ(read(text + "retype: [{joint: rig/slide, kind: fixed}]\n").nv(), 0);
}

TEST(SceneFile, CopiesOfOneRobotShareItsModel) {
  const Scene scene = read(
      "condyle: 1\nmodels:\n  - {name: a, file: condyle:robots/quadruped.urdf, base: free}\n"
      "  - {name: b, file: condyle:robots/quadruped.urdf, base: free, pose: {xyz: [2, 0, 0]}}\n");
  EXPECT_EQ(scene.data().trees[0].model, scene.data().trees[1].model);
}

TEST(SceneFile, ReportsAssumedGravity) {
  const Scene scene = read(cube);
  EXPECT_EQ(scene.gravity().z(), -9.81);
  const auto& entries = scene.report().entries;
  EXPECT_TRUE(std::any_of(entries.begin(), entries.end(), [](const ReportEntry& e) {
    return e.outcome == Outcome::assumed && e.place.element == "gravity";
  }));
}

TEST(SceneFile, AnchorsAndAliasesRepeatAValue) {
  const Scene scene =
      read("condyle: 1\nbodies:\n  - {name: a, shape: &s {sphere: 0.1}, mass: 1}\n  - {name: b, shape: *s, mass: 1}\n");
  EXPECT_EQ(scene.data().shapes.size(), 2u);
}

struct BadCase {
  const char* what;
  std::string text;
  const char* code;
  int line;
  const char* element;  ///< exact
  const char* says;     ///< part of the message
};

void PrintTo(const BadCase& bad, std::ostream* out) { *out << bad.what; }

class BadSceneFile : public testing::TestWithParam<BadCase> {};

TEST_P(BadSceneFile, IsRefusedWithLineElementAndReason) {
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
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

std::string body(const std::string& fields) { return "condyle: 1\nbodies:\n  - {name: a, " + fields + "}\n"; }

INSTANTIATE_TEST_SUITE_P(
    Values, BadSceneFile,
    testing::Values(
        BadCase{"version missing", "name: x\n", "missing-value", 1, "", "condyle"},
        BadCase{"version 2", "condyle: 2\n", "bad-number", 1, "condyle", "between 1 and 1"},
        BadCase{"empty file", "", "wrong-type", 0, "", "map"},
        BadCase{"unknown key at the top", cube + "gravty: [0, 0, 0]\n", "unknown-key", 4, "gravty",
                "did you mean 'gravity'"},
        BadCase{"unknown key of a body", body("mas: 1, shape: {sphere: 1}"), "unknown-key", 3, "bodies[0].mas",
                "did you mean 'mass'"},
        BadCase{"no mass", body("shape: {sphere: 1}"), "missing-value", 3, "bodies[0]", "'mass' is missing"},
        BadCase{"negative mass", body("shape: {sphere: 1}, mass: -1"), "bad-number", 3, "bodies[0].mass",
                "greater than zero"},
        BadCase{"mass with unit", body("shape: {sphere: 1}, mass: 1 kg"), "bad-number", 3, "bodies[0].mass", "'1 kg'"},
        BadCase{"quoted mass", body("shape: {sphere: 1}, mass: '1'"), "bad-number", 3, "bodies[0].mass", "quotes"},
        BadCase{"NaN mass", body("shape: {sphere: 1}, mass: .nan"), "bad-number", 3, "bodies[0].mass", ".nan"},
        BadCase{"nan mass", body("shape: {sphere: 1}, mass: nan"), "bad-number", 3, "bodies[0].mass", "nan"},
        BadCase{"overflowing mass", body("shape: {sphere: 1}, mass: 1e400"), "bad-number", 3, "bodies[0].mass", "1e400"},
        BadCase{"mass is a list", body("shape: {sphere: 1}, mass: [1]"), "wrong-type", 3, "bodies[0].mass", "a list"},
        BadCase{"empty mass", body("shape: {sphere: 1}, mass: "), "wrong-type", 3, "bodies[0].mass", "nothing"},
        BadCase{"box of two numbers", body("shape: {box: [1, 1]}, mass: 1"), "wrong-type", 3, "bodies[0].shape.box",
                "list of 3"},
        BadCase{"two kinds of shape", body("shape: {sphere: 1, box: [1, 1, 1]}, mass: 1"), "missing-value", 3,
                "bodies[0].shape", "2 kinds"},
        BadCase{"no kind of shape", body("shape: {}, mass: 1"), "missing-value", 3, "bodies[0].shape", "no kind"},
        BadCase{"sphere of radius 0", body("shape: {sphere: 0}, mass: 1"), "bad-number", 3, "bodies[0].shape.sphere",
                "greater than zero"},
        BadCase{"moving half-space", body("shape: {halfspace: {normal: [0, 0, 1]}}, mass: 1"), "bad-shape", 3, "bodies[0]",
                "static: true"},
        BadCase{"normal of zero", body("static: true, shape: {plane: {normal: [0, 0, 0]}}"), "bad-number", 3,
                "bodies[0].shape.plane.normal", "direction"},
        BadCase{"static with mass", body("static: true, shape: {sphere: 1}, mass: 1"), "unknown-key", 3, "bodies[0].mass",
                "static"},
        BadCase{"static: yes", body("static: yes, shape: {sphere: 1}"), "wrong-type", 3, "bodies[0].static",
                "true or false"},
        BadCase{"impossible inertia", body("mass: 1, inertia: [1, 1, 3]"), "bad-inertial", 3, "bodies[0].inertia", ""},
        BadCase{"com without inertia", body("mass: 1, shape: {sphere: 1}, com: [0, 0, 1]"), "missing-value", 3,
                "bodies[0].com", "inertia"},
        BadCase{"neither shape nor inertia", body("mass: 1"), "missing-value", 3, "bodies[0]", "inertia"},
        BadCase{"quaternion not of unit length", body("mass: 1, shape: {sphere: 1}, pose: {quaternion: [1, 1, 0, 0]}"),
                "bad-number", 3, "bodies[0].pose.quaternion", "length 1.41421"},
        BadCase{"rotation twice", body("mass: 1, shape: {sphere: 1}, pose: {rpy: [0, 0, 0], quaternion: [0, 0, 0, 1]}"),
                "duplicate-key", 3, "bodies[0].pose.quaternion", "twice"},
        BadCase{"name with a slash", "condyle: 1\nbodies:\n  - {name: a/b, mass: 1, shape: {sphere: 1}}\n", "bad-name", 3,
                "bodies[0].name", "'/'"},
        BadCase{"body called world", "condyle: 1\nbodies:\n  - {name: world, mass: 1, shape: {sphere: 1}}\n", "bad-name", 3,
                "bodies[0].name", "world"},
        BadCase{"name used twice", cube + "  - {name: cube, shape: {sphere: 1}, mass: 1}\n", "duplicate-name", 4,
                "bodies[1].name", "line 3"},
        BadCase{"key used twice", body("mass: 1, mass: 2"), "duplicate-key", 3, "mass", "twice"},
        BadCase{"unknown material",
                "condyle: 1\nmaterials:\n  wood: {friction: 1}\nbodies:\n  - {name: a, shape: {sphere: 1}, mass: 1, "
                "material: wod}\n",
                "unknown-name", 5, "bodies[0].material", "did you mean 'wood'"},
        BadCase{"material without friction", "condyle: 1\nmaterials:\n  wood: {restitution: 1}\n", "missing-value", 3,
                "materials.wood", "friction"},
        BadCase{"restitution above 1", "condyle: 1\nmaterials:\n  wood: {friction: 1, restitution: 1.1}\n", "bad-number", 3,
                "materials.wood.restitution", "between 0 and 1"},
        BadCase{"negative step", "condyle: 1\ntime: {step: -0.1}\n", "bad-number", 2, "time.step", "between"},
        BadCase{"unknown solver", "condyle: 1\nsolver: {name: adm}\n", "unknown-word", 2, "solver.name",
                "did you mean 'admm'"},
        BadCase{"half an iteration", "condyle: 1\nsolver: {max_iterations: 2.5}\n", "bad-number", 2, "solver.max_iterations",
                "whole number"},
        BadCase{"malformed YAML", "condyle: 1\nbodies: [\n", "yaml-malformed", 3, "", ""},
        BadCase{"two documents", "condyle: 1\n---\ncondyle: 1\n", "yaml-malformed", 2, "", "second document"},
        BadCase{"alias cycle", "condyle: 1\nbodies: &a [*a]\n", "yaml-malformed", 2, "", "alias"},
        BadCase{"key that is a list", "condyle: 1\n? [a, b]\n: 3\n", "yaml-malformed", 2, "", "key"}),
    case_name);

INSTANTIATE_TEST_SUITE_P(
    References, BadSceneFile,
    testing::Values(
        BadCase{"model without file", "condyle: 1\nmodels:\n  - {name: a}\n", "missing-value", 3, "models[0]", "file"},
        BadCase{"missing robot file", "condyle: 1\nmodels:\n  - {name: a, file: nothing.urdf}\n", "no-file", 3,
                "models[0].file", "folder/nothing.urdf"},
        BadCase{"unknown base", "condyle: 1\nmodels:\n  - {name: a, file: condyle:robots/arm.urdf, base: fxed}\n",
                "unknown-word", 3, "models[0].base", "did you mean 'fixed'"},
        BadCase{"unknown start joint",
                "condyle: 1\nmodels:\n  - {name: a, file: condyle:robots/arm.urdf, joints: {jont1: 1}}\n", "unknown-name", 3,
                "models[0].joints.jont1", "did you mean 'joint1'"},
        BadCase{"velocity of a fixed base",
                "condyle: 1\nmodels:\n  - {name: a, file: condyle:robots/arm.urdf, base: fixed, velocity: {linear: [1, 0, "
                "0]}}\n",
                "unknown-key", 3, "models[0].velocity", "fixed base"},
        BadCase{"mistake inside inline_urdf",
                "condyle: 1\nmodels:\n  - name: a\n    inline_urdf: |\n      <robot name='a'>\n        <link name='b'/>\n   "
                "     <link name='b'/>\n      </robot>\n",
                "duplicate-name", 7, "<link b>", ""},
        BadCase{"unknown body in a loop", cube + "loops: [{name: l, kind: weld, frames: [cub, world]}]\n", "unknown-name", 4,
                "loops[0].frames[0]", "did you mean 'cube'"},
        BadCase{"unknown loop kind", cube + "loops: [{name: l, kind: wield, frames: [cube, world]}]\n", "unknown-word", 4,
                "loops[0].kind", "did you mean 'weld'"},
        BadCase{"loop without place", cube + "loops: [{name: l, kind: weld, between: [cube, world]}]\n", "missing-value", 4,
                "loops[0]", "'at'"},
        BadCase{"loop on one body", cube + "loops: [{name: l, kind: weld, frames: [cube, cube]}]\n", "bad-loop", 4,
                "loops[0]", "both ends"},
        BadCase{"joint without its model", slider + "actuators: [{joint: slide, kind: torque, value: 1}]\n", "unknown-name",
                16, "actuators[0].joint", "no moving joint"},
        BadCase{"unknown joint", slider + "actuators: [{joint: rig/slid, kind: torque, value: 1}]\n", "unknown-name", 16,
                "actuators[0].joint", "did you mean 'rig/slide'"},
        BadCase{"actuator of another kind", slider + "actuators: [{joint: rig/slide, kind: tork, value: 1}]\n",
                "unknown-word", 16, "actuators[0].kind", "torque"},
        BadCase{"torque with gains", slider + "actuators: [{joint: rig/slide, kind: torque, value: 1, kp: 1}]\n",
                "unknown-key", 16, "actuators[0].kp", "kp"},
        BadCase{"negative stiffness", slider + "joint_properties: [{joint: rig/slide, stiffness: -1}]\n", "bad-number", 16,
                "joint_properties[0].stiffness", "zero or greater"},
        BadCase{"joint coupled to itself", slider + "couplings: [{joint: rig/slide, of: rig/slide, polycoef: [0, 1]}]\n",
                "bad-coupling", 16, "couplings[0].of", "itself"},
        BadCase{"retyped joint that is not there", slider + "retype: [{joint: rig/slid, kind: fixed}]\n", "unknown-name", 16,
                "retype[0].joint", "did you mean 'rig/slide'"},
        BadCase{"unknown excluded body", cube + "pairs: {exclude: [[cube, flor]]}\n", "unknown-name", 4,
                "pairs.exclude[0][1]", "'flor'"}),
    case_name);

TEST(SceneFile, RefusesHostileTextQuickly) {
  std::string bomb = "condyle: 1\nname: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "k" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int k = 0; k < 9; ++k) bomb += ", " + last;
    bomb += "]\n";
  }
  std::string long_alias = "condyle: 1\na: &x '" + std::string(1'000'000, 'x') + "'\nb: [";
  for (int i = 0; i < 100'000; ++i) long_alias += "*x, ";
  std::string many_keys = "condyle: 1\nmaterials:\n";
  for (int i = 0; i < 100'000; ++i) many_keys += "  m" + std::to_string(i) + ": {friction: 1}\n";
  const std::string texts[] = {bomb,
                               long_alias + "]\n",
                               many_keys + "x: 1\n",
                               std::string(100'000, '['),
                               std::string(100'000, '{'),
                               "condyle: 1\nname: " + std::string(100'000, '[') + "\n",
                               "- " + std::string(200'000, '-'),
                               std::string(5 << 20, ' '),
                               "? " + std::string(100'000, '?'),
                               std::string(1'000'000, '\0')};
  for (const std::string& text : texts) {
    const std::clock_t begin = std::clock();  // of the process: other programs may be busy
    refusal(text);
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 2.0)
        << "text that begins with " << text.substr(0, 60);
  }
}

TEST(SceneFile, AModelCanLeaveItsLimitsOut) {
  const std::string text = R"(condyle: 1
models:
  - name: a
    base: fixed
    limits: $
    inline_urdf: |
      <robot name="r"><link name="w"/><link name="l"><inertial><mass value="1"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
        <joint name="j" type="revolute"><parent link="w"/><child link="l"/><axis xyz="0 0 1"/>
          <limit lower="-1" upper="2" effort="3" velocity="4"/></joint></robot>
)";
  const auto upper = [&](const std::string& limits) {
    std::string filled = text;
    filled.replace(filled.find('$'), 1, limits);
    return read_scene_text(filled, "scene.yaml").data().trees[0].model->joints[0].upper;
  };
  EXPECT_EQ(upper("true"), 2);
  EXPECT_EQ(upper("false"), unlimited);
}

}  // namespace
}  // namespace condyle
