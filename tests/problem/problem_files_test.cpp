// What the numbers of each format mean, on problems small enough to check by eye.
#include <gtest/gtest.h>

#include <condyle/error.hpp>
#include <condyle/problem_file.hpp>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

#include "linalg/block_jacobian.hpp"
#include "problem/same_problem.hpp"
#include "support/contact_problems.hpp"

namespace condyle {
namespace {

using namespace condyle::testing;
namespace fs = std::filesystem;

// numpy.savez_compressed of G in Fortran's order, g as a column, mus as float32
const std::string packed_npz =
    "504b03042d000000080000002100d8efff51ffffffffffffffff05001400472e6e707901001000c8000000000000005b000000000000009bec17ea"
    "1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a1aea3a09e965f54529498179f5f94920a120f292a4d050a17672416a402b91ac63a0ac69a3a0a"
    "b50ae4032e060870805017ec1950c003289f032aff014d1e06041c00504b03042d0000000800000021005faafe44ffffffffffffffff0500140067"
    "2e6e707901001000980000000000000055000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a1aea3a09e965f54529498"
    "179f5f94920a12774bcc294e058a17672416a402f91ac63a0a869a3a0ab50a6403ae59334160a73d843e69cf00061ff60300504b03042d00000008"
    "00000021001aaed448ffffffffffffffff070014006d75732e6e707901001000840000000000000048000000000000009bec17ea1b10c9c850c650"
    "ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a863a9a3a0ab50a14002e060606"
    "7b00504b01022d032d000000080000002100d8efff515b000000c8000000050000000000000000000000800100000000472e6e7079504b01022d03"
    "2d0000000800000021005faafe445500000098000000050000000000000000000000800192000000672e6e7079504b01022d032d00000008000000"
    "21001aaed448480000008400000007000000000000000000000080011e0100006d75732e6e7079504b050600000000030003009b0000009f010000"
    "0000";

fs::path file_of(const std::string& name, const std::string& text) {
  const fs::path out = output_folder("small") / name;
  std::ofstream(out, std::ios::binary) << text;
  return out;
}

std::string bytes_of_hex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

/// What reading says; "" if it reads.
std::string refusal(const fs::path& file, ProblemFormat format = ProblemFormat::automatic) {
  try {
    read_problem(file, format);
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, file.string()) << error.what();
    return error.what();
  }
}

Eigen::MatrixXd matrix(int n, std::initializer_list<double> rows) {
  Eigen::MatrixXd out(n, n);
  int k = 0;
  for (const double x : rows) {
    out(k / n, k % n) = x;
    ++k;
  }
  return out;
}

TEST(ProblemFiles, ANormalThatStandsFirstInTheFileStandsLastInTheProblem) {
  // columns of W: (N, T1, T2)
  const ContactProblem p =
      read_problem(file_of("FC3D_one.dat", "3 1\n0 3 3\n3 3\n 11 21 31 12 22 32 13 23 33\n-1 2 3\n0.5\n1"));
  EXPECT_EQ(Eigen::MatrixXd(p.G), matrix(3, {22, 23, 21, 32, 33, 31, 12, 13, 11}));
  EXPECT_EQ(p.g, Eigen::Vector3d(2, 3, -1));
  ASSERT_EQ(p.blocks.size(), 1u);
  EXPECT_EQ(p.blocks[0].set, SetKind::cone);
  EXPECT_EQ(p.blocks[0].friction, 0.5);
  EXPECT_EQ(p.contacts(), 1);
  EXPECT_TRUE(p.dual_only);
  EXPECT_EQ(p.name, "FC3D_one");
}

TEST(ProblemFiles, BlocksAreColumnMajorAndPlaneContactsHaveTwoRows) {
  // two contacts of (N, T); blocks (0,0), (0,1), (1,1)
  const std::string text =
      "2 2\n1 4 4\n3 2 2\n2 4\n2 4\n3 3\n0 2 3\n0 1 1\n0 1 2 3 4\n1 5 6 7 8\n2 9 10 11 12\n-1 -2 -3 -4\n0.1 0.2\n";
  const ContactProblem p = read_problem(file_of("two.dat", text));
  EXPECT_EQ(Eigen::MatrixXd(p.G), matrix(4, {4, 2, 8, 6, 3, 1, 7, 5, 0, 0, 12, 10, 0, 0, 11, 9}));
  EXPECT_EQ(p.g, Eigen::Vector4d(-2, -1, -4, -3));
  ASSERT_EQ(p.blocks.size(), 2u);
  EXPECT_EQ(p.blocks[1].rows, 2);
  EXPECT_EQ(p.blocks[1].friction, 0.2);
}

TEST(ProblemFiles, AGlobalProblemKeepsItsMassesInTheBlocksThatCoupleThem) {
  // velocities 0 and 2 are coupled, 1 is alone; one contact in the plane on velocities 0 and 1
  const std::string triplets =
      "2 1\n2 3 3 1\nCSparse Version 3\ntriplet: 3-by-3, nzmax: 9 nnz: 6\n0 0 : 1\n0 0 : 1\n1 1 : 4\n2 2 : 2\n0 2 : 1\n2 0 "
      ": 1\n"
      "2 3 2 2\nCSparse Version 3\n3-by-2, nzmax: 2 nnz: 2, 1-norm: 1\ncol 0 : locations 0 to 0\n0 : 1\ncol 1 : locations 1 "
      "to 1\n1 : 5\n"
      "3 8 0\n-1 0.5\n0.3\n";
  const ContactProblem p = read_problem(file_of("GFC2D_coupled.dat", triplets));
  ASSERT_EQ(p.defect(), "");
  ASSERT_EQ(p.A.blocks(), 2);
  EXPECT_EQ(Eigen::MatrixXd(p.A.block(0)), (Eigen::Matrix2d() << 2, 1, 1, 2).finished());
  EXPECT_EQ(p.A.block(1)(0, 0), 4);
  EXPECT_TRUE(p.v_free.isApprox(Eigen::Vector3d(2, -1, 2), 1e-15)) << p.v_free.transpose();
  Eigen::MatrixXd J(2, 3);
  J << 0, 0, 5, 1, 0, 0;  // tangent, normal; velocity 1 of the file is the last
  EXPECT_EQ(dense(p.J), J);
  EXPECT_EQ(p.bias, Eigen::Vector2d(0.5, -1));
}

TEST(ProblemFiles, RollingContactsAreReadAsTheirFirstThreeRows) {
  std::string text = "5 1\n0 5 5\n5 5\n";
  for (int k = 0; k < 25; ++k) text += k % 6 == 0 ? fmt::format("{} ", 1 + k) : k == 1 ? "0.5 " : "0 ";
  const ContactProblem p = read_problem(file_of("RFC3D_one.dat", text + "\n-1 2 3 4 5\n0.6\n0.1\n"));
  EXPECT_EQ(Eigen::MatrixXd(p.G), matrix(3, {7, 0, 0.5, 0, 13, 0, 0, 0, 1}));
  EXPECT_EQ(p.g, Eigen::Vector3d(2, 3, -1));
  EXPECT_EQ(p.blocks[0].friction, 0.6);
}

TEST(ProblemFiles, LcpMlcpAndGmpGiveNonnegativeBilateralAndContactBlocks) {
  const ContactProblem lcp = read_problem(file_of("lcp_two.dat", "2 0 2 2 2 2 1 3 2 4 -1 -2\n\nfree text"));
  EXPECT_EQ(Eigen::MatrixXd(lcp.G), matrix(2, {1, 2, 3, 4}));
  EXPECT_EQ(lcp.blocks.at(1).set, SetKind::nonnegative);

  const std::string mlcp = "1 1 1 1\n0 1 2\n0 1\n0 2 2 2 2 1 3 2 4\n5 6\n1\n4\n2\n3\n5\n{}\n 0.5 0.25";
  const ContactProblem mixed = read_problem(file_of("two_mlcp.dat", fmt::format(fmt::runtime(mlcp), 6)));
  EXPECT_EQ(Eigen::MatrixXd(mixed.G), matrix(2, {1, 2, 3, 4}));
  EXPECT_EQ(mixed.blocks.at(0).set, SetKind::bilateral);
  EXPECT_EQ(mixed.blocks.at(1).set, SetKind::nonnegative);
  EXPECT_NE(refusal(file_of("bad_mlcp.dat", fmt::format(fmt::runtime(mlcp), 7))).find("differ from q"), std::string::npos);

  const ContactProblem gmp = read_problem(
      file_of("GMP_two.dat", "1 4 4 2 2 2\n1 4\n1 4\n3 2\n0 1 2\n0 1\n0 7\n1 1 2 3 4 5 6 7 8 9\n9 1 2 3\n2\n4\n0.25\n"));
  EXPECT_EQ(gmp.blocks.at(0).set, SetKind::bilateral);
  EXPECT_EQ(gmp.blocks.at(1).set, SetKind::cone);
  EXPECT_EQ(gmp.blocks.at(1).friction, 0.25);
  EXPECT_EQ(gmp.g, Eigen::Vector4d(9, 2, 3, 1));
  EXPECT_EQ(Eigen::MatrixXd(gmp.G).bottomRightCorner(3, 3), matrix(3, {5, 8, 2, 6, 9, 3, 4, 7, 1}));
}

TEST(ProblemFiles, ABoxedLcpHasBoundsFrictionBoxesAndTheOtherSign) {
  const ContactProblem p = read_problem(
      file_of("boxed.txt", "4\n1 2 0 0\n3 4 0 0\n0 0 1 0\n0 0 0 1\n7 8 9 10\n0 -0.5 -inf -2\ninf 0.5 inf 3\n-1 0 -1 -1\n"));
  EXPECT_EQ(p.g, Eigen::Vector4d(-7, -8, -9, -10));
  EXPECT_EQ(Eigen::MatrixXd(p.G)(0, 1), 2) << "rows, not columns";
  EXPECT_EQ(p.blocks.at(0).set, SetKind::nonnegative);
  EXPECT_EQ(p.blocks.at(0).kind, ConstraintKind::contact);
  EXPECT_EQ(p.blocks.at(1).set, SetKind::friction_box);
  EXPECT_EQ(p.blocks.at(1).normal_row, 0);
  EXPECT_EQ(p.blocks.at(1).upper, 0.5);
  EXPECT_EQ(p.blocks.at(2).set, SetKind::bilateral);
  EXPECT_EQ(p.blocks.at(3).set, SetKind::box);
  EXPECT_EQ(p.blocks.at(3).lower, -2);
}

TEST(ProblemFiles, NumpyArchivesMayBePackedInAnyOrderAndOfSinglePrecision) {
  const ContactProblem p = read_problem(file_of("packed.npz", bytes_of_hex(packed_npz)));
  EXPECT_EQ(Eigen::MatrixXd(p.G), matrix(3, {2, 0.5, 0, 0.25, 3, 0, 0, 1, 4}));
  EXPECT_EQ(p.g, Eigen::Vector3d(0.1, 0.2, -1));
  EXPECT_EQ(p.blocks.at(0).friction, 0.5);
}

/// A body on three points, a closure and a bounded actuator, names and ids: what a simulator makes.
ContactProblem step_problem(bool only_contacts_and_closures) {
  test::ProblemBuilder build;
  const int body = build.body(2, Eigen::Vector3d(0.1, 0.2, 0.3),
                              (Eigen::Matrix<double, 6, 1>() << 0.1, 0.2, -1, 1e-3, -2e-3, 1. / 3).finished());
  const int carrier = build.twist_carrier(-1, body, Eigen::Vector3d::Zero(), Eigen::Vector3d(0, 0, -0.1));
  for (const double x : {-0.1, 0.1, 0.3})
    build.contact(carrier, Eigen::Vector3d(x, x * x, 0), Eigen::Vector3d(0.1, 0, 1).normalized(), 0.5, 0.01);
  ContactProblem p = build.problem;
  p.dt = 1e-3;
  p.name = "step 12";
  BlockJacobian& J = p.J;
  const int value = static_cast<int>(J.values.size());
  for (int row = 0; row < 2; ++row) {
    J.values.push_back(row == 0 ? 0.7 : -1.5);
    J.runs.push_back({row == 0 ? 1 : 3, 1, value + row});
    J.carriers.push_back({1, static_cast<int>(J.runs.size()) - 1, static_cast<int>(J.runs.size())});
    J.parts.push_back({static_cast<int>(J.carriers.size()) - 1, J.rows++, 1, -1});
    ConstraintBlock block;
    block.row = J.rows - 1;
    block.rows = 1;
    block.kind = row == 0 ? ConstraintKind::closure : ConstraintKind::actuator;
    block.id = 0xFEDCBA9876543210ull + static_cast<std::uint64_t>(row);
    block.weight = 0.25;
    if (row == 1 && !only_contacts_and_closures) {
      block.set = SetKind::box;
      block.lower = -3;
      block.angular = true;
    }
    p.blocks.push_back(block);
  }
  p.bias.conservativeResize(J.rows);
  p.bias.tail(2) << -0.0, 0.125;
  p.compliance.conservativeResize(J.rows);
  p.compliance.tail(2) << 0, only_contacts_and_closures ? 0 : 1e-5;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) p.names.push_back(fmt::format("cube on floor, point {} µ", i));
  return p;
}

TEST(ProblemFiles, TheDumpOfAStepKeepsEveryBitAndTheNames) {
  const ContactProblem p = step_problem(false);
  ASSERT_EQ(p.defect(), "");
  const fs::path file = output_folder("small") / "step.condyle.h5";
  write_problem(p, file);
  const ContactProblem back = read_problem(file);
  EXPECT_EQ(difference(p, back), "");
  EXPECT_EQ(back.block_name(2), "cube on floor, point 2 µ");
  EXPECT_EQ(back.blocks.back().id, 0xFEDCBA9876543211ull);
  EXPECT_EQ(back.blocks.back().upper, std::numeric_limits<double>::infinity());

  ContactProblem empty;
  write_problem(empty, file);
  EXPECT_EQ(difference(empty, read_problem(file)), "");
}

TEST(ProblemFiles, TheSameProblemGivesTheSameBytes) {
  const fs::path a = output_folder("small") / "a.condyle.h5", b = output_folder("small") / "b.condyle.h5";
  auto bytes = [](const fs::path& f) {
    std::ifstream in(f, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  write_problem(step_problem(false), a);
  write_problem(step_problem(false), b);
  EXPECT_EQ(bytes(a), bytes(b));
}

TEST(ProblemFiles, ContactsWithBilateralRowsGoThroughFclibInBothForms) {
  const ContactProblem p = step_problem(true);
  ASSERT_EQ(p.defect(), "");
  const fs::path global = output_folder("small") / "global.hdf5", local = output_folder("small") / "local.hdf5";
  write_problem(p, global, ProblemFormat::fclib_global);
  const ContactProblem g = read_problem(global);
  EXPECT_LT((dense(g.J) - dense(p.J)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(dense(g.A), dense(p.A));
  EXPECT_LT((g.v_free - p.v_free).norm(), 1e-15);
  EXPECT_TRUE(same_bits(g.bias, p.bias));
  write_problem(g, global, ProblemFormat::fclib_global);
  EXPECT_EQ(difference(g, read_problem(global)), "") << "a second time nothing changes";

  write_problem(p, local, ProblemFormat::fclib_local);
  const ContactProblem l = read_problem(local);
  const Eigen::MatrixXd J = dense(p.J), G = J * dense(p.A).inverse() * J.transpose();
  EXPECT_LT((Eigen::MatrixXd(l.G) - G).cwiseAbs().maxCoeff(), 1e-13 * G.cwiseAbs().maxCoeff());
  EXPECT_LT((l.g - (J * p.v_free + p.bias)).norm(), 1e-14);
  EXPECT_EQ(l.blocks.size(), 5u);
  EXPECT_EQ(l.blocks[4].set, SetKind::bilateral);
}

TEST(ProblemFiles, WhatAFormatCannotHoldIsRefusedBeforeAnythingIsWritten) {
  const fs::path file = output_folder("small") / "refused";
  fs::remove(file);
  const ContactProblem p = step_problem(false);
  for (const ProblemFormat format : problem_formats()) {
    if (format == ProblemFormat::condyle) continue;
    try {
      write_problem(p, file, format);
      ADD_FAILURE() << to_string(format);
    } catch (const Error& error) {
      EXPECT_FALSE(error.cure().empty()) << error.what();
    }
    EXPECT_FALSE(fs::exists(file)) << to_string(format);
  }
  EXPECT_THROW(write_problem(p, file), Error) << "the name says nothing";
}

TEST(ProblemFiles, FormatsHaveNamesAndTheNearestIsNamed) {
  for (const ProblemFormat format : problem_formats()) EXPECT_EQ(problem_format(to_string(format)), format);
  try {
    problem_format("fclib-locl");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("fclib-local"), std::string::npos) << error.what();
  }
}

TEST(ProblemFiles, EveryDefectOfAProblemIsFoundInWords) {
  struct Damage {
    std::function<void(ContactProblem&)> doit;
    std::string word;
  };
  const std::vector<Damage> damages = {
      {[](ContactProblem& p) { p.bias[1] = std::nan(""); }, "bias[1]"},
      {[](ContactProblem& p) { p.compliance[0] = -1; }, "compliance[0]"},
      {[](ContactProblem& p) { p.v_free.conservativeResize(5); }, "v_free has 5"},
      {[](ContactProblem& p) { p.A.values[0] = std::numeric_limits<double>::infinity(); }, "of A is inf"},
      {[](ContactProblem& p) { p.A.begin[1] = 7; }, "outside its numbers"},
      {[](ContactProblem& p) { p.J.runs[0].columns = 60; }, "run 0"},
      {[](ContactProblem& p) { p.J.runs[0].value = 1 << 30; }, "run 0"},
      {[](ContactProblem& p) { p.J.carriers[0].run_end = 99; }, "carrier 0"},
      {[](ContactProblem& p) { p.J.parts[0].carrier = 17; }, "no carrier 17"},
      {[](ContactProblem& p) { p.J.parts[1].row = 0; }, "two parts"},
      {[](ContactProblem& p) { p.J.parts.pop_back(); }, "no part"},
      {[](ContactProblem& p) { p.blocks[0].friction = -0.1; }, "friction"},
      {[](ContactProblem& p) { p.blocks[0].rows = 4; }, "cone of 4"},
      {[](ContactProblem& p) { p.blocks.pop_back(); }, "the blocks have"},
      {[](ContactProblem& p) { p.blocks[4].lower = 1, p.blocks[4].upper = 0; }, "bounds"},
      {[](ContactProblem& p) { p.names.pop_back(); }, "names"},
      {[](ContactProblem& p) { p.dt = -1; }, "dt"},
      {[](ContactProblem& p) { p.dual_only = true; }, "velocities too"},
  };
  for (const Damage& damage : damages) {
    ContactProblem p = step_problem(false);
    damage.doit(p);
    EXPECT_NE(p.defect().find(damage.word), std::string::npos) << "'" << p.defect() << "' should name " << damage.word;
  }
}

TEST(ProblemFiles, DamagedFilesAreRefusedWithTheirPlace) {
  const std::string good = "3 1\n0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 0 0\n0.5\n";
  auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  struct Case {
    std::string name, text, word;
  };
  const std::vector<Case> cases = {
      {"a.dat", "", "neither the name"},
      {"FC3D_a.dat", "", "dimension: the file ends"},
      {"FC3D_a.dat", good.substr(0, good.size() - 5), "mu: the file ends"},
      {"FC3D_a.dat", changed("-1 0", "nan 0"), ":5 q: a number is NaN"},
      {"FC3D_a.dat", changed("-1 0", "inf 0"), "infinite"},
      {"FC3D_a.dat", changed("-1 0", "1e999 0"), "infinite"},
      {"FC3D_a.dat", changed("-1 0", "one 0"), "'one' is not a number"},
      {"FC3D_a.dat", changed("3 1", "3 1000000000000"), "absurd"},
      {"FC3D_a.dat", changed("3 1", "3 -1"), "absurd"},
      {"FC3D_a.dat", changed("3 1", "4 1"), "4 rows"},
      {"FC3D_a.dat", changed("3 1", "3 2"), "6 by 6"},
      {"FC3D_a.dat", changed("0 3 3", "7 3 3"), "no storage 7"},
      {"FC3D_a.dat", changed("0.5", "-0.5"), "friction"},
      {"FC3D_a.dat", good + "1 2", "more numbers"},
      {"FC3D_a.dat", "3 1\n1 3 3\n1 1 1\n3\n3\n2 1\n0 1\n5\n0 1 0 0 0 1 0 0 0 1\n-1 0 0\n0.5\n", "no block column 5"},
      {"FC3D_a.dat", "3 1\n1 3 3\n1 1 1\n9\n3\n2 1\n0 1\n0\n0 1 0 0 0 1 0 0 0 1\n-1 0 0\n0.5\n", "end at 9"},
      {"FC3D_a.dat", "3 1\n2 3 3 2\nno banner\n", "CSparse"},
      {"FC3D_a.dat", "3 1\n2 3 3 2\nCSparse\n3-by-3, nzmax: 1 nnz: 99999999, 1-norm: 1\n", "cannot stand"},
      {"FC3D_a.dat", "3 1\n2 3 3 2\nCSparse\n3-by-3, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 0\n7 : 1\n",
       "no place (7, 0)"},
      {"GFC3D_a.dat", "3 0\n0 2 2\n2 2\n1 0 0 0\n2 2 0 2\nCSparse\n2-by-0, nzmax: 0 nnz: 0, 1-norm: 0\n1 1\n",
       "cannot be inverted"},
      {"a.txt", "2\n1 0 0 1\n1 1\n1 0\n0 1\n-1 -1\n", "bounds 1 and 0"},
      {"a.txt", "2\n1 0 0 1\n1 1\n0 0\n1 1\n-1 5\n", "no normal 5"},
      {"a.npz", "PK\x03\x04 and nothing else", "directory"},
      {"a.hdf5", "\x89HDF\r\n\x1a\n", "not an HDF5"},
  };
  for (const Case& c : cases) {
    const std::string said = refusal(file_of(c.name, c.text));
    EXPECT_NE(said.find(c.word), std::string::npos) << "'" << said << "' should say " << c.word;
  }
  EXPECT_NE(refusal(output_folder("small")).find("folder"), std::string::npos);
  EXPECT_NE(refusal(output_folder("small") / "nobody").find("cannot be opened"), std::string::npos);
}

TEST(ProblemFiles, ATruncatedBinaryFileIsRefusedWhereverItEnds) {
  const fs::path whole = output_folder("small") / "whole.condyle.h5", cut = output_folder("small") / "cut.h5";
  write_problem(step_problem(false), whole);
  std::ifstream in(whole, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  int refused = 0;
  for (std::size_t size = 4; size + 1 < bytes.size(); size += 97) {
    std::ofstream(cut, std::ios::binary) << bytes.substr(0, size);
    refused += !refusal(cut).empty();
  }
  EXPECT_GT(refused, 50);
  const std::string npz = bytes_of_hex(packed_npz);
  for (std::size_t size = 4; size + 1 < npz.size(); size += 7) {
    EXPECT_NE(refusal(file_of("cut.npz", npz.substr(0, size))), "") << size;
  }
}

}  // namespace
}  // namespace condyle
