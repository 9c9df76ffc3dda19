// Links, inertias and shapes of URDF, construct by construct.
#include "scene/urdf_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace condyle {
namespace {

using namespace test;

std::string inertial(const std::string& inside) { return one_link("<inertial>" + inside + "</inertial>"); }
std::string collision(const std::string& geometry) {
  return one_link("<collision><geometry>" + geometry + "</geometry></collision>");
}

TEST(UrdfLinks, InertiaIsTurnedIntoTheAxesOfTheLink) {
  const ModelDescription model =
      read(inertial("<origin xyz=\"1 2 3\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>"
                    "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"2\" iyz=\"0\" izz=\"2.5\"/>"));
  const Inertial& body = model.links[0].inertial;
  EXPECT_EQ(body.mass, 2);
  EXPECT_EQ(body.com, Eigen::Vector3d(1, 2, 3));
  EXPECT_TRUE(body.inertia.isApprox(Eigen::Vector3d(2, 1, 2.5).asDiagonal().toDenseMatrix(), 1e-12)) << body.inertia;
}

TEST(UrdfLinks, AnInertialMustBeWholeAndItsMassNotNegative) {
  EXPECT_EQ(refusal_code(inertial("<mass value=\"-1\"/>" + unit_inertia)), "bad-inertial");
  EXPECT_EQ(refusal_code(inertial("<mass/>" + unit_inertia)), "bad-inertial");
  EXPECT_EQ(refusal_code(inertial(unit_inertia)), "bad-inertial");
  EXPECT_EQ(refusal_code(inertial("<mass value=\"1\"/>")), "bad-inertial");
  EXPECT_EQ(refusal_code(inertial("<mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\"/>")),
            "bad-inertial");
  EXPECT_EQ(refusal_code(inertial("<mass value=\"nan\"/>" + unit_inertia)), "bad-number");
}

TEST(UrdfLinks, MasslessLinksLoadAsFramesAndAreReported) {
  EXPECT_TRUE(entry(read(one_link("")).report, "default-taken", "<inertial>"));
  EXPECT_TRUE(entry(read(inertial("<mass value=\"0\"/>" + unit_inertia)).report, "massless-link"));
}

TEST(UrdfLinks, DefaultInertiaFillsLinksWithoutInertialAsSolidSpheres) {
  ReadOptions options;
  options.default_inertia = ReadOptions::DefaultInertia{2, 0.1};
  const ModelDescription model = read(one_link(""), options);
  EXPECT_EQ(model.total_mass(), 2);
  EXPECT_NEAR(model.links[0].inertial.inertia(1, 1), 0.4 * 2 * 0.01, 1e-15);
  ASSERT_TRUE(entry(model.report, "default-inertia"));
  EXPECT_EQ(entry(model.report, "default-inertia")->outcome, Outcome::assumed);
}

TEST(UrdfLinks, UnphysicalInertiaIsJudgedOnTheWeldedBodyAndReportedWithItsMoments) {
  const auto link = [](const std::string& name, const std::string& m, const std::string& moments) {
    return "<link name=\"" + name + "\"><inertial><mass value=\"" + m + "\"/><inertia " + moments + "/></inertial></link>";
  };
  const std::string thin = "ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"3\"";
  const std::string sound = "ixx=\"9\" ixy=\"0\" ixz=\"0\" iyy=\"9\" iyz=\"0\" izz=\"9\"";
  const std::string weld = "<joint name=\"w\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>";
  const std::string hinge = "<joint name=\"w\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint>";
  EXPECT_FALSE(entry(read(robot(link("a", "1", sound) + link("b", "1", thin) + weld)).report, "unphysical-inertia"));
  const ModelDescription apart = read(robot(link("a", "1", sound) + link("b", "1", thin) + hinge));
  const ReportEntry* said = entry(apart.report, "unphysical-inertia", "body b: triangle inequality");
  ASSERT_TRUE(said) << all_entries(apart.report);
  EXPECT_NE(said->reason.find("1, 1, 3"), std::string::npos) << said->reason;
  const std::string negative = "ixx=\"-1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"";
  EXPECT_TRUE(entry(read(robot(link("a", "1", negative))).report, "unphysical-inertia", "body a: negative"));
  EXPECT_TRUE(entry(read(robot(link("a", "0", sound))).report, "unphysical-inertia", "inertia without mass"));
}

TEST(UrdfLinks, ShapesCarryTheirSizesAndPoses) {
  const ModelDescription model =
      read(one_link("<collision><origin xyz=\"1 0 0\"/><geometry><box size=\"1 2 3\"/></geometry></collision>"
                    "<collision><geometry><cylinder radius=\"0.5\" length=\"2\"/></geometry></collision>"
                    "<collision name=\"ball\"><geometry><sphere radius=\"0\"/></geometry></collision>"));
  ASSERT_EQ(model.shapes.size(), 3u);
  EXPECT_EQ(model.shapes[0].shape.size, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(model.shapes[0].shape.pose.p, Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(model.shapes[1].shape.kind, ShapeKind::cylinder);
  EXPECT_EQ(model.shapes[1].shape.size, Eigen::Vector3d(0.5, 2, 0));
  EXPECT_EQ(model.shapes[2].name, "ball");
  EXPECT_TRUE(entry(model.report, "point-sphere"));
}

TEST(UrdfLinks, BadCollisionShapesAreRefused) {
  EXPECT_EQ(refusal_code(collision("<box size=\"1 -1 1\"/>")), "bad-geometry");
  EXPECT_EQ(refusal_code(collision("<box/>")), "bad-geometry");
  EXPECT_EQ(refusal_code(collision("<sphere radius=\"-1\"/>")), "bad-geometry");
  EXPECT_EQ(refusal_code(collision("<cylinder radius=\"1\"/>")), "bad-geometry");
  EXPECT_EQ(refusal_code(collision("<cylinder radius=\"1\" length=\"0\"/>")), "bad-geometry");
  EXPECT_EQ(refusal_code(collision("<mesh filename=\"x.stl\" scale=\"1 0 1\"/>")), "bad-geometry");
  EXPECT_EQ(refusal_code(collision("<mesh/>")), "bad-geometry");
  EXPECT_EQ(refusal_code(collision("<torus radius=\"1\"/>")), "unknown-geometry");
  EXPECT_EQ(refusal_code(collision("")), "unknown-geometry");
  EXPECT_EQ(refusal_code(collision("<box size=\"1 1 x\"/>")), "bad-number");
  EXPECT_EQ(refusal_code(collision("<mesh filename=\"absent.stl\"/>")), "mesh-missing");
}

TEST(UrdfLinks, ABadVisualIsLeftOutReportedAndCostsNothingElse) {
  const ModelDescription model =
      read(one_link("<visual><geometry><torus/></geometry></visual>"
                    "<visual><geometry><sphere radius=\"1\"/></geometry></visual>"
                    "<visual><geometry><mesh filename=\"absent.stl\"/></geometry></visual>"
                    "<collision><geometry><sphere radius=\"1\"/></geometry></collision>"));
  EXPECT_EQ(model.shapes.size(), 3u);
  EXPECT_TRUE(entry(model.report, "unknown-geometry", "left out"));
  EXPECT_TRUE(entry(model.report, "mesh-missing", "cannot be drawn"));
  EXPECT_TRUE(entry(model.report, "urdfdom-differs", "number of collision shapes 1 here and 0 there"))
      << all_entries(model.report);
}

TEST(UrdfLinks, CapsulesApplyInEveryVersionAndTheReportNamesTheVersion) {
  const std::string shape = "<collision><geometry><capsule radius=\"1\" length=\"2\"/></geometry></collision>";
  const ModelDescription old = read(one_link(shape));
  ASSERT_EQ(old.shapes.size(), 1u);
  EXPECT_EQ(old.shapes[0].shape.kind, ShapeKind::capsule);
  EXPECT_TRUE(entry(old.report, "capsule-version", "1.0"));
  EXPECT_TRUE(entry(old.report, "urdfdom-differs", "capsule"));
  const ModelDescription young = read(one_link(shape, "version=\"1.1\""));
  EXPECT_FALSE(entry(young.report, "capsule-version"));
  EXPECT_FALSE(entry(young.report, "urdfdom-differs")) << all_entries(young.report);
}

TEST(UrdfLinks, QuaternionsApplyInEveryVersion) {
  const std::string turned = "<origin quat_xyzw=\"0 0 2 2\"/>";
  const ModelDescription model = read(one_joint("fixed", turned));
  EXPECT_NEAR(model.joints[0].origin.R(1, 0), 1, 1e-12);
  EXPECT_TRUE(entry(model.report, "quaternion-version"));
  EXPECT_TRUE(entry(model.report, "normalized"));
  EXPECT_TRUE(entry(model.report, "urdfdom-differs", "loses the rotation")) << all_entries(model.report);
  EXPECT_FALSE(entry(read(one_joint("fixed", turned, "version=\"1.1\"")).report, "urdfdom-differs"));
  EXPECT_EQ(refusal_code(one_joint("fixed", "<origin quat_xyzw=\"0 0 0 0\"/>")), "bad-number");
}

TEST(UrdfLinks, MaterialsGiveColoursByNameFromAnywhereInTheFile) {
  const std::string shape = "<geometry><sphere radius=\"1\"/></geometry>";
  const ModelDescription model = read(robot("<link name=\"a\"><visual>" + shape +
                                            "<material name=\"red\"/></visual>"
                                            "<visual>" +
                                            shape +
                                            "<material name=\"own\"><color rgba=\"0 0 1 1\"/></material></visual>"
                                            "<visual>" +
                                            shape +
                                            "<material name=\"rde\"/></visual></link>"
                                            "<material name=\"red\"><color rgba=\"1 0 0 0.5\"/></material>"));
  EXPECT_EQ(model.shapes[0].rgba, Eigen::Vector4d(1, 0, 0, 0.5));
  EXPECT_EQ(model.shapes[0].material, "red");
  EXPECT_EQ(model.shapes[1].rgba, Eigen::Vector4d(0, 0, 1, 1));
  EXPECT_TRUE(entry(model.report, "unknown-material", "did you mean 'red'?")) << all_entries(model.report);
}

TEST(UrdfLinks, NamesAreNeededAndUnique) {
  EXPECT_EQ(refusal_code(robot("<link/>")), "no-name");
  EXPECT_EQ(refusal_code(robot("<link name=\"a\"/><link name=\"a\"/>")), "duplicate-name");
  EXPECT_EQ(refusal_code("<robot><link name=\"a\"/></robot>"), "no-name");
  EXPECT_EQ(refusal_code(robot("")), "no-links");
  EXPECT_EQ(refusal_code("<robots name=\"r\"><link name=\"a\"/></robots>"), "no-robot");
}

TEST(UrdfLinks, KnownVersionsLoadAndOthersAreRefused) {
  for (const char* version : {"1.0", "1.1", "1.2"})
    EXPECT_EQ(refusal_code(one_link("", "version=\"" + std::string(version) + "\"")), "loads");
  EXPECT_TRUE(entry(read(one_link("", "version=\"1\"")).report, "urdfdom-differs", "version"));
  for (const char* version : {"2.0", "1.3", "", "one"})
    EXPECT_EQ(refusal_code(one_link("", "version=\"" + std::string(version) + "\"")), "bad-version") << version;
}

}  // namespace
}  // namespace condyle
