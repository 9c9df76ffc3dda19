// Every real robot of the corpus and of the robot package: Condyle's inertia, bias and v* at random states against
// Pinocchio's own kernels on the same model, and the joint-space inertia against that of the model that Pinocchio's own
// URDF reader makes.
#include "dynamics/tree_dynamics.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/parsers/urdf.hpp>

#include <filesystem>

namespace condyle {
namespace {

namespace pin = pinocchio;
namespace fs = std::filesystem;
using test::relative_difference;
using ConstRef = Eigen::Ref<const Eigen::VectorXd>;

std::vector<fs::path> urdf_files(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension();
    if (entry.is_regular_file() && (ending == ".urdf" || ending == ".URDF")) out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

Eigen::MatrixXd crba(const pin::Model& model, const Eigen::VectorXd& q) {
  pin::Data data(model);
  return pin::crba(model, data, ConstRef(q), pin::Convention::LOCAL).selfadjointView<Eigen::Upper>();
}

Eigen::VectorXd random_configuration(const pin::Model& model, test::Random& random) {
  Eigen::VectorXd q0(model.nq), q(model.nq), dq = random.vector(model.nv, 1.5);
  pin::neutral(model, q0);
  pin::integrate(model, q0, dq, q);
  return q;
}

struct Counts {
  int files = 0, simulated = 0, compared = 0;
};

void compare_kernels(const Tree& tree, test::Random& random, const std::string& file, Counts& counts) {
  TreeDynamics dynamics(tree);
  const pin::Model& model = *tree.model->model;
  dynamics.update(tree.q_initial);
  if (!dynamics.joints_without_inertia().empty()) return;  // loads, but no simulator may take it
  ++counts.simulated;
  for (int k = 0; k < 3; ++k) {
    const Eigen::VectorXd q = random_configuration(model, random), v = random.vector(model.nv, 2),
                          tau = random.vector(model.nv, 5);
    pin::Data data(model);
    dynamics.update(q);
    Eigen::MatrixXd M = crba(model, q);
    EXPECT_LT(relative_difference(dynamics.mass_matrix(), M), 1e-10) << file;
    EXPECT_LT(relative_difference(dynamics.bias(v), pin::nonLinearEffects(model, data, ConstRef(q), ConstRef(v))), 1e-10)
        << file;
    if (!dynamics.joints_without_inertia().empty()) continue;
    // v* without damping equals forward dynamics by the articulated-body algorithm; the scale of the comparison is the
    // velocity change, whose rounding grows with the condition of M
    Scheme scheme;
    scheme.implicit_damping = false;
    Eigen::VectorXd v_free(model.nv), force = tau + tree.damping.cwiseProduct(v);
    ASSERT_EQ(dynamics.free_velocity(scheme, q, v, force, v_free), 0) << file;
    Eigen::VectorXd truth =
        v + scheme.dt * pin::aba(model, data, ConstRef(q), ConstRef(v), ConstRef(tau), pin::Convention::LOCAL);
    // v* has a free base's velocity in the axes of q, Pinocchio's acceleration is that of components in turning axes
    if (tree.model->free_base) truth.head<3>() += scheme.dt * v.segment<3>(3).cross(v.head<3>());
    EXPECT_LT(relative_difference(v_free, truth), 1e-10) << file;
  }
}

void compare_readers(const ModelDescription& description, const Tree& tree, const std::string& file, test::Random& random,
                     Counts& counts) {
  for (const JointSpec& joint : description.joints)
    if (joint.kind == JointKind::planar || joint.kind == JointKind::ball)
      return;  // read differently on purpose (LOADING 3, 5)
  pin::Model theirs;
  try {
    pin::urdf::buildModel(file, theirs);
  } catch (const std::exception&) {
    return;
  }
  if (theirs.nv != tree.model->nv) return;  // a sidecar retyped joints
  ++counts.compared;
  ASSERT_EQ(theirs.nq, tree.model->nq) << file;
  const Eigen::VectorXd q = random_configuration(theirs, random);
  EXPECT_LT(relative_difference(crba(*tree.model->model, q), crba(theirs, q)), 1e-10) << file;
}

Counts compare_folder(const fs::path& folder) {
  test::Random random(17);
  Counts counts;
  ReadOptions read;
  read.package_path = {folder.string(), folder.parent_path().string()};
  read.skip_meshes = true;
  read.skip_unknown_names = true;
  for (const fs::path& file : urdf_files(folder)) {
    ModelOptions options;
    options.base = Base::fixed;
    options.read = read;
    std::shared_ptr<const ModelDescription> description;
    try {
      description = std::make_shared<const ModelDescription>(read_model(file.string(), read));
    } catch (const Error&) {
      continue;  // which files must be refused is the other corpus test's business
    }
    ++counts.files;
    SceneBuilder build;
    const Scene scene = build.add_model(description, options).finish();
    const Tree& tree = scene.data().trees[0];
    if (tree.model->nv == 0) continue;
    compare_kernels(tree, random, file.string(), counts);
    compare_readers(*description, tree, file.string(), random, counts);
  }
  std::printf("%d files load, %d can be simulated, %d compared with Pinocchio's own reader\n", counts.files,
              counts.simulated, counts.compared);
  return counts;
}

TEST(Corpus, InertiaBiasAndFreeVelocityAreThoseOfPinocchioOnEverySharedRobot) {
  const fs::path folder = fs::path(CONDYLE_SHARED_DATA) / "models";
  if (!fs::exists(folder)) GTEST_SKIP() << "../shared/models is not here";
  const Counts counts = compare_folder(folder);
  EXPECT_GE(counts.files, 42);
  EXPECT_GE(counts.simulated, 30);
  EXPECT_GE(counts.compared, 30);
}

TEST(Corpus, InertiaBiasAndFreeVelocityAreThoseOfPinocchioOnEveryRobotOfThePackage) {
  const fs::path folder = fs::path(CONDYLE_SOURCE_DIR) / ".deps/robots/cmeel.prefix/share/example-robot-data/robots";
  if (!fs::exists(folder)) GTEST_SKIP() << "the robot package is not installed: scripts/setup --robots";
  const Counts counts = compare_folder(folder);
  EXPECT_GE(counts.files, 60);
  EXPECT_GE(counts.compared, 55);
}

}  // namespace
}  // namespace condyle
