// The load report of every real URDF file, as a script would read it, against the totals that an independent reader found.
#include "cli/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace condyle::test {
namespace {

const std::string models = CONDYLE_SHARED_DATA "/models";

nlohmann::json load(const std::string& file, const nlohmann::json& options) {
  std::vector<std::string> arguments = {"load", models + "/" + file, "--package-path", models, "--json", "-"};
  for (std::string option : options) {
    std::replace(option.begin(), option.end(), '_', '-');
    arguments.push_back("--" + option);
  }
  const Outcome got = condyle(arguments);
  const nlohmann::json report = json_of(got.out);
  EXPECT_EQ(got.code, report.value("status", "") == "ok" ? 0 : 2) << got;
  return report;
}

void expect_totals(const nlohmann::json& report, const nlohmann::json& expected) {
  ASSERT_EQ(report["status"], "ok") << report.value("error", nlohmann::json());
  for (const char* key : {"nq", "nv", "bodies", "loops", "collision_shapes", "visual_shapes", "actuators"})
    EXPECT_EQ(report[key], expected[key]) << key;
  EXPECT_EQ(report["mimics"], expected["mimic"]);
  EXPECT_EQ(report["pairs"]["candidate"], expected["candidate_pairs"]);
  EXPECT_EQ(report["inertia"]["positive_definite"], expected["simulates"]);
  EXPECT_EQ(report["not_simulated"].size(), expected["loops_reported_only"].get<std::size_t>());
  const double mass = expected["total_mass"];
  EXPECT_NEAR(report["total_mass_kg"], mass, 1e-12 * std::max(1.0, mass));
}

TEST(LoadCorpus, EveryUrdfFileReachesItsTotalsOrIsRefusedForItsReason) {
  if (!exists(models + "/expected.json")) GTEST_SKIP() << "the shared models are not here: " << models;
  int files = 0;
  const nlohmann::json all = json_of(read_file(models + "/expected.json"))["models"];
  for (const auto& [file, expected] : all.items()) {
    if (expected.value("format", "") != "urdf" && !file.ends_with(".urdf")) continue;
    SCOPED_TRACE(file);
    ++files;
    nlohmann::json options = nlohmann::json::array();
    if (expected["status"] == "refuse") {
      const nlohmann::json refused = load(file, options);
      EXPECT_EQ(refused["status"], "refused");
      const std::string reasons = expected["reason"].dump(), code = refused["error"]["code"];
      EXPECT_NE(reasons.find(code), std::string::npos) << code << " is not among " << reasons;
      if (!expected.contains("loads_with") || expected["loads_with"].is_null()) continue;
      options = expected["loads_with"].is_array() ? expected["loads_with"] : nlohmann::json::array({expected["loads_with"]});
    }
    expect_totals(load(file, options), expected);
  }
  EXPECT_GT(files, 40);
}

}  // namespace
}  // namespace condyle::test
