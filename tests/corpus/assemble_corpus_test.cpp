// Every URDF robot of ../shared/models that has loops: closed to round-off, and the mobility that its joints and loops leave.
#include <condyle/assemble.hpp>
#include <condyle/condyle.hpp>

#include "scene/scene_data.hpp"
#include "step/loop_projection.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

namespace condyle {
namespace {

namespace fs = std::filesystem;

State shaken(const Scene& scene, const State& x, test::Random& random, double size) {
  const SceneData& data = scene.data();
  State out = x;
  const Eigen::VectorXd dv = random.vector(data.nv, size);
  for (const Tree& tree : data.trees) {
    TreeDynamics dynamics(tree);
    Eigen::VectorXd q(tree.model->nq);
    dynamics.integrate(x.q.segment(tree.q, tree.model->nq), 1, dv.segment(tree.v, tree.model->nv), q);
    out.q.segment(tree.q, tree.model->nq) = q;
  }
  return out;
}

TEST(AssembleCorpus, EveryUrdfRobotWithLoopsIsClosedAndHasTheMobilityOfAGenericConfiguration) {
  const fs::path models = fs::path(CONDYLE_SHARED_DATA) / "models";
  if (!fs::exists(models)) GTEST_SKIP() << models << " is not there";
  test::Random random(1);
  int robots = 0;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(models))
    if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    ModelOptions options;
    options.base = Base::fixed;
    options.read.package_path = {models.string()};
    options.read.skip_meshes = true;
    SceneBuilder build;
    try {
      build.add_model(file.string(), options);
    } catch (const Error&) {
      continue;  // refused files are another test's
    }
    const Scene scene = build.finish();
    if (scene.data().closures.empty()) continue;
    ++robots;
    const std::string name = fs::relative(file, models).string();
    const AssembleResult result = assemble(scene, scene.initial_state());
    std::printf("%-62s nv %d: %s\n", name.c_str(), scene.nv(), result.message.c_str());
    EXPECT_TRUE(result.converged) << name << ": " << result.message;
    EXPECT_LT(std::max(result.residual_m, result.residual_rad), 1e-10) << name;
    const AssembleResult near = assemble(scene, shaken(scene, result.state, random, 0.03));
    std::printf("%-62s near by: %s\n", "", near.message.c_str());
    EXPECT_TRUE(near.converged) << name << ": " << near.message;
    EXPECT_LE(near.mobility, result.mobility) << name << ": rank can only grow in general position";
  }
  std::printf("%d robots\n", robots);
  EXPECT_GE(robots, 5);
}

}  // namespace
}  // namespace condyle
