#pragma once
// Two convex pieces as the general algorithms see them: support functions in the frame of the first piece, so that nothing
// is lost when both are far from the world's origin. A sphere is a point and a capsule a segment, each with a radius that
// the algorithms never see: depth and distance of the cores are exact, and rounding adds the radii along the same normal.
#include "collision/piece.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace condyle {

enum class Core { point, segment, box, cylinder, cone, ellipsoid, hull };

struct Convex {
  Core core = Core::point;
  double round = 0;                             // m, radius around the core
  Eigen::Vector3d h = Eigen::Vector3d::Zero();  // m, half lengths, (radius, -, half length) or half axes
  const Hull* hull = nullptr;
  mutable int hint = 0;  // hull: where the last climb ended; fresh for each pair

  explicit Convex(const Piece& piece) {
    const Eigen::Vector3d& s = piece.size;
    switch (piece.kind) {
      case ShapeKind::capsule: core = Core::segment, round = s[0], h = {0, 0, 0.5 * s[1]}; break;
      case ShapeKind::box: core = Core::box, h = 0.5 * s; break;
      case ShapeKind::cylinder: core = Core::cylinder, h = {s[0], s[0], 0.5 * s[1]}; break;
      case ShapeKind::cone: core = Core::cone, h = {s[0], s[0], 0.5 * s[1]}; break;
      case ShapeKind::ellipsoid: core = Core::ellipsoid, h = s; break;
      case ShapeKind::mesh: core = Core::hull, hull = piece.hull.get(); break;
      default: core = Core::point, round = s[0]; break;
    }
  }

  bool curved() const { return core == Core::cylinder || core == Core::cone || core == Core::ellipsoid; }

  /// A point of the core that is farthest along n (of any length), in the piece's frame.
  Eigen::Vector3d support(const Eigen::Vector3d& n) const {
    switch (core) {
      case Core::point: return Eigen::Vector3d::Zero();
      case Core::segment: return {0, 0, n[2] < 0 ? -h[2] : h[2]};
      case Core::box: return {n[0] < 0 ? -h[0] : h[0], n[1] < 0 ? -h[1] : h[1], n[2] < 0 ? -h[2] : h[2]};
      case Core::cylinder: {
        const double l = std::hypot(n[0], n[1]), f = l > 0 ? h[0] / l : 0;
        return {f * n[0], f * n[1], n[2] < 0 ? -h[2] : h[2]};
      }
      case Core::cone: {
        const double l = std::hypot(n[0], n[1]), f = l > 0 ? h[0] / l : 0;
        if (2 * h[2] * n[2] > h[0] * l) return {0, 0, h[2]};
        return {f * n[0], f * n[1], -h[2]};
      }
      case Core::ellipsoid: {
        const Eigen::Vector3d hn = h.cwiseProduct(n);
        const double l = hn.norm();
        return l > 0 ? Eigen::Vector3d(h.cwiseProduct(hn) / l) : Eigen::Vector3d::Zero();
      }
      case Core::hull: return hull->vertices[static_cast<std::size_t>(farthest_vertex(n))];
    }
    return Eigen::Vector3d::Zero();
  }

  int farthest_vertex(const Eigen::Vector3d& n) const {
    const auto& x = hull->vertices;
    const int count = static_cast<int>(x.size());
    const auto value = [&](int i) { return n.dot(x[static_cast<std::size_t>(i)]); };
    int best = hint;
    double most = value(best);
    if (count <= 16) {
      for (int i = 0; i < count; ++i)
        if (const double d = value(i); d > most) best = i, most = d;
    } else {
      for (int from = -1; from != best;) {
        from = best;
        const int end = hull->neighbour_begin[static_cast<std::size_t>(from) + 1];
        for (int k = hull->neighbour_begin[static_cast<std::size_t>(from)]; k < end; ++k) {
          const int i = hull->neighbours[static_cast<std::size_t>(k)];
          if (const double d = value(i); d > most) best = i, most = d;
        }
      }
    }
    return hint = best;
  }

  /// Second derivative of the support value along tangents u and w at the unit normal n, away from kinks.
  double curvature(const Eigen::Vector3d& n, const Eigen::Vector3d& u, const Eigen::Vector3d& w) const {
    switch (core) {
      case Core::cone:
        if (2 * h[2] * n[2] > h[0] * std::hypot(n[0], n[1])) return 0;
        [[fallthrough]];
      case Core::cylinder: {
        const double l = std::hypot(n[0], n[1]);
        if (!(l > 0)) return 0;
        return h[0] / (l * l * l) * (n[0] * u[1] - n[1] * u[0]) * (n[0] * w[1] - n[1] * w[0]);
      }
      case Core::ellipsoid: {
        const Eigen::Vector3d hn = h.cwiseProduct(n), hu = h.cwiseProduct(u), hw = h.cwiseProduct(w);
        const double l = hn.norm();
        return l > 0 ? (hu.dot(hw) - hn.dot(hu) * hn.dot(hw) / (l * l)) / l : 0;
      }
      default: return 0;
    }
  }
};

struct ConvexPair {
  Convex a, b;
  Eigen::Matrix3d R;  // B's frame seen from A's
  Eigen::Vector3d t;
  double size;  // m, what tolerances are relative to

  Eigen::Vector3d support_a(const Eigen::Vector3d& n) const { return a.support(n); }
  /// Of B against n, in A's frame.
  Eigen::Vector3d support_b(const Eigen::Vector3d& n) const { return R * b.support(-(R.transpose() * n)) + t; }
  /// Distance of the cores along the unit normal n from A to B; the true one is the largest over all n.
  double gap(const Eigen::Vector3d& n) const { return n.dot(support_b(n) - support_a(n)); }
  bool curved() const { return a.curved() || b.curved(); }
};

/// Nearest points of the two cores, or the shortest way out, in A's frame.
struct CoreGap {
  double gap = 0;
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();
  Eigen::Vector3d on_a = Eigen::Vector3d::Zero();  // on_b = on_a + gap normal
};

}  // namespace condyle
