#include "collision/mesh_geometry.hpp"

#include <coal/BVH/BVH_model.h>
#include <coal/shape/convex.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace condyle {
namespace {

using Points = std::vector<Eigen::Vector3d>;
using Triangles = std::vector<Eigen::Vector3i>;
using Geometry = std::shared_ptr<const coal::CollisionGeometry>;

bool before(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

/// Sorted and without repetition, so that the hull does not depend on the order in the file.
Points distinct(Points points) {
  std::sort(points.begin(), points.end(), before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

struct Hull {
  std::shared_ptr<coal::ConvexBase> geometry;  // null: Coal cannot build it
  bool joggled = false;
};

/// Hull of points that span space. Qhull splits a round face into a fan, and Coal allows a vertex 254 neighbours; with
/// joggled input (1e-10 of the size, the same in every run) faces are split at random and fans do not arise.
Hull build_hull(Points points) {
  auto shared = std::make_shared<std::vector<coal::Vec3s>>(std::move(points));
  for (const char* command : {"Qt", "QJ"}) {
    try {
      Hull hull;
      hull.geometry.reset(coal::ConvexBase::convexHull(shared, static_cast<unsigned>(shared->size()), true, command));
      hull.joggled = std::string_view(command) == "QJ";
      hull.geometry->computeLocalAABB();
      return hull;
    } catch (const std::exception&) {
      continue;
    }
  }
  return {};
}

/// Triangles with an area; null if there is none.
Geometry build_bvh(const Points& points, const Triangles& triangles, bool mirrored) {
  std::vector<coal::Triangle> kept;
  for (const Eigen::Vector3i& t : triangles) {
    const auto i = [&t](int k) { return static_cast<std::size_t>(t[k]); };
    if ((points[i(1)] - points[i(0)]).cross(points[i(2)] - points[i(0)]).squaredNorm() == 0) continue;
    kept.emplace_back(i(0), i(mirrored ? 2 : 1), i(mirrored ? 1 : 2));
  }
  if (kept.empty()) return nullptr;
  auto model = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
  model->beginModel(static_cast<unsigned>(kept.size()), static_cast<unsigned>(points.size()));
  model->addSubModel(points, kept);
  model->endModel();
  model->computeLocalAABB();
  return model;
}

const char* words_for(int dimension) {
  switch (dimension) {
    case -1: return "has no points";
    case 0: return "is a single point";
    case 1: return "lies on a line";
    default: return "is flat";
  }
}

void check(const Mesh& mesh, const Eigen::Vector3d& scale, const Place& place) {
  const std::string name = mesh.path.empty() ? "the mesh" : "mesh '" + mesh.path + "'";
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (const Eigen::Vector3d x = mesh.vertices[i].cwiseProduct(scale); !x.allFinite() || x.cwiseAbs().maxCoeff() > 1e100)
      throw Error("bad-mesh", place, fmt::format("vertex {} of {} is not a place in space", i, name), "repair the mesh");
  const int count = static_cast<int>(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (mesh.triangles[i].minCoeff() < 0 || mesh.triangles[i].maxCoeff() >= count)
      throw Error("bad-mesh", place, fmt::format("triangle {} of {} names a vertex beyond its {}", i, name, count),
                  "repair the mesh");
}

/// `why` says why there is no hull; empty: triangles were asked for.
CoalShape triangles_only(const Points& points, const Triangles& triangles, bool mirrored, const std::string& why) {
  CoalShape out;
  out.policy = MeshPolicy::bvh;
  if (Geometry geometry = build_bvh(points, triangles, mirrored)) {
    out.parts.push_back(geometry);
    if (!why.empty()) out.note = why + ": its triangles are used";
  } else {
    out.note = (why.empty() ? "" : why + "; ") + "no triangle has an area: touches nothing";
  }
  return out;
}

CoalShape one_hull(const Points& points, const Triangles& triangles, bool mirrored) {
  const int dimension = span_dimension(points);
  if (dimension < 3)
    return triangles_only(points, triangles, mirrored, fmt::format("the mesh {}, which has no hull", words_for(dimension)));
  const Hull hull = build_hull(distinct(points));
  if (!hull.geometry)
    return triangles_only(points, triangles, mirrored, "a vertex of the hull has more than 254 neighbours");
  CoalShape out;
  out.parts.push_back(hull.geometry);
  if (hull.joggled) out.note = "points moved by 1e-10 of the size to split round faces evenly";
  return out;
}

CoalShape hull_of_parts(const Mesh& mesh, const Points& points, bool mirrored) {
  CoalShape out;
  out.policy = MeshPolicy::convex_parts;
  int as_triangles = 0, joggled = 0, empty = 0;
  for (const std::vector<int>& part : connected_parts(mesh)) {
    Triangles triangles;
    Points own;
    for (int t : part) {
      triangles.push_back(mesh.triangles[static_cast<std::size_t>(t)]);
      for (int k = 0; k < 3; ++k) own.push_back(points[static_cast<std::size_t>(triangles.back()[k])]);
    }
    own = distinct(std::move(own));
    const Hull hull = span_dimension(own) == 3 ? build_hull(own) : Hull{};
    Geometry geometry = hull.geometry;
    if (!geometry) {
      geometry = build_bvh(points, triangles, mirrored);
      ++(geometry ? as_triangles : empty);
    }
    joggled += hull.joggled;
    if (geometry) out.parts.push_back(geometry);
  }
  const auto say = [&out](int count, const char* what) {
    if (count > 0)
      out.note += fmt::format("{}{} {}: {}", out.note.empty() ? "" : "; ", count, count == 1 ? "part" : "parts", what);
  };
  say(as_triangles, "no hull, used as triangles");
  say(joggled, "points moved by 1e-10 of the size to split round faces evenly");
  say(empty, "no area, left out");
  if (out.parts.empty()) out.note += (out.note.empty() ? "" : "; ") + std::string("nothing is left: touches nothing");
  return out;
}

}  // namespace

int span_dimension(const Points& points) {
  if (points.empty()) return -1;
  // The farthest point from a point, from a line and from a plane: each distance is at least a third of the true extent.
  const auto farthest = [&points](auto&& distance) {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (const double d = distance(points[i]); d > most) best = i, most = d;
    return std::pair(points[best], most);
  };
  double coordinate = 0;
  for (const Eigen::Vector3d& x : points) coordinate = std::max(coordinate, x.cwiseAbs().maxCoeff());
  const Eigen::Vector3d a = points.front();
  const auto [b, length] = farthest([&a](const Eigen::Vector3d& x) { return (x - a).norm(); });
  const double noise = 1e-10 * coordinate;  // Qhull, too, cannot see what is smaller than the rounding of its input
  if (length <= noise) return 0;
  const double thin = std::max(1e-6 * length, noise);
  const Eigen::Vector3d u = (b - a) / length;
  const auto [c, width] = farthest([&](const Eigen::Vector3d& x) { return u.cross(x - a).norm(); });
  if (width <= thin) return 1;
  const Eigen::Vector3d n = u.cross(c - a) / width;
  const double height = farthest([&](const Eigen::Vector3d& x) { return std::abs(n.dot(x - a)); }).second;
  return height <= thin ? 2 : 3;
}

std::vector<std::vector<int>> connected_parts(const Mesh& mesh) {
  const std::size_t count = mesh.vertices.size();
  std::vector<std::size_t> order(count), leader(count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&mesh](std::size_t a, std::size_t b) { return before(mesh.vertices[a], mesh.vertices[b]); });
  for (std::size_t k = 0; k < count; ++k)
    leader[order[k]] = k > 0 && mesh.vertices[order[k]] == mesh.vertices[order[k - 1]] ? leader[order[k - 1]] : order[k];
  const auto find = [&leader](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (const Eigen::Vector3i& t : mesh.triangles)
    for (int k = 1; k < 3; ++k) leader[find(static_cast<std::size_t>(t[k]))] = find(static_cast<std::size_t>(t[0]));

  std::vector<std::vector<int>> parts;
  std::vector<std::optional<std::size_t>> part_of(count);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    auto& part = part_of[find(static_cast<std::size_t>(mesh.triangles[i][0]))];
    if (!part) {
      part = parts.size();
      parts.emplace_back();
    }
    parts[*part].push_back(static_cast<int>(i));
  }
  return parts;
}

CoalShape mesh_geometry(const Mesh& mesh, const Eigen::Vector3d& scale, MeshPolicy policy, const Place& place) {
  check(mesh, scale, place);
  Points points;
  points.reserve(mesh.vertices.size());
  for (const Eigen::Vector3d& x : mesh.vertices) points.push_back(x.cwiseProduct(scale));
  const bool mirrored = scale.prod() < 0;  // turns triangles inside out
  switch (policy) {
    case MeshPolicy::hull: return one_hull(points, mesh.triangles, mirrored);
    case MeshPolicy::convex_parts: return hull_of_parts(mesh, points, mirrored);
    case MeshPolicy::bvh: break;
  }
  return triangles_only(points, mesh.triangles, mirrored, {});
}

}  // namespace condyle
