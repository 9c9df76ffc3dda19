#include <gtest/gtest.h>

#include <condyle/solver.hpp>

#include <map>

#include "problem/same_problem.hpp"
#include "support/contact_problems.hpp"

namespace condyle {
namespace {

using namespace condyle::testing;

TEST(Descriptors, RanksOfTheStoredProblemsAreThoseOfTheirTable) {
  if (stored_problems().empty()) GTEST_SKIP() << "no stored problems in " << problem_folder();
  // README of the stored problems; rolling ones are read as three of their five rows and have other ranks. BuckConverter
  // (31) and deltasigma (221) are counted down to round-off in the table, not to 1e-10 (numpy: 30 and 216 singular values).
  const std::map<std::string, int> ranks = {{"boxes/BoxesStack1-i100000-32.hdf5.dat", 78},
                                            {"boxes/Box_Stacks-i0122-82-5.hdf5", 175},
                                            {"boxes/local_problem_test.hdf5", 72},
                                            {"piles/OneObject-i100000-316.hdf5.dat", 49},
                                            {"piles/OneObject-i100000-499.hdf5.dat", 49},
                                            {"spheres/NESpheres_10_1.dat", 27},
                                            {"spheres/NESpheres_30_1.dat", 125},
                                            {"confeti/Confeti-ex13-4contact-Fc3D-SBM.dat", 9},
                                            {"confeti/Confeti-ex13-Fc3D-SBM.dat", 228},
                                            {"rover/Rover1039.dat", 12},
                                            {"rover/Rover3865.dat", 13},
                                            {"rover/Rover4609.dat", 14},
                                            {"rover/Rover4613.dat", 14},
                                            {"rover/Rover9770.dat", 13},
                                            {"lmgc/CubeH8.hdf5", 3},
                                            {"lmgc/LMGC_GlobalFrictionContactProblem00046.hdf5", 27},
                                            {"global-small/GFC3D_OneContact.dat", 3},
                                            {"global-small/GFC3D_TwoRods1.dat", 9},
                                            {"fc2d/FC2D_SliderCrankLagrangian00000.dat", 3},
                                            {"fc2d/FrictionContactProblem00071.dat", 178},
                                            {"fc2d/gfc2d_granularflowonwall_00069_00350.dat", 136},
                                            {"fc2d/gfc2d_granularflowonwall_00230_00206.dat", 459},
                                            {"mlcp/BuckConverter_mlcp.dat", 30},
                                            {"mlcp/diodeBridge40_mlcp.dat", 42},
                                            {"mlcp/deltasigma_mlcp.dat", 216},
                                            {"lcp/lcp_CPS_1.dat", 1},
                                            {"lcp/lcp_mmc.dat", 26},
                                            {"lcp/lcp_tobenna.dat", 40},
                                            {"gmp/GMP2.dat", 14},
                                            {"gmp/GMP5.dat", 7},
                                            {"gmp/GMP6.dat", 35},
                                            {"boxed-lcp/block_symmetric_case.txt", 2},
                                            {"boxed-lcp/lcp_failure_2.txt", 3},
                                            {"boxed-lcp/real_life_failure_2.txt", 2},
                                            {"contactbench/sliding_cube.npz", 6}};
  for (const auto& [file, rank] : ranks) {
    const ProblemDescriptors d = describe(read_problem((problem_folder() / file).string()));
    EXPECT_EQ(d.rank, rank) << file << ", condition " << d.condition;
  }
}

TEST(Descriptors, CountsAndCategoriesFollowContactsAndJoints) {
  if (stored_problems().empty()) GTEST_SKIP() << "no stored problems in " << problem_folder();
  auto of = [](const char* file) { return describe(read_problem((problem_folder() / file).string())); };
  EXPECT_EQ(of("rover/Rover11035.dat").category, "Single Contact");
  EXPECT_EQ(of("boxes/Box_Stacks-i0122-82-5.hdf5").category, "Sparse Contacts") << "246 rows on 450 velocities";
  EXPECT_EQ(of("capsules/Capsules-i101-404.dat").category, "Dense Contacts");
  EXPECT_EQ(of("gmp/GMP2.dat").category, "Independent Joints");
  EXPECT_EQ(of("gmp/GMP5.dat").category, "Dense Constraints") << "5 joint rows and a contact on rank 7";
  EXPECT_EQ(of("lcp/lcp_CPS_1.dat").category, "Limits");
  EXPECT_EQ(of("fc2d/gfc2d_granularflowonwall_00000_00117.dat").category, "Unconstrained");
  const ProblemDescriptors stack = of("boxes/Box_Stacks-i0122-82-5.hdf5");
  EXPECT_EQ(stack.rows, 246);
  EXPECT_EQ(stack.contacts, 82);
  EXPECT_EQ(stack.velocities, 450);
  EXPECT_DOUBLE_EQ(stack.density_contacts, 246. / 450);
}

TEST(Descriptors, ContactsAndJointsOnTooFewVelocitiesAreDenseConstraints) {
  test::ProblemBuilder build;
  const int body = build.body(1, Eigen::Vector3d::Ones(), Eigen::Matrix<double, 6, 1>::Zero());
  const int carrier = build.twist_carrier(-1, body, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero());
  for (const double x : {-1., 0., 1.}) build.contact(carrier, Eigen::Vector3d(x, x * x, 0), Eigen::Vector3d::UnitZ(), 0.5);
  ContactProblem p = build.problem;
  EXPECT_EQ(describe(p).category, "Dense Contacts") << "9 rows on 6 velocities";
  p.blocks[2].kind = ConstraintKind::closure;
  p.blocks[2].set = SetKind::bilateral;
  const ProblemDescriptors d = describe(p);
  EXPECT_EQ(d.category, "Dense Constraints");
  EXPECT_EQ(d.bilateral_rows, 3);
  EXPECT_EQ(d.contacts, 2);
  EXPECT_EQ(d.rank, 6);
  EXPECT_DOUBLE_EQ(d.density_all, 1.5);
}

TEST(Descriptors, ATwiceHeldBodyHasRedundantJointsAndItsMassRatioIsThatOfTheBlocks) {
  test::ProblemBuilder build;
  build.tree(Eigen::MatrixXd::Identity(2, 2) * 3, Eigen::Vector2d(1, 2));
  build.tree(Eigen::MatrixXd::Identity(1, 1) * 300, Eigen::VectorXd::Ones(1));
  ContactProblem p = build.problem;
  for (int k = 0; k < 2; ++k) {  // the same row twice
    p.J.runs.push_back({0, 1, k});
    p.J.values.push_back(1 + k);
    p.J.carriers.push_back({1, k, k + 1});
    p.J.parts.push_back({k, k, 1, -1});
    ConstraintBlock block;
    block.kind = ConstraintKind::closure;
    block.row = k;
    block.rows = 1;
    p.blocks.push_back(block);
  }
  p.J.rows = 2;
  p.bias = p.compliance = Eigen::VectorXd::Zero(2);
  ASSERT_EQ(p.defect(), "");
  const ProblemDescriptors d = describe(p);
  EXPECT_EQ(d.rank, 1);
  EXPECT_EQ(d.category, "Redundant Joints");
  EXPECT_DOUBLE_EQ(d.mass_ratio, 100);
  EXPECT_DOUBLE_EQ(d.density_joints, 2. / 3);
  EXPECT_NEAR(d.condition, 1, 1e-12);
}

}  // namespace
}  // namespace condyle
