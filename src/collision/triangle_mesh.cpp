#include "collision/triangle_mesh.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace condyle {
namespace {

constexpr int leaf_size = 4;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool before(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

}  // namespace

void number_regions(const std::vector<std::pair<int, int>>& flat, int triangles, std::vector<int>& regions) {
  regions.resize(at(triangles));
  std::iota(regions.begin(), regions.end(), 0);
  const auto find = [&regions](int i) {
    while (regions[at(i)] != i) i = regions[at(i)] = regions[at(regions[at(i)])];
    return i;
  };
  for (const auto& [a, b] : flat) {
    const int x = find(a), y = find(b);
    regions[at(std::max(x, y))] = std::min(x, y);
  }
  for (int t = 0; t < triangles; ++t) regions[at(t)] = find(t);
}

TriangleMesh::TriangleMesh(const std::vector<Eigen::Vector3d>& points, const std::vector<Eigen::Vector3i>& triangles,
                           bool mirrored) {
  weld(points, triangles, mirrored);
  join();
  if (corners_.empty()) return;
  for (const auto& corners : corners_) {
    Aabb box;
    for (const int v : corners) box.add(points_[at(v)]);
    boxes_.push_back(box);
  }
  order_.resize(corners_.size());
  std::iota(order_.begin(), order_.end(), 0);
  build_node(0, static_cast<int>(order_.size()));
  box_ = nodes_[0].box;
}

/// One vertex for each place; then the triangles that have an area.
void TriangleMesh::weld(const std::vector<Eigen::Vector3d>& points, const std::vector<Eigen::Vector3i>& triangles,
                        bool mirrored) {
  std::vector<int> order(points.size()), place(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return before(points[at(a)], points[at(b)]); });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const int v = order[k];
    place[at(v)] = k > 0 && points[at(v)] == points[at(order[k - 1])] ? place[at(order[k - 1])] : v;
  }
  std::vector<int> number(points.size(), -1);  // in the order of use, so that a file's order is kept
  const auto use = [&](int v) {
    int& n = number[at(place[at(v)])];
    if (n < 0) {
      n = vertices();
      points_.push_back(points[at(v)]);
    }
    return n;
  };
  for (const Eigen::Vector3i& t : triangles) {
    const Eigen::Vector3d a = points[at(t[0])], u = points[at(t[1])] - a, w = points[at(t[2])] - a;
    const Eigen::Vector3d area = u.cross(w);
    // Slivers have no direction to trust: their normal is rounding.
    const double longest = std::max({u.squaredNorm(), w.squaredNorm(), (u - w).squaredNorm()});
    if (!(area.norm() > 1e-10 * longest) || !(longest > 0)) continue;
    corners_.push_back({use(t[0]), use(t[mirrored ? 2 : 1]), use(t[mirrored ? 1 : 2])});
    normals_.push_back((mirrored ? -1.0 : 1.0) * area.normalized());
  }
}

/// Triangles by vertex, flat pieces, and whether the whole is closed.
void TriangleMesh::join() {
  around_begin_.assign(points_.size() + 1, 0);
  for (const auto& corners : corners_)
    for (const int v : corners) ++around_begin_[at(v) + 1];
  std::partial_sum(around_begin_.begin(), around_begin_.end(), around_begin_.begin());
  around_.resize(3 * corners_.size());
  std::vector<int> next(around_begin_.begin(), around_begin_.end() - 1);
  std::vector<std::tuple<int, int, int, bool>> edges;  // low vertex, high vertex, triangle, runs from low to high
  for (int t = 0; t < triangles(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int v = corners_[at(t)][at(k)], w = corners_[at(t)][at((k + 1) % 3)];
      around_[at(next[at(v)]++)] = t;
      edges.emplace_back(std::min(v, w), std::max(v, w), t, v < w);
    }
  std::sort(edges.begin(), edges.end());
  std::vector<std::pair<int, int>> flat;
  bool closed = !edges.empty();
  for (std::size_t i = 0, j = 0; i < edges.size(); i = j) {
    while (j < edges.size() && std::get<0>(edges[j]) == std::get<0>(edges[i]) &&
           std::get<1>(edges[j]) == std::get<1>(edges[i]))
      ++j;
    const bool pair = j - i == 2 && std::get<3>(edges[i]) != std::get<3>(edges[i + 1]);
    closed = closed && pair;
    if (!pair) continue;
    const int t = std::get<2>(edges[i]), u = std::get<2>(edges[i + 1]);
    if (normals_[at(t)].cross(normals_[at(u)]).norm() < flat_angle && normals_[at(t)].dot(normals_[at(u)]) > 0)
      flat.emplace_back(t, u);
  }
  number_regions(flat, triangles(), regions_);
  solid_ = closed;
}

int TriangleMesh::build_node(int begin, int end) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Aabb box, spread;
  for (int k = begin; k < end; ++k) {
    box.add(boxes_[at(order_[at(k)])]);
    spread.add(boxes_[at(order_[at(k)])].centre());
  }
  int right = 0;
  if (end - begin > leaf_size) {
    Eigen::Index axis = 0;
    spread.half().maxCoeff(&axis);
    const int middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
      const double x = boxes_[at(a)].centre()[axis], y = boxes_[at(b)].centre()[axis];
      return x != y ? x < y : a < b;
    });
    build_node(begin, middle);
    right = build_node(middle, end);
  }
  nodes_[at(index)] = {box, begin, end, right};
  return index;
}

template <class Keep>
void TriangleMesh::traverse(const Keep& keep, std::vector<int>& out) const {
  if (nodes_.empty()) return;
  std::array<int, 64> stack;  // halving gives at most log2 of the number of triangles
  int depth = 0;
  stack[0] = 0;
  while (depth >= 0) {
    const int i = stack[at(depth--)];
    const Node& node = nodes_[at(i)];
    if (!keep(node.box)) continue;
    if (node.right > 0) {
      stack[at(++depth)] = node.right;
      stack[at(++depth)] = i + 1;
      continue;
    }
    for (int k = node.begin; k < node.end; ++k)
      if (keep(boxes_[at(order_[at(k)])])) out.push_back(order_[at(k)]);
  }
}

void TriangleMesh::around(int v, std::vector<int>& out) const {
  out.insert(out.end(), around_.begin() + around_begin_[at(v)], around_.begin() + around_begin_[at(v + 1)]);
}

void TriangleMesh::query(const Aabb& box, std::vector<int>& out) const {
  traverse([&box](const Aabb& b) { return b.overlaps(box); }, out);
}

void TriangleMesh::query_below(const Eigen::Vector3d& normal, double offset, std::vector<int>& out) const {
  traverse([&](const Aabb& b) { return normal.dot(b.centre()) - normal.cwiseAbs().dot(b.half()) <= offset; }, out);
}

}  // namespace condyle
