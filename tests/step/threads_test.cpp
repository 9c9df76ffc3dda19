// The number of threads does not change a bit, and costs no memory in a step. To look for races:
//   scripts/build tsan --target test_step && build/tsan/bin/test_step --gtest_filter='Threads*'
#include "support/heaps.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "solvers/worker_pool.hpp"

namespace condyle {
namespace {

TEST(Threads, DoNotChangeABitOfAScene) {
  const Scene scene = test::heaps(9, 4);
  std::vector<Simulator> sims;
  std::vector<State> states;
  for (const int threads : {1, 2, 4}) {
    SimulatorOptions options;
    options.dt = 2e-3;
    options.threads = threads;
    sims.emplace_back(scene, options);
    states.push_back(scene.initial_state());
  }
  int most_islands = 0;
  for (int i = 0; i < 150; ++i) {
    for (std::size_t k = 0; k < sims.size(); ++k) sims[k].step(states[k]);
    most_islands = std::max(most_islands, sims[0].report().islands);
    for (std::size_t k = 1; k < sims.size(); ++k) {
      ASSERT_EQ(hash(states[0]), hash(states[k])) << sims[k].options().threads << " threads, step " << i;
      ASSERT_EQ(sims[0].report().residual, sims[k].report().residual) << "step " << i;
      ASSERT_EQ(sims[0].report().iterations, sims[k].report().iterations) << "step " << i;
      ASSERT_EQ(sims[0].report().factorizations, sims[k].report().factorizations) << "step " << i;
    }
  }
  EXPECT_GE(most_islands, 9) << "the scene is meant to have an island for each heap";
}

TEST(Threads, AllTakePartAndTroubleInOneIsThrownByTheCaller) {
  WorkerPool pool(4);
  for (int round = 0; round < 1000; ++round) {
    std::vector<int> count(4, 0);
    pool.run([&](int worker) { ++count[static_cast<std::size_t>(worker)]; });
    ASSERT_EQ(count, std::vector<int>(4, 1)) << "round " << round;
  }
  EXPECT_THROW(pool.run([](int worker) {
    if (worker == 3) throw std::runtime_error("trouble");
  }),
               std::runtime_error);
  int done = 0;
  pool.run([&](int worker) {
    if (worker == 0) ++done;  // no other thread touches it
  });
  EXPECT_EQ(done, 1) << "the pool goes on after trouble";
}

TEST(Threads, AreCounted) {
  SimulatorOptions options;
  options.threads = 0;
  EXPECT_THROW(options.check(), Error);
  EXPECT_THROW(solve(ContactProblem{}, {.threads = 0}), Error);
}

}  // namespace
}  // namespace condyle
