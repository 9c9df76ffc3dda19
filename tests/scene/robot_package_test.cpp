#include <condyle/model.hpp>
#include <condyle/scene.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace condyle {
namespace {

namespace fs = std::filesystem;

/// A robot package of empty robots in a folder of its own, named by the environment while the test runs.
class RobotPackage : public testing::Test {
 protected:
  void SetUp() override {
    // ctest runs each test in a process of its own, several at a time
    root_ = fs::path(CONDYLE_TEST_OUTPUT) / "robot_package" / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
    for (const char* file :
         {"ur_description/urdf/ur3_robot.urdf", "ur_description/urdf/ur5_robot.urdf", "ur_description/urdf/ur5_gripper.urdf",
          "ur_description/urdf/ur10_joint_limited_robot.urdf", "talos_data/robots/talos_full_v2.urdf",
          "talos_data/robots/talos_reduced.urdf", "anymal_b_simple_description/robots/anymal.urdf",
          "anymal_c_simple_description/urdf/anymal.urdf", "g1_description/urdf/g1_29dof_with_hand.urdf",
          "g1_description/urdf/g1_29dof.urdf", "alex_description/urdf/alex_sake.urdf",
          "alex_description/urdf/alex_nubs.urdf"})
      write(file, "<robot name='r'><link name='l'/></robot>");
    write("ur_description/urdf/ur3.urdf", "<robot name='ur3'/>");
    setenv("CONDYLE_ROBOTS", root_.c_str(), 1);
  }
  void TearDown() override { unsetenv("CONDYLE_ROBOTS"); }

  void write(const char* file, const char* text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  std::string found(const std::string& name) const { return fs::path(find_robot(name)).lexically_relative(root_).string(); }

  fs::path root_;
};

TEST_F(RobotPackage, FindsAFileByItsName) { EXPECT_EQ(found("talos_full_v2"), "talos_data/robots/talos_full_v2.urdf"); }

TEST_F(RobotPackage, FindsAFileThatEndsInRobot) {
  EXPECT_EQ(found("ur5"), "ur_description/urdf/ur5_robot.urdf");
  EXPECT_EQ(found("ur10_joint_limited"), "ur_description/urdf/ur10_joint_limited_robot.urdf");
}

TEST_F(RobotPackage, LeavesFilesWithoutLinksAside) { EXPECT_EQ(found("ur3"), "ur_description/urdf/ur3_robot.urdf"); }

TEST_F(RobotPackage, ChoosesTheMainFileOfAFolder) {
  EXPECT_EQ(found("talos"), "talos_data/robots/talos_reduced.urdf");
  EXPECT_EQ(found("g1"), "g1_description/urdf/g1_29dof.urdf") << "the shortest name";
  EXPECT_EQ(found("alex"), "alex_description/urdf/alex_nubs.urdf") << "the first of equally long names";
}

TEST_F(RobotPackage, TakesTheFirstFolderOfTwoThatHoldTheSameName) {
  EXPECT_EQ(found("anymal"), "anymal_b_simple_description/robots/anymal.urdf");
  EXPECT_EQ(found("anymal_c"), "anymal_c_simple_description/urdf/anymal.urdf");
  EXPECT_EQ(found("anymal_c_simple"), "anymal_c_simple_description/urdf/anymal.urdf");
}

TEST_F(RobotPackage, EveryListedNameIsFound) {
  const std::vector<std::string> names = robot_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_GE(names.size(), 15u);
  for (const std::string& name : names) EXPECT_TRUE(fs::exists(find_robot(name))) << name;
}

TEST_F(RobotPackage, UnknownRobotNamesTheNearest) {
  try {
    find_robot("tallos");
    FAIL() << "found a robot that is not there";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "unknown-robot");
    EXPECT_NE(std::string_view(e.what()).find("did you mean 'talos'"), std::string_view::npos) << e.what();
  }
}

TEST_F(RobotPackage, AFolderThatIsNotThereIsNamed) {
  setenv("CONDYLE_ROBOTS", "/nowhere/robots", 1);
  try {
    find_robot("ur5");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string_view(e.what()).find("/nowhere/robots"), std::string_view::npos) << e.what();
  }
}

TEST_F(RobotPackage, AnEmptyPackageSaysHowToInstallIt) {
  fs::remove_all(root_);
  fs::create_directories(root_);
  try {
    find_robot("ur5");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "no-robots");
    EXPECT_NE(e.cure().find("scripts/setup --robots"), std::string::npos) << e.what();
  }
  EXPECT_TRUE(robot_names().empty());
}

TEST(InstalledRobotPackage, HasTheRobotsPeopleAskFor) {
  const std::vector<std::string> names = robot_names();
  if (names.empty()) GTEST_SKIP() << "the robot package is not installed (scripts/setup --robots)";
  for (const char* name :
       {"ur3", "ur5", "ur10", "talos", "panda", "anymal_b", "anymal_c", "solo12", "tiago", "icub", "kinova"}) {
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
    EXPECT_TRUE(fs::exists(find_robot(name))) << name;
  }
  EXPECT_TRUE(find_robot("ur3").ends_with("ur3_robot.urdf"));
  EXPECT_TRUE(find_robot("talos").ends_with("talos_reduced.urdf"));
}

}  // namespace
}  // namespace condyle
