#include "collision/default_pairs.hpp"

#include "collision/overlap.hpp"
#include "collision/tree_joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace condyle {

const char* to_string(PairVerdict verdict) {
  switch (verdict) {
    case PairVerdict::candidate: return "candidate";
    case PairVerdict::no_collision: return "no-collision";
    case PairVerdict::same_body: return "same-body";
    case PairVerdict::both_static: return "both-static";
    case PairVerdict::parent_child: return "parent-child";
    case PairVerdict::excluded: return "excluded";
  }
  return "";
}

PairFilter::PairFilter(const SceneData& scene) {
  std::map<std::array<int, 3>, int> names;  // kind, index, link of everything that an excluded pair names
  const auto number = [&names](const BodyRef& ref) {
    return names.try_emplace({static_cast<int>(ref.kind), ref.index, ref.link}, static_cast<int>(names.size()))
        .first->second;
  };
  for (const auto& [a, b] : scene.excluded_pairs) {
    BodyRef ends[2];
    for (const auto& [name, ref] : {std::pair(&a, &ends[0]), std::pair(&b, &ends[1])})
      if (!scene.find_body(*name, *ref))
        throw Error("unknown-body", {}, "an excluded pair names '" + *name + "', which does not exist", "correct the name");
    excluded_.push_back(std::minmax({number(ends[0]), number(ends[1])}));
  }
  std::sort(excluded_.begin(), excluded_.end());

  std::vector<std::vector<int>> parents;
  std::vector<int> first_body;  // joint j of tree t is body first_body[t] + j
  int bodies = 0;
  for (const Tree& tree : scene.trees) {
    parents.push_back(joints_above(*tree.model));
    first_body.push_back(bodies);
    bodies += static_cast<int>(parents.back().size()) - 1;
    const bool static_parent_counts = !tree.description || tree.description->format != "mjcf";
    for (int& parent : parents.back())
      if (parent == 0 && !static_parent_counts) parent = -1;
  }
  for (const SceneShape& shape : scene.shapes) {
    Owner owner;
    owner.collides = shape.role == ShapeRole::collision;
    const auto found = names.find({static_cast<int>(shape.body.kind), shape.body.index, shape.body.link});
    if (found != names.end()) owner.name = found->second;
    if (shape.body.kind == BodyRef::Kind::free_body) owner.body = bodies + 1 + shape.body.index;
    if (shape.body.kind == BodyRef::Kind::link) {
      const auto tree = static_cast<std::size_t>(shape.body.index);
      owner.tree = shape.body.index;
      owner.joint = scene.trees[tree].model->links[static_cast<std::size_t>(shape.body.link)].joint;
      owner.parent = parents[tree][static_cast<std::size_t>(owner.joint)];
      if (owner.joint > 0) owner.body = first_body[tree] + owner.joint;
    }
    owners_.push_back(owner);
  }
}

PairVerdict PairFilter::judge(int a, int b) const {
  const Owner& x = owners_[static_cast<std::size_t>(a)];
  const Owner& y = owners_[static_cast<std::size_t>(b)];
  if (!x.collides || !y.collides) return PairVerdict::no_collision;
  if (x.body == y.body) return x.body == 0 ? PairVerdict::both_static : PairVerdict::same_body;
  if (same_tree(a, b) && (x.parent == y.joint || y.parent == x.joint)) return PairVerdict::parent_child;
  if (x.name >= 0 && y.name >= 0 &&
      std::binary_search(excluded_.begin(), excluded_.end(), std::pair<int, int>(std::minmax(x.name, y.name))))
    return PairVerdict::excluded;
  return PairVerdict::candidate;
}

bool PairFilter::same_tree(int a, int b) const {
  const int tree = owners_[static_cast<std::size_t>(a)].tree;
  return tree >= 0 && tree == owners_[static_cast<std::size_t>(b)].tree;
}

namespace {

PairTable candidates(const SceneData& scene, const PairFilter& filter) {
  PairTable table;
  std::vector<int> shapes;
  for (std::size_t i = 0; i < scene.shapes.size(); ++i)
    if (scene.shapes[i].role == ShapeRole::collision) shapes.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = i + 1; j < shapes.size(); ++j) {
      const PairVerdict verdict = filter.judge(shapes[i], shapes[j]);
      if (verdict == PairVerdict::candidate)
        table.pairs.push_back({shapes[i], shapes[j]});
      else
        ++table.filtered[to_string(verdict)];
    }
  table.candidates = static_cast<int>(table.pairs.size());
  return table;
}

}  // namespace

PairTable candidate_pairs(const SceneData& scene) { return candidates(scene, PairFilter(scene)); }

PairTable default_pairs(const SceneData& scene, const std::vector<CoalShape>& shapes, const std::vector<Pose>& poses,
                        const PairOptions& options) {
  assert(shapes.size() == scene.shapes.size() && poses.size() == scene.shapes.size());
  if (!(options.overlap >= 0))
    throw Error("bad-option", {}, fmt::format("PairOptions::overlap is {}", options.overlap), "it must not be negative");
  const PairFilter filter(scene);
  PairTable table = candidates(scene, filter);
  std::vector<ShapePair> kept;
  for (const ShapePair& pair : table.pairs) {
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    const SceneShape &shape_a = scene.shapes[a], &shape_b = scene.shapes[b];
    if (shapes[a].parts.empty() || shapes[b].parts.empty()) {
      ++table.filtered["no-geometry"];
      continue;
    }
    if (is_unbounded(shape_a.shape.kind) && is_unbounded(shape_b.shape.kind)) {
      ++table.filtered["both-unbounded"];
      continue;
    }
    const Overlap found = overlap(shapes[a], poses[a], shapes[b], poses[b]);
    if (!found.unsupported.empty()) table.unsupported.push_back({pair, shape_a.name, shape_b.name, found.unsupported});
    if (found.depth > options.overlap) {
      const bool keep = options.keep_overlapping || (options.only_within_trees && !filter.same_tree(pair.a, pair.b));
      table.overlapping.push_back({pair, shape_a.name, shape_b.name, found.depth, keep});
      if (!keep) {
        ++table.filtered["overlapping"];
        continue;
      }
    }
    kept.push_back(pair);
  }
  table.pairs = std::move(kept);
  return table;
}

std::vector<CoalShape> make_shapes(const SceneData& scene, CoalShapes& made) {
  std::vector<CoalShape> out(scene.shapes.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    if (scene.shapes[i].role == ShapeRole::collision) {
      Place place = scene.shapes[i].place;
      if (place.text().empty()) place.element = "shape '" + scene.shapes[i].name + "'";
      out[i] = made.make(scene.shapes[i].shape, place);
    }
  return out;
}

void report_pairs(const PairTable& table, LoadReport& report) {
  const auto place = [](const auto& entry) { return Place{"", 0, "pair '" + entry.a + "', '" + entry.b + "'"}; };
  for (const OverlapEntry& entry : table.overlapping)
    report.add(Outcome::assumed, "overlapping-pair", place(entry),
               fmt::format("the shapes are {:.3g} mm in each other at the start: the pair is {}", 1e3 * entry.depth,
                           entry.kept ? "kept and will be pushed apart" : "not simulated"));
  for (const UnsupportedEntry& entry : table.unsupported)
    report.add(Outcome::ignored, "unsupported-pair", place(entry),
               "the shapes cannot be tested against each other: " + entry.reason);
}

void report_shapes(const SceneData& scene, const std::vector<CoalShape>& shapes, LoadReport& report) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].note.empty()) continue;
    Place place = scene.shapes[i].place;
    if (place.element.empty()) place.element = "shape '" + scene.shapes[i].name + "'";
    report.add(shapes[i].parts.empty() ? Outcome::ignored : Outcome::applied, "mesh-policy", place,
               fmt::format("mesh policy {}: {}", to_string(shapes[i].policy), shapes[i].note));
  }
}

}  // namespace condyle
