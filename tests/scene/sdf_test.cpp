#include <condyle/assemble.hpp>
#include <condyle/model.hpp>
#include <condyle/scene.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace condyle {
namespace {

namespace fs = std::filesystem;

std::string link(const std::string& name, const std::string& pose) {
  return "<link name='" + name + "'><pose>" + pose + "</pose><inertial><pose>0.1 0 0 0 0 0</pose><mass>2</mass><inertia>" +
         "<ixx>0.01</ixx><ixy>0</ixy><ixz>0</ixz><iyy>0.02</iyy><iyz>0</iyz><izz>0.03</izz></inertia></inertial>" +
         "<collision name='c'><geometry><box><size>0.2 0.02 0.02</size></box></geometry></collision></link>";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = "<axis><xyz>0 1 0</xyz></axis>") {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child + "</child>" +
         more + "</joint>";
}

/// A parallelogram in the x-z plane: base along x, two cranks up, a coupler on top.
std::string parallelogram(const std::string& more = "") {
  return "<sdf version='1.6'><model name='fourbar'>" + link("base", "0 0 1 0 0 0") +
         link("left", "0 0 1 0 -1.5707963267948966 0") + link("right", "0.4 0 1 0 -1.5707963267948966 0") +
         link("coupler", "0 0 1.3 0 0 0") +
         joint("a", "revolute", "base", "left",
               "<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper><effort>-1</effort></limit>"
               "<dynamics><damping>0.5</damping><spring_stiffness>3</spring_stiffness>"
               "<spring_reference>0.1</spring_reference></dynamics></axis>") +
         joint("b", "revolute", "left", "coupler") + joint("c", "revolute", "base", "right") +
         joint("d", "ball", "right", "coupler", "<pose>0.4 0 0 0 0 0</pose>") + more + "</model></sdf>";
}

std::string written(const std::string& text) {
  const fs::path folder = fs::path(CONDYLE_TEST_OUTPUT) / "sdf";
  fs::create_directories(folder);
  // ctest runs each test in a process of its own, several at a time
  const fs::path file = folder / (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".sdf");
  std::ofstream(file) << text;
  return file.string();
}

std::string refusal(const std::string& text) {
  try {
    read_model(written(text));
  } catch (const Error& error) {
    EXPECT_FALSE(error.reason().empty());
    return error.code();
  }
  return "loads";
}

TEST(Sdf, TheFirstJointCarriesALinkAndTheSecondClosesALoop) {
  const ModelDescription model = read_model(written(parallelogram()));
  EXPECT_EQ(model.format, "sdf");
  EXPECT_EQ(model.links.size(), 4u);
  EXPECT_EQ(model.joints.size(), 3u);
  ASSERT_EQ(model.closures.size(), 1u);
  EXPECT_EQ(model.closures[0].kind, ClosureKind::spherical);
  EXPECT_NEAR(model.total_mass(), 8, 1e-12);
  const JointSpec& a = model.joints[static_cast<std::size_t>(model.find_joint("a"))];
  EXPECT_EQ(a.kind, JointKind::revolute);
  EXPECT_EQ(a.lower, -1);
  EXPECT_EQ(a.upper, 2);
  EXPECT_EQ(a.effort, unlimited) << "SDF writes -1 for no limit";
  EXPECT_EQ(a.damping, 0.5);
  EXPECT_EQ(a.stiffness, 3);
  EXPECT_EQ(a.spring_reference, 0.1);
  EXPECT_EQ(model.joints[static_cast<std::size_t>(model.find_joint("b"))].kind, JointKind::continuous) << "no limits";

  SceneBuilder build;
  build.add_model(std::make_shared<const ModelDescription>(model), {.base = Base::fixed});
  const Scene scene = build.finish();
  const AssembleResult result = assemble(scene, scene.initial_state());
  EXPECT_TRUE(result.converged) << result.message;
  EXPECT_EQ(result.iterations, 0) << "closed as it is drawn: " << result.message;
  EXPECT_EQ(result.mobility, 1) << result.message;
}

TEST(Sdf, PutsALinksFrameAtItsJoint) {
  // the hinge lies at the far end of the link, turned by a quarter
  const std::string text = "<sdf version='1.6'><model name='m'>" + link("base", "0 0 0 0 0 0") + link("arm", "1 0 0 0 0 0") +
                           joint("j", "revolute", "base", "arm", "<pose>0.2 0 0 0 0 1.5707963267948966</pose>") +
                           "</model></sdf>";
  const ModelDescription model = read_model(written(text));
  EXPECT_LT((model.joints[0].origin.p - Eigen::Vector3d(1.2, 0, 0)).norm(), 1e-15);
  const Inertial& arm = model.links[1].inertial;
  EXPECT_LT((arm.com - Eigen::Vector3d(0, 0.1, 0)).norm(), 1e-15) << arm.com.transpose();
  EXPECT_NEAR(arm.inertia(0, 0), 0.02, 1e-15);
  EXPECT_NEAR(arm.inertia(1, 1), 0.01, 1e-15);
  ASSERT_EQ(model.shapes.size(), 2u);
  for (const ShapeSpec& shape : model.shapes)
    EXPECT_LT((shape.shape.pose.p - Eigen::Vector3d(0, shape.link == 1 ? 0.2 : 0, 0)).norm(), 1e-15);
}

TEST(Sdf, SaysWhatHasNoEffectAndRefusesWhatItCannotRead) {
  const ModelDescription model = read_model(written(parallelogram("<plugin name='p' filename='x.so'/>")));
  EXPECT_EQ(model.report.count(Outcome::ignored), 1);
  EXPECT_EQ(refusal("<sdf version='1.6'><world name='w'/></sdf>"), "unsupported-format");
  EXPECT_EQ(refusal("<sdf version='1.6'><model name='m'/></sdf>"), "no-links");
  EXPECT_EQ(refusal(parallelogram(joint("e", "screw", "base", "coupler"))), "unknown-joint-type");
  EXPECT_EQ(refusal(parallelogram(joint("e", "revolute", "base", "coupler", "<axis><xyz>0 0 0</xyz></axis>"))), "bad-joint");
  EXPECT_EQ(refusal(parallelogram(joint("e", "revolute", "base", "copler"))), "unknown-link");
  EXPECT_EQ(refusal(parallelogram(link("base", "0 0 0 0 0 0"))), "duplicate-name");
  EXPECT_EQ(refusal(parallelogram(link("more", "0 0 0 0 0"))), "bad-number");
  EXPECT_EQ(refusal(parallelogram(link("more", "0 0 0 0 0 0"))), "multiple-roots");
  EXPECT_EQ(refusal(parallelogram("<link name='x'><pose relative_to='base'>0 0 0 0 0 0</pose></link>")),
            "unsupported-element");
  ReadOptions strict;
  strict.strict = true;
  EXPECT_THROW(read_model(written(parallelogram("<plugin/>")), strict), Error);
}

TEST(Sdf, ReadsTheCassieOfTheRobotPackage) {
  if (robot_names().empty()) GTEST_SKIP() << "the robot package is not installed (scripts/setup --robots)";
  const ModelDescription model = read_model("robot:cassie_v2");
  EXPECT_EQ(model.links.size(), 23u);
  EXPECT_EQ(model.joints.size(), 22u);
  EXPECT_EQ(model.closures.size(), 4u) << "both Achilles rods and both plantar rods";
  EXPECT_NEAR(model.total_mass(), 31, 2);
  for (const ReportEntry& entry : model.report.entries) EXPECT_NE(entry.outcome, Outcome::error) << entry.reason;
}

}  // namespace
}  // namespace condyle
