#include "collision/support_polygon.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace condyle {
namespace {

constexpr int rim_samples = 12;
constexpr double pi = 3.14159265358979323846;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void box_face(const Eigen::Vector3d& h, const Pose& pose, const Eigen::Vector3d& d, LabelledPolygon& out) {
  Eigen::Index axis = 0;
  d.cwiseAbs().maxCoeff(&axis);
  const Eigen::Index u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (const auto& [su, sv] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)}) {
    Eigen::Vector3d x;
    x[axis] = d[axis] < 0 ? -h[axis] : h[axis];
    x[u] = su * h[u];
    x[v] = sv * h[v];
    out.add(pose * x, static_cast<std::uint32_t>((x[0] > 0) + 2 * (x[1] > 0) + 4 * (x[2] > 0)));
  }
}

/// A disc of radius r at height z, seen along d with radial part `radial`.
void rim(double r, double z, const Eigen::Vector3d& d, const Pose& pose, LabelledPolygon& out) {
  const double radial = std::hypot(d[0], d[1]);
  const double farthest = radial > 1e-3 ? std::atan2(d[1], d[0]) : -10;  // flat on the ground any sample is the farthest
  const auto point = [&](double angle) { return pose * Eigen::Vector3d(r * std::cos(angle), r * std::sin(angle), z); };
  for (int k = 0; k < rim_samples; ++k) {
    const double angle = -pi + 2 * pi * k / rim_samples, next = -pi + 2 * pi * (k + 1) / rim_samples;
    out.add(point(angle), static_cast<std::uint32_t>(k));
    if (farthest > angle && farthest < next) out.add(point(farthest), rim_samples);
  }
}

void hull_face(const Hull& hull, const Pose& pose, const Eigen::Vector3d& d, LabelledPolygon& out) {
  double most = -1e300;
  for (const Eigen::Vector3d& x : hull.vertices) most = std::max(most, d.dot(x));
  const double near = most - 1e-9 * hull.radius;
  int best = -1;
  double alignment = -2;
  for (int f = 0; f < hull.faces(); ++f) {
    const double a = d.dot(hull.face_normals[at(f)]);
    if (a <= alignment) continue;
    for (int k = hull.face_begin[at(f)]; k < hull.face_begin[at(f + 1)]; ++k)
      if (d.dot(hull.vertices[at(hull.face_vertices[at(k)])]) >= near) {
        best = f, alignment = a;
        break;
      }
  }
  if (best < 0) {  // a point or a segment
    for (std::size_t i = 0; i < std::min<std::size_t>(2, hull.vertices.size()); ++i)
      out.add(pose * hull.vertices[i], static_cast<std::uint32_t>(i));
    return;
  }
  // A face with very many corners is thinned, with its farthest corners kept.
  const int begin = hull.face_begin[at(best)], count = hull.face_begin[at(best + 1)] - begin;
  const int stride = (count + 31) / 32;
  for (int k = 0; k < count; ++k) {
    const int v = hull.face_vertices[at(begin + k)];
    if (k % stride == 0 || (stride > 1 && d.dot(hull.vertices[at(v)]) >= near && out.size < 40))
      out.add(pose * hull.vertices[at(v)], static_cast<std::uint32_t>(v));
  }
}

std::uint32_t cut_label(std::uint32_t a, std::uint32_t b, int side) {
  if (a > b) std::swap(a, b);
  std::uint64_t h = (static_cast<std::uint64_t>(a) << 32 | b) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(side + 1);
  h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u;
  return static_cast<std::uint32_t>(h >> 32) | 0x80000000u;  // corners have small numbers
}

}  // namespace

void support_polygon(const Piece& piece, const Pose& pose, const Eigen::Vector3d& direction, LabelledPolygon& out) {
  out.size = 0;
  const Eigen::Vector3d d = pose.R.transpose() * direction;
  const Eigen::Vector3d& s = piece.size;
  switch (piece.kind) {
    case ShapeKind::sphere: out.add(pose.p + s[0] * direction, 0); break;
    case ShapeKind::ellipsoid: {
      const Eigen::Vector3d scaled = s.cwiseProduct(d);
      const double length = scaled.norm();
      out.add(length > 0 ? pose * Eigen::Vector3d(s.cwiseProduct(scaled) / length) : pose.p, 0);
      break;
    }
    case ShapeKind::box: box_face(0.5 * s, pose, d, out); break;
    case ShapeKind::capsule:
      for (const int end : {0, 1})
        out.add(pose * Eigen::Vector3d(0, 0, (end - 0.5) * s[1]) + s[0] * direction, static_cast<std::uint32_t>(end));
      break;
    case ShapeKind::cylinder:
    case ShapeKind::cone: {
      const bool cone = piece.kind == ShapeKind::cone;
      const double radial = std::hypot(d[0], d[1]), slant = std::hypot(s[0], s[1]);
      const double side = !cone || slant == 0 ? radial : (radial * s[1] + d[2] * s[0]) / slant;
      const double cap = cone ? -d[2] : std::abs(d[2]);
      if (cap >= side) {
        rim(s[0], (!cone && d[2] > 0 ? 0.5 : -0.5) * s[1], d, pose, out);
      } else {
        const Eigen::Vector3d edge(radial > 0 ? s[0] * d[0] / radial : 0, radial > 0 ? s[0] * d[1] / radial : 0,
                                   -0.5 * s[1]);
        out.add(pose * edge, rim_samples + 1);
        out.add(pose * (cone ? Eigen::Vector3d(0, 0, 0.5 * s[1]) : Eigen::Vector3d(edge[0], edge[1], 0.5 * s[1])),
                rim_samples + 2);
      }
      break;
    }
    case ShapeKind::mesh: hull_face(*piece.hull, pose, d, out); break;
    case ShapeKind::halfspace:
    case ShapeKind::plane:
    case ShapeKind::heightfield: break;
  }
}

void clip_to_column(const std::array<Eigen::Vector3d, 3>& triangle, const Eigen::Vector3d& normal,
                    LabelledPolygon& polygon) {
  LabelledPolygon from;
  for (int side = 0; side < 3 && polygon.size > 0; ++side) {
    const Eigen::Vector3d &v = triangle[at(side)], edge = triangle[at((side + 1) % 3)] - v;
    const double length = edge.norm();
    if (!(length > 0)) continue;
    const Eigen::Vector3d outward = edge.cross(normal) / length;
    const double slack = 1e-7 * length;  // neighbours both claim what lies on their edge, rather than none of them
    from = polygon;
    polygon.size = 0;
    const int n = from.size;
    for (int i = 0; i < n; ++i) {
      const Eigen::Vector3d& x = from.points[at(i)];
      const double h = outward.dot(x - v) - slack;
      if (h <= 0) polygon.add(x, from.labels[at(i)]);
      if (n == 1 || (n == 2 && i == 1)) continue;  // a segment has one edge
      const int j = (i + 1) % n;
      const double hj = outward.dot(from.points[at(j)] - v) - slack;
      if ((h <= 0) != (hj <= 0))
        polygon.add(x + h / (h - hj) * (from.points[at(j)] - x), cut_label(from.labels[at(i)], from.labels[at(j)], side));
    }
  }
}

}  // namespace condyle
