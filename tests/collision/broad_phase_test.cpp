#include "collision/broad_phase.hpp"

#include "support/random_state.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

Aabb box_at(const Eigen::Vector3d& c, const Eigen::Vector3d& h) { return {c - h, c + h}; }

std::vector<Aabb> random_boxes(test::Random& random, int count, double room, double largest) {
  std::vector<Aabb> out;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d c = random.vector(3, room), h = random.vector(3, largest).cwiseAbs();
    out.push_back(box_at(c, h));
  }
  return out;
}

std::vector<ShapePair> brute_force(const std::vector<Aabb>& boxes, const std::vector<char>& fixed) {
  std::vector<ShapePair> out;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = i + 1; j < boxes.size(); ++j)
      if (boxes[i].finite() && boxes[j].finite() && boxes[i].overlaps(boxes[j]) && !(fixed[i] && fixed[j]))
        out.push_back({static_cast<int>(i), static_cast<int>(j)});
  return out;
}

TEST(BroadPhase, FindsExactlyThePairsOfBruteForceWhileTheBoxesMove) {
  test::Random random(3);
  for (const int count : {0, 1, 2, 5, 100, 200}) {
    std::vector<char> fixed(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < fixed.size(); ++i) fixed[i] = i % 5 == 0;
    std::vector<Aabb> boxes = random_boxes(random, count, 3, 0.3);
    if (count > 2) boxes[1] = box_at({0, 0, 0}, {50, 50, 0.1});  // a floor among pebbles
    BroadPhase broad(fixed);
    std::size_t pairs = 0;
    for (int step = 0; step < 8; ++step) {
      const std::vector<ShapePair> expected = brute_force(boxes, fixed);
      ASSERT_EQ(broad.pairs(boxes), expected) << count << " boxes, step " << step;
      pairs += expected.size();
      for (Aabb& box : boxes) {
        const Eigen::Vector3d by = random.vector(3, 0.5);
        box.low += by, box.high += by;
      }
    }
    if (count >= 100) {
      EXPECT_GT(pairs, 50u);
      EXPECT_GT(broad.rebuilds(), 1) << "such moves were meant to loosen the tree";
      EXPECT_LT(broad.rebuilds(), 8) << "the tree was meant to be kept while it is tight";
    }
  }
}

TEST(BroadPhase, FindsAllPairsWhereverTheBoxesAre) {
  test::Random random(5);
  std::vector<Aabb> boxes = random_boxes(random, 150, 1, 0.2);
  boxes[7] = box_at({1e9, -1e12, 3}, {0.1, 0.1, 0.1});  // two have got away
  boxes[8] = box_at({1e9, -1e12, 3.2}, {0.1, 0.1, 0.1});
  const std::vector<char> fixed(boxes.size(), 0);
  BroadPhase broad(fixed);
  EXPECT_EQ(broad.pairs(boxes), brute_force(boxes, fixed));
  for (std::size_t i = 0; i < boxes.size(); ++i)  // in a row, touching to the last bit or not
    boxes[i] = box_at({0.2 * static_cast<double>(i), 0, 0}, {0.1, 0.1, 0.1});
  EXPECT_EQ(broad.pairs(boxes), brute_force(boxes, fixed));
  for (Aabb& box : boxes) box.low[1] = box.high[1] = box.low[2] = box.high[2] = 0.25;  // without width
  EXPECT_EQ(broad.pairs(boxes), brute_force(boxes, fixed));
}

TEST(BroadPhase, CountsTouchingBoxesAndLeavesOutEmptyOnesAndThoseThatAreNoNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Aabb> boxes = {box_at({0, 0, 0}, {1, 1, 1}), box_at({2, 0, 0}, {1, 1, 1}), Aabb{},
                             box_at({nan, 0, 0}, {1, 1, 1}), box_at({0, 0, 0}, {1e300 * 1e300, 1, 1})};
  for (int i = 0; i < 20; ++i) boxes.push_back(box_at({10.0 * i, 100, 0}, {1, 1, 1}));
  BroadPhase broad(std::vector<char>(boxes.size(), 0));
  const std::vector<ShapePair> expected = {{0, 1}};
  EXPECT_EQ(broad.pairs(boxes), expected);
}

TEST(BroadPhase, DoesNotDependOnEarlierCalls) {
  test::Random random(4);
  const std::vector<Aabb> first = random_boxes(random, 300, 3, 0.3), second = random_boxes(random, 300, 3, 0.3);
  BroadPhase used(std::vector<char>(300, 0)), fresh(std::vector<char>(300, 0));
  used.pairs(first);
  EXPECT_EQ(used.pairs(second), fresh.pairs(second));
  EXPECT_EQ(used.pairs(first), BroadPhase(std::vector<char>(300, 0)).pairs(first));
}

TEST(BroadPhase, FindsAllOfManyBoxesAtOnePlace) {
  BroadPhase broad(std::vector<char>(60, 0));
  EXPECT_EQ(broad.pairs(std::vector<Aabb>(60, box_at({1, 2, 3}, {0, 0, 0}))).size(), 60u * 59 / 2);
}

}  // namespace
}  // namespace condyle
