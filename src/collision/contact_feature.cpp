#include "collision/contact_feature.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace condyle {
namespace {

using Eigen::Vector3d;

void box_face(const Convex& box, const Vector3d& n, ContactFeature& out) {
  int axis = 0;
  n.cwiseAbs().maxCoeff(&axis);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double side = n[axis] < 0 ? -1 : 1;
  out.face_id = ContactFeature::face | static_cast<std::uint32_t>(2 * axis + (side < 0));
  out.normal = side * Vector3d::Unit(axis);
  static constexpr double su[4] = {-1, 1, 1, -1}, sv[4] = {-1, -1, 1, 1};
  const std::uint32_t high = (side > 0 ? 1u : 0u) << axis, bu = 1u << u, bv = 1u << v;
  const std::uint32_t ids[4] = {high, high | bu, high | bu | bv, high | bv};
  for (int k = 0; k < 4; ++k) {
    Vector3d& x = out.p[k];
    x[axis] = side * box.h[axis], x[u] = su[k] * box.h[u], x[v] = sv[k] * box.h[v];
    out.vertex_id[k] = ContactFeature::vertex | ids[k];
  }
  out.count = 4;
  for (int k = 0; k < 4; ++k) {  // an edge has one name for both of its faces
    const std::uint32_t i = out.vertex_id[k], j = out.vertex_id[(k + 1) % 4];
    out.edge_id[k] = ContactFeature::edge | (8 * std::min(i, j) + std::max(i, j));
  }
}

/// Eight points of a rim at fixed places in the piece. The one next to the deepest direction is drawn onto it, all the way
/// where the tilt is more than 1e-7 rad: the deepest point is then exact, and below that the set stays where it is.
void rim(double radius, double z, const Vector3d& n, std::uint32_t first_id, ContactFeature& out) {
  static const std::array<std::array<double, 2>, 8> directions = [] {
    std::array<std::array<double, 2>, 8> table{};
    for (std::size_t k = 0; k < 8; ++k) {
      const double angle = static_cast<double>(k) * std::numbers::pi / 4;
      table[k] = {std::cos(angle), std::sin(angle)};
    }
    return table;
  }();
  const double tilt = std::hypot(n[0], n[1]);
  std::size_t next = 0;
  double most = -2;
  for (std::size_t k = 0; k < 8; ++k)
    if (const double along = directions[k][0] * n[0] + directions[k][1] * n[1]; along > most) most = along, next = k;
  for (std::size_t k = 0; k < 8; ++k) {
    double x = directions[k][0], y = directions[k][1];
    if (k == next && tilt > 0) {
      const double pull = std::min(1.0, tilt / 1e-7);
      x += pull * (n[0] / tilt - x), y += pull * (n[1] / tilt - y);
      const double l = std::hypot(x, y);
      x /= l, y /= l;
    }
    out.add({radius * x, radius * y, z}, first_id + static_cast<std::uint32_t>(k));
  }
  out.normal = {0, 0, z < 0 ? -1.0 : 1.0};
  out.face_id = ContactFeature::face | first_id;
}

void cylinder_feature(const Convex& c, const Vector3d& n, ContactFeature& out) {
  const double across = std::hypot(n[0], n[1]);
  const double z = n[2] < 0 ? -c.h[2] : c.h[2];
  if (across < 1e-9 || c.h[0] * across < c.h[2] * std::abs(n[2])) {
    rim(c.h[0], z, n, n[2] < 0 ? 8 : 0, out);
    out.normal = {0, 0, n[2] < 0 ? -1.0 : 1.0};
    return;
  }
  const double x = c.h[0] * n[0] / across, y = c.h[0] * n[1] / across;
  out.add({x, y, c.h[2]}, 16);
  out.add({x, y, -c.h[2]}, 17);
  out.round = c.h[0];
}

void cone_feature(const Convex& c, const Vector3d& n, ContactFeature& out) {
  const double across = std::hypot(n[0], n[1]);
  const double fx = across > 0 ? n[0] / across : 1, fy = across > 0 ? n[1] / across : 0;
  const Vector3d edge(c.h[0] * fx, c.h[0] * fy, -c.h[2]), apex(0, 0, c.h[2]);
  if (n[2] < 0 && 2 * c.h[0] * across < std::abs(n.dot(apex - edge))) {
    rim(c.h[0], -c.h[2], n, 0, out);
    return;
  }
  out.add(apex, 16);
  out.add(edge, 17);
  const double slant = (apex - edge).norm();
  out.round = slant > 0 ? c.h[0] * c.h[2] / slant : 0;  // half way along it
}

/// The face of a hull with the normal nearest to n that holds a farthest vertex; -1: none faces that way.
int hull_face(const Hull& hull, const Vector3d& n, int farthest) {
  const Vector3d& x = hull.vertices[static_cast<std::size_t>(farthest)];
  const double thin = -4e-6 * hull.radius;  // faces are flat to 1e-6 of the hull's extent
  int best = -1;
  double most = 0.05;
  for (int f = 0; f < hull.faces(); ++f) {
    const auto i = static_cast<std::size_t>(f);
    const double along = n.dot(hull.face_normals[i]);
    if (along <= most) continue;
    const auto corner = static_cast<std::size_t>(hull.face_vertices[static_cast<std::size_t>(hull.face_begin[i])]);
    if (hull.face_normals[i].dot(x - hull.vertices[corner]) >= thin) best = f, most = along;
  }
  return best;
}

void hull_feature(const Convex& c, const Vector3d& n, ContactFeature& out) {
  const Hull& hull = *c.hull;
  const auto vertex = [&hull](int v) { return hull.vertices[static_cast<std::size_t>(v)]; };
  if (hull.faces() == 0) {
    for (std::size_t v = 0; v < hull.vertices.size(); ++v) out.add(hull.vertices[v], static_cast<std::uint32_t>(v));
    return;
  }
  const int far = c.farthest_vertex(n), f = hull_face(hull, n, far);
  if (f < 0) return out.add(vertex(far), static_cast<std::uint32_t>(far));
  const auto i = static_cast<std::size_t>(f);
  out.face_id = ContactFeature::face | static_cast<std::uint32_t>(f);
  out.normal = hull.face_normals[i];
  const int begin = hull.face_begin[i], corners = hull.face_begin[i + 1] - begin;
  const int kept = std::min(corners, ContactFeature::most);
  for (int k = 0; k < kept; ++k) {
    const int v = hull.face_vertices[static_cast<std::size_t>(begin + k * corners / kept)];
    out.add(vertex(v), static_cast<std::uint32_t>(v));
  }
  const auto stride = static_cast<std::uint32_t>(std::min<std::size_t>(hull.vertices.size(), 32768));
  for (int k = 0; k < kept; ++k) {
    const std::uint32_t v = out.vertex_id[k], w = out.vertex_id[(k + 1) % kept];
    out.edge_id[k] = ContactFeature::edge | ((std::min(v, w) * stride + std::max(v, w)) & 0x3fffffffu);
  }
}

}  // namespace

void find_feature(const Convex& c, const Vector3d& n, ContactFeature& out) {
  out.count = 0;
  out.round = 0;
  out.face_id = ContactFeature::face;
  switch (c.core) {
    case Core::point:
    case Core::ellipsoid: out.add(c.support(n) + c.round * n, 0); break;
    case Core::segment:
      out.add(Vector3d(0, 0, c.h[2]) + c.round * n, 0);
      if (c.h[2] > 0) out.add(Vector3d(0, 0, -c.h[2]) + c.round * n, 1);
      out.round = c.round;
      break;
    case Core::box: box_face(c, n, out); break;
    case Core::cylinder: cylinder_feature(c, n, out); break;
    case Core::cone: cone_feature(c, n, out); break;
    case Core::hull: hull_feature(c, n, out); break;
  }
}

bool nearest_face_normal(const Convex& c, const Vector3d& n, Vector3d& normal) {
  switch (c.core) {
    case Core::box: {
      int axis = 0;
      n.cwiseAbs().maxCoeff(&axis);
      normal = Vector3d::Unit(axis) * (n[axis] < 0 ? -1.0 : 1.0);
      return true;
    }
    case Core::cylinder: normal = {0, 0, n[2] < 0 ? -1.0 : 1.0}; return true;
    case Core::cone: normal = {0, 0, -1}; return n[2] < 0;
    case Core::hull: {
      double most = 0;
      for (const Vector3d& f : c.hull->face_normals)
        if (const double along = n.dot(f); along > most) most = along, normal = f;
      return most > 0;
    }
    default: return false;
  }
}

}  // namespace condyle
