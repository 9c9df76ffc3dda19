#include "cli/program.hpp"

#include <gtest/gtest.h>

namespace condyle::test {
namespace {

TEST(Scenes, TheListNamesEverySceneWithItsSummaryAndParameters) {
  const Outcome text = condyle({"scenes"});
  ASSERT_EQ(text.code, 0) << text;
  const nlohmann::json list = json_of(condyle({"scenes", "--json"}).out)["scenes"];
  ASSERT_GT(list.size(), 2u);
  for (const auto& scene : list) {
    EXPECT_NE(text.out.find(scene["name"].get<std::string>()), std::string::npos) << scene;
    EXPECT_NE(text.out.find(scene["summary"].get<std::string>()), std::string::npos) << scene;
    for (const std::string parameter : scene["parameters"])
      for (const std::string& part :
           {parameter.substr(0, parameter.find("   ")), parameter.substr(parameter.find("   ") + 3)})
        EXPECT_NE(text.out.find(part), std::string::npos) << part;
  }
}

TEST(Scenes, APrintedSceneIsASceneFileThatRunsToTheSameState) {
  const Outcome text = condyle({"scenes", "chain", "--set", "n=4"});
  ASSERT_EQ(text.code, 0) << text;
  const std::string file = write_file(".yaml", text.out);
  const nlohmann::json printed = json_of(condyle({"run", file, "--time", "0.05", "--json"}).out);
  const nlohmann::json builtin = json_of(condyle({"run", "chain", "--set", "n=4", "--time", "0.05", "--json"}).out);
  EXPECT_EQ(printed["state_hash"], builtin["state_hash"]);
  EXPECT_EQ(printed["dofs"], builtin["dofs"]);
}

TEST(Check, EndsWithAllGoodAndSaysTheVersionsThatMatter) {
  const Outcome got = condyle({"check"});
  ASSERT_EQ(got.code, 0) << got;
  EXPECT_TRUE(got.out.ends_with("all good\n")) << got;
  const nlohmann::json check = json_of(condyle({"check", "--json"}).out);
  EXPECT_EQ(check["status"], "all good");
  for (const char* name : {"condyle", "compiler", "Eigen", "Pinocchio", "Coal", "urdfdom", "HDF5", "yaml-cpp"})
    EXPECT_FALSE(check["versions"].value(name, "").empty()) << name << " " << check["versions"];
  for (const char* name : {"libcondyle", "libcoal", "libpinocchio_default"})
    EXPECT_TRUE(check["libraries"].contains(name)) << check["libraries"];
  EXPECT_LT(check["fall_error"], 1e-12);
  EXPECT_NE(got.out.find("kernels in use"), std::string::npos) << got.out;
  EXPECT_FALSE(check["kernels"].get<std::string>().empty());
}

}  // namespace
}  // namespace condyle::test
