#include "scene/builtin_texts.hpp"
#include "scene/scene_data.hpp"
#include "support/robot_scenes.hpp"

#include <condyle/scene.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace condyle {
namespace {

std::string written(const SceneParameter& parameter, double value) {
  if (parameter.kind == SceneParameter::Kind::boolean) return value != 0 ? "true" : "false";
  return fmt::format("{:.15g}", value);
}

Error refusal(const std::string& scene, const std::map<std::string, std::string>& parameters) {
  try {
    builtin_scene_text(scene, parameters);
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "accepted: " << scene;
  return Error("none", {}, "");
}

TEST(BuiltinScenes, EachBuildsAndIsDescribed) {
  ASSERT_GE(builtin_scenes().size(), 11u);
  for (const BuiltinScene& builtin : builtin_scenes()) {
    SCOPED_TRACE(builtin.name);
    EXPECT_FALSE(builtin.summary.empty());
    if (!test::missing_robot(builtin.name).empty()) continue;
    const Scene scene = load_scene(builtin.name);
    EXPECT_EQ(scene.name(), builtin.name);
    EXPECT_GT(scene.nv(), 0);
    EXPECT_TRUE(scene.initial_state().finite());
    if (!robot_of_scene(builtin.name).empty()) continue;  // what robot files of others leave open is said, and is theirs
    for (const ReportEntry& entry : scene.report().entries)
      EXPECT_TRUE(entry.code == "default-taken" || entry.code == "retyped")
          << entry.place.text() << " " << entry.code << ": " << entry.reason;
  }
}

TEST(BuiltinScenes, BuildAtBothEndsOfEveryParameter) {
  for (const SceneRecipe& recipe : scene_recipes()) {
    if (!test::missing_robot(recipe.name).empty()) continue;
    for (const SceneParameter& parameter : recipe.parameters)
      for (const double value : {parameter.low, parameter.high}) {
        SceneOptions options;
        options.parameters[parameter.name] = written(parameter, value);
        SCOPED_TRACE(recipe.name + " " + parameter.name + "=" + options.parameters[parameter.name]);
        const Scene scene = load_scene(recipe.name, options);
        EXPECT_TRUE(scene.initial_state().finite());
        EXPECT_GT(scene.total_mass(), 0);
      }
  }
}

TEST(BuiltinScenes, TheTextReadsBackFromAnyFolder) {
  for (const BuiltinScene& builtin : builtin_scenes()) {
    if (!test::missing_robot(builtin.name).empty()) continue;
    const Scene direct = load_scene(builtin.name);
    const Scene again = read_scene_text(builtin_scene_text(builtin.name), "/some/where/else.yaml");
    EXPECT_EQ(direct.identity(), again.identity()) << builtin.name;
  }
}

TEST(BuiltinScenes, ParametersChangeTheScene) {
  SceneOptions options;
  options.parameters = {{"n", "4"}, {"mass_kg", "0.5"}, {"hanging", "false"}};
  const Scene chain = load_scene("chain", options);
  EXPECT_EQ(chain.nv(), 6 + 3);
  EXPECT_NEAR(chain.total_mass(), 2, 1e-12);
  EXPECT_EQ(chain.gravity().norm(), 0);

  options.parameters = {{"n", "7"}, {"seed", "3"}};
  const Scene bodies = load_scene("free_bodies", options);
  EXPECT_EQ(bodies.nv(), 42);
  options.parameters["seed"] = "4";
  EXPECT_NE(bodies.identity(), load_scene("free_bodies", options).identity());

  options.parameters = {{"angle_deg", "90"}};
  const State x = load_scene("pendulum", options).initial_state();
  EXPECT_NEAR(std::atan2(x.q[1], x.q[0]), 1.5707963267948966, 1e-12);
}

TEST(BuiltinScenes, TheNunchukIsATreeWithTwoBallJoints) {
  const Scene scene = load_scene("nunchuk");
  EXPECT_EQ(scene.nv(), 12);
  EXPECT_EQ(scene.body_count(), 3);
}

TEST(BuiltinScenes, AWrongParameterNamesTheNearestAndTheRange) {
  const Error unknown = refusal("pendulum", {{"angle_dg", "3"}});
  EXPECT_EQ(unknown.code(), "unknown-parameter");
  EXPECT_NE(std::string(unknown.what()).find("did you mean 'angle_deg'"), std::string::npos) << unknown.what();
  for (const char* value : {"", "x", "3deg", "1e9", "nan", "inf", "-1000"}) {
    const Error bad = refusal("pendulum", {{"angle_deg", value}});
    EXPECT_EQ(bad.code(), "bad-parameter") << value;
    EXPECT_NE(bad.cure().find("-180 and 180"), std::string::npos) << bad.what();
  }
  EXPECT_EQ(refusal("chain", {{"n", "2.5"}}).code(), "bad-parameter");
  EXPECT_EQ(refusal("chain", {{"hanging", "maybe"}}).code(), "bad-parameter");
  EXPECT_NE(std::string(refusal("pendulm", {}).what()).find("did you mean 'pendulum'"), std::string::npos);
}

TEST(BuiltinScenes, ThoseWithARobotOfThePackageSayHowToInstallIt) {
  const std::string none = std::string(CONDYLE_TEST_OUTPUT) + "/no_robots";
  std::filesystem::create_directories(none);
  setenv("CONDYLE_ROBOTS", none.c_str(), 1);
  int tried = 0;
  for (const BuiltinScene& builtin : builtin_scenes()) {
    if (robot_of_scene(builtin.name).empty()) continue;
    ++tried;
    EXPECT_FALSE(test::missing_robot(builtin.name).empty());
    try {
      load_scene(builtin.name);
      ADD_FAILURE() << builtin.name << " loads without its robot";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), "no-robots") << e.what();
      EXPECT_NE(e.cure().find("scripts/setup --robots"), std::string::npos) << e.what();
    }
  }
  unsetenv("CONDYLE_ROBOTS");
  EXPECT_GE(tried, 3);
}

TEST(BuiltinScenes, AWrongDataFolderIsNamed) {
  setenv("CONDYLE_DATA", "/nowhere/models", 1);
  try {
    load_scene("pendulum");
    ADD_FAILURE() << "found its robot in a folder that is not there";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "no-data");
    EXPECT_EQ(e.place().element, "models[0].file");
    EXPECT_NE(std::string(e.what()).find("/nowhere/models"), std::string::npos) << e.what();
  }
  setenv("CONDYLE_DATA", CONDYLE_SOURCE_DIR "/models", 1);
  EXPECT_EQ(load_scene("pendulum").nv(), 1);
  unsetenv("CONDYLE_DATA");
}

TEST(LoadScene, AnUnknownNameSaysWhatWouldBeAccepted) {
  try {
    load_scene("double_pendulm");
    FAIL();
  } catch (const Error& e) {
    const std::string message = e.what();
    EXPECT_EQ(e.code(), "unknown-scene");
    EXPECT_NE(message.find("did you mean 'double_pendulum'"), std::string::npos) << message;
    EXPECT_NE(message.find("robot:NAME"), std::string::npos) << message;
  }
}

TEST(LoadScene, AMissingFileOrAnUnknownEndingIsSaid) {
  const auto code = [](const std::string& what) {
    try {
      load_scene(what);
    } catch (const Error& e) {
      return e.code();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(code("no/such/scene.yaml"), "no-file");
  EXPECT_EQ(code("no/such/robot.urdf"), "no-file");
  EXPECT_EQ(code(CONDYLE_SOURCE_DIR "/CMakeLists.txt"), "unsupported-format");
}

TEST(LoadScene, AFreeRobotStartsJustAboveTheFloorAndTheAssumptionsAreSaid) {
  const std::string file = CONDYLE_SOURCE_DIR "/models/robots/quadruped.urdf";
  const Scene scene = load_scene(file);
  // straight legs: hip to knee 0.21 m, knee to foot 0.2 m, foot of radius 0.022 m
  EXPECT_NEAR(scene.initial_state().q[2], 0.05 + 0.21 + 0.2 + 0.022, 1e-12);
  EXPECT_EQ(scene.data().static_bodies.size(), 1u);
  std::string said;
  for (const ReportEntry& entry : scene.report().entries)
    if (entry.outcome == Outcome::assumed) said += entry.reason + "\n";
  EXPECT_NE(said.find("9.81"), std::string::npos) << said;
  EXPECT_NE(said.find("floor at z = 0"), std::string::npos) << said;
  EXPECT_NE(said.find("0.05 m above the floor"), std::string::npos) << said;

  SceneOptions options;
  options.base = Base::fixed;
  EXPECT_EQ(load_scene(file, options).nv(), 12);
}

TEST(LoadScene, ReadsASceneFileFromDisk) {
  const std::filesystem::path folder = std::filesystem::path(CONDYLE_TEST_OUTPUT) / "scene_file";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(CONDYLE_SOURCE_DIR "/models/robots/pendulum.urdf", folder / "robot.urdf",
                             std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder / "scene.yaml") << "condyle: 1\nmodels: [{name: p, file: robot.urdf, base: fixed}]\n";
  const Scene scene = load_scene((folder / "scene.yaml").string());
  EXPECT_EQ(scene.name(), "scene");
  EXPECT_EQ(scene.nv(), 1);
}

}  // namespace
}  // namespace condyle
