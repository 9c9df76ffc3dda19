#include "scene/canonical_order.hpp"

#include <algorithm>
#include <numeric>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <class Before>
std::vector<int> sorted(std::size_t count, Before before) {
  std::vector<int> out(count);
  std::iota(out.begin(), out.end(), 0);
  std::stable_sort(out.begin(), out.end(), before);
  return out;
}

template <class Items, class Name>
std::vector<int> by_name(const Items& items, Name name) {
  return sorted(items.size(), [&](int a, int b) { return name_comes_before(name(items[at(a)]), name(items[at(b)])); });
}

bool never_moves(const SceneData& scene, const BodyRef& body) {
  if (body.kind == BodyRef::Kind::link) return scene.trees[at(body.index)].model->links[at(body.link)].joint == 0;
  return body.kind != BodyRef::Kind::free_body;
}
}  // namespace

bool name_comes_before(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto number = [](std::string_view text, std::size_t& from) {
      std::size_t end = from;
      while (end < text.size() && is_digit(text[end])) ++end;
      while (from + 1 < end && text[from] == '0') ++from;
      const std::string_view out = text.substr(from, end - from);
      from = end;
      return out;
    };
    const std::string_view x = number(a, i), y = number(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;  // b1 and b01
}

CanonicalOrder::CanonicalOrder(const SceneData& scene) {
  const auto name = [](const auto& item) -> const std::string& { return item.name; };
  trees = by_name(scene.trees, name);
  free_bodies = by_name(scene.free_bodies, name);
  closures = by_name(scene.closures, name);
  couplings = by_name(scene.couplings, name);
  springs = by_name(scene.springs, name);
  actuators = by_name(scene.actuators, [](const SceneActuator& actuator) -> const std::string& { return actuator.joint; });
  std::vector<char> fixed;
  for (const SceneShape& shape : scene.shapes) fixed.push_back(never_moves(scene, shape.body));
  const std::vector<int> order = sorted(scene.shapes.size(), [&](int a, int b) {
    if (fixed[at(a)] != fixed[at(b)]) return fixed[at(a)] > fixed[at(b)];
    return name_comes_before(scene.shapes[at(a)].name, scene.shapes[at(b)].name);
  });
  shape_rank.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) shape_rank[at(order[k])] = static_cast<int>(k);
}

}  // namespace condyle
