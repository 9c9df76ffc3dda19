// Nothing allocates in a step after the first ones. The test's own malloc stands before the C library's for the whole
// process, Pinocchio and Eigen included, and counts on every thread while it is told to.
#include "support/heaps.hpp"
#include "support/mechanisms.hpp"
#include "support/random_state.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
std::atomic<bool> counting = false;
std::atomic<long> allocations = 0;
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t n) {
  allocations += counting;
  return __libc_malloc(n);
}
void* realloc(void* p, std::size_t n) {
  allocations += counting;
  return __libc_realloc(p, n);
}
void* calloc(std::size_t n, std::size_t size) {
  allocations += counting;
  return __libc_calloc(n, size);
}
void* memalign(std::size_t alignment, std::size_t n) {
  allocations += counting;
  return __libc_memalign(alignment, n);
}
}

namespace condyle {
namespace {

long allocations_of(const std::function<void()>& work) {
  allocations = 0;
  counting = true;
  work();
  counting = false;
  return allocations;
}

/// A floating and a hanging chain with springs and limits, and some stones.
Scene everything() {
  test::Random random(11);
  SceneBuilder build;
  ModelOptions floating, hanging;
  floating.base = Base::free;
  floating.name = "floating";
  floating.velocity = random.vector(6);
  hanging.name = "hanging";
  hanging.joints["joint_1"] = 1;
  auto limited = test::chain(4, 0.3, 1, false);
  limited->joints[2].lower = -0.01;
  limited->joints[2].upper = 0.01;
  build.add_model(test::chain(6, 0.3, 1, true, false), floating).add_model(limited, hanging);
  JointProperties spring;
  spring.stiffness = 5;
  spring.damping = 0.1;
  build.set_joint("hanging/joint_2", spring);
  for (int i = 0; i < 5; ++i) {
    BodySpec body;
    body.name = "stone_" + std::to_string(i);
    body.inertial = random.inertial(1);
    body.velocity = random.vector(6);
    build.add_body(body);
  }
  return build.finish();
}

TEST(AllocationCounter, SeesAnAllocationInsideTheLibrary) {
  const Scene scene = everything();
  EXPECT_GT(allocations_of([&] { scene.initial_state(); }), 0);
}

class AllocationOf : public testing::TestWithParam<Integrator> {};

TEST_P(AllocationOf, DoesNotHappenInAStepAfterWarmUp) {
  const Scene scene = everything();
  SimulatorOptions options;
  options.integrator = GetParam();
  Simulator sim(scene, options);
  State x = scene.initial_state();
  const Eigen::VectorXd tau = Eigen::VectorXd::Zero(scene.nv());
  int rows = 0;
  for (int i = 0; i < 200; ++i) rows += sim.step(x, tau).rows;
  EXPECT_GT(rows, 0) << "the scene is meant to reach a joint limit";
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i < 1000; ++i) sim.step(x, tau);
            }),
            0);
  EXPECT_NE(sim.report().status, StepStatus::rejected) << sim.report().reason;
}

TEST(Allocation, DoesNotHappenWhileAStackStandsAndALoopTurns) {
  for (const char* name : {"stack", "fourbar_fixed", "friction_arm", "pinch"}) {
    const Scene scene = load_scene(name);
    SimulatorOptions options;
    options.dt = scene.defaults().dt;
    Simulator sim(scene, options);
    State x = scene.initial_state();
    for (int i = 0; i < 1500; ++i) sim.step(x);  // so many that the four-bar has been everywhere
    EXPECT_EQ(allocations_of([&] {
                for (int i = 0; i < 200; ++i) sim.step(x);
              }),
              0)
        << name;
    EXPECT_GT(sim.report().rows, 0) << name;
  }
}

class AllocationInAPile : public testing::TestWithParam<int> {};

TEST_P(AllocationInAPile, DoesNotHappenWhileBoxesLieInHeaps) {
  const Scene scene = test::heaps(6, 4);
  SimulatorOptions options;
  options.dt = 2e-3;
  options.threads = GetParam();
  Simulator sim(scene, options);
  State x = scene.initial_state();
  for (int i = 0; i < 900; ++i) sim.step(x);
  // what lies is pushed a little, so that there is something to solve
  long iterations = 0;
  const Eigen::VectorXd to = Eigen::VectorXd::Constant(scene.nv(), 0.02), fro = -to;
  sim.step(x, to);
  const int rows = sim.report().rows;
  EXPECT_EQ(allocations_of([&] {
              for (int i = 0; i < 200; ++i) {
                sim.step(x, (i / 10) % 2 ? to : fro);
                iterations += sim.report().iterations;
              }
            }),
            0)
      << "rows " << rows << " before, " << sim.report().rows << " after";
  EXPECT_GT(sim.report().contacts, 20);
  EXPECT_GE(sim.report().islands, 6);
  EXPECT_GT(iterations, 0) << "nothing had to be solved";
}

INSTANTIATE_TEST_SUITE_P(Threads, AllocationInAPile, testing::Values(1, 3));

INSTANTIATE_TEST_SUITE_P(Schemes, AllocationOf,
                         testing::Values(Integrator::explicit_euler, Integrator::symplectic, Integrator::implicit_euler,
                                         Integrator::midpoint, Integrator::moreau_midpoint, Integrator::mid_velocity),
                         [](const auto& tested) {
                           std::string name = to_string(tested.param);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace condyle

#endif
