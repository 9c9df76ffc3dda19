// A program that dies leaves what it had flushed. The children here are killed at moments that nobody chose.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <random>

#include "record/output.hpp"
#include "record/some_recording.hpp"

namespace condyle::testing {
namespace {

/// A number that a child writes and its parent reads after the child's death.
class SharedCount {
 public:
  SharedCount()
      : count_(static_cast<std::atomic<std::uint64_t>*>(
            ::mmap(nullptr, sizeof *count_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~SharedCount() { ::munmap(count_, sizeof *count_); }
  SharedCount(const SharedCount&) = delete;
  SharedCount& operator=(const SharedCount&) = delete;
  std::atomic<std::uint64_t>& operator*() { return *count_; }

 private:
  std::atomic<std::uint64_t>* count_;
};

/// Runs `work` in a child, kills it after `microseconds`, or returns when it has killed itself.
void run_and_kill(useconds_t microseconds, const std::function<void()>& work) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    try {
      work();
    } catch (...) {
      ::_exit(3);
    }
    ::_exit(0);
  }
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the child ended by itself: status " << status;
}

void expect_prefix(const std::string& file, const Scene& scene, std::uint64_t at_least) {
  const Recording recording(file);
  ASSERT_GE(recording.info().frames, at_least);
  EXPECT_FALSE(recording.info().complete);
  for (std::uint64_t i = 0; i < recording.info().frames; ++i)
    ASSERT_TRUE(recording.state(i) == some_state(scene, i)) << "frame " << i << " of " << recording.info().frames;
  const std::vector<double> contacts = recording.column("contacts");
  for (std::uint64_t i = 0; i < contacts.size(); ++i) ASSERT_EQ(contacts[i], static_cast<double>(i));
}

/// Files of this test whose names begin so: a killed child may leave a replacement that it had not finished.
void remove_leftovers(const std::string& beginning) {
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(output("any")).parent_path()))
    if (entry.path().filename().string().rfind(beginning, 0) == 0) std::filesystem::remove(entry.path());
}

TEST(KilledRecorder, LeavesEveryFrameThatItHadFlushed) {
  const Scene scene = scene_of_free_bodies(2);
  const std::string file = output("killed.h5");
  std::mt19937 random(7);
  std::uint64_t most = 0;
  for (int round = 0; round < 40; ++round) {
    remove_leftovers("killed.h5");
    SharedCount flushed;
    // Room for one frame: the file grows all the time. A million: never.
    const std::uint64_t told = round % 2 == 0 ? 1 : 1000000;
    run_and_kill(2000 + random() % 60000, [&] {
      Recorder recorder(file, scene, {}, {.expected_frames = told, .flush_s = 1e9});
      recorder.start(some_state(scene, 0));
      for (std::uint64_t i = 1;; ++i) {
        recorder.add(some_state(scene, i), some_control(scene, i), some_report(i));
        if (i % 8 != 0) continue;
        recorder.flush();
        *flushed = i + 1;
      }
    });
    if (HasFatalFailure()) return;
    if (!std::filesystem::exists(file)) {
      EXPECT_EQ(*flushed, 0u) << "round " << round;
      continue;
    }
    SCOPED_TRACE("round " + std::to_string(round));
    expect_prefix(file, scene, *flushed);
    most = std::max<std::uint64_t>(most, *flushed);
  }
  EXPECT_GT(most, 100u) << "the children never lived long enough to test anything";
}

TEST(KilledRecorder, LeavesAWholeFileWhileFilesAreMadeAndClosed) {
  const Scene scene = scene_of_free_bodies(1);
  const std::string file = output("replaced_by_child.h5");
  std::mt19937 random(8);
  Recorder before(file, scene, {});
  record_steps(before, scene, 3);
  before.close();
  for (int round = 0; round < 20; ++round) {
    run_and_kill(5000 + random() % 20000, [&] {
      for (std::uint64_t told = 3;; told = 7 - told) {  // 3: cut off at the end, by the way; 4: exact
        Recorder recorder(file, scene, {}, {.expected_frames = told});
        record_steps(recorder, scene, 3);
        recorder.close();
      }
    });
    if (HasFatalFailure()) return;
    const Recording recording(file);
    for (std::uint64_t i = 0; i < recording.info().frames; ++i)
      ASSERT_TRUE(recording.state(i) == some_state(scene, i)) << "round " << round << ", frame " << i;
    remove_leftovers("replaced_by_child.h5.");
  }
}

TEST(Recorder, SaysThatTheDiskIsFullAndKeepsWhatItHad) {
  const Scene scene = scene_of_free_bodies(1);
  const std::string file = output("full.h5");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int result = 1;
    try {
      Recorder recorder(file, scene, {}, {.expected_frames = 100000, .flush_s = 1e9});
      record_steps(recorder, scene, 99);
      recorder.flush();
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit none{0, 0};  // as good as a full disk: no byte more is written
      ::setrlimit(RLIMIT_FSIZE, &none);
      for (std::uint64_t i = 100; i < 5000; ++i) recorder.add(some_state(scene, i), some_control(scene, i), some_report(i));
    } catch (const Error& error) {
      result = error.code() == "cannot-write" && error.place().file == file ? 0 : 2;
    }
    ::_exit(result);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  expect_prefix(file, scene, 100);
}

}  // namespace
}  // namespace condyle::testing
