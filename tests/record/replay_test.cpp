// The replay page holds what the recording holds, rounded as it says, and nothing that a name could break.
#include <condyle/replay.hpp>
#include <condyle/simulator.hpp>

#include <algorithm>
#include <cmath>

#include "record/output.hpp"
#include "record/replay_page.hpp"

namespace condyle::testing {
namespace {

/// A built-in scene, simulated and recorded.
std::string recorded(const std::string& scene_name, int steps, const std::map<std::string, std::string>& parameters = {},
                     int every = 1) {
  const Scene scene = load_scene(scene_name, {.parameters = parameters});
  SimulatorOptions options;
  options.dt = scene.defaults().dt;
  Simulator simulator(scene, options);
  const std::string file = output(scene_name + ".h5");
  Recorder recorder(file, scene, options, {.every = every, .command = "a test"});
  State x = scene.initial_state();
  recorder.start(x);
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(scene.nv());
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulator.step(x, tau);
    recorder.add(x, tau, report, simulator.constraints());
  }
  recorder.close();
  return file;
}

TEST(Replay, PlacesAreTheRecordedOnesToHalfAQuantum) {
  const std::string file = recorded("quadruped_drop", 300);
  const std::string page = output("page.html");
  const ReplaySummary made = write_replay(file, page);
  const PageText read(page);
  EXPECT_EQ(made.bytes, read.text.size());
  const Recording recording(file);
  const std::vector<double> place = read.delta("pose.position");
  const double step = read.head.at("arrays").at("pose.position").at("step").get<double>();
  EXPECT_LE(step, 1e-5);
  const auto links = static_cast<std::size_t>(recording.info().links);
  ASSERT_GT(links, 5u);
  const std::vector<std::uint32_t> frames = read.planes<std::uint32_t>("frame.step");
  ASSERT_EQ(place.size(), frames.size() * 3 * links);
  double worst = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const auto truth = recording.link_poses(frames[f]);
    for (std::size_t b = 0; b < links; ++b)
      for (std::size_t k = 0; k < 3; ++k)
        worst = std::max(worst, std::abs(place[(f * links + b) * 3 + k] -
                                         truth(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(b))));
  }
  EXPECT_LE(worst, 0.5000001 * step);
}

TEST(Replay, LinkPosesInTheRecordingAreTheSimulatorsOwn) {
  const std::string file = recorded("quadruped_drop", 50);
  const Recording recording(file);
  const Scene scene = load_scene("quadruped_drop");
  Simulator simulator(scene);
  for (const std::uint64_t frame : {0u, 17u, 50u}) {
    const State x = recording.state(frame);
    const auto poses = recording.link_poses(frame);
    for (int b = 0; b < recording.info().links; ++b) {
      const Pose truth = simulator.pose(x, recording.info().bodies[static_cast<std::size_t>(b)]);
      EXPECT_LE((poses.col(b).head<3>() - truth.p).norm(), 1e-14) << recording.info().bodies[static_cast<std::size_t>(b)];
      EXPECT_LE((poses.col(b).tail<4>() - truth.quaternion()).norm(), 1e-14);
    }
  }
}

TEST(Replay, LinkTwistsAreTheRatesOfTheLinkPoses) {
  const Recording recording(recorded("quadruped_drop", 40));
  const double dt = recording.info().dt;
  for (const std::uint64_t frame : {10u, 20u}) {
    const auto before = recording.link_poses(frame), after = recording.link_poses(frame + 1);
    const auto twist = recording.link_twists(frame + 1);
    for (int b = 0; b < recording.info().links; ++b) {
      const Eigen::Vector3d rate = (after.col(b).head<3>() - before.col(b).head<3>()) / dt;
      EXPECT_LE((rate - twist.col(b).head<3>()).norm(), 0.02 * (1 + rate.norm())) << "link " << b << " of frame " << frame;
    }
  }
}

TEST(Replay, ContactsKeepNumberForceAndBodies) {
  const std::string file = recorded("stack", 120, {{"n", "3"}});
  write_replay(file, output("page.html"));
  const PageText read(output("page.html"));
  const Recording recording(file);
  const auto count = read.planes<std::uint32_t>("contact.count"), frames = read.planes<std::uint32_t>("frame.step"),
             a = read.planes<std::uint32_t>("contact.a");
  const auto force = read.planes<float>("contact.force");
  std::size_t at = 0, loaded = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    std::vector<ConstraintRow> rows = recording.constraints(frames[f]);
    std::erase_if(rows, [](const ConstraintRow& row) { return row.kind != ConstraintKind::contact; });
    std::stable_sort(rows.begin(), rows.end(), [](const auto& x, const auto& y) { return x.id < y.id; });
    ASSERT_EQ(count[f], rows.size());
    for (const ConstraintRow& row : rows) {
      const int moving = static_cast<int>(recording.info().bodies.size());
      const bool turned = row.body_a >= 0 && row.body_a < moving && (row.body_b < 0 || row.body_b >= moving);
      EXPECT_EQ(a[at], static_cast<std::uint32_t>((turned ? row.body_b : row.body_a) + 1));
      const double truth = (turned ? -1 : 1) * row.impulse[2] / recording.info().dt;
      EXPECT_LE(std::abs(force[2 * a.size() + at] - truth), 0.002 * std::abs(truth) + 1e-30);
      loaded += std::abs(truth) > 1;
      ++at;
    }
  }
  EXPECT_EQ(at, a.size());
  EXPECT_GT(loaded, 100u) << "the boxes must have pressed on each other";
}

TEST(Replay, FrictionOfAContactIsRecorded) {
  const Recording recording(recorded("stack", 50, {{"n", "2"}}));
  const std::vector<ConstraintRow> rows = recording.constraints(50);
  ASSERT_FALSE(rows.empty());
  for (const ConstraintRow& row : rows) EXPECT_GT(row.friction, 0) << "of a contact in a stack";
}

TEST(Replay, TheSameRecordingGivesTheSameBytes) {
  const std::string file = recorded("quadruped_drop", 60);
  write_replay(file, output("one.html"));
  write_replay(file, output("two.html"));
  EXPECT_EQ(read_bytes(output("one.html")), read_bytes(output("two.html")));
}

TEST(Replay, NoNameCanEndTheElementThatItStandsIn) {
  SceneBuilder build;
  const std::string name = "<script><img src=x onerror=alert(1)>\xff\xfe<!--";
  build.set_name("</script>" + name);
  BodySpec body;
  body.name = name;
  body.inertial.mass = 1;
  body.shapes.emplace_back();
  build.add_body(body);
  const Scene scene = build.finish();
  Recorder recorder(output("hostile.h5"), scene, {});
  recorder.start(scene.initial_state());
  recorder.close();
  write_replay(output("hostile.h5"), output("hostile.html"));
  const PageText page(output("hostile.html"));
  const std::string empty = read_bytes(output("hostile.html"));
  EXPECT_EQ(empty.find("<img"), std::string::npos);
  EXPECT_TRUE(std::all_of(empty.begin(), empty.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }));
  EXPECT_EQ(page.head.at("bodies").at(1).at("name").get<std::string>().substr(0, 12), "<script><img");
  EXPECT_EQ(page.head.at("run").at("scene").get<std::string>().substr(0, 13), "</script><scr");
}

TEST(Replay, ALimitIsKeptAndWhatIsLeftOutIsSaid) {
  const Scene scene = scene_of_free_bodies(200);
  Recorder recorder(output("many.h5"), scene, {});
  recorder.start(some_state(scene, 0));
  for (std::uint64_t i = 1; i <= 100; ++i) {
    std::vector<ConstraintRow> rows(1500);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double x = std::sin(static_cast<double>(1000 * i + k));
      rows[k].id = k;
      rows[k].body_b = static_cast<int>(k % 200);
      rows[k].point = Eigen::Vector3d(x, std::cos(1e3 * x), x * x);
      rows[k].impulse = Eigen::Vector3d(x, 0.1, 2 + std::sin(7e3 * x));
    }
    StepReport report = some_report(3);
    report.contacts = 1500;
    recorder.add(some_state(scene, i), some_control(scene, i), report, rows);
  }
  recorder.close();
  const ReplaySummary all = write_replay(output("many.h5"), output("all.html"));
  EXPECT_TRUE(all.dropped.empty()) << all.dropped.front();
  const ReplaySummary small = write_replay(output("many.h5"), output("small.html"), {.most_megabytes = 1.6});
  EXPECT_LE(small.bytes, 1600000u);
  EXPECT_LT(small.bytes, all.bytes);
  const PageText page(output("small.html"));
  EXPECT_EQ(page.head.at("dropped").get<std::vector<std::string>>(), small.dropped);
  ASSERT_FALSE(small.dropped.empty());
  const auto kept = page.planes<std::uint32_t>("contact.count"), total = page.planes<std::uint32_t>("contact.total");
  EXPECT_LT(kept.back(), 1500u);
  EXPECT_EQ(total.back(), 1500u) << "the true number stays";
  EXPECT_NE(small.dropped.front().find(std::to_string(kept.back()) + " strongest"), std::string::npos)
      << small.dropped.front();
  std::filesystem::remove(output("none.html"));
  try {
    write_replay(output("many.h5"), output("none.html"), {.most_megabytes = 0.75});
    ADD_FAILURE() << "0.75 MB hold a template and 200 bodies?";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "page-too-big") << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(output("none.html")));
}

TEST(Replay, EveryStepCountsInTheVerdictAlsoThoseWithoutAFrame) {
  const Scene scene = scene_of_free_bodies(1);
  Recorder recorder(output("some.h5"), scene, {}, {.every = 10});
  recorder.start(some_state(scene, 0));
  for (std::uint64_t i = 1; i <= 100; ++i) {
    StepReport report = some_report(i);
    report.status = i == 55 ? StepStatus::uncertified : StepStatus::certified;
    report.residual = i == 55 ? 1e-3 : 1e-9;
    recorder.add(some_state(scene, i), some_control(scene, i), report);
  }
  recorder.close();
  const Recording recording(output("some.h5"));
  EXPECT_EQ(recording.info().steps, 100u);
  EXPECT_EQ(recording.info().uncertified, 1u);
  EXPECT_EQ(recording.info().worst_step, 55u);
  EXPECT_EQ(recording.info().worst_residual, 1e-3);
  write_replay(output("some.h5"), output("some.html"));
  const PageText page(output("some.html"));
  EXPECT_EQ(page.head.at("verdict").at("uncertified"), 1);
  EXPECT_EQ(page.head.at("steps").at("recorded"), 11);
  const auto dropped = page.head.at("dropped").get<std::vector<std::string>>();
  ASSERT_EQ(dropped.size(), 1u);
  EXPECT_NE(dropped[0].find("10 of the 100 steps"), std::string::npos) << dropped[0];
}

TEST(Replay, APartOfTheTimeCanBeShown) {
  const std::string file = recorded("pendulum", 200);
  const double dt = Recording(file).info().dt;
  const ReplaySummary made = write_replay(file, output("part.html"), {.from = 50 * dt - 1e-9, .to = 100 * dt + 1e-9});
  EXPECT_EQ(made.frames, 51u);
  ASSERT_EQ(made.dropped.size(), 1u);
  EXPECT_NE(made.dropped[0].find("51 of 201"), std::string::npos) << made.dropped[0];
}

TEST(Replay, DamageIsAnErrorThatNamesTheFile) {
  std::string bytes = read_bytes(recorded("pendulum", 20));
  write_bytes(output("cut.h5"), bytes.substr(0, bytes.size() / 2));
  std::filesystem::remove(output("cut.html"));
  EXPECT_THROW(write_replay(output("cut.h5"), output("cut.html")), Error);
  EXPECT_FALSE(std::filesystem::exists(output("cut.html")));
}

TEST(Study, OnlyKnownShapesOfJsonBecomeAPage) {
  write_bytes(output("solve.json"), R"([{"file": "a</script>", "solver": "admm", "status": "solved"}])");
  const ReplaySummary made = write_study({output("solve.json")}, output("study.html"));
  const std::string page = read_bytes(output("study.html"));
  EXPECT_EQ(made.bytes, page.size());
  EXPECT_NE(page.find("a\\u003c/script>"), std::string::npos);
  for (const char* bad : {"{}", "[]", "[1]", "{\"format\": \"x\"}", "{"}) {
    write_bytes(output("bad.json"), bad);
    EXPECT_THROW(write_study({output("bad.json")}, output("bad.html")), Error) << bad;
  }
}

}  // namespace
}  // namespace condyle::testing
