// Time of the broad phase per body from 100 to 10,000 bodies at one density, its growth, and its ratio to Coal's dynamic
// tree on the same boxes in the same process. Rounds are interleaved, the least time of each counts. Bodies move a little
// between calls, as they do between steps. Twice: `alone` asks of one scene again and again, so that a small one has all of
// the cache and a processor that knows its branches by heart; `among others` goes round as many scenes as make 10,000
// bodies, which is nearer to what is left when a solver has worked between two calls.
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
  Heap(int n, std::uint64_t seed) : random(seed) {
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
      const Eigen::Vector3d c =
          centres[i] + 0.05 * Eigen::Vector3d(std::sin(0.02 * step + phases[i]), std::cos(0.03 * step + phases[i]), 0);
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

struct Times {
  double own = 0, coal = 0;  // s a body
  double pairs = 0, coal_pairs = 0;
};

/// 10,000 bodies are asked in each timing: in `scenes` heaps, each of them so many times that it makes up the number.
Times measure(int n, int scenes) {
  const int steps = 10000 / (n * scenes), rounds = 40;
  std::vector<std::vector<std::vector<Aabb>>> boxes;
  std::vector<BroadPhase> broad;
  std::vector<std::unique_ptr<CoalHeap>> coal_heaps;
  for (int s = 0; s < scenes; ++s) {
    Heap heap(n, static_cast<std::uint64_t>(7 + s));
    boxes.emplace_back();
    for (int k = 0; k < steps; ++k) {
      heap.move(k);
      boxes.back().push_back(heap.boxes);
    }
    broad.emplace_back(std::vector<char>(static_cast<std::size_t>(n), 0));
    coal_heaps.push_back(std::make_unique<CoalHeap>(heap));
  }
  Times out;
  double best = 1e300, coal_best = 1e300, place_best = 1e300;
  for (int r = 0; r < rounds; ++r) {
    std::size_t pairs = 0;
    best = std::min(best, seconds([&] {
                      for (std::size_t s = 0; s < boxes.size(); ++s)
                        for (const auto& list : boxes[s]) pairs += broad[s].pairs(list).size();
                    }));
    CountPairs count;
    coal_best = std::min(coal_best, seconds([&] {
                           for (std::size_t s = 0; s < boxes.size(); ++s)
                             for (const auto& list : boxes[s]) {
                               coal_heaps[s]->place(list);
                               coal_heaps[s]->manager.update();
                               coal_heaps[s]->manager.collide(&count);
                             }
                         }));
    place_best = std::min(place_best, seconds([&] {
                            for (std::size_t s = 0; s < boxes.size(); ++s)
                              for (const auto& list : boxes[s]) coal_heaps[s]->place(list);
                          }));
    out.pairs = static_cast<double>(pairs), out.coal_pairs = static_cast<double>(count.pairs);
  }
  const double bodies = static_cast<double>(n) * steps * scenes;
  out.own = best / bodies, out.coal = (coal_best - place_best) / bodies;
  out.pairs /= bodies, out.coal_pairs /= bodies;
  return out;
}

}  // namespace

int main() {
  const std::vector<int> sizes{100, 300, 1000, 3000, 10000};
  for (const bool alone : {true, false}) {
    fmt::print("{}\n", alone ? "alone" : "among others");
    std::vector<Times> times;
    for (const int n : sizes) {
      times.push_back(measure(n, alone ? 1 : 10000 / n));
      const Times& t = times.back();
      fmt::print(
          "{:>6} bodies  {:6.1f} ns a body  Coal's dynamic tree {:6.1f} ns a body  ratio {:.2f}   {:.4f} pairs a body (Coal "
          "{:.4f})\n",
          n, 1e9 * t.own, 1e9 * t.coal, t.own / t.coal, t.pairs, t.coal_pairs);
    }
    const auto exponent = [&](double Times::*of) {
      return 1 +
             std::log(times.back().*of / times.front().*of) / std::log(static_cast<double>(sizes.back()) / sizes.front());
    };
    fmt::print("growth exponent from {} to {} bodies: {:.3f} (Coal {:.3f}, the number of pairs {:.3f})\n", sizes.front(),
               sizes.back(), exponent(&Times::own), exponent(&Times::coal), exponent(&Times::pairs));
  }
}
