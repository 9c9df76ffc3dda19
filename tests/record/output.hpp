#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace condyle::testing {

/// A file in a folder of the running test alone: tests run at the same time.
inline std::string output(const std::string& name) {
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path folder =
      std::filesystem::path(CONDYLE_TEST_OUTPUT) / "record" / (std::string(test->test_suite_name()) + "." + test->name());
  std::filesystem::create_directories(folder);
  return (folder / name).string();
}

}  // namespace condyle::testing
