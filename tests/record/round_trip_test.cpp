#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "record/output.hpp"
#include "record/some_recording.hpp"

namespace condyle::testing {
namespace {

void expect_states(const Recording& recording, const Scene& scene, std::uint64_t frames) {
  ASSERT_EQ(recording.info().frames, frames);
  for (std::uint64_t i = 0; i < frames; ++i) {
    ASSERT_TRUE(recording.state(i) == some_state(scene, i)) << "frame " << i;
    ASSERT_EQ(recording.state_hash(i), hash(some_state(scene, i))) << "frame " << i;
  }
}

TEST(Recording, GivesBackEveryFrameBitForBit) {
  const Scene scene = scene_of_free_bodies(2);
  const std::string file = output("round_trip.h5");
  Recorder recorder(file, scene, {}, {.expected_frames = 21});
  record_steps(recorder, scene, 20);
  recorder.close();

  const Recording recording(file);
  expect_states(recording, scene, 21);
  for (std::uint64_t i = 1; i <= 20; ++i) EXPECT_EQ(recording.control(i), some_control(scene, i)) << "frame " << i;
  EXPECT_EQ(recording.control(0), Eigen::VectorXd::Zero(scene.nv()));
}

TEST(Recording, KeepsNanPayloadsNegativeZeroAndTheLargestStepNumber) {
  const Scene scene = scene_of_free_bodies(1);
  const std::string file = output("hostile.h5");
  const State x = hostile_state(scene);
  Recorder recorder(file, scene, {});
  recorder.start(x);
  recorder.add(x, x.v, some_report(1));
  recorder.close();

  const Recording recording(file);
  for (std::uint64_t i : {0, 1}) EXPECT_TRUE(recording.state(i) == x) << "frame " << i;
  State forces = x;
  forces.v = recording.control(1);
  EXPECT_TRUE(forces == x) << "the forces lost bits: " << forces.v.transpose();
}

TEST(Recording, SaysWhatRunItHolds) {
  const Scene scene = scene_of_free_bodies(3);
  const std::string file = output("info.h5");
  SimulatorOptions options;
  options.dt = 0.00025;
  options.integrator = Integrator::midpoint;
  options.solver = "sap";
  Recorder recorder(file, scene, options, {.command = "condyle run crates --dt 0.00025"});
  record_steps(recorder, scene, 4);
  recorder.close();

  const RecordingInfo info = Recording(file).info();
  EXPECT_EQ(info.file, file);
  EXPECT_EQ(info.scene, "crates");
  EXPECT_EQ(info.scene_identity, scene.identity());
  EXPECT_EQ(info.dt, 0.00025);
  EXPECT_EQ(info.integrator, to_string(Integrator::midpoint));
  EXPECT_EQ(info.solver, "sap");
  EXPECT_EQ(info.command, "condyle run crates --dt 0.00025");
  EXPECT_FALSE(info.version.empty());
  EXPECT_EQ(info.nq, 21);
  EXPECT_EQ(info.nv, 18);
  EXPECT_EQ(info.frames, 5u);
  EXPECT_EQ(info.t_first, 0);
  EXPECT_EQ(info.t_last, 1e-3 * 4);
  EXPECT_TRUE(info.complete);
  EXPECT_EQ(info.q_names, scene.q_names());
  EXPECT_EQ(info.v_names, scene.v_names());
  EXPECT_EQ(info.bodies, (std::vector<std::string>{"crate_0", "crate_1", "crate_2"}));
}

TEST(Recording, HoldsEveryNumberOfTheReports) {
  const Scene scene = scene_of_free_bodies(1);
  const std::string file = output("columns.h5");
  Recorder recorder(file, scene, {});
  record_steps(recorder, scene, 3);
  recorder.close();

  const Recording recording(file);
  const StepReport r = some_report(2);
  const std::vector<std::pair<std::string, double>> expected = {{"status", static_cast<double>(r.status)},
                                                                {"residual", r.residual},
                                                                {"contacts", r.contacts},
                                                                {"rows", r.rows},
                                                                {"iterations", r.iterations},
                                                                {"factorizations", r.factorizations},
                                                                {"energy_kinetic", r.energy.kinetic},
                                                                {"energy_potential", r.energy.potential},
                                                                {"energy_elastic", r.energy.elastic},
                                                                {"energy_change", r.energy_change},
                                                                {"limit_violation", r.limit_violation},
                                                                {"penetration", r.penetration},
                                                                {"closure_m", r.closure_m},
                                                                {"closure_rad", r.closure_rad},
                                                                {"slip", r.slip},
                                                                {"islands", r.islands},
                                                                {"substeps", r.substeps},
                                                                {"projection_us", r.projection_us},
                                                                {"stage_us.kinematics", r.stage_us[0]},
                                                                {"stage_us.collision", r.stage_us[1]},
                                                                {"stage_us.assembly", r.stage_us[2]},
                                                                {"stage_us.solve", r.stage_us[3]},
                                                                {"stage_us.integrate", r.stage_us[4]},
                                                                {"stage_us.other", r.stage_us[5]}};
  ASSERT_EQ(recording.columns().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& [name, value] = expected[i];
    EXPECT_EQ(recording.columns()[i], name);
    const std::vector<double> column = recording.column(name);
    ASSERT_EQ(column.size(), 4u) << name;
    EXPECT_EQ(column[2], value) << name;
  }
  EXPECT_TRUE(std::isnan(recording.column("energy_kinetic")[0])) << "the first frame has no step to report on";
  EXPECT_EQ(recording.column("contacts")[0], 0);
}

TEST(Recording, NamesTheNearestColumn) {
  const Scene scene = scene_of_free_bodies(1);
  const std::string file = output("nearest.h5");
  Recorder(file, scene, {}).start(some_state(scene, 0));
  try {
    Recording(file).column("residuel");
    FAIL() << "an unknown column was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "unknown-column");
    EXPECT_NE(std::string(error.what()).find("'residual'"), std::string::npos) << error.what();
  }
}

TEST(Recorder, WritesOneFrameForSoManySteps) {
  const Scene scene = scene_of_free_bodies(1);
  const std::string file = output("every.h5");
  Recorder recorder(file, scene, {}, {.every = 4});
  record_steps(recorder, scene, 11);
  recorder.close();

  const Recording recording(file);
  ASSERT_EQ(recording.info().frames, 3u);
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(recording.state(i).step, 4 * i);
}

TEST(Recorder, GrowsWhenMoreFramesComeThanItWasTold) {
  const Scene scene = scene_of_free_bodies(1);
  for (const std::uint64_t told : {0, 1, 3}) {
    const std::string file = output("growth.h5");
    Recorder recorder(file, scene, {}, {.expected_frames = told});
    record_steps(recorder, scene, 9999);
    recorder.close();
    const Recording recording(file);
    expect_states(recording, scene, 10000);
    EXPECT_EQ(recording.column("contacts")[9999], 9999);
    EXPECT_TRUE(recording.info().complete);
  }
}

TEST(Recorder, GivesTheSameFileHoweverMuchRoomItMadeBeforehandAndWhateverTheTimeOfDay) {
  const Scene scene = scene_of_free_bodies(1);
  std::vector<std::string> bytes;
  for (const std::uint64_t told : {0, 11, 1000000000}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));  // HDF5's own times have seconds
    Recorder recorder(output("room.h5"), scene, {}, {.expected_frames = told});
    record_steps(recorder, scene, 10);
    recorder.close();
    bytes.push_back(read_bytes(output("room.h5")));
  }
  EXPECT_TRUE(bytes[0] == bytes[1]) << bytes[0].size() << " and " << bytes[1].size() << " bytes";
  EXPECT_TRUE(bytes[0] == bytes[2]) << bytes[0].size() << " and " << bytes[2].size() << " bytes";
}

TEST(Recorder, CanBeReadWhileItWrites) {
  const Scene scene = scene_of_free_bodies(1);
  const std::string file = output("live.h5");
  Recorder recorder(file, scene, {}, {.expected_frames = 100, .flush_s = 1e9});
  record_steps(recorder, scene, 9);
  EXPECT_EQ(Recording(file).info().frames, 0u) << "nothing was flushed yet";
  recorder.flush();
  const Recording early(file);
  expect_states(early, scene, 10);
  EXPECT_FALSE(early.info().complete);

  for (std::uint64_t i = 10; i < 5000; ++i) recorder.add(some_state(scene, i), some_control(scene, i), some_report(i));
  recorder.close();
  expect_states(early, scene, 10);  // the file behind it was replaced twice meanwhile
  expect_states(Recording(file), scene, 5000);
}

TEST(Recorder, FlushesByItselfAfterTheGivenTime) {
  const Scene scene = scene_of_free_bodies(1);
  const std::string file = output("timed.h5");
  Recorder recorder(file, scene, {}, {.flush_s = 0});
  recorder.start(some_state(scene, 0));
  EXPECT_EQ(Recording(file).info().frames, 1u);
}

TEST(Recorder, RecordsNothingAndRecordsASceneWithoutMotion) {
  for (const int bodies : {0, 1}) {
    const Scene scene = scene_of_free_bodies(bodies);
    const std::string file = output("empty.h5");
    Recorder(file, scene, {}).close();
    EXPECT_EQ(Recording(file).info().frames, 0u);
    EXPECT_THROW(Recording(file).state(0), Error);

    Recorder recorder(file, scene, {});
    record_steps(recorder, scene, 5);
    recorder.close();
    expect_states(Recording(file), scene, 6);
  }
}

TEST(Recorder, CanBeMovedAndClosesWhenItEnds) {
  const Scene scene = scene_of_free_bodies(1);
  const std::string file = output("moved.h5");
  {
    Recorder first(file, scene, {});
    first.start(some_state(scene, 0));
    Recorder second(std::move(first));
    second.add(some_state(scene, 1), some_control(scene, 1), some_report(1));
  }
  Recording recording(file);
  EXPECT_TRUE(recording.info().complete);
  expect_states(recording, scene, 2);
}

TEST(Recorder, WorksInSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i, file = output("thread" + std::to_string(i) + ".h5")] {
      const Scene scene = scene_of_free_bodies(1 + i);
      Recorder recorder(file, scene, {}, {.expected_frames = 2});
      record_steps(recorder, scene, 200);
      recorder.close();
    });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i)
    expect_states(Recording(output("thread" + std::to_string(i) + ".h5")), scene_of_free_bodies(1 + i), 201);
}

TEST(Recorder, KeepsItsFileWhenTheProgramChangesItsFolder) {
  const Scene scene = scene_of_free_bodies(1);
  const auto before = std::filesystem::current_path();
  const std::string folder = output("elsewhere");
  std::filesystem::create_directories(folder);
  std::filesystem::current_path(std::filesystem::path(folder).parent_path());
  {
    Recorder recorder("relative.h5", scene, {}, {.expected_frames = 1});
    std::filesystem::current_path(folder);
    record_steps(recorder, scene, 50);
    recorder.close();
  }
  std::filesystem::current_path(before);
  expect_states(Recording(output("relative.h5")), scene, 51);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(Recorder, RefusesPlacesWhereNoFileCanBe) {
  const Scene scene = scene_of_free_bodies(1);
  std::filesystem::create_directories(output("folder.h5"));
  for (const std::string& file :
       {output("no/such/folder/x.h5"), output("folder.h5"), std::string("/dev/null"), std::string()}) {
    try {
      Recorder recorder(file, scene, {});
      ADD_FAILURE() << "'" << file << "' was written";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "cannot-write") << error.what();
      EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
      EXPECT_FALSE(error.cure().empty()) << error.what();
    }
  }
}

TEST(Recorder, RefusesWrongSizesWrongOrderAndBadOptions) {
  const Scene scene = scene_of_free_bodies(1);
  const Scene other = scene_of_free_bodies(2);
  const std::string file = output("refused.h5");
  EXPECT_THROW(Recorder(file, scene, {}, {.every = 0}), Error);
  EXPECT_THROW(Recorder(file, scene, {}, {.flush_s = -1}), Error);
  EXPECT_THROW(Recorder(file, scene, {}, {.flush_s = std::nan("")}), Error);
  Recorder recorder(file, scene, {});
  EXPECT_THROW(recorder.start(some_state(other, 0)), Error);
  recorder.start(some_state(scene, 0));
  EXPECT_THROW(recorder.start(some_state(scene, 0)), Error);
  EXPECT_THROW(recorder.add(some_state(scene, 1), some_control(other, 1), some_report(1)), Error);
  recorder.close();
  recorder.close();
  EXPECT_THROW(recorder.add(some_state(scene, 1), some_control(scene, 1), some_report(1)), Error);
  expect_states(Recording(file), scene, 1);
}

TEST(Recorder, SaysThatItsFileWasReplaced) {
  const Scene scene = scene_of_free_bodies(1);
  const std::string file = output("replaced.h5");
  Recorder first(file, scene, {}, {.expected_frames = 1});
  Recorder second(file, scene, {}, {.expected_frames = 1});
  first.start(some_state(scene, 0));
  second.start(some_state(scene, 0));
  EXPECT_THROW(first.close(), Error);
  EXPECT_FALSE(Recording(file).info().complete) << "the first recorder marked the file of the second";
  second.close();
  EXPECT_TRUE(Recording(file).info().complete);
}

}  // namespace
}  // namespace condyle::testing
