#include "cli/program.hpp"

#include <condyle/recording.hpp>
#include <condyle/version.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>

namespace condyle::test {
namespace {

TEST(Run, JsonHasExactlyTheKeysOfTheContract) {
  const Outcome got = condyle({"run", "pendulum", "--time", "0.1", "--json", "-"});
  ASSERT_EQ(got.code, 0) << got;
  const nlohmann::json run = json_of(got.out);
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys_of(run), (Keys{"backend",
                                "bodies",
                                "certified_steps",
                                "closure_max_m",
                                "closure_max_rad",
                                "contacts",
                                "dofs",
                                "dt",
                                "energy",
                                "factorizations",
                                "iterations",
                                "limit_violation_max",
                                "momentum_error_max",
                                "penetration_max_m",
                                "residual",
                                "rows",
                                "scene",
                                "simulated_s",
                                "slip_max",
                                "solver",
                                "stage_us",
                                "state_hash",
                                "step_us",
                                "steps",
                                "uncertified_steps",
                                "version",
                                "wall_s",
                                "warnings",
                                "worst"}));
  EXPECT_EQ(keys_of(run["step_us"]), (Keys{"mean", "p50", "p99"}));
  EXPECT_EQ(keys_of(run["stage_us"]), (Keys{"assembly", "collision", "integrate", "kinematics", "other", "solve"}));
  for (const char* key : {"contacts", "rows", "iterations", "factorizations"})
    EXPECT_EQ(keys_of(run[key]), (Keys{"max", "mean"})) << key;
  EXPECT_EQ(keys_of(run["worst"]), (Keys{"constraint", "reason", "residual", "step"}));
  EXPECT_EQ(keys_of(run["residual"]), (Keys{"max", "p50", "tolerance"}));
  EXPECT_EQ(keys_of(run["energy"]), (Keys{"final_J", "initial_J", "max_step_increase_J"}));
  EXPECT_EQ(run["scene"], "pendulum");
  EXPECT_EQ(run["backend"], "generalized");
  EXPECT_EQ(run["solver"], "auto");
  EXPECT_EQ(run["dofs"], 1);
  EXPECT_EQ(run["steps"], 100);
  EXPECT_NEAR(run["simulated_s"], 0.1, 1e-12);
  EXPECT_EQ(run["certified_steps"], 100);
  EXPECT_EQ(run["uncertified_steps"], 0);
  EXPECT_EQ(run["version"], version);
  EXPECT_EQ(run["state_hash"].get<std::string>().size(), 16u);
  EXPECT_TRUE(run["warnings"].is_array());
}

TEST(Run, JsonToStandardOutputLeavesNothingElseThere) {
  for (const std::vector<std::string>& tail :
       {std::vector<std::string>{"--json", "-"}, {"--json"}, {"--json", "--quiet"}, {"--json=-"}}) {
    std::vector<std::string> arguments = {"run", "pendulum", "--time", "0.01"};
    arguments.insert(arguments.end(), tail.begin(), tail.end());
    const Outcome got = condyle(arguments);
    EXPECT_EQ(got.code, 0) << got;
    EXPECT_EQ(got.out.front(), '{') << got;
    EXPECT_TRUE(json_of(got.out).is_object());
  }
}

TEST(Run, JsonToAFileKeepsTheSummaryAndQuietSilencesIt) {
  const std::string file = fresh_file(".json");
  const Outcome loud = condyle({"run", "pendulum", "--time", "0.01", "--json", file});
  EXPECT_EQ(loud.code, 0) << loud;
  EXPECT_NE(loud.out.find("certificate"), std::string::npos) << loud;
  EXPECT_EQ(json_of(read_file(file))["steps"], 10);
  const Outcome quiet = condyle({"run", "pendulum", "--time", "0.01", "--quiet"});
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST(Run, TheNumberOfStepsIsTheTimeOverTheStepRounded) {
  const auto steps = [](const char* time, const char* dt) {
    return json_of(condyle({"run", "pendulum", "--time", time, "--dt", dt, "--json"}).out)["steps"].get<int>();
  };
  EXPECT_EQ(steps("0.3", "0.1"), 3);  // 0.3 / 0.1 is below 3 in floating point
  EXPECT_EQ(steps("0.0149", "0.001"), 15);
  EXPECT_EQ(steps("0", "0.001"), 0);
}

TEST(Run, OptionsGoBeforeTheDefaultsOfTheScene) {
  const nlohmann::json usual = json_of(condyle({"run", "pendulum", "--time", "0.01", "--json"}).out);
  const nlohmann::json given =
      json_of(condyle({"run", "pendulum", "--time", "0.01", "--dt", "0.0025", "--tolerance", "1e-5", "--json"}).out);
  EXPECT_EQ(usual["dt"], 0.001);
  EXPECT_EQ(given["dt"], 0.0025);
  EXPECT_EQ(given["residual"]["tolerance"], 1e-5);
  EXPECT_NE(usual["state_hash"], given["state_hash"]);
}

TEST(Run, AnUncertifiedStepGivesExitCode1AndNamesTheConstraintAndMayBeAccepted) {
  // Baumgarte's bias asks two walls that overlap a block to push it both ways at once: no impulse can do that.
  const std::string file = write_file(".yaml", R"(condyle: 1
name: squeezed
gravity: [0, 0, 0]
time: {step: 0.001, end: 0.02, integrator: symplectic}
solver: {correction: baumgarte}
bodies:
  - {name: left, static: true, shape: {box: [0.2, 0.2, 0.2]}, pose: {xyz: [-0.19, 0, 0]}}
  - {name: right, static: true, shape: {box: [0.2, 0.2, 0.2]}, pose: {xyz: [0.19, 0, 0]}}
  - {name: block, shape: {box: [0.2, 0.2, 0.2]}, mass: 1}
)");
  const std::string folder = fresh_file(".problems");
  const Outcome got = condyle({"run", file, "--json", "-", "--dump-problems", folder});
  EXPECT_EQ(got.code, 1) << got;
  const nlohmann::json run = json_of(got.out);
  EXPECT_GT(run["uncertified_steps"], 0);
  EXPECT_EQ(run["uncertified_steps"].get<int>() + run["certified_steps"].get<int>(), run["steps"]);
  EXPECT_NE(run["worst"]["constraint"].get<std::string>().find("block:0 on "), std::string::npos) << run["worst"];
  EXPECT_NE(run["worst"]["reason"], "");
  EXPECT_GT(run["residual"]["max"], run["residual"]["tolerance"]);
  EXPECT_TRUE(got.said("block:0 on ")) << got;
  EXPECT_EQ(condyle({"run", file, "--accept-uncertified", "--quiet"}).code, 0);
  const Outcome text = condyle({"run", file});
  EXPECT_EQ(text.code, 1);
  EXPECT_NE(text.out.find("block:0 on "), std::string::npos) << text;

  // the failing step can be sent to someone and fails there in the same words
  const std::string problem = folder + "/step_0000001.condyle.h5";
  const Outcome again = condyle({"solve", problem});
  EXPECT_EQ(again.code, 1) << again;
  EXPECT_NE(again.out.find("block:0 on "), std::string::npos) << again;

  const Outcome stopped = condyle({"run", file, "--on-failure", "stop", "--json", "-"});
  EXPECT_EQ(stopped.code, 1);
  EXPECT_EQ(json_of(stopped.out)["simulated_s"], 0) << stopped;
}

TEST(Run, AStackIsCertifiedAndItsNumbersAreInTheJson) {
  const Outcome got = condyle({"run", "stack", "--set", "n=3", "--time", "0.2", "--json", "-"});
  EXPECT_EQ(got.code, 0) << got;
  const nlohmann::json run = json_of(got.out);
  EXPECT_EQ(run["contacts"]["max"], 12);
  EXPECT_EQ(run["rows"]["max"], 36);
  EXPECT_LT(run["residual"]["max"], 1e-7);
  EXPECT_LT(run["penetration_max_m"], 1e-9);
  EXPECT_GT(run["stage_us"]["solve"], 0);
}

TEST(Run, ARejectedStepEndsTheRunWithExitCode1AndAFiniteState) {
  const std::string scene =
      "condyle: 1\nname: wild\ngravity: [0, 0, 0]\nbodies:\n  - {name: ball, shape: {sphere: 0.1}, mass: 1, velocity: "
      "{linear: [1.0e+20, 0, 0]}}\n";
  const std::string file = write_file(".yaml", scene), state = fresh_file(".state");
  const Outcome got = condyle({"run", file, "--dt", "1e300", "--time", "5e301", "--save", state, "--json"});
  EXPECT_EQ(got.code, 1) << got;
  EXPECT_TRUE(got.said("rejected")) << got;
  const nlohmann::json run = json_of(got.out);
  EXPECT_LT(run["steps"], 50);
  EXPECT_EQ(run["uncertified_steps"], 1);
  EXPECT_NE(run["worst"]["reason"].get<std::string>().find("not finite"), std::string::npos) << run["worst"];
  EXPECT_EQ(condyle({"run", file, "--restore", state, "--time", "0", "--quiet"}).code, 0)
      << "the kept state can be restored";
}

TEST(Run, MomentumIsJudgedWhereNothingTouchesTheWorldAndNullElsewhere) {
  const nlohmann::json fixed = json_of(condyle({"run", "pendulum", "--time", "0.01", "--json"}).out);
  EXPECT_TRUE(fixed["momentum_error_max"].is_null()) << fixed["momentum_error_max"];
  const std::string scene =
      "condyle: 1\nname: toss\ngravity: [0, 0, -9.81]\nbodies:\n  - {name: brick, shape: {box: [0.1, 0.2, 0.3]}, mass: 2, "
      "velocity: {linear: [1, 0, 5], angular: [3, 1, 2]}}\n";
  const nlohmann::json free = json_of(condyle({"run", write_file(".yaml", scene), "--time", "0.5", "--json"}).out);
  ASSERT_TRUE(free["momentum_error_max"].is_number()) << free;
  EXPECT_LT(free["momentum_error_max"], 1e-11);
}

TEST(Run, ASavedStateContinuesBitForBitInAnotherProcess) {
  const std::string half = fresh_file(".state"), h5 = fresh_file(".h5");
  const auto hash = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "double_pendulum", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome got = condyle(arguments);
    EXPECT_EQ(got.code, 0) << got;
    return json_of(got.out)["state_hash"].get<std::string>();
  };
  const std::string whole = hash({"--time", "0.4"}), again = hash({"--time", "0.4"});
  EXPECT_EQ(whole, again);
  const std::string first = hash({"--time", "0.2", "--save", half});
  EXPECT_NE(first, whole);
  EXPECT_EQ(hash({"--time", "0", "--restore", half}), first);
  EXPECT_EQ(hash({"--time", "0.2", "--restore", half}), whole);
  const Outcome other = condyle({"run", "pendulum", "--restore", half});
  EXPECT_EQ(other.code, 2) << "a state of another scene is refused\n" << other;
}

TEST(Run, TheNextTenThousandStepsAfterARestoreInANewProcessAreBitIdentical) {
  const std::string state = fresh_file(".state"), whole = fresh_file(".whole.h5"), rest = fresh_file(".rest.h5");
  constexpr int before = 137, after = 10000;
  const auto seconds = [](int steps) { return fmt::format("{}", 1e-3 * steps); };
  const std::vector<std::string> run{"run", "humanoid", "--dt", "0.001", "--accept-uncertified", "--quiet"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    const Outcome got = condyle(more);
    EXPECT_EQ(got.code, 0) << got;
  };
  with({"--time", seconds(before + after), "--record", whole});
  with({"--time", seconds(before), "--save", state});
  with({"--time", seconds(after), "--restore", state, "--record", rest});
  const Recording one(whole), two(rest);
  ASSERT_EQ(one.info().frames, static_cast<std::uint64_t>(before + after + 1));
  ASSERT_EQ(two.info().frames, static_cast<std::uint64_t>(after + 1));
  for (std::uint64_t i = 0; i <= after; ++i)
    ASSERT_EQ(one.state_hash(before + i), two.state_hash(i)) << "step " << i << " after the restore";
  EXPECT_TRUE(one.state(before + after) == two.state(after));
}

TEST(Run, ARecordingIsWrittenAndInfoTellsWhatIsInIt) {
  const std::string h5 = fresh_file(".h5");
  const Outcome run = condyle({"run", "chain", "--set", "n=3", "--time", "0.1", "--record", h5, "--every", "10", "--json"});
  ASSERT_EQ(run.code, 0) << run;
  const Outcome text = condyle({"info", h5});
  EXPECT_EQ(text.code, 0) << text;
  EXPECT_NE(text.out.find("complete"), std::string::npos) << text;
  const Outcome got = condyle({"info", h5, "--json"});
  ASSERT_EQ(got.code, 0) << got;
  const nlohmann::json info = json_of(got.out);
  EXPECT_EQ(info["scene"], "chain");
  EXPECT_EQ(info["frames"], 11);
  EXPECT_TRUE(info["complete"]);
  EXPECT_EQ(info["dt"], json_of(run.out)["dt"]);
  EXPECT_NEAR(info["t_last"], 0.1, 1e-12);
  EXPECT_EQ(info["v_names"].size(), info["nv"].get<std::size_t>());
  EXPECT_NE(info["command"].get<std::string>().find("chain --set n=3"), std::string::npos) << info["command"];
  EXPECT_NEAR(info["energy_J"]["total"]["first"], json_of(run.out)["energy"]["initial_J"], 1e-3)
      << "of the first frame after a step";
  EXPECT_NEAR(info["energy_J"]["total"]["last"], json_of(run.out)["energy"]["final_J"], 1e-9);
  EXPECT_EQ(info["steps"]["taken"], json_of(run.out)["steps"]) << "all of them count, not only those with a frame";
  EXPECT_NE(text.out.find("all " + json_of(run.out)["steps"].dump() + " steps certified"), std::string::npos) << text;
}

TEST(Run, AFileThatIsNoRecordingIsRefusedByInfo) {
  const std::string file = write_file(".h5", "this is no HDF5 file");
  const Outcome got = condyle({"info", file});
  EXPECT_EQ(got.code, 2) << got;
  EXPECT_TRUE(got.said(file)) << got;
}

class RunSignal : public testing::TestWithParam<int> {};

TEST_P(RunSignal, EndsTheRunCleanlyWithTheRecordingClosed) {
  const std::string h5 = fresh_file(".h5"), json = fresh_file(".json");
  const Outcome got = condyle_with_signal(
      {"run", "pendulum", "--time", "100000", "--every", "1000", "--record", h5, "--json", json}, GetParam(), h5);
  EXPECT_EQ(got.code, 128 + GetParam()) << got;
  EXPECT_NE(got.out.find("certificate"), std::string::npos) << "the summary is printed\n" << got;
  EXPECT_TRUE(got.said("ended by")) << got;
  EXPECT_LT(json_of(read_file(json))["steps"], 100000000);
  EXPECT_TRUE(json_of(condyle({"info", h5, "--json"}).out)["complete"]);
}
INSTANTIATE_TEST_SUITE_P(, RunSignal, testing::Values(SIGINT, SIGTERM),
                         [](const auto& which) { return std::string(which.param == SIGINT ? "SIGINT" : "SIGTERM"); });

TEST(Run, ProgressIsShownAtATerminalAndNotInAPipe) {
  const std::vector<std::string> long_run = {"run", "pendulum", "--time", "1e7"};
  const Outcome watched = condyle_for(2, long_run, true);
  EXPECT_EQ(watched.code, 130) << watched;
  EXPECT_TRUE(watched.said("steps/s")) << watched;
  EXPECT_TRUE(watched.said("left")) << watched;
  const Outcome piped = condyle_for(2, long_run, false);
  EXPECT_EQ(piped.code, 130) << piped;
  EXPECT_FALSE(piped.said("steps/s")) << piped;
  EXPECT_FALSE(condyle_for(1.5, {"run", "pendulum", "--time", "1e7", "--quiet"}, true).said("steps/s"));
}

}  // namespace
}  // namespace condyle::test
