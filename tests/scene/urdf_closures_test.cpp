// Closures of URDF files and of the sidecars beside them.
#include "scene/urdf_text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace condyle {
namespace {

using namespace test;
namespace fs = std::filesystem;

/// A fork: link a with two arms b and c whose tips d and e meet at x = 1.
const std::string fork_links =
    "<link name=\"a\"/><link name=\"b\"/><link name=\"c\"/><link name=\"d\"/><link name=\"e\"/>\n"
    "<joint name=\"ab\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/></joint>\n"
    "<joint name=\"ac\" type=\"continuous\"><parent link=\"a\"/><child link=\"c\"/><axis xyz=\"0 0 1\"/></joint>\n"
    "<joint name=\"bd\" type=\"fixed\"><parent link=\"b\"/><child link=\"d\"/><origin xyz=\"1 0 0\"/></joint>\n"
    "<joint name=\"ce\" type=\"revolute\"><parent link=\"c\"/><child link=\"e\"/><origin xyz=\"1 0 0\"/><axis xyz=\"0 0 "
    "1\"/>" +
    limit + "</joint>\n";

std::string loop(const std::string& type, const std::string& axis = "<axis xyz=\"0 1 0\"/>",
                 const std::string& xyz2 = "1 0 0") {
  return robot(fork_links + "<loop_joint name=\"l\" type=\"" + type + "\">" + axis +
               "<link1 link=\"b\" xyz=\"1 0 0\" rpy=\"0 0 0\"/>"
               "<link2 link=\"c\" xyz=\"" +
               xyz2 + "\" rpy=\"0 0 0\"/></loop_joint>");
}

TEST(UrdfLoopJoint, BecomesAClosureWhoseFramesHaveTheAxisAsZ) {
  const ModelDescription model = read(loop("continuous"));
  ASSERT_EQ(model.closures.size(), 1u);
  const ClosureSpec& closure = model.closures[0];
  EXPECT_EQ(closure.kind, ClosureKind::revolute);
  EXPECT_EQ(model.links[static_cast<std::size_t>(closure.link_a)].name, "b");
  EXPECT_EQ(model.links[static_cast<std::size_t>(closure.link_b)].name, "c");
  EXPECT_TRUE(closure.frame_a.R.col(2).isApprox(Eigen::Vector3d::UnitY(), 1e-12)) << closure.frame_a.R;
  EXPECT_EQ(closure.frame_a.p, Eigen::Vector3d(1, 0, 0));
  const ReportEntry* said = entry(model.report, "closure");
  ASSERT_TRUE(said) << all_entries(model.report);
  EXPECT_EQ(said->outcome, Outcome::applied);
}

TEST(UrdfLoopJoint, KnowsEveryKindOfClosureAndRefusesOthers) {
  const std::vector<std::pair<std::string, ClosureKind>> kinds = {
      {"fixed", ClosureKind::weld},          {"spherical", ClosureKind::spherical},
      {"ball", ClosureKind::spherical},      {"universal", ClosureKind::universal},
      {"prismatic", ClosureKind::prismatic}, {"cylindrical", ClosureKind::cylindrical},
      {"planar", ClosureKind::planar},       {"revolute", ClosureKind::revolute}};
  for (const auto& [type, kind] : kinds) EXPECT_EQ(read(loop(type)).closures[0].kind, kind) << type;
  EXPECT_EQ(refusal_code(loop("screw")), "unknown-joint-type");
  EXPECT_EQ(refusal_code(loop("revolute", "<axis xyz=\"0 0 0\"/>")), "bad-joint");
  EXPECT_EQ(
      refusal_code(robot(
          "<link name=\"a\"/><loop_joint name=\"l\" type=\"fixed\"><link1 link=\"a\"/><link2 link=\"q\"/></loop_joint>")),
      "unknown-link");
  EXPECT_EQ(refusal_code(robot("<link name=\"a\"/><loop_joint name=\"l\" type=\"fixed\"><link1 link=\"a\"/></loop_joint>")),
            "bad-joint");
}

TEST(UrdfLoopJoint, AnOpenClosureSaysToAssembleFirst) {
  const ModelDescription model = read(loop("revolute", "<axis xyz=\"0 1 0\"/>", "1 0 0.002"));
  const ReportEntry* said = entry(model.report, "closure-open", "assemble");
  ASSERT_TRUE(said) << all_entries(model.report);
  EXPECT_EQ(said->outcome, Outcome::assumed);
  EXPECT_NE(said->reason.find("0.002 m"), std::string::npos) << said->reason;
  EXPECT_FALSE(entry(read(loop("revolute", "<axis xyz=\"0 1 0\"/>", "1 0 0.0009")).report, "closure-open"));
}

TEST(UrdfForeignClosure, IsNamedAndNotSimulated) {
  const ModelDescription model = read(
      robot(fork_links +
            "<gazebo><joint name=\"sdf\" type=\"ball\"><parent>d</parent><child>e</child></joint></gazebo>"
            "<gazebo><joint:hinge "
            "name=\"old\"><body1>d</body1><body2>e</body2></joint:hinge></gazebo><drake:ball_constraint name=\"ball\"/>"));
  EXPECT_EQ(model.closures_not_simulated, (std::vector<std::string>{"sdf", "old", "ball"}));
  EXPECT_TRUE(model.closures.empty());
  EXPECT_TRUE(entry(model.report, "closure-not-simulated", "d - e")) << all_entries(model.report);
}

class Sidecar : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(CONDYLE_TEST_OUTPUT) / "sidecar" / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write("fork.urdf", robot(fork_links));
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  ModelDescription load(ReadOptions options = {}) const { return read_model((folder_ / "fork.urdf").string(), options); }
  std::optional<Error> refused(ReadOptions options = {}) const {
    try {
      load(options);
      return std::nullopt;
    } catch (const Error& error) {
      return error;
    }
  }
  fs::path folder_;
};

TEST_F(Sidecar, GivesClosuresBetweenLinksAndJointsAndMotors) {
  write("robot.yaml", "closed_loop: [[d, ce], [bd, e]]\ntype: ['3D', '6d']\nname_mot: [ab]\n");
  const ModelDescription model = load();
  ASSERT_EQ(model.closures.size(), 2u);
  EXPECT_EQ(model.closures[0].kind, ClosureKind::spherical);
  EXPECT_EQ(model.closures[1].kind, ClosureKind::weld);
  EXPECT_EQ(model.closures[0].name, "d|ce");
  EXPECT_EQ(model.links[static_cast<std::size_t>(model.closures[0].link_b)].name, "e");
  EXPECT_EQ(model.links[static_cast<std::size_t>(model.closures[1].link_a)].name, "d");
  EXPECT_EQ(model.closures[0].place.line, 1);
  EXPECT_EQ(model.actuated_joints, std::vector<std::string>{"ab"});
  EXPECT_EQ(model.report.files.size(), 2u);
  EXPECT_TRUE(entry(model.report, "closure", "d|ce"));
}

TEST_F(Sidecar, AMissingTypeIsAWeldAndSaysSo) {
  write("robot.yaml", "closed_loop: [[d, e]]\n");
  const ModelDescription model = load();
  EXPECT_EQ(model.closures.at(0).kind, ClosureKind::weld);
  EXPECT_TRUE(entry(model.report, "default-taken", "6d"));
}

TEST_F(Sidecar, RetypesJoints) {
  write("robot.yaml", "joint_name: [ce, ab]\njoint_type: [UJOINT_XY, SPHERICAL]\nname_mot: [ce]\n");
  const ModelDescription model = load();
  EXPECT_EQ(model.nq(), 4 + 2 + 1 + 1);  // ball, continuous, two revolutes
  const int first = model.find_joint("ce_A"), second = model.find_joint("ce_B");
  ASSERT_GE(first, 0);
  ASSERT_EQ(second, first + 1);
  const JointSpec &a = model.joints[static_cast<std::size_t>(first)], &b = model.joints[static_cast<std::size_t>(second)];
  EXPECT_EQ(a.axis, Eigen::Vector3d::UnitX());
  EXPECT_EQ(b.axis, Eigen::Vector3d::UnitY());
  EXPECT_EQ(a.origin.p, Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(b.origin.p, Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(a.lower, -unlimited);
  EXPECT_EQ(model.links[static_cast<std::size_t>(a.child)].name, "ce_A_link");
  EXPECT_EQ(model.links[static_cast<std::size_t>(b.child)].name, "e");
  EXPECT_EQ(model.actuated_joints, (std::vector<std::string>{"ce_A", "ce_B"}));
  for (const JointSpec& joint : model.joints) EXPECT_LT(joint.parent, joint.child) << joint.name;
  EXPECT_TRUE(entry(model.report, "retyped", "ball"));
  write("robot.yaml", "joint_name: [ab]\njoint_type: [FIXED]\n");
  EXPECT_EQ(load().nq(), 3);
}

TEST_F(Sidecar, UnknownNamesAreRefusedWithTheNearestUnlessSkipped) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"name_mot: [abb]", "unknown-joint"},
      {"closed_loop: [[d, x]]", "unknown-frame"},
      {"joint_name: [cee]\njoint_type: [FIXED]", "unknown-joint"}};
  ReadOptions skip;
  skip.skip_unknown_names = true;
  for (const auto& [text, code] : texts) {
    write("robot.yaml", "# comment\n" + text + "\n");
    const auto error = refused();
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->code(), code);
    EXPECT_EQ(error->place().line, 2);
    EXPECT_NE(error->place().file.find("robot.yaml"), std::string::npos);
    EXPECT_TRUE(entry(load(skip).report, code));
  }
  write("robot.yaml", "name_mot: [abb]");
  EXPECT_NE(refused()->reason().find("did you mean 'ab'?"), std::string::npos) << refused()->what();
}

TEST_F(Sidecar, MalformedOnesAreRefusedWithTheirLine) {
  for (const char* text :
       {"closed_loop: [[d, e]", "closed_loop: 7", "closed_loop: [[d]]", "closed_loop: [[d, e]]\ntype: [5d]",
        "joint_name: [ab]\njoint_type: []", "closed_loop: [[d, [e]]]"}) {
    write("robot.yaml", text);
    ASSERT_TRUE(refused()) << text;
    EXPECT_EQ(refused()->code(), "bad-sidecar") << text;
  }
  write("robot.yaml", "joint_name: [ab]\njoint_type: [SCREW]");
  EXPECT_EQ(refused()->code(), "unknown-joint-type");
}

TEST_F(Sidecar, OtherYamlBesideTheRobotIsLeftAlone) {
  write("robot.yaml", "condyle: 1\nclosed_loop: [[x, y]]\n");
  write("fork.yaml", "controllers: [a, b]\n");
  EXPECT_TRUE(load().closures.empty());
  EXPECT_EQ(load().report.files.size(), 1u);
}

TEST_F(Sidecar, TheOneNamedLikeTheRobotComesFirstAndAnOptionBeforeBoth) {
  write("robot.yaml", "closed_loop: [[d, e]]\ntype: [6d]\n");
  write("fork.yaml", "closed_loop: [[d, e]]\ntype: [3d]\n");
  write("given.yaml", "closed_loop: [[d, e], [d, e]]\n");
  EXPECT_EQ(load().closures.at(0).kind, ClosureKind::spherical);
  ReadOptions options;
  options.sidecar = (folder_ / "given.yaml").string();
  EXPECT_EQ(load(options).closures.size(), 2u);
  options.sidecar = (folder_ / "absent.yaml").string();
  EXPECT_EQ(refused(options)->code(), "no-file");
}

}  // namespace
}  // namespace condyle
