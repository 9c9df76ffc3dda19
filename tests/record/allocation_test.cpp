// A recorder that knows how many frames will come claims no memory while they come. The test's own malloc stands before
// the C library's for the whole process and counts; sanitizers bring theirs.
#include <gtest/gtest.h>

#include "record/output.hpp"
#include "record/some_recording.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
thread_local long allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* malloc(std::size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
}

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
    const long before = allocations;
    for (int i = 1; i < 5000; ++i) recorder.add(x, tau, report);
    EXPECT_EQ(allocations - before, 0) << "with a flush each " << flush_s << " s";
    recorder.close();
  }
  EXPECT_GT(allocations, 100) << "the count does not count";
}

}  // namespace
}  // namespace condyle::testing

#endif
