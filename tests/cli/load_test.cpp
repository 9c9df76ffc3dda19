#include "cli/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace condyle::test {
namespace {

const nlohmann::json* find(const nlohmann::json& table, const std::string& name) {
  for (const auto& row : table)
    if (row["name"] == name) return &row;
  return nullptr;
}

TEST(Load, JsonHasTheKeysOfTheContractAndTheNumbersOfTheFile) {
  const std::string urdf = write_file(".urdf", pendulum_urdf());
  const Outcome got = condyle({"load", urdf, "--json", "-"});
  ASSERT_EQ(got.code, 0) << got;
  const nlohmann::json load = json_of(got.out);
  EXPECT_EQ(keys_of(load), (std::vector<std::string>{
                               "actuators", "base",          "bodies",        "body_table", "closures", "collision_shapes",
                               "counts",    "couplings",     "entries",       "file",       "files",    "format",
                               "inertia",   "joint_order",   "joint_table",   "joints",     "loops",    "meshes",
                               "mimics",    "name",          "not_simulated", "nq",         "nv",       "pairs",
                               "status",    "total_mass_kg", "visual_shapes"}));
  EXPECT_EQ(load["status"], "ok");
  EXPECT_EQ(load["name"], "swing");
  EXPECT_EQ(load["format"], "urdf");
  EXPECT_EQ(load["bodies"], 2);
  EXPECT_EQ(load["joints"], 1);
  EXPECT_EQ(load["nq"], 1);
  EXPECT_EQ(load["nv"], 1);
  EXPECT_EQ(load["total_mass_kg"], 2.0);
  EXPECT_EQ(load["collision_shapes"], 1);
  EXPECT_EQ(load["visual_shapes"], 0);
  EXPECT_EQ(load["base"], "fixed");
  EXPECT_EQ(load["files"], nlohmann::json::array({urdf}));

  const nlohmann::json* rod = find(load["body_table"], "rod");
  ASSERT_TRUE(rod);
  EXPECT_EQ(*rod, nlohmann::json::parse(
                      R"({"name": "rod", "mass_kg": 2.0, "com": [0, 0, -0.5], "parent": "world", "joint": "hinge",
                                            "inertia_kg_m2": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.01]]})"));
  const nlohmann::json* hinge = find(load["joint_table"], "hinge");
  ASSERT_TRUE(hinge);
  EXPECT_EQ(*hinge,
            nlohmann::json::parse(
                R"({"name": "hinge", "type": "revolute", "nq": 1, "nv": 1, "lower": -3.0, "upper": 3.0, "effort": 10.0,
                                              "velocity": 20.0, "damping": 0, "friction": 0, "armature": 0})"));
  EXPECT_EQ(load["joint_order"], nlohmann::json::parse(R"([{"name": "hinge", "type": "revolute", "q": 0, "v": 0}])"));
  EXPECT_EQ(load["inertia"]["positive_definite"], true);
  EXPECT_EQ(load["inertia"]["massless"], nlohmann::json::array({"world"}));
  EXPECT_EQ(keys_of(load["counts"]), (std::vector<std::string>{"applied", "assumed", "error", "ignored"}));
  for (const char* key : {"candidate", "filtered", "reasons"}) EXPECT_TRUE(load["pairs"].contains(key)) << key;
}

TEST(Load, AFreeBaseStandsFirstInTheOrderOfQAndV) {
  const std::string urdf = write_file(".urdf", pendulum_urdf());
  const nlohmann::json load = json_of(condyle({"load", urdf, "--base", "free", "--json"}).out);
  EXPECT_EQ(load["base"], "free");
  EXPECT_EQ(load["nq"], 1) << "the coordinates of the file alone";
  ASSERT_EQ(load["joint_order"].size(), 2u);
  EXPECT_EQ(load["joint_order"][1]["q"], 7);
  EXPECT_EQ(load["joint_order"][1]["v"], 6);
}

TEST(Load, WhatIsIgnoredIsAnEntryAndRefusesTheFileUnderStrict) {
  std::string text = pendulum_urdf();
  text.replace(text.find("</robot>"), 0, "  <gazebo><static>true</static></gazebo>\n");
  const std::string urdf = write_file(".urdf", text);
  const nlohmann::json load = json_of(condyle({"load", urdf, "--json"}).out);
  const auto ignored = [](const nlohmann::json& entry) {
    return entry["outcome"] == "ignored" && entry["element"].get<std::string>().find("gazebo") != std::string::npos;
  };
  EXPECT_TRUE(std::any_of(load["entries"].begin(), load["entries"].end(), ignored)) << load["entries"].dump(1);
  EXPECT_GE(load["counts"]["ignored"], 1);

  const Outcome text_report = condyle({"load", urdf});
  EXPECT_EQ(text_report.code, 0);
  EXPECT_NE(text_report.out.find("gazebo"), std::string::npos) << text_report;

  const Outcome strict = condyle({"load", urdf, "--strict"});
  EXPECT_EQ(strict.code, 2) << strict;
  EXPECT_TRUE(strict.said(urdf)) << strict;
}

TEST(Load, ARefusedFileExitsWith2AndTheJsonSaysWhyAndWhere) {
  std::string text = pendulum_urdf();
  const std::string good = "lower=\"-3\"";
  text.replace(text.find(good), good.size(), "lower=\"minus three\"");
  const std::string urdf = write_file(".urdf", text), json = fresh_file(".json");
  const Outcome got = condyle({"load", urdf, "--json", json});
  EXPECT_EQ(got.code, 2) << got;
  EXPECT_TRUE(got.said(urdf + ":11")) << got;
  const nlohmann::json load = json_of(read_file(json));
  EXPECT_EQ(load["status"], "refused");
  EXPECT_EQ(load["error"]["code"], "bad-number");
  EXPECT_EQ(load["error"]["line"], 11);
  EXPECT_EQ(load["error"]["file"], urdf);
  EXPECT_EQ(keys_of(load["error"]), (std::vector<std::string>{"code", "cure", "element", "file", "line", "message"}));
  EXPECT_TRUE(load["entries"].is_array());
}

TEST(Load, JointsWithoutInertiaAreNamedAndDefaultInertiaCuresThem) {
  std::string text = pendulum_urdf();
  const auto begin = text.find("<inertial>"), end = text.find("</inertial>") + 11;
  text.erase(begin, end - begin);
  const std::string urdf = write_file(".urdf", text);
  const nlohmann::json bad = json_of(condyle({"load", urdf, "--json"}).out);
  EXPECT_EQ(bad["inertia"]["positive_definite"], false);
  EXPECT_EQ(bad["inertia"]["joints_at_fault"], nlohmann::json::array({"hinge"}));
  const Outcome run = condyle({"run", urdf, "--time", "0.01"});
  EXPECT_EQ(run.code, 2) << run;
  EXPECT_TRUE(run.said("hinge")) << run;
  const nlohmann::json cured = json_of(condyle({"load", urdf, "--default-inertia", "0.5,0.1", "--json"}).out);
  EXPECT_EQ(cured["inertia"]["positive_definite"], true) << cured["inertia"].dump();
  EXPECT_GE(cured["counts"]["assumed"], 1);
}

TEST(Load, ARealRobotWithMissingMeshesIsReadAsFarAsAsked) {
  const std::string robot = CONDYLE_SHARED_DATA "/models/example-robot-data/robots/ur_description/urdf/ur5_robot.urdf";
  if (!exists(robot)) GTEST_SKIP() << "the shared models are not here: " << robot;
  const nlohmann::json load =
      json_of(condyle({"load", robot, "--skip-meshes", "--package-path", CONDYLE_SHARED_DATA "/models", "--json"}).out);
  EXPECT_EQ(load["status"], "ok");
  EXPECT_EQ(load["bodies"], 11);
  EXPECT_EQ(load["nv"], 6);
  EXPECT_NEAR(load["total_mass_kg"], 20.9939, 1e-9);
  EXPECT_EQ(load["actuators"], 6);
  EXPECT_EQ(load["collision_shapes"], 8);
}

}  // namespace
}  // namespace condyle::test
