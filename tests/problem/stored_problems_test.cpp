// The problems that others stored: read, written back, compared bit for bit.
#include <gtest/gtest.h>

#include <condyle/error.hpp>

#include <fstream>

#include "problem/same_problem.hpp"

namespace condyle {
namespace {

using namespace condyle::testing;
namespace fs = std::filesystem;

#define NEED_STORED_PROBLEMS() \
  if (stored_problems().empty()) GTEST_SKIP() << "no stored problems in " << problem_folder()

TEST(StoredProblems, AllAreReadAndWrittenBackInTheirOwnFormatBitForBit) {
  NEED_STORED_PROBLEMS();
  int files = 0;
  for (const fs::path& file : stored_problems()) {
    SCOPED_TRACE(file.string());
    ++files;
    try {
      const ProblemFormat format = detect_problem_format(file);
      const ContactProblem read = read_problem(file);
      EXPECT_EQ(read.defect(), "");
      const fs::path copy = output_folder("same") / file.filename();
      write_problem(read, copy, format);
      EXPECT_EQ(difference(read, read_problem(copy, format)), "");
      EXPECT_EQ(detect_problem_format(copy), format) << "the copy has the same name and must be taken for the same";
      fs::remove(copy);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_EQ(files, 81);
}

TEST(StoredProblems, EveryMatrixStorageOfTheTextFormatsHoldsTheSameNumbers) {
  NEED_STORED_PROBLEMS();
  for (const char* name : {"rover/Rover3865.dat", "global-small/GFC3D_TwoRods1.dat",
                           "fc2d/gfc2d_granularflowonwall_00069_00350.dat", "fc2d/gfc2d_granularflowonwall_00000_00117.dat",
                           "rolling/rockfall_14_25792.dat", "lcp/lcp_enum_fails.dat", "mlcp/PD_mlcp.dat"})
    for (const MatrixStorage storage : {MatrixStorage::dense, MatrixStorage::blocks, MatrixStorage::sparse}) {
      SCOPED_TRACE(fmt::format("{} in storage {}", name, static_cast<int>(storage)));
      const fs::path file = problem_folder() / name, copy = output_folder("storages") / file.filename();
      const ContactProblem read = read_problem(file);
      write_problem(read, copy, detect_problem_format(file), storage);
      EXPECT_EQ(difference(read, read_problem(copy)), "");
    }
}

TEST(StoredProblems, AllComeBackFromCondylesOwnDumpBitForBit) {
  NEED_STORED_PROBLEMS();
  for (const fs::path& file : stored_problems()) {
    SCOPED_TRACE(file.string());
    const ContactProblem read = read_problem(file);
    const fs::path dump = output_folder("dumps") / "some.condyle.h5";
    write_problem(read, dump);
    EXPECT_EQ(detect_problem_format(dump), ProblemFormat::condyle);
    EXPECT_EQ(difference(read, read_problem(dump)), "");
  }
}

}  // namespace
}  // namespace condyle
