// Joints, limits, mimics and the tree of URDF, construct by construct.
#include "scene/urdf_text.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

using namespace test;

std::string links(const std::string& names) {
  std::string out;
  for (char name : names) out += std::string("<link name=\"") + name + "\"/>";
  return out;
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& inside = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + inside + "</joint>\n";
}

TEST(UrdfJoints, LimitsDampingAndFrictionAreRead) {
  const ModelDescription model =
      read(one_joint("revolute", "<axis xyz=\"0 0 1\"/>" + limit + "<dynamics damping=\"5\" friction=\"6\"/>"));
  const JointSpec& j = model.joints[0];
  EXPECT_EQ(j.kind, JointKind::revolute);
  EXPECT_EQ(j.axis, Eigen::Vector3d::UnitZ());
  EXPECT_EQ(j.lower, -1);
  EXPECT_EQ(j.upper, 2);
  EXPECT_EQ(j.effort, 3);
  EXPECT_EQ(j.velocity, 4);
  EXPECT_EQ(j.damping, 5);
  EXPECT_EQ(j.friction, 6);
  EXPECT_EQ(j.place.line, 4);
  EXPECT_EQ(j.place.element, "<joint j>");
}

TEST(UrdfJoints, RevoluteAndPrismaticJointsNeedWholeLimits) {
  EXPECT_EQ(refusal_code(one_joint("revolute", "")), "missing-limit");
  EXPECT_EQ(refusal_code(one_joint("prismatic", "<limit lower=\"0\" upper=\"1\" effort=\"1\"/>")), "missing-limit");
  EXPECT_EQ(refusal_code(one_joint("revolute", "<limit lower=\"2\" upper=\"1\" effort=\"1\" velocity=\"1\"/>")),
            "bad-limit");
  EXPECT_EQ(refusal_code(one_joint("revolute", "<limit lower=\"nan\" upper=\"1\" effort=\"1\" velocity=\"1\"/>")),
            "bad-number");
  EXPECT_NE(refusal(one_joint("revolute", ""))->cure().find("continuous"), std::string::npos);
}

TEST(UrdfJoints, UnusualLimitsLoadAndAreReported) {
  const ModelDescription locked = read(one_joint("revolute", "<limit effort=\"1\" velocity=\"1\"/>"));
  EXPECT_TRUE(entry(locked.report, "locked", "locked at 0"));
  EXPECT_TRUE(entry(locked.report, "default-taken", "no lower"));
  const ModelDescription negative =
      read(one_joint("revolute", "<limit lower=\"0\" upper=\"1\" effort=\"-1\" velocity=\"-2\"/>"));
  EXPECT_EQ(negative.joints[0].effort, unlimited);
  EXPECT_EQ(negative.joints[0].velocity, unlimited);
  EXPECT_TRUE(entry(negative.report, "negative-limit", "effort"));
  EXPECT_TRUE(entry(negative.report, "negative-limit", "velocity"));
  const ModelDescription turning = read(one_joint("continuous", limit));
  EXPECT_EQ(turning.joints[0].lower, -unlimited);
  EXPECT_EQ(turning.joints[0].effort, 3);
  EXPECT_TRUE(entry(turning.report, "continuous-limits"));
  const ModelDescription endless =
      read(one_joint("prismatic", "<limit lower=\"-inf\" upper=\"inf\" effort=\"inf\" velocity=\"1\"/>"));
  EXPECT_EQ(endless.joints[0].upper, unlimited);
  EXPECT_TRUE(entry(endless.report, "urdfdom-differs")) << all_entries(endless.report);
}

TEST(UrdfJoints, ZeroOutsideTheLimitsIsReported) {
  const ModelDescription model =
      read(one_joint("revolute", "<limit lower=\"0.5\" upper=\"1\" effort=\"1\" velocity=\"1\"/>"));
  EXPECT_EQ(model.joints[0].initial, 0);
  EXPECT_TRUE(entry(model.report, "pose-outside-limits", "[0.5, 1]"));
}

TEST(UrdfJoints, TheAxisIsXByDefaultNormalizedAndNeverZero) {
  EXPECT_EQ(read(one_joint("continuous", "")).joints[0].axis, Eigen::Vector3d::UnitX());
  const ModelDescription long_axis = read(one_joint("continuous", "<axis xyz=\"0 3 4\"/>"));
  EXPECT_TRUE(long_axis.joints[0].axis.isApprox(Eigen::Vector3d(0, 0.6, 0.8)));
  EXPECT_TRUE(entry(long_axis.report, "normalized", "length 5"));
  EXPECT_EQ(refusal_code(one_joint("continuous", "<axis xyz=\"0 0 0\"/>")), "bad-joint");
  EXPECT_EQ(refusal_code(one_joint("fixed", "<axis xyz=\"0 0 0\"/>")), "loads");
}

TEST(UrdfJoints, PlanarAndFloatingJointsKeepTheirKind) {
  const ModelDescription plane = read(one_joint("planar", "<axis xyz=\"0 1 0\"/>"));
  EXPECT_EQ(plane.joints[0].axis, Eigen::Vector3d::UnitY());
  EXPECT_EQ(plane.nq(), 4);
  EXPECT_EQ(plane.nv(), 3);
  EXPECT_EQ(read(one_joint("floating", "")).nq(), 7);
}

TEST(UrdfJoints, UnknownTypesNameTheNearest) {
  const auto error = refusal(one_joint("revolut", limit));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), "unknown-joint-type");
  EXPECT_NE(error->reason().find("'revolute'"), std::string::npos) << error->what();
  EXPECT_EQ(refusal_code(one_joint("spherical", "")), "unknown-joint-type");
}

TEST(UrdfJoints, AMimicJointIsAJointOfItsOwnWithOneCoupling) {
  const ModelDescription model =
      read(robot(links("abc") + joint("x", "continuous", "a", "b") +
                 joint("y", "continuous", "b", "c", "<mimic joint=\"x\" multiplier=\"2\" offset=\"0.5\"/>")));
  EXPECT_EQ(model.nv(), 2);
  ASSERT_EQ(model.couplings.size(), 1u);
  EXPECT_EQ(model.couplings[0].joint, "y");
  EXPECT_EQ(model.couplings[0].of, "x");
  EXPECT_EQ(model.couplings[0].polynomial, (std::vector<double>{0.5, 2}));
  ASSERT_TRUE(entry(model.report, "mimic"));
  EXPECT_EQ(entry(model.report, "mimic")->outcome, Outcome::applied);
}

TEST(UrdfJoints, MimicChainsEndAtTheLastMasterAndMayComeInAnyOrder) {
  const ModelDescription model =
      read(robot(links("abcd") + joint("z", "continuous", "c", "d", "<mimic joint=\"y\" multiplier=\"3\" offset=\"1\"/>") +
                 joint("y", "continuous", "b", "c", "<mimic joint=\"x\" multiplier=\"2\" offset=\"0.5\"/>") +
                 joint("x", "continuous", "a", "b")));
  ASSERT_EQ(model.couplings.size(), 2u);
  EXPECT_EQ(model.couplings[0].of, "x");
  EXPECT_EQ(model.couplings[0].polynomial, (std::vector<double>{2.5, 6}));
}

TEST(UrdfJoints, MimicsThatMeanNothingAreRefusedOrReported) {
  const std::string follow = "<mimic joint=\"j\"/>";
  EXPECT_EQ(refusal_code(one_joint("continuous", follow)), "bad-joint");
  EXPECT_EQ(refusal_code(one_joint("continuous", "<mimic/>")), "bad-joint");
  EXPECT_EQ(refusal_code(one_joint("continuous", "<mimic joint=\"k\"/>")), "unknown-joint");
  EXPECT_EQ(refusal_code(one_joint("floating", follow)), "bad-joint");
  EXPECT_TRUE(entry(read(one_joint("fixed", "<mimic joint=\"k\"/>")).report, "no-effect", "mimic"));
  ReadOptions options;
  options.skip_unknown_names = true;
  const ModelDescription alone = read(one_joint("continuous", "<mimic joint=\"k\"/>"), options);
  EXPECT_TRUE(alone.couplings.empty());
  EXPECT_TRUE(entry(alone.report, "unknown-joint"));
}

TEST(UrdfJoints, ElementsWithoutEffectAreReported) {
  const ModelDescription model = read(one_joint("continuous",
                                                "<safety_controller k_velocity=\"1\"/><calibration rising=\"0\"/>"
                                                "<limit effort=\"1\" velocity=\"1\" jerk=\"3\"/><dynamics D=\"1\"/>"));
  EXPECT_TRUE(entry(model.report, "no-effect", "<safety_controller>"));
  EXPECT_TRUE(entry(model.report, "no-effect", "<calibration>"));
  EXPECT_TRUE(entry(model.report, "no-effect", "jerk"));
  EXPECT_TRUE(entry(model.report, "unknown-attribute", "attribute D"));
  EXPECT_TRUE(entry(model.report, "urdfdom-differs")) << all_entries(model.report);
}

TEST(UrdfTree, JointsAreOrderedDepthFirstByTheirNames) {
  const ModelDescription model = read(robot(links("rabc") + joint("z", "continuous", "r", "a") +
                                            joint("m", "continuous", "r", "b") + joint("n", "fixed", "b", "c")));
  ASSERT_EQ(model.joints.size(), 3u);
  EXPECT_EQ(model.joints[0].name, "m");
  EXPECT_EQ(model.joints[1].name, "n");
  EXPECT_EQ(model.joints[2].name, "z");
  EXPECT_EQ(model.links[0].name, "r");
  EXPECT_EQ(model.links[1].name, "b");
  EXPECT_EQ(model.links[3].name, "a");
  for (const JointSpec& j : model.joints) EXPECT_LT(j.parent, j.child);
}

TEST(UrdfTree, WhatIsNoTreeIsRefusedByName) {
  EXPECT_EQ(refusal_code(robot(links("ab"))), "multiple-roots");
  EXPECT_EQ(refusal_code(robot(links("abc") + joint("x", "fixed", "a", "c") + joint("y", "fixed", "b", "c"))),
            "two-parents");
  EXPECT_EQ(refusal_code(robot(links("abc") + joint("x", "fixed", "b", "c") + joint("y", "fixed", "c", "b"))), "cycle");
  EXPECT_EQ(refusal_code(robot(links("a") + joint("x", "fixed", "a", "a"))), "cycle");
  EXPECT_EQ(refusal_code(robot(links("ab") + joint("x", "fixed", "a", "b") + joint("x", "fixed", "a", "b"))),
            "duplicate-name");
  EXPECT_EQ(refusal_code(robot(links("ab") + "<joint name=\"x\" type=\"fixed\"><parent link=\"a\"/></joint>")), "bad-joint");
  const auto error = refusal(robot("<link name=\"base\"/><link name=\"arm\"/>" + joint("x", "fixed", "bsae", "arm")));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), "unknown-link");
  EXPECT_NE(error->reason().find("did you mean 'base'?"), std::string::npos) << error->what();
}

TEST(UrdfTree, TransmissionsNameTheActuatedJoints) {
  const ModelDescription model =
      read(robot(links("ab") + joint("x", "continuous", "a", "b") +
                 "<transmission name=\"t\"><joint name=\"x\"/></transmission>"
                 "<transmission name=\"u\"><joint name=\"xx\"/></transmission><sensor name=\"s\"/>"));
  EXPECT_EQ(model.actuated_joints, std::vector<std::string>{"x"});
  EXPECT_TRUE(entry(model.report, "unknown-joint", "'xx'"));
  EXPECT_TRUE(entry(model.report, "not-simulated", "<transmission>"));
  EXPECT_TRUE(entry(model.report, "not-simulated", "<sensor>"));
}

TEST(UrdfTree, StrictRefusesTheFirstIgnoredElementAndCountsThem) {
  ReadOptions options;
  options.strict = true;
  EXPECT_EQ(refusal_code(one_joint("continuous", ""), options), "loads");
  const auto error = refusal(one_joint("continuous", "<contact/><contact/>"), options);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), "strict");
  EXPECT_NE(error->reason().find("<contact>"), std::string::npos) << error->what();
  EXPECT_NE(error->reason().find("first of 2"), std::string::npos) << error->what();
}

TEST(UrdfTree, ARefusalLeavesItsReasonInThePartialReport) {
  LoadReport partial;
  EXPECT_THROW(read_urdf_text(robot("<link name=\"a\"><contact/></link><link name=\"a\"/>"), nowhere, {}, &partial), Error);
  ASSERT_FALSE(partial.entries.empty());
  EXPECT_TRUE(entry(partial, "unknown-element", "<contact>"));
  EXPECT_EQ(partial.entries.back().outcome, Outcome::error);
  EXPECT_EQ(partial.entries.back().code, "duplicate-name");
}

TEST(UrdfTree, LongChainsLoadWithoutExhaustingTheStack) {
  std::string text = "<link name=\"l0\"/>";
  for (int i = 1; i < 20000; ++i) {
    const std::string number = std::to_string(i), before = std::to_string(i - 1);
    text += "<link name=\"l" + number + "\"/>" + joint("j" + number, "fixed", "l" + before, "l" + number);
  }
  const ModelDescription model = read(robot(text));
  EXPECT_EQ(model.links.size(), 20000u);
  EXPECT_TRUE(entry(model.report, "urdfdom-skipped"));
}

}  // namespace
}  // namespace condyle
