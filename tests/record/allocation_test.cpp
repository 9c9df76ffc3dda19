// A recorder that knows how many frames will come claims no memory while they come.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "record/output.hpp"
#include "record/some_recording.hpp"

namespace {
std::atomic<int> allocations{0};
}

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace condyle::testing {
namespace {

TEST(Recorder, ClaimsNoMemoryForAFrame) {
  const Scene scene = scene_of_free_bodies(3);
  const State x = some_state(scene, 1);
  const Eigen::VectorXd tau = some_control(scene, 1);
  const StepReport report = some_report(1);
  for (const double flush_s : {0.0, 1e9}) {
    Recorder recorder(output("run.h5"), scene, {}, {.expected_frames = 5000, .flush_s = flush_s});
    recorder.start(x);
    const int before = allocations;
    for (int i = 1; i < 5000; ++i) recorder.add(x, tau, report);
    EXPECT_EQ(allocations - before, 0) << "with a flush each " << flush_s << " s";
    recorder.close();
  }
  EXPECT_GT(allocations.load(), 100) << "the count does not count";
}

}  // namespace
}  // namespace condyle::testing
