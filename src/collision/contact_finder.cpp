#include "collision/contact_finder.hpp"

#include "collision/broad_phase.hpp"
#include "collision/overlap.hpp"
#include "collision/pair_contacts.hpp"
#include "collision/tree_joints.hpp"
#include "scene/canonical_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace condyle {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool is_fixed(const SceneData& scene, const BodyRef& body) {
  if (body.kind == BodyRef::Kind::link) return scene.trees[at(body.index)].model->links[at(body.link)].joint == 0;
  return body.kind != BodyRef::Kind::free_body;
}

/// As default_pairs, but only pairs within one tree are enumerated: a thousand loose stones have half a million pairs, none
/// of which can be taken out.
PairTable pairs_within_trees(const SceneData& scene, const PairFilter& filter, const std::vector<CoalShape>& shapes,
                             const std::vector<Pose>& poses, const PairOptions& options) {
  PairTable table;
  std::vector<std::vector<int>> of_tree(scene.trees.size());
  for (std::size_t i = 0; i < scene.shapes.size(); ++i)
    if (scene.shapes[i].role == ShapeRole::collision && scene.shapes[i].body.kind == BodyRef::Kind::link)
      of_tree[at(scene.shapes[i].body.index)].push_back(static_cast<int>(i));
  for (const std::vector<int>& own : of_tree)
    for (std::size_t i = 0; i < own.size(); ++i)
      for (std::size_t j = i + 1; j < own.size(); ++j) {
        const ShapePair pair{own[i], own[j]};
        if (const PairVerdict verdict = filter.judge(pair.a, pair.b); verdict != PairVerdict::candidate) {
          ++table.filtered[to_string(verdict)];
          continue;
        }
        ++table.candidates;
        const CoalShape &a = shapes[at(pair.a)], &b = shapes[at(pair.b)];
        if (a.parts.empty() || b.parts.empty()) {
          ++table.filtered["no-geometry"];
          continue;
        }
        const SceneShape &shape_a = scene.shapes[at(pair.a)], &shape_b = scene.shapes[at(pair.b)];
        if (is_unbounded(shape_a.shape.kind) && is_unbounded(shape_b.shape.kind)) {
          ++table.filtered["both-unbounded"];
          continue;
        }
        if (const Overlap found = overlap(a, poses[at(pair.a)], b, poses[at(pair.b)]); found.depth > options.overlap) {
          table.overlapping.push_back({pair, shape_a.name, shape_b.name, found.depth, options.keep_overlapping});
          if (!options.keep_overlapping) {
            ++table.filtered["overlapping"];
            continue;
          }
        }
        table.pairs.push_back(pair);
      }
  std::sort(table.pairs.begin(), table.pairs.end());
  return table;
}

std::uint64_t mix(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
  return h ^ (h >> 31);
}

}  // namespace

struct ContactFinder::Work {
  Work(const SceneData& data, const FinderOptions& chosen)
      : options(chosen), filter(data), geometry(make_geometry(data)), rank(CanonicalOrder(data).shape_rank) {
    for (std::size_t i = 0; i < geometry.size(); ++i) {
      fixed.push_back(is_fixed(data, data.shapes[i].body));
      if (geometry[i]->unbounded) unbounded.push_back(static_cast<int>(i));
      const Aabb& box = geometry[i]->box;
      const double size =
          geometry[i]->unbounded || box.empty() ? std::numeric_limits<double>::infinity() : (box.high - box.low).norm();
      const bool capped = std::isfinite(size) && std::isfinite(options.margin_of_size);
      margins.push_back(capped ? std::min(options.margin, options.margin_of_size * size) : options.margin);
    }
    boxes.resize(geometry.size());
    broad = BroadPhase(fixed);
  }

  /// Holds shape i for the whole step, and half of the margin: two boxes that do not overlap are farther apart than it.
  Aabb swept_box(std::size_t i, const ShapeMotion& motion, double dt) const {
    const ShapeGeometry& g = *geometry[i];
    if (g.box.empty() || !motion.pose.R.allFinite()) return {};
    Aabb box = turned(g.box, motion.pose);
    const Eigen::Vector3d travel = dt * motion.linear;
    const double turn = std::min(dt * motion.angular.norm(), 2.0) * g.radius;
    box.low += travel.cwiseMin(0.0);
    box.high += travel.cwiseMax(0.0);
    box.inflate(turn + 0.5 * options.margin * (1 + 1e-9));
    return box;
  }

  /// Whether a box comes near an unbounded shape within the step.
  bool reaches(const Aabb& box, std::size_t u, const ShapeMotion& motion, double dt) const {
    const Eigen::Vector3d n = motion.pose.R.col(2);
    const Eigen::Vector3d c = box.centre() - motion.pose.p, h = box.half();
    const double height = n.dot(c), size = n.cwiseAbs().dot(h);
    const double own = dt * std::abs(n.dot(motion.linear)) +
                       std::min(dt * motion.angular.norm(), 2.0) * (c.norm() + h.norm() + dt * motion.linear.norm());
    const double lowest = height - size - own - options.margin;
    if (geometry[u]->pieces[0].kind == ShapeKind::halfspace) return lowest <= 0;
    return lowest <= 0 && height + size + own + options.margin >= 0;
  }

  bool wanted(int a, int b) const {
    return filter.judge(a, b) == PairVerdict::candidate &&
           !std::binary_search(taken_out.begin(), taken_out.end(), ShapePair{std::min(a, b), std::max(a, b)});
  }

  void find_pair(int a, int b, const std::vector<ShapeMotion>& motions, double dt) {
    if (!wanted(a, b)) return;
    ++stats.pairs_tested;
    const PairSide side_a{geometry[at(a)].get(), &motions[at(a)], fixed[at(a)] != 0};
    const PairSide side_b{geometry[at(b)].get(), &motions[at(b)], fixed[at(b)] != 0};
    for (const ContactPoint& point : contacts.find(side_a, side_b, dt, std::min(margins[at(a)], margins[at(b)]))) {
      const std::uint64_t place = place_of({a, b});
      found.push_back({{a, b}, point, place, contact_id(place, point.feature)});
    }
  }

  /// The pair above, the feature below: all points of a pair lie side by side in an order of ids. The highest bit is left to
  /// other constraints.
  static std::uint64_t contact_id(std::uint64_t place, std::uint64_t feature) {
    const std::uint64_t pair = mix(place + 0x9E3779B97F4A7C15u);
    const std::uint64_t id = (pair >> 33 << 32) | (mix(pair ^ feature) >> 32);
    return id == 0 ? 1 : id;
  }

  std::uint64_t place_of(const ShapePair& pair) const {
    return static_cast<std::uint64_t>(rank[at(pair.a)]) << 32 | static_cast<std::uint64_t>(rank[at(pair.b)]);
  }

  FinderOptions options;
  PairFilter filter;
  std::vector<std::shared_ptr<const ShapeGeometry>> geometry;
  std::vector<int> rank;  // of each shape in the canonical order
  std::vector<double> margins;
  std::vector<char> fixed;
  std::vector<int> unbounded;
  std::vector<ShapePair> taken_out;  // sorted
  PairTable table;
  std::vector<Aabb> boxes;
  BroadPhase broad;
  PairContacts contacts;
  std::vector<Contact> found;
  std::vector<ShapePair> near;
  FinderStats stats;
};

ContactFinder::ContactFinder(const SceneData& scene, const FinderOptions& options) {
  if (!(options.margin >= 0) || !std::isfinite(options.margin))
    throw Error("bad-option", {}, fmt::format("FinderOptions::margin is {}", options.margin),
                "give a finite length that is not negative");
  if (!(options.margin_of_size >= 0))
    throw Error("bad-option", {}, fmt::format("FinderOptions::margin_of_size is {}", options.margin_of_size),
                "it must not be negative");
  if (!(options.pairs.overlap >= 0))
    throw Error("bad-option", {}, fmt::format("PairOptions::overlap is {}", options.pairs.overlap),
                "it must not be negative");
  CoalShapes made;
  const std::vector<CoalShape> shapes = make_shapes(scene, made);
  work_ = std::make_unique<Work>(scene, options);
  const std::vector<Pose> poses = initial_shape_poses(scene);
  work_->table = options.pairs.only_within_trees ? pairs_within_trees(scene, work_->filter, shapes, poses, options.pairs)
                                                 : default_pairs(scene, shapes, poses, options.pairs);
  for (const OverlapEntry& entry : work_->table.overlapping)
    if (!entry.kept) work_->taken_out.push_back(entry.pair);
  std::sort(work_->taken_out.begin(), work_->taken_out.end());
}

ContactFinder::~ContactFinder() = default;
ContactFinder::ContactFinder(ContactFinder&&) noexcept = default;
ContactFinder& ContactFinder::operator=(ContactFinder&&) noexcept = default;
double ContactFinder::radius(int shape) const {
  const ShapeGeometry& g = *work_->geometry[at(shape)];
  return g.unbounded ? 0 : g.radius;
}
double ContactFinder::margin(int shape) const { return work_->margins[at(shape)]; }
const FinderStats& ContactFinder::stats() const { return work_->stats; }
const PairTable& ContactFinder::pairs() const { return work_->table; }

const std::vector<Contact>& ContactFinder::find(const std::vector<ShapeMotion>& motions, double dt) {
  Work& w = *work_;
  w.stats = {};
  w.found.clear();
  w.near.clear();
  for (std::size_t i = 0; i < w.geometry.size(); ++i) {
    w.boxes[i] = w.swept_box(i, motions[i], dt);
    w.stats.shapes += !w.boxes[i].empty() || w.geometry[i]->unbounded;
  }
  const auto add = [&w](int a, int b) {
    w.near.push_back(w.rank[at(a)] < w.rank[at(b)] ? ShapePair{a, b} : ShapePair{b, a});
  };
  for (const ShapePair& pair : w.broad.pairs(w.boxes)) add(pair.a, pair.b);
  for (const int u : w.unbounded)
    for (std::size_t i = 0; i < w.boxes.size(); ++i)
      if (w.boxes[i].finite() && !w.boxes[i].empty() && !(w.fixed[i] && w.fixed[at(u)]) &&
          w.reaches(w.boxes[i], at(u), motions[at(u)], dt))
        add(static_cast<int>(i), u);
  w.stats.boxes_overlapping = static_cast<int>(w.near.size());
  std::sort(w.near.begin(), w.near.end(),
            [&w](const ShapePair& x, const ShapePair& y) { return w.place_of(x) < w.place_of(y); });
  for (const ShapePair& pair : w.near) w.find_pair(pair.a, pair.b, motions, dt);
  w.stats.points = static_cast<int>(w.found.size());
  return w.found;
}

}  // namespace condyle
