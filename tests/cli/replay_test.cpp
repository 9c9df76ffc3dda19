// Pages of recordings, as a user asks for them.
#include "cli/program.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace condyle::test {
namespace {

TEST(ReplayCommand, ASecondProcessWritesTheIdenticalPageFromTheRecordingAlone) {
  const std::string recording = fresh_file(".h5"), one = fresh_file(".html"), two = fresh_file(".html");
  const Outcome run = condyle({"run", "quadruped_drop", "--time", "0.2", "--record", recording, "--replay", one});
  ASSERT_EQ(run.code, 0) << run;
  EXPECT_NE(run.out.find("replay page"), std::string::npos) << run;
  EXPECT_NE(run.out.find(one), std::string::npos) << run;
  const Outcome replay = condyle({"replay", recording, "-o", two});
  ASSERT_EQ(replay.code, 0) << replay;
  const std::string page = read_file(one);
  EXPECT_EQ(page, read_file(two));
  EXPECT_NE(page.find("condyle run quadruped_drop --time 0.2"), std::string::npos) << "the page says which command made it";
}

TEST(ReplayCommand, ARunWithoutARecordingLeavesThePageAlone) {
  const std::string page = fresh_file(".html");
  const Outcome run = condyle({"run", "pendulum", "--time", "0.1", "--replay", page});
  ASSERT_EQ(run.code, 0) << run;
  EXPECT_TRUE(exists(page));
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(page).parent_path()))
    EXPECT_FALSE(entry.path().string().starts_with(page + ".")) << entry.path() << " was left behind";
}

TEST(ReplayCommand, TheJsonNamesThePageItsSizeAndWhatIsLeftOut) {
  const std::string recording = fresh_file(".h5"), page = fresh_file(".html");
  ASSERT_EQ(condyle({"run", "pendulum", "--time", "0.1", "--record", recording}).code, 0);
  const Outcome got = condyle({"replay", recording, "-o", page, "--from", "0.05", "--json", "-"});
  ASSERT_EQ(got.code, 0) << got;
  const nlohmann::json json = json_of(got.out);
  EXPECT_EQ(json.at("page"), page);
  EXPECT_EQ(json.at("bytes"), std::filesystem::file_size(page));
  EXPECT_EQ(json.at("dropped").size(), 1u) << got;
}

TEST(ReplayCommand, EverySlipExitsWith2AndWritesNothing) {
  const std::string recording = fresh_file(".h5"), page = fresh_file(".html");
  ASSERT_EQ(condyle({"run", "pendulum", "--time", "0.05", "--record", recording}).code, 0);
  const std::string json = write_file(".json", "{}");
  for (const std::vector<std::string>& slip :
       std::vector<std::vector<std::string>>{{"replay"},
                                             {"replay", "nowhere.h5", "-o", page},
                                             {"replay", json, "-o", page},
                                             {"replay", recording, json, "-o", page},
                                             {"replay", recording, recording, recording, "-o", page},
                                             {"replay", recording, "-o", recording},
                                             {"replay", recording, "-o", page, "--replay-max", "0"},
                                             {"replay", recording, "-o", "/nowhere/page.html"},
                                             {"run", "pendulum", "--replay-max", "3"}}) {
    const Outcome got = condyle(slip);
    EXPECT_EQ(got.code, 2) << got;
    EXPECT_FALSE(got.err.empty());
  }
  EXPECT_FALSE(exists(page));
  EXPECT_EQ(condyle({"info", recording}).code, 0) << "the recording is as it was";
}

}  // namespace
}  // namespace condyle::test
