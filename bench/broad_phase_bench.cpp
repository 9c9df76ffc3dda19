// Time of the broad phase per body from 100 to 10,000 bodies at one density, its growth, and its ratio to Coal's dynamic tree
// on the same boxes in the same process. Rounds are interleaved, the least time of each counts. Bodies move a little between
// calls, as they do between steps.
#include "collision/broad_phase.hpp"
#include "support/random_state.hpp"

#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <coal/collision_object.h>
#include <coal/shape/geometric_shapes.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <functional>

namespace {

using namespace condyle;

/// Of this thread: on a shared machine others' turns fall into long calls and not into short ones.
double cpu_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double seconds(const std::function<void()>& work) {
  const double start = cpu_time();
  work();
  return cpu_time() - start;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"  // Coal's base class has none
struct CountPairs final : coal::CollisionCallBackBase {
  long pairs = 0;
  bool collide(coal::CollisionObject* a, coal::CollisionObject* b) override {
    pairs += a->getAABB().overlap(b->getAABB());
    return false;
  }
};
#pragma GCC diagnostic pop

/// Boxes of sides 0.1 to 0.4 m, one for each 0.03 m³: a loose heap. They swing about their places.
struct Heap {
  explicit Heap(int n) : random(7) {
    const double room = 0.5 * std::cbrt(0.03 * n);
    for (int i = 0; i < n; ++i) {
      centres.push_back(random.vector3(room));
      halves.push_back(Eigen::Vector3d(random.uniform(0.05, 0.2), random.uniform(0.05, 0.2), random.uniform(0.05, 0.2)));
      phases.push_back(random.uniform(0, 6.28));
    }
    boxes.resize(centres.size());
  }
  void move(int step) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Eigen::Vector3d c = centres[i] + 0.05 * Eigen::Vector3d(std::sin(0.02 * step + phases[i]), std::cos(0.03 * step + phases[i]), 0);
      boxes[i] = {c - halves[i], c + halves[i]};
    }
  }
  test::Random random;
  std::vector<Eigen::Vector3d> centres, halves;
  std::vector<double> phases;
  std::vector<Aabb> boxes;
};

struct CoalHeap {
  explicit CoalHeap(const Heap& heap) {
    for (std::size_t i = 0; i < heap.boxes.size(); ++i) {
      const Eigen::Vector3d s = 2 * heap.halves[i];
      objects.push_back(std::make_unique<coal::CollisionObject>(std::make_shared<coal::Box>(s[0], s[1], s[2])));
    }
    place(heap.boxes);
    for (auto& object : objects) manager.registerObject(object.get());
    manager.setup();
  }
  void place(const std::vector<Aabb>& boxes) {
    for (std::size_t i = 0; i < objects.size(); ++i) {
      objects[i]->setTranslation(boxes[i].centre());
      objects[i]->computeAABB();
    }
  }
  std::vector<std::unique_ptr<coal::CollisionObject>> objects;
  coal::DynamicAABBTreeCollisionManager manager;
};

}  // namespace

int main() {
  const std::vector<int> sizes{100, 300, 1000, 3000, 10000};
  std::vector<double> own, coals;
  for (const int n : sizes) {
    // Each timing spans 10,000 bodies in as many steps as that takes: otherwise a small scene is timed on a processor that
    // has learned its branches by heart.
    const int steps = 10000 / n, rounds = 40;
    Heap heap(n);
    std::vector<std::vector<Aabb>> boxes;
    for (int k = 0; k < steps; ++k) {
      heap.move(k);
      boxes.push_back(heap.boxes);
    }
    CoalHeap coal_heap(heap);
    BroadPhase broad(std::vector<char>(static_cast<std::size_t>(n), 0));
    double best = 1e300, coal_best = 1e300, place_best = 1e300;
    std::size_t pairs = 0;
    long coal_pairs = 0;
    for (int r = 0; r < rounds; ++r) {
      best = std::min(best, seconds([&] {
                        pairs = 0;
                        for (const auto& list : boxes) pairs += broad.pairs(list).size();
                      }));
      CountPairs count;
      coal_best = std::min(coal_best, seconds([&] {
                             for (const auto& list : boxes) {
                               coal_heap.place(list);
                               coal_heap.manager.update();
                               coal_heap.manager.collide(&count);
                             }
                           }));
      place_best = std::min(place_best, seconds([&] {
                              for (const auto& list : boxes) coal_heap.place(list);
                            }));
      coal_pairs = count.pairs;
    }
    best /= steps;
    coal_best = (coal_best - place_best) / steps;
    pairs /= static_cast<std::size_t>(steps);
    coal_pairs /= steps;
    own.push_back(best);
    coals.push_back(coal_best);
    fmt::print("{:>6} bodies  {:8.1f} ns a body  Coal's dynamic tree {:8.1f} ns a body  ratio {:.2f}   pairs {} (Coal {})  rebuilds {} in {}\n",
               n, 1e9 * best / n, 1e9 * coal_best / n, best / coal_best, pairs, coal_pairs, broad.rebuilds(), rounds * steps);
  }
  const double decades = std::log(static_cast<double>(sizes.back()) / sizes.front());
  fmt::print("growth exponent from {} to {} bodies: {:.3f} (Coal {:.3f})\n", sizes.front(), sizes.back(),
             std::log(own.back() / own.front()) / decades, std::log(coals.back() / coals.front()) / decades);
}
