#include "collision/refine_normal.hpp"

#include <algorithm>
#include <array>

namespace condyle {
namespace {

using Eigen::Vector3d;

/// Normals with n . w = k, at which a piece is touched along a line. k = 1: a single normal, that of a round face. The sine
/// c of the angle to w is kept beside its cosine k: a flat cone has k = 1 to round-off and still a circle of normals.
struct Kink {
  Vector3d w;
  double k, c;
  Vector3d line;  // direction of what is touched, in A's frame
  bool of_a;
  bool face() const { return c == 0; }
  /// rad, angle of n from the circle (its sine)
  double off(const Vector3d& n) const { return std::abs(w.dot(n) * c - w.cross(n).norm() * k); }
};

class Kinks {
 public:
  Kinks(const ConvexPair& pair, const Vector3d& n, double reach) : reach_(reach) {
    collect(pair.a, n, Eigen::Matrix3d::Identity(), true);
    collect(pair.b, -(pair.R.transpose() * n), pair.R, false);
  }
  const Kink* begin() const { return list_.data(); }
  const Kink* end() const { return list_.data() + count_; }

 private:
  /// n: in the piece's frame, outward of it.
  void collect(const Convex& c, const Vector3d& n, const Eigen::Matrix3d& R, bool of_a) {
    const int first = count_;
    const auto add = [&](const Vector3d& w, double k, double sine, const Vector3d& line) {
      const double off = std::abs(w.dot(n) * sine - w.cross(n).norm() * k);
      int place = count_;
      if (count_ - first == 4) {  // the farthest gives way
        place = first;
        for (int i = first + 1; i < count_; ++i)
          if (off_[static_cast<std::size_t>(i)] > off_[static_cast<std::size_t>(place)]) place = i;
        if (off >= off_[static_cast<std::size_t>(place)]) return;
      } else {
        ++count_;
      }
      list_[static_cast<std::size_t>(place)] = {of_a ? w : Vector3d(-(R * w)), k, sine, R * line, of_a};
      off_[static_cast<std::size_t>(place)] = off;
    };
    const double across = std::hypot(n[0], n[1]);
    switch (c.core) {
      case Core::segment:
        if (std::abs(n[2]) < reach_) add(Vector3d::UnitZ(), 0, 1, Vector3d::UnitZ());
        break;
      case Core::box:
        for (int i = 0; i < 3; ++i)
          if (std::abs(n[i]) < reach_) add(Vector3d::Unit(i), 0, 1, Vector3d::Unit(i));
        break;
      case Core::cylinder:
        if (across < reach_) add({0, 0, n[2] < 0 ? -1.0 : 1.0}, 1, 0, Vector3d::Zero());
        if (std::abs(n[2]) < reach_) add(Vector3d::UnitZ(), 0, 1, Vector3d::UnitZ());
        break;
      case Core::cone: {
        if (across < reach_ && n[2] < 0) add({0, 0, -1}, 1, 0, Vector3d::Zero());
        const double slant = std::hypot(2 * c.h[2], c.h[0]);
        if (!(c.h[2] > 0) || !(across > 0)) break;
        const double k = c.h[0] / slant, sine = 2 * c.h[2] / slant;
        if (std::abs(n[2] * sine - across * k) < reach_)
          add(Vector3d::UnitZ(), k, sine, Vector3d(-c.h[0] * n[0] / across, -c.h[0] * n[1] / across, 2 * c.h[2]) / slant);
        break;
      }
      case Core::hull: {
        const auto v = static_cast<std::size_t>(c.farthest_vertex(n));
        const auto begin = static_cast<std::size_t>(c.hull->neighbour_begin[v]);
        const auto end = static_cast<std::size_t>(c.hull->neighbour_begin[v + 1]);
        for (std::size_t k = begin; k < end; ++k) {
          const Vector3d e =
              (c.hull->vertices[static_cast<std::size_t>(c.hull->neighbours[k])] - c.hull->vertices[v]).normalized();
          if (std::abs(e.dot(n)) < reach_) add(e, 0, 1, e);
        }
        break;
      }
      default: break;
    }
  }

  std::array<Kink, 8> list_;
  std::array<double, 8> off_;  // how far the start is from each
  int count_ = 0;
  double reach_;
};

class Search {
 public:
  explicit Search(const ConvexPair& pair) : pair_(pair), noise_(2e-16 * pair.size) {}

  /// Free on the sphere.
  Vector3d newton(Vector3d n) const {
    double gap = pair_.gap(n);
    for (int iteration = 0; iteration < 24; ++iteration) {
      const Vector3d s = pair_.support_a(n) - pair_.support_b(n), u = n.unitOrthogonal(), v = n.cross(u);
      const double gu = u.dot(s), gv = v.dot(s);
      if (std::abs(gu) + std::abs(gv) <= noise_) break;
      double uu = second(n, u, u) + gap, vv = second(n, v, v) + gap;
      const double uv = second(n, u, v);
      const double least = 0.5 * (uu + vv) - std::hypot(0.5 * (uu - vv), uv);
      const double floor = 1e-9 * pair_.size;
      if (least < floor) uu += floor - 2 * std::min(least, 0.0), vv += floor - 2 * std::min(least, 0.0);
      const double det = uu * vv - uv * uv;
      Vector3d step = -(u * (gu * vv - gv * uv) + v * (gv * uu - gu * uv)) / det;
      if (!advance([&](double f) { return Vector3d((n + f * step).normalized()); }, step.norm(), 8, n, gap)) break;
    }
    return n;
  }

  /// On the circle of a kink.
  Vector3d newton_on(const Kink& kink, const Vector3d& start) const {
    const double c = kink.c;
    Vector3d out = start - kink.w.dot(start) * kink.w;
    if (!(out.squaredNorm() > 0) || !(c > 0)) return start;
    out.normalize();
    Vector3d n = kink.k * kink.w + c * out;
    double gap = pair_.gap(n);
    for (int iteration = 0; iteration < 24; ++iteration) {
      const Vector3d s = pair_.support_a(n) - pair_.support_b(n), tangent = kink.w.cross(out);
      const double g = c * tangent.dot(s);
      if (std::abs(g) <= noise_) break;
      double h = c * c * second(n, tangent, tangent) - c * out.dot(s);
      if (h < 1e-9 * pair_.size) h = std::abs(h) + 1e-9 * pair_.size;
      const double step = -g / h;
      const auto turned = [&](double f) {
        return Vector3d(kink.k * kink.w + c * (std::cos(f * step) * out + std::sin(f * step) * tangent));
      };
      if (!advance(turned, std::abs(step), 16, n, gap)) break;  // another kink may be very near
      out = (n - kink.w.dot(n) * kink.w).normalized();
    }
    return n.normalized();
  }

 private:
  double second(const Vector3d& n, const Vector3d& u, const Vector3d& v) const {
    double value = 0;
    if (pair_.a.curved()) value += pair_.a.curvature(n, u, v);
    if (pair_.b.curved()) {
      const auto Rt = pair_.R.transpose();
      value += pair_.b.curvature(-(Rt * n), Rt * u, Rt * v);
    }
    return value;
  }

  template <class Path>
  bool advance(Path&& path, double length, int cuts, Vector3d& n, double& gap) const {
    double f = length > 0.3 ? 0.3 / length : 1;
    for (int cut = 0; cut < cuts; ++cut, f *= 0.25) {
      const Vector3d next = path(f);
      const double value = pair_.gap(next);
      if (value >= gap - 10 * noise_) {
        const bool moves = f * length > 1e-16;
        n = next, gap = value;
        return moves;
      }
    }
    return false;
  }

  const ConvexPair& pair_;
  double noise_;
};

/// Where both circles meet, on the side of `near`.
bool meet(const Kink& p, const Kink& q, const Vector3d& near, Vector3d& n) {
  const Vector3d cross = p.w.cross(q.w);
  const double ss = cross.squaredNorm(), c = p.w.dot(q.w);
  if (ss < 1e-16) return false;
  const double x = (p.k - c * q.k) / ss, y = (q.k - c * p.k) / ss;
  const Vector3d in_plane = x * p.w + y * q.w;
  const double rest = 1 - in_plane.squaredNorm();
  if (rest < 0) return false;
  n = in_plane + (cross.dot(near) < 0 ? -1.0 : 1.0) * std::sqrt(rest / ss) * cross;
  n.normalize();
  return true;
}

/// The touching point of A where both pieces may touch along lines or faces at n.
Vector3d witness(const ConvexPair& pair, const Kinks& kinks, const Vector3d& n, double gap, const Vector3d& known) {
  const Kink *of_a = nullptr, *of_b = nullptr;
  int count_a = 0, count_b = 0;
  for (const Kink& kink : kinks)
    if (kink.off(n) < 1e-8) {
      (kink.of_a ? of_a : of_b) = &kink;
      (kink.of_a ? count_a : count_b) += kink.face() ? 2 : 1;
    }
  const Vector3d on_a = pair.support_a(n), on_b = pair.support_b(n);
  if (pair.a.core == Core::ellipsoid || pair.a.core == Core::point) return on_a;
  if (pair.b.core == Core::ellipsoid || pair.b.core == Core::point) return on_b - gap * n;
  if (count_a == 0) return on_a;
  if (count_b == 0) return on_b - gap * n;
  if (count_a == 1 && count_b == 1) {
    const Vector3d d = on_b - on_a - gap * n, across = of_a->line.cross(of_b->line);
    if (const double cc = across.squaredNorm(); cc > 1e-12) return on_a + d.cross(of_b->line).dot(across) / cc * of_a->line;
  }
  return known + n.dot(on_a - known) * n;
}

}  // namespace

CoreGap refine_normal(const ConvexPair& pair, const CoreGap& start, double reach) {
  const Kinks kinks(pair, start.normal, reach);
  const Search search(pair);
  const double tie = 4e-16 * pair.size;
  Vector3d best = start.normal;
  double gap = -std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vector3d& n) {
    if (const double value = pair.gap(n); value > gap + tie) best = n, gap = value;
  };
  for (const Kink* p = kinks.begin(); p != kinks.end(); ++p) {
    if (p->face()) consider(p->w);
    Vector3d n;
    for (const Kink* q = kinks.begin(); q != p; ++q)
      if (!p->face() && !q->face() && meet(*p, *q, start.normal, n)) consider(n);
  }
  for (const Kink& kink : kinks)
    if (!kink.face()) consider(search.newton_on(kink, start.normal));
  consider(search.newton(start.normal));
  consider(start.normal);
  return {gap, best, witness(pair, kinks, best, gap, start.on_a)};
}

}  // namespace condyle
