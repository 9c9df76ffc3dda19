#include "scene/mass_properties.hpp"

#include <condyle/model.hpp>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace condyle {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> own_models() {
  std::vector<std::string> out;
  for (const char* folder : {"robots", "mechanisms"})
    for (const auto& entry : fs::directory_iterator(fs::path(CONDYLE_SOURCE_DIR) / "models" / folder))
      if (entry.path().extension() == ".urdf") out.push_back(entry.path().string());
  return out;
}

TEST(OwnModels, LoadWithNothingToReportButDefaults) {
  ASSERT_GE(own_models().size(), 6u);
  for (const std::string& file : own_models()) {
    const ModelDescription model = read_model(file);
    for (const ReportEntry& entry : model.report.entries)
      EXPECT_EQ(entry.code, "default-taken") << entry.place.text() << " " << entry.code << ": " << entry.reason;
    EXPECT_EQ(model.name, fs::path(file).stem().string());
  }
}

TEST(OwnModels, InertiasArePositiveAndOfARealBody) {
  for (const std::string& file : own_models())
    for (const LinkSpec& link : read_model(file).links) {
      if (!link.has_inertial) continue;
      const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(link.inertial.inertia).eigenvalues();
      EXPECT_GT(link.inertial.mass, 0) << file << " " << link.name;
      EXPECT_GT(moments[0], 0) << file << " " << link.name;
      EXPECT_GE(moments[0] + moments[1], moments[2]) << file << " " << link.name;
    }
}

TEST(OwnModels, InertiasAreThoseOfUniformMaterialInTheCollisionShapes) {
  int checked = 0;
  for (const std::string& file : own_models()) {
    const ModelDescription model = read_model(file);
    std::map<int, std::vector<Shape>> shapes;
    for (const ShapeSpec& shape : model.shapes)
      if (shape.role == ShapeRole::collision) shapes[shape.link].push_back(shape.shape);
    for (std::size_t i = 0; i < model.links.size(); ++i) {
      const LinkSpec& link = model.links[i];
      if (!link.has_inertial) continue;
      const Inertial expected = solid(shapes[static_cast<int>(i)], link.inertial.mass, link.place);
      EXPECT_LT((expected.com - link.inertial.com).norm(), 1e-6)
          << file << " " << link.name << " com should be " << expected.com.transpose();
      EXPECT_LT((expected.inertia - link.inertial.inertia).norm(), 1e-5 * expected.inertia.norm())
          << file << " " << link.name << " inertia should be\n"
          << expected.inertia << "\nis\n"
          << link.inertial.inertia;
      ++checked;
    }
  }
  EXPECT_GE(checked, 60);
}

TEST(OwnModels, WhatIsSeenIsWhatCollides) {
  for (const std::string& file : own_models()) {
    std::map<int, std::vector<Shape>> seen, colliding;
    for (const ShapeSpec& shape : read_model(file).shapes)
      (shape.role == ShapeRole::visual ? seen : colliding)[shape.link].push_back(shape.shape);
    ASSERT_EQ(seen.size(), colliding.size()) << file;
    for (const auto& [link, shapes] : colliding) {
      ASSERT_EQ(seen[link].size(), shapes.size()) << file;
      for (std::size_t k = 0; k < shapes.size(); ++k) {
        EXPECT_NE(shapes[k].kind, ShapeKind::mesh) << file;
        EXPECT_EQ(seen[link][k].kind, shapes[k].kind) << file;
        EXPECT_EQ(seen[link][k].size, shapes[k].size) << file;
        EXPECT_EQ(seen[link][k].pose.p, shapes[k].pose.p) << file;
        EXPECT_EQ(seen[link][k].pose.R, shapes[k].pose.R) << file;
      }
    }
  }
}

struct Counts {
  int links, nv;
  double mass, ratio;
};

TEST(OwnModels, HaveTheSizesTheScenesAskFor) {
  const std::map<std::string, Counts> expected{
      {"arm", {9, 7, 18.7, 19.5}}, {"quadruped", {13, 12, 16.73, 29.1}}, {"humanoid", {32, 31, 68.8, 84}}};
  for (const std::string& file : own_models()) {
    const ModelDescription model = read_model(file);
    const auto found = expected.find(model.name);
    if (found == expected.end()) continue;
    double lightest = 1e9, heaviest = 0;
    for (const LinkSpec& link : model.links) {
      if (!link.has_inertial) continue;
      lightest = std::min(lightest, link.inertial.mass);
      heaviest = std::max(heaviest, link.inertial.mass);
    }
    EXPECT_EQ(static_cast<int>(model.links.size()), found->second.links) << model.name;
    EXPECT_EQ(model.nv(), found->second.nv) << model.name;
    EXPECT_NEAR(model.total_mass(), found->second.mass, 1e-9) << model.name;
    EXPECT_NEAR(heaviest / lightest, found->second.ratio, 1e-9) << model.name;
  }
}

}  // namespace
}  // namespace condyle
