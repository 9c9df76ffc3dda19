// A third opinion: where pinocchio::urdf reads a file too, q has the same order and the same limits.
#include <condyle/model.hpp>

#include <gtest/gtest.h>
#include <pinocchio/multibody/model.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace condyle {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> urdf_files(const fs::path& folder) {
  std::vector<fs::path> out;
  if (!fs::exists(folder)) return out;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".urdf" || entry.path().extension() == ".URDF") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

/// The description of the URDF alone: a sidecar may retype joints, which Pinocchio does not know of.
bool read_alone(const fs::path& file, ModelDescription& model) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  ReadOptions options;
  options.skip_meshes = options.skip_unknown_names = true;
  try {
    model = read_urdf_text(text.str(), "/nowhere/" + file.filename().string(), options);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void compare(const ModelDescription& ours, const pinocchio::Model& theirs) {
  EXPECT_EQ(ours.nq(), theirs.nq);
  EXPECT_EQ(ours.nv(), theirs.nv);
  double mass = 0;
  for (const auto& inertia : theirs.inertias) mass += inertia.mass();
  EXPECT_NEAR(ours.total_mass(), mass, 1e-9 * std::max(1.0, mass));
  std::size_t next = 1;
  for (const JointSpec& joint : ours.joints) {
    if (joint.kind == JointKind::fixed) continue;
    ASSERT_LT(next, theirs.names.size());
    ASSERT_EQ(joint.name, theirs.names[next]) << "place " << next << " in q";
    const auto q = theirs.joints[next].idx_q(), v = theirs.joints[next].idx_v();
    ++next;
    if (nv_of(joint.kind) != 1) continue;
    if (nq_of(joint.kind) == 1) {
      EXPECT_EQ(joint.lower, theirs.lowerPositionLimit[q]) << joint.name;
      EXPECT_EQ(joint.upper, theirs.upperPositionLimit[q]) << joint.name;
    }
    EXPECT_EQ(joint.damping, theirs.damping[v]) << joint.name;
    EXPECT_EQ(joint.friction, theirs.upperDryFrictionLimit[v]) << joint.name;
    if (std::isfinite(joint.effort)) {
      EXPECT_EQ(joint.effort, theirs.upperEffortLimit[v]) << joint.name;
    }
    if (std::isfinite(joint.velocity)) {
      EXPECT_EQ(joint.velocity, theirs.upperVelocityLimit[v]) << joint.name;
    }
  }
  EXPECT_EQ(next, theirs.names.size());
}

int compare_folder(const fs::path& folder) {
  int both = 0;
  for (const fs::path& file : urdf_files(folder)) {
    SCOPED_TRACE(file.string());
    ModelDescription ours;
    if (!read_alone(file, ours)) continue;
    pinocchio::Model theirs;
    testing::internal::CaptureStderr();  // its reasons for refusing go there
    bool read = true;
    try {
      pinocchio::urdf::buildModel(file.string(), theirs);
    } catch (const std::exception&) {
      read = false;
    }
    testing::internal::GetCapturedStderr();
    if (!read) continue;
    compare(ours, theirs);
    ++both;
  }
  return both;
}

TEST(PinocchioOpinion, AgreesOnOrderSizesAndLimitsForTheSharedModels) {
  const fs::path folder = fs::path(CONDYLE_SHARED_DATA) / "models";
  if (!fs::exists(folder)) GTEST_SKIP() << "../shared/models is not here";
  EXPECT_GE(compare_folder(folder), 40);
}

TEST(PinocchioOpinion, AgreesOnOrderSizesAndLimitsForTheInstalledRobots) {
  const fs::path folder = fs::path(CONDYLE_SOURCE_DIR) / ".deps/robots/cmeel.prefix/share/example-robot-data/robots";
  if (!fs::exists(folder)) GTEST_SKIP() << "the robot package is not installed (scripts/setup --robots)";
  EXPECT_GE(compare_folder(folder), 60);
}

}  // namespace
}  // namespace condyle
