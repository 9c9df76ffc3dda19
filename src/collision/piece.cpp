#include "collision/piece.hpp"

#include "collision/coal_shapes.hpp"
#include "collision/mesh_geometry.hpp"

#include <coal/shape/convex.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>

namespace condyle {
namespace {

using Points = std::vector<Eigen::Vector3d>;
using Polygon = std::vector<int>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Triangles of one face: those that lie in a common plane up to `flat`, grown over shared edges from the largest.
/// Files in single precision and Qhull's triangulation both split a face that a contact must see as one.
class FaceMerger {
 public:
  FaceMerger(const Points& points, std::vector<std::array<int, 3>> triangles, double flat)
      : points_(points), triangles_(std::move(triangles)), flat_(flat) {
    for (int t = 0; t < count(); ++t)
      for (int k = 0; k < 3; ++k) across_[{corner(t, k), corner(t, k + 1)}] = t;
  }

  /// Outline of each face, counter-clockwise seen from outside.
  std::vector<Polygon> outlines() {
    std::vector<int> order(triangles_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [this](int a, int b) { return area(a).norm() > area(b).norm(); });
    group_.assign(triangles_.size(), -1);
    std::vector<Polygon> out;
    for (const int seed : order)
      if (group_[at(seed)] < 0) {
        const int group = static_cast<int>(out.size());
        const std::vector<int> members = grow(seed, group);
        Polygon outline = outline_of(members, group);
        if (outline.size() < 3) outline.assign(triangles_[at(seed)].begin(), triangles_[at(seed)].end());
        out.push_back(outline);
      }
    return out;
  }

 private:
  int count() const { return static_cast<int>(triangles_.size()); }
  int corner(int t, int k) const { return triangles_[at(t)][at(k % 3)]; }
  const Eigen::Vector3d& point(int t, int k) const { return points_[at(corner(t, k))]; }
  Eigen::Vector3d area(int t) const { return (point(t, 1) - point(t, 0)).cross(point(t, 2) - point(t, 0)); }

  std::vector<int> grow(int seed, int group) {
    const Eigen::Vector3d n = area(seed).normalized();
    const double offset = n.dot(point(seed, 0));
    std::vector<int> members{seed};
    group_[at(seed)] = group;
    for (std::size_t i = 0; i < members.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const auto found = across_.find({corner(members[i], k + 1), corner(members[i], k)});
        if (found == across_.end() || group_[at(found->second)] >= 0) continue;
        const int t = found->second;
        bool within = n.dot(area(t)) >= 0;
        for (int c = 0; c < 3; ++c) within = within && std::abs(n.dot(point(t, c)) - offset) <= flat_;
        if (!within) continue;
        group_[at(t)] = group;
        members.push_back(t);
      }
    return members;
  }

  Polygon outline_of(const std::vector<int>& members, int group) const {
    std::map<int, int> next;
    for (const int t : members)
      for (int k = 0; k < 3; ++k) {
        const auto found = across_.find({corner(t, k + 1), corner(t, k)});
        if (found == across_.end() || group_[at(found->second)] != group) next[corner(t, k)] = corner(t, k + 1);
      }
    Polygon loop;
    if (next.empty()) return loop;
    for (int v = next.begin()->first; loop.size() < next.size();) {
      loop.push_back(v);
      const auto found = next.find(v);
      if (found == next.end()) return {};
      v = found->second;
      if (v == loop.front()) break;
    }
    if (loop.size() != next.size()) return {};  // pinched outline
    Polygon corners;                            // without those in the middle of a straight side
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Eigen::Vector3d& x = points_[at(loop[i])];
      const Eigen::Vector3d before = x - points_[at(loop[(i + loop.size() - 1) % loop.size()])];
      const Eigen::Vector3d after = points_[at(loop[(i + 1) % loop.size()])] - x;
      if (before.cross(after).norm() > flat_ * (before + after).norm()) corners.push_back(loop[i]);
    }
    return corners;
  }

  const Points& points_;
  std::vector<std::array<int, 3>> triangles_;
  double flat_;
  std::map<std::pair<int, int>, int> across_;  // directed edge: the triangle on its left
  std::vector<int> group_;
};

Eigen::Vector3d polygon_normal(const Points& points, const Polygon& face) {
  Eigen::Vector3d n = Eigen::Vector3d::Zero();
  for (std::size_t i = 1; i + 1 < face.size(); ++i)
    n += (points[at(face[i])] - points[at(face[0])]).cross(points[at(face[i + 1])] - points[at(face[0])]);
  return n.normalized();
}

std::shared_ptr<const Hull> assemble(Points points, const std::vector<Polygon>& faces,
                                     const std::vector<std::pair<int, int>>& edges) {
  auto hull = std::make_shared<Hull>();
  hull->vertices = std::move(points);
  hull->face_begin.push_back(0);
  for (const Polygon& face : faces) {
    hull->face_vertices.insert(hull->face_vertices.end(), face.begin(), face.end());
    hull->face_begin.push_back(static_cast<int>(hull->face_vertices.size()));
    hull->face_normals.push_back(polygon_normal(hull->vertices, face));
  }
  std::vector<std::vector<int>> near(hull->vertices.size());
  for (const auto& [a, b] : edges) near[at(a)].push_back(b), near[at(b)].push_back(a);
  hull->neighbour_begin.push_back(0);
  for (std::vector<int>& list : near) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    hull->neighbours.insert(hull->neighbours.end(), list.begin(), list.end());
    hull->neighbour_begin.push_back(static_cast<int>(hull->neighbours.size()));
  }
  for (const Eigen::Vector3d& x : hull->vertices) hull->radius = std::max(hull->radius, x.norm());
  return hull;
}

/// Corners of the convex outline of points in a plane, counter-clockwise about `n` (Andrew's chain).
Polygon flat_outline(const Points& points, const Eigen::Vector3d& n, double thin) {
  const Eigen::Vector3d u = n.unitOrthogonal(), w = n.cross(u);
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto xy = [&](int i) { return Eigen::Vector2d(u.dot(points[at(i)]), w.dot(points[at(i)])); };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Eigen::Vector2d p = xy(a), q = xy(b);
    return p[0] != q[0] ? p[0] < q[0] : (p[1] != q[1] ? p[1] < q[1] : a < b);
  });
  Polygon chain;
  const auto add = [&](int i, std::size_t base) {
    while (chain.size() >= base + 2) {
      const Eigen::Vector2d a = xy(chain[chain.size() - 2]), b = xy(chain.back()), c = xy(i);
      const Eigen::Vector2d ab = b - a, ac = c - a;
      if (ab[0] * ac[1] - ab[1] * ac[0] > thin * ac.norm()) break;
      chain.pop_back();
    }
    chain.push_back(i);
  };
  for (const int i : order) add(i, 0);
  const std::size_t base = chain.size() - 1;
  for (auto i = order.rbegin() + 1; i != order.rend(); ++i) add(*i, base);
  chain.pop_back();
  return chain;
}

std::shared_ptr<const Hull> flat_hull(const Points& points, int dimension) {
  const auto farthest = [&points](auto&& distance) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
      if (distance(points[i]) > distance(points[best])) best = i;
    return points[best];
  };
  const Eigen::Vector3d a = farthest([&](const Eigen::Vector3d& x) { return (x - points[0]).norm(); });
  if (dimension <= 0) return assemble({a}, {}, {});
  const Eigen::Vector3d b = farthest([&](const Eigen::Vector3d& x) { return (x - a).norm(); });
  if (dimension == 1) return assemble({a, b}, {}, {{0, 1}});
  const Eigen::Vector3d u = (b - a).normalized();
  const Eigen::Vector3d c = farthest([&](const Eigen::Vector3d& x) { return u.cross(x - a).norm(); });
  const Polygon outline = flat_outline(points, u.cross(c - a).normalized(), 1e-12 * (b - a).norm());
  Points corners;
  std::vector<std::pair<int, int>> edges;
  Polygon front, back;
  const int count = static_cast<int>(outline.size());
  for (int i = 0; i < count; ++i) {
    corners.push_back(points[at(outline[at(i)])]);
    edges.emplace_back(i, (i + 1) % count);
    front.push_back(i);
    back.push_back(count - 1 - i);
  }
  return assemble(std::move(corners), {front, back}, edges);
}

std::shared_ptr<const Hull> solid_hull(const Points& points, double extent) {
  auto shared = std::make_shared<std::vector<coal::Vec3s>>(points);
  for (const char* command : {"Qt", "QJ"}) {  // as in mesh_geometry: joggled where Qhull's fans are too wide for Coal
    try {
      const std::unique_ptr<coal::ConvexBase> made(
          coal::ConvexBase::convexHull(shared, static_cast<unsigned>(shared->size()), true, command));
      const auto& convex = dynamic_cast<const coal::Convex<coal::Triangle>&>(*made);
      Eigen::Vector3d middle = Eigen::Vector3d::Zero();
      for (const Eigen::Vector3d& x : *convex.points) middle += x / static_cast<double>(convex.points->size());
      std::vector<std::array<int, 3>> triangles;
      std::vector<std::pair<int, int>> edges;
      for (const coal::Triangle& t : *convex.polygons) {
        std::array<int, 3> v{static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])};
        const Eigen::Vector3d &p = (*convex.points)[t[0]], &q = (*convex.points)[t[1]], &r = (*convex.points)[t[2]];
        if ((q - p).cross(r - p).dot(p - middle) < 0) std::swap(v[1], v[2]);
        triangles.push_back(v);
        for (std::size_t k = 0; k < 3; ++k) edges.emplace_back(v[k], v[(k + 1) % 3]);
      }
      FaceMerger merger(*convex.points, std::move(triangles), 1e-6 * extent);
      // all vertices and all of Qhull's edges stay for the support function, so merging faces changes no distance
      return assemble(*convex.points, merger.outlines(), edges);
    } catch (const std::exception&) {
      continue;
    }
  }
  throw Error("bad-mesh", {}, "no convex hull can be built: a vertex has more than 254 neighbours", "simplify the mesh");
}

}  // namespace

std::shared_ptr<const Hull> make_hull(const std::vector<Eigen::Vector3d>& points) {
  if (points.empty()) throw Error("bad-mesh", {}, "a hull needs at least one point", "leave the shape out");
  Points sorted = points;  // so that the hull does not depend on the order in the file
  std::sort(sorted.begin(), sorted.end(), [](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  });
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const int dimension = span_dimension(sorted);
  if (dimension < 3) return flat_hull(sorted, dimension);
  double extent = 0;
  for (const Eigen::Vector3d& x : sorted) extent = std::max(extent, (x - sorted[0]).norm());
  return solid_hull(sorted, extent);
}

std::shared_ptr<const Hull> make_triangle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
  if ((b - a).cross(c - a).norm() <= 1e-12 * longest * longest) return make_hull({a, b, c});
  return assemble({a, b, c}, {{0, 1, 2}, {0, 2, 1}}, {{0, 1}, {1, 2}, {2, 0}});
}

Piece make_piece(const Shape& shape) {
  Piece piece;
  piece.kind = shape.kind;
  piece.size = shape.size;
  const Eigen::Vector3d& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::sphere: piece.radius = s[0]; break;
    case ShapeKind::box: piece.radius = 0.5 * s.norm(); break;
    case ShapeKind::capsule: piece.radius = s[0] + 0.5 * s[1]; break;
    case ShapeKind::cylinder:
    case ShapeKind::cone: piece.radius = std::hypot(s[0], 0.5 * s[1]); break;
    case ShapeKind::ellipsoid: piece.radius = s.maxCoeff(); break;
    case ShapeKind::halfspace:
    case ShapeKind::plane: piece.radius = std::numeric_limits<double>::infinity(); break;
    case ShapeKind::mesh: {
      if (!shape.mesh) throw Error("bad-shape", {}, "the mesh was not read", "give a mesh");
      Points points;
      for (const Eigen::Vector3d& x : shape.mesh->vertices) points.push_back(x.cwiseProduct(s));
      piece.hull = make_hull(points);
      piece.radius = piece.hull->radius;
      break;
    }
    case ShapeKind::heightfield: throw Error("bad-shape", {}, "a height field is not one convex piece", "make its cells");
  }
  return piece;
}

}  // namespace condyle
