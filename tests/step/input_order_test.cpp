// The order in which a scene was put together does not change a bit of what its bodies do.
#include "support/heaps.hpp"
#include "support/mechanisms.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "scene/canonical_order.hpp"

namespace condyle {
namespace {

/// Position and velocity of every body and tree by name, as they are in the state.
std::map<std::string, std::vector<double>> by_name(const Scene& scene, const State& x) {
  std::map<std::string, std::vector<double>> out;
  const auto add = [&](const std::string& name, int q, int nq, int v, int nv) {
    std::vector<double>& all = out[name];
    all.assign(x.q.data() + q, x.q.data() + q + nq);
    all.insert(all.end(), x.v.data() + v, x.v.data() + v + nv);
  };
  for (const FreeBody& body : scene.data().free_bodies) add(body.name, body.q, 7, body.v, 6);
  for (const Tree& tree : scene.data().trees) add(tree.name, tree.q, tree.model->nq, tree.v, tree.model->nv);
  return out;
}

/// Both scenes step by step; the first step in which a body differs is a failure with its name.
void expect_same_bits(const Scene& one, const Scene& other, SimulatorOptions options, int steps) {
  Simulator sim_one(one, options), sim_other(other, options);
  State x = one.initial_state(), y = other.initial_state();
  int contacts = 0, rows = 0;
  for (int i = 0; i < steps; ++i) {
    sim_one.step(x);
    sim_other.step(y);
    contacts = std::max(contacts, sim_one.report().contacts);
    rows = std::max(rows, sim_one.report().rows);
    ASSERT_EQ(sim_one.report().iterations, sim_other.report().iterations) << "step " << i + 1;
    const auto a = by_name(one, x), b = by_name(other, y);
    ASSERT_EQ(a.size(), b.size());
    for (const auto& [name, values] : a) {
      const std::vector<double>& others = b.at(name);
      ASSERT_EQ(values.size(), others.size()) << name;
      for (std::size_t k = 0; k < values.size(); ++k)
        ASSERT_EQ(std::memcmp(&values[k], &others[k], sizeof(double)), 0)
            << "step " << i + 1 << ", " << name << ", number " << k << ": differs by " << values[k] - others[k];
    }
  }
  EXPECT_GT(rows, 0) << "nothing was constrained";
  EXPECT_GT(contacts, 0) << "nothing touched";
}

Scene heap(const std::vector<int>& order, bool floor_first) {
  SceneBuilder build;
  if (floor_first) build.add_ground({.friction = 0.6});
  for (const int i : order) build.add_body(test::tumbling_box("box_" + std::to_string(i), i, {0, 0, 0}));
  if (!floor_first) build.add_ground({.friction = 0.6});
  return build.finish();
}

TEST(InputOrder, DoesNotChangeABitOfAHeap) {
  expect_same_bits(heap({0, 1, 2, 3, 4, 5}, true), heap({4, 1, 5, 3, 0, 2}, false), {.dt = 2e-3}, 500);
}

/// Two arms with limits that swing into a heap of boxes, and a chain of bodies held by loops.
Scene machines(bool turned) {
  SceneBuilder build;
  std::vector<std::function<void()>> parts;
  for (const int n : {3, 2})
    parts.emplace_back([&build, n] {
      ModelOptions options;
      options.name = "arm" + std::to_string(n);
      options.joints["joint_1"] = 1.2;
      options.pose.p = {0.4 * n - 1.2, 0, 0.75};
      auto arm = test::chain(n, 0.25, 1, false);
      arm->joints[1].lower = -0.3;
      arm->joints[1].upper = 0.3;
      ShapeSpec fist;
      fist.link = n;
      fist.shape.kind = ShapeKind::sphere;
      fist.shape.size = {0.05, 0, 0};
      fist.shape.pose.p.z() = -0.25;
      arm->shapes.push_back(fist);
      build.add_model(arm, options);
    });
  for (const int i : {0, 1, 2, 3, 4})
    parts.emplace_back([&build, i] {
      build.add_body(test::tumbling_box("link_" + std::to_string(i), 0, {0.2 * i - 1, 1, 0.5}));
    });
  for (const int i : {0, 1, 2})
    parts.emplace_back([&build, i] { build.add_body(test::tumbling_box("box_" + std::to_string(i), i, {-0.2, 0, 0})); });
  if (turned) std::reverse(parts.begin(), parts.end());
  if (!turned) build.add_ground({.friction = 0.6});
  for (const auto& part : parts) part();
  if (turned) build.add_ground({.friction = 0.6});
  std::vector<int> loops{0, 1, 2, 3};
  if (turned) std::reverse(loops.begin(), loops.end());
  for (const int i : loops) {
    LoopSpec loop;
    loop.name = "loop_" + std::to_string(i);
    loop.kind = ClosureKind::spherical;
    loop.body_a = "link_" + std::to_string(i);
    loop.body_b = "link_" + std::to_string(i + 1);
    loop.frame_a.p = {0.1, 0, 0};
    loop.frame_b.p = {-0.1, 0, 0};
    build.add_loop(loop);
  }
  return build.finish();
}

TEST(InputOrder, DoesNotChangeABitOfMachinesWithLoopsLimitsAndContacts) {
  expect_same_bits(machines(false), machines(true), {.dt = 2e-3}, 400);
}

TEST(InputOrder, TakesNumbersInNamesAsNumbers) {
  EXPECT_TRUE(name_comes_before("b2", "b10"));
  EXPECT_FALSE(name_comes_before("b10", "b2"));
  EXPECT_TRUE(name_comes_before("b", "b0"));
  EXPECT_TRUE(name_comes_before("b01", "b1") != name_comes_before("b1", "b01")) << "two names are never equal";
  EXPECT_FALSE(name_comes_before("a/b:3", "a/b:3"));
  EXPECT_TRUE(name_comes_before("b10a2", "b10a11"));
}

}  // namespace
}  // namespace condyle
