// Every URDF robot of ../shared/models that has loops: closed to round-off, and the mobility that its joints and loops
// leave.
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

/// What is left of the joints' degrees of freedom: a weld in a planar loop takes three of them, a weld or the like in a
/// spatial loop six, a ball joint three.
const std::map<std::string, int> known_mobility{
    {"5bar_linkage", 6 - 3},           // six hinges in one plane
    {"robot_delta", 14 - 3 * 3},       // three loops in one plane
    {"cassie_like", 19 - 2 * 6},       // two spatial loops
    {"digit_like_2legs", 48 - 6 * 6},  // three spatial loops a leg
    {"disney_robot", 50 - 6 * 6},      // the same
    {"talos_like", 13 - 6},            // one spatial loop
    {"Strandbeest", 1},                // all legs of the held frame hang on one crank
};

TEST(AssembleCorpus, EveryUrdfRobotWithLoopsIsClosedAndHasTheMobilityOfAGenericConfiguration) {
  const fs::path models = fs::path(CONDYLE_SHARED_DATA) / "models";
  if (!fs::exists(models)) GTEST_SKIP() << models << " is not there";
  test::Random random(1);
  int robots = 0, judged = 0;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(models))
    if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    ModelOptions options;
    options.base = Base::fixed;
    options.read.package_path = {models.string()};
    options.read.skip_meshes = true;
    options.read.skip_unknown_names = true;  // disney_robot has a misspelt frame
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
    EXPECT_EQ(near.mobility, result.mobility) << name << ": also in general position";
    for (const auto& [robot, mobility] : known_mobility)
      if (name.find(robot + (robot == "Strandbeest" ? ".urdf" : "/")) != std::string::npos) {
        EXPECT_EQ(result.mobility, mobility) << name;
        ++judged;
      }
  }
  std::printf("%d robots\n", robots);
  EXPECT_EQ(judged, 7);
}

}  // namespace
}  // namespace condyle
