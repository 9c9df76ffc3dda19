#pragma once
// Support values and membership of pieces, written down once more in plain numbers in world axes: what the narrow phase says
// is judged by these and never by its own functions.
#include "collision/piece.hpp"
#include "support/random_state.hpp"

#include <cmath>
#include <numbers>

namespace condyle::test {

struct Vec {
  double x, y, z;
};
inline double dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

class Solid {
 public:
  Solid(const Piece& piece, const Pose& pose) : piece_(piece) {
    for (int i = 0; i < 3; ++i) {
      p_[i] = pose.p[i];
      for (int k = 0; k < 3; ++k) R_[i][k] = pose.R(i, k);
    }
    s_ = {piece.size[0], piece.size[1], piece.size[2]};
    if (piece.hull)
      for (const auto& v : piece.hull->vertices) vertices_.push_back({v[0], v[1], v[2]});
  }

  /// Largest n . (x - origin) over the piece.
  double reach(const Vec& n, const Vec& origin) const {
    const Vec m{R_[0][0] * n.x + R_[1][0] * n.y + R_[2][0] * n.z, R_[0][1] * n.x + R_[1][1] * n.y + R_[2][1] * n.z,
                R_[0][2] * n.x + R_[1][2] * n.y + R_[2][2] * n.z};
    return n.x * (p_[0] - origin.x) + n.y * (p_[1] - origin.y) + n.z * (p_[2] - origin.z) + local_reach(m);
  }
  Vec centre() const { return {p_[0], p_[1], p_[2]}; }

  /// How far a world point is outside at least along one of the piece's own constraints; <= 0 inside.
  double outside(const Eigen::Vector3d& x) const {
    const double d[3] = {x[0] - p_[0], x[1] - p_[1], x[2] - p_[2]};
    double q[3];
    for (int k = 0; k < 3; ++k) q[k] = R_[0][k] * d[0] + R_[1][k] * d[1] + R_[2][k] * d[2];
    const double rho = std::hypot(q[0], q[1]);
    switch (piece_.kind) {
      case ShapeKind::sphere: return std::hypot(rho, q[2]) - s_.x;
      case ShapeKind::box:
        return std::max({std::abs(q[0]) - 0.5 * s_.x, std::abs(q[1]) - 0.5 * s_.y, std::abs(q[2]) - 0.5 * s_.z});
      case ShapeKind::capsule: return std::hypot(rho, std::max(0.0, std::abs(q[2]) - 0.5 * s_.y)) - s_.x;
      case ShapeKind::cylinder: return std::max(rho - s_.x, std::abs(q[2]) - 0.5 * s_.y);
      case ShapeKind::cone: {
        const double slant = std::hypot(s_.x, s_.y);
        return std::max(-0.5 * s_.y - q[2], (s_.y * (rho - s_.x) + s_.x * (q[2] + 0.5 * s_.y)) / slant);
      }
      case ShapeKind::ellipsoid: {
        const double f = std::sqrt(q[0] * q[0] / (s_.x * s_.x) + q[1] * q[1] / (s_.y * s_.y) + q[2] * q[2] / (s_.z * s_.z));
        return (f - 1) * std::min({s_.x, s_.y, s_.z});
      }
      case ShapeKind::halfspace: return q[2];
      case ShapeKind::plane: return std::abs(q[2]);
      default: break;
    }
    return hull_outside({q[0], q[1], q[2]});
  }

 private:
  double local_reach(const Vec& m) const {
    const double across = std::hypot(m.x, m.y);
    switch (piece_.kind) {
      case ShapeKind::sphere: return s_.x * std::sqrt(dot(m, m));
      case ShapeKind::box: return 0.5 * (s_.x * std::abs(m.x) + s_.y * std::abs(m.y) + s_.z * std::abs(m.z));
      case ShapeKind::capsule: return s_.x * std::sqrt(dot(m, m)) + 0.5 * s_.y * std::abs(m.z);
      case ShapeKind::cylinder: return s_.x * across + 0.5 * s_.y * std::abs(m.z);
      case ShapeKind::cone: return std::max(0.5 * s_.y * m.z, s_.x * across - 0.5 * s_.y * m.z);
      case ShapeKind::ellipsoid:
        return std::sqrt(s_.x * s_.x * m.x * m.x + s_.y * s_.y * m.y * m.y + s_.z * s_.z * m.z * m.z);
      default: break;
    }
    double most = -1e300;
    for (const Vec& v : vertices_) most = std::max(most, dot(m, v));
    return most;
  }

  double hull_outside(const Vec& q) const {
    const Hull& hull = *piece_.hull;
    if (hull.faces() == 0) {  // a point or a segment
      const Vec a = vertices_.front(), b = vertices_.back();
      const Vec ab{b.x - a.x, b.y - a.y, b.z - a.z}, aq{q.x - a.x, q.y - a.y, q.z - a.z};
      const double f = dot(ab, ab) > 0 ? std::clamp(dot(ab, aq) / dot(ab, ab), 0.0, 1.0) : 0;
      return std::hypot(aq.x - f * ab.x, aq.y - f * ab.y, aq.z - f * ab.z);
    }
    double most = -1e300;
    for (int f = 0; f < hull.faces(); ++f) {
      const Eigen::Vector3d& n = hull.face_normals[static_cast<std::size_t>(f)];
      const Vec m{n[0], n[1], n[2]};
      most = std::max(most, dot(m, q) - local_reach(m));
      if (hull.faces() > 2) continue;
      const int begin = hull.face_begin[static_cast<std::size_t>(f)],
                count = hull.face_begin[static_cast<std::size_t>(f) + 1] - begin;
      for (int k = 0; k < count; ++k) {  // flat: its sides too
        const auto corner = [&](int i) {
          return hull.vertices[static_cast<std::size_t>(hull.face_vertices[static_cast<std::size_t>(begin + i % count)])];
        };
        const Eigen::Vector3d a = corner(k), e = (corner(k + 1) - a).normalized();
        const Vec side{e[1] * n[2] - e[2] * n[1], e[2] * n[0] - e[0] * n[2], e[0] * n[1] - e[1] * n[0]};
        most = std::max(most, dot(side, {q.x - a[0], q.y - a[1], q.z - a[2]}));
      }
    }
    return most;
  }

  const Piece& piece_;
  double R_[3][3], p_[3];
  Vec s_;
  std::vector<Vec> vertices_;
};

/// Gap of two bounded pieces along n from A to B.
inline double gap_along(const Solid& a, const Solid& b, const Vec& n) {
  const Vec origin = a.centre();
  return -b.reach({-n.x, -n.y, -n.z}, origin) - a.reach(n, origin);
}

/// The largest gap over all directions: a Fibonacci sphere of directions, then a shrinking random search around the best
/// few. Knows nothing of simplices, features or derivatives.
inline double search_gap(const Solid& a, const Solid& b, int directions, int starts, int steps, Random& random) {
  std::vector<std::pair<double, Vec>> found;
  for (int i = 0; i < directions; ++i) {
    const double z = 1 - (2.0 * i + 1) / directions, r = std::sqrt(1 - z * z),
                 angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
    const Vec n{r * std::cos(angle), r * std::sin(angle), z};
    found.emplace_back(gap_along(a, b, n), n);
  }
  std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  double best = found.front().first;
  for (int k = 0; k < starts; ++k) {
    auto [gap, n] = found[static_cast<std::size_t>(k)];
    double step = 3 / std::sqrt(directions);
    for (int i = 0; i < steps && step > 1e-13; ++i) {
      Vec m{n.x + step * random.uniform(), n.y + step * random.uniform(), n.z + step * random.uniform()};
      const double l = std::sqrt(dot(m, m));
      m = {m.x / l, m.y / l, m.z / l};
      const double value = gap_along(a, b, m);
      if (value > gap)
        gap = value, n = m, step *= 1.7;
      else
        step *= 0.9;
    }
    best = std::max(best, gap);
  }
  return best;
}

}  // namespace condyle::test
