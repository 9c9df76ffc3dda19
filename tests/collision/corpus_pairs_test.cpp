// Real robots: pair counts against an independent program, and geometry of every collision mesh.
#include "collision/default_pairs.hpp"
#include "collision/tree_joints.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace condyle {
namespace {

const std::string models = std::string(CONDYLE_SHARED_DATA) + "/models";

struct Expected {
  std::string file;
  int candidate_pairs = 0, collision_shapes = 0;
  ReadOptions options;
};

/// URDF files that load, by default or with the options that the table names.
std::vector<Expected> expected_robots() {
  std::vector<Expected> out;
  std::ifstream stream(models + "/expected.json");
  if (!stream) return out;
  const nlohmann::json table = nlohmann::json::parse(stream);
  for (const auto& [file, entry] : table.at("models").items()) {
    std::string extension = std::filesystem::path(file).extension();
    std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return std::tolower(c); });
    if (extension != ".urdf" || !entry.contains("candidate_pairs")) continue;
    Expected e{file, entry["candidate_pairs"], entry["collision_shapes"], {}};
    e.options.package_path = {models};
    for (const std::string& option : entry.value("loads_with", std::vector<std::string>())) {
      e.options.skip_meshes |= option == "skip_meshes";
      e.options.skip_unknown_names |= option == "skip_unknown_names";
      e.options.skip_unsupported |= option == "skip_unsupported";
    }
    out.push_back(e);
  }
  return out;
}

Scene scene_of(const Expected& robot, Base base = Base::fixed) {
  ModelOptions options;
  options.name = "robot";
  options.base = base;
  options.read = robot.options;
  return SceneBuilder().add_model(models + "/" + robot.file, options).finish();
}

TEST(CorpusPairs, AreAsManyAsTheOracleCounts) {
  const std::vector<Expected> robots = expected_robots();
  if (robots.empty()) GTEST_SKIP() << "no models in " << models;
  EXPECT_GE(robots.size(), 40u);
  for (const Expected& robot : robots) {
    SCOPED_TRACE(robot.file);
    try {
      const Scene scene = scene_of(robot);
      int shapes = 0;
      for (const SceneShape& shape : scene.data().shapes) shapes += shape.role == ShapeRole::collision;
      const PairTable table = candidate_pairs(scene.data());
      EXPECT_EQ(shapes, robot.collision_shapes);
      EXPECT_EQ(table.candidates, robot.candidate_pairs);
      int all = table.candidates;
      for (const auto& [reason, count] : table.filtered) all += count;
      EXPECT_EQ(all, shapes * (shapes - 1) / 2) << "every pair of collision shapes is a candidate or has a reason";
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(CorpusPairs, HaveGeometryForEveryMeshAndFiniteOverlaps) {
  const std::vector<Expected> robots = expected_robots();
  if (robots.empty()) GTEST_SKIP() << "no models in " << models;
  for (const Expected& robot : robots) {
    SCOPED_TRACE(robot.file);
    const Scene scene = scene_of(robot);
    const SceneData& data = scene.data();
    CoalShapes made;
    const auto start = std::chrono::steady_clock::now();
    const std::vector<CoalShape> shapes = make_shapes(data, made);
    const auto middle = std::chrono::steady_clock::now();
    const PairTable table = default_pairs(data, shapes, initial_shape_poses(data));
    const auto end = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const SceneShape& shape = data.shapes[i];
      if (shape.role != ShapeRole::collision) continue;
      if (!shape.shape.mesh && shape.shape.kind == ShapeKind::mesh) continue;  // skipped on request
      EXPECT_FALSE(shapes[i].parts.empty()) << shape.name << ": " << shapes[i].note;
      if (!shapes[i].note.empty()) std::cout << robot.file << " " << shape.name << ": " << shapes[i].note << "\n";
    }
    for (const OverlapEntry& entry : table.overlapping) {
      EXPECT_TRUE(std::isfinite(entry.depth) && entry.depth > 1e-3 && entry.depth < 10)
          << entry.a << " " << entry.b << " " << entry.depth;
    }
    EXPECT_TRUE(table.unsupported.empty());
    const auto ms = [](auto a, auto b) { return std::chrono::duration<double, std::milli>(b - a).count(); };
    std::cout << robot.file << ": " << made.meshes_made() << " meshes in " << ms(start, middle) << " ms, "
              << table.candidates << " candidates in " << ms(middle, end) << " ms, " << table.overlapping.size()
              << " overlap\n";
  }
}

}  // namespace
}  // namespace condyle
