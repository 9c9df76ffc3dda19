#include "collision/match_features.hpp"

#include <algorithm>

namespace condyle {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

double cross(const Vector2d& a, const Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; }

/// A feature seen along n.
struct Shadow {
  const ContactFeature& feature;
  Vector2d xy[ContactFeature::most];
  double z[ContactFeature::most], length[ContactFeature::most];  // length: of side i
  int sides;
  double turn = 1;                  // -1: clockwise
  double extent = 0;                // m
  double offset, slope_x, slope_y;  // height over the plane: offset - slope . xy

  Shadow(const ContactFeature& f, const Vector3d& n, const Vector3d& u, const Vector3d& v)
      : feature(f), sides(f.count > 2 ? f.count : f.count - 1) {
    double area = 0;
    for (int i = 0; i < f.count; ++i) {
      xy[i] = {u.dot(f.p[i]), v.dot(f.p[i])};
      z[i] = n.dot(f.p[i]);
      extent = std::max(extent, (xy[i] - xy[0]).cwiseAbs().maxCoeff());
      if (i > 1) area += cross(xy[i - 1] - xy[0], xy[i] - xy[0]);
    }
    for (int i = 0; i < sides; ++i) length[i] = (xy[next(i)] - xy[i]).norm();
    if (area < 0) turn = -1;
    const double along = n.dot(f.normal);
    slope_x = u.dot(f.normal) / along, slope_y = v.dot(f.normal) / along;
    offset = z[0] + slope_x * xy[0][0] + slope_y * xy[0][1];
  }

  int count() const { return feature.count; }
  int next(int i) const { return i + 1 == feature.count ? 0 : i + 1; }
  double height(const Vector2d& x) const { return offset - slope_x * x[0] - slope_y * x[1]; }
};

class Matcher {
 public:
  Matcher(const Shadow& a, const Shadow& b, const Vector3d& n, const Vector3d& u, const Vector3d& v, Candidates& out)
      : a_(a), b_(b), n_(n), u_(u), v_(v), out_(out) {
    const double least = std::min(a.count() > 1 ? a.extent : b.extent, b.count() > 1 ? b.extent : a.extent);
    tolerance_ = 1e-6 * least;
  }

  void run() {
    out_.count = 0;
    if (a_.count() == 2 && b_.count() == 2) return lines();
    double *of_a = out_.sides_of_a, *of_b = out_.sides_of_b;
    sides_of(a_, b_, of_a);
    sides_of(b_, a_, of_b);
    if (b_.count() > 2) corners_over(a_, b_, of_b, true);
    if (a_.count() > 2) corners_over(b_, a_, of_a, false);
    if (b_.count() == 2) corners_on(a_, b_, of_b, true);
    if (a_.count() == 2) corners_on(b_, a_, of_a, false);
    crossings(of_a, of_b);
  }

 private:
  void add(const Vector2d& x, double za, double zb, std::uint32_t fa, std::uint32_t fb) {
    if (out_.count == Candidates::most) return;
    for (int i = 0; i < out_.count; ++i)
      if ((out_.list[i].across - x).cwiseAbs().maxCoeff() <= 2 * tolerance_) return;
    out_.list[out_.count++] = {x[0] * u_ + x[1] * v_ + za * n_, zb - za, x, fa, fb};
  }

  /// Twice the signed area of each side of `p` and each corner of `q`, positive inside: corners over an area and crossings
  /// of sides are both questions of its signs.
  static void sides_of(const Shadow& p, const Shadow& q, double* table) {
    for (int i = 0; i < p.sides; ++i) {
      const double x = p.xy[i][0], y = p.xy[i][1], dx = p.turn * (p.xy[p.next(i)][0] - x),
                   dy = p.turn * (p.xy[p.next(i)][1] - y);
      for (int k = 0; k < q.count(); ++k) table[i * q.count() + k] = dx * (q.xy[k][1] - y) - dy * (q.xy[k][0] - x);
    }
  }

  void corners_over(const Shadow& corners, const Shadow& area, const double* table, bool corners_of_a) {
    for (int k = 0; k < corners.count(); ++k) {
      bool over = true;
      for (int i = 0; i < area.sides && over; ++i) over = table[i * corners.count() + k] >= -tolerance_ * area.length[i];
      if (!over) continue;
      const double other = area.height(corners.xy[k]);
      if (corners_of_a)
        add(corners.xy[k], corners.z[k], other, corners.feature.vertex_id[k], area.feature.face_id);
      else
        add(corners.xy[k], other, corners.z[k], area.feature.face_id, corners.feature.vertex_id[k]);
    }
  }

  /// Corners of an area on a line that runs along its rim: there the line neither ends nor crosses.
  void corners_on(const Shadow& corners, const Shadow& line, const double* table, bool corners_of_a) {
    const Vector2d d = line.xy[1] - line.xy[0];
    for (int k = 0; k < corners.count(); ++k) {
      if (std::abs(table[k]) > tolerance_ * line.length[0]) continue;
      const double f = d.dot(corners.xy[k] - line.xy[0]) / (line.length[0] * line.length[0]);
      if (!(f >= 0 && f <= 1)) continue;
      const double z = line.z[0] + f * (line.z[1] - line.z[0]);
      if (corners_of_a)
        add(corners.xy[k], corners.z[k], z, corners.feature.vertex_id[k], line.feature.edge_id[0]);
      else
        add(corners.xy[k], z, corners.z[k], line.feature.edge_id[0], corners.feature.vertex_id[k]);
    }
  }

  /// Side i of A and side k of B, by the signed areas of each one's ends about the other.
  void crossing(int i, int k, double b0, double b1, double a0, double a1) {
    if ((b0 < 0) == (b1 < 0) || (a0 < 0) == (a1 < 0)) return;
    const double x = a0 / (a0 - a1), y = b0 / (b0 - b1);  // how far along A's and B's side
    const int ni = a_.next(i), nk = b_.next(k);
    const double za = a_.z[i] + x * (a_.z[ni] - a_.z[i]), zb = b_.z[k] + y * (b_.z[nk] - b_.z[k]);
    add(a_.xy[i] + x * (a_.xy[ni] - a_.xy[i]), za, zb, a_.feature.edge_id[i], b_.feature.edge_id[k]);
  }

  /// Sides that lie on each other within the tolerance do not cross: what bounds them are corners and other sides.
  void crossings(const double* of_a, const double* of_b) {
    const int ca = a_.count(), cb = b_.count();
    for (int i = 0; i < a_.sides; ++i) {
      const double* row = of_a + i * cb;
      const int ni = a_.next(i);
      for (int k = 0; k < b_.sides; ++k) {
        const double b0 = row[k], b1 = row[k + 1 == cb ? 0 : k + 1];
        if ((b0 < 0) == (b1 < 0)) continue;
        const double a0 = of_b[k * ca + i], a1 = of_b[k * ca + ni];
        if ((a0 < 0) == (a1 < 0)) continue;
        if (std::max(std::abs(b0), std::abs(b1)) <= tolerance_ * a_.length[i] ||
            std::max(std::abs(a0), std::abs(a1)) <= tolerance_ * b_.length[k])
          continue;
        crossing(i, k, b0, b1, a0, a1);
      }
    }
  }

  /// Two lines of round or sharp sides. Nearly parallel ones touch along the stretch where they are beside each other: its
  /// ends get the distance of the two surfaces there, which grows with the angle until they drop out by themselves.
  void lines() {
    const Vector2d d = a_.xy[1] - a_.xy[0], e = b_.xy[1] - b_.xy[0];
    const double dd = d.squaredNorm(), ee = e.squaredNorm(), sine = cross(d, e);
    if (!(dd > 0) || !(ee > 0) || sine * sine > 0.01 * dd * ee) {
      double *of_a = out_.sides_of_a, *of_b = out_.sides_of_b;
      sides_of(a_, b_, of_a);
      sides_of(b_, a_, of_b);
      crossing(0, 0, of_a[0], of_a[1], of_b[0], of_b[1]);
      return;
    }
    const double length = std::sqrt(dd);
    const Vector2d along = d / length;
    const double b0 = along.dot(b_.xy[0] - a_.xy[0]), b1 = along.dot(b_.xy[1] - a_.xy[0]);
    const int low_b = b0 <= b1 ? 0 : 1;
    const double low = std::max(0.0, std::min(b0, b1)), high = std::min(length, std::max(b0, b1));
    if (high < low) return;
    station(low, length, along, b0, b1, low == 0 ? 0 : -1, low == 0 ? -1 : low_b);
    station(high, length, along, b0, b1, high == length ? 1 : -1, high == length ? -1 : 1 - low_b);
  }

  void station(double s, double length, const Vector2d& along, double b0, double b1, int end_a, int end_b) {
    const double f = s / length, g = (s - b0) / (b1 - b0);
    const double za = a_.z[0] + f * (a_.z[1] - a_.z[0]), zb = b_.z[0] + g * (b_.z[1] - b_.z[0]);
    const Vector2d on_a = a_.xy[0] + s * along, on_b = b_.xy[0] + g * (b_.xy[1] - b_.xy[0]);
    const double round = a_.feature.round + b_.feature.round, straight = std::max(0.0, round + zb - za);
    const double more = std::hypot(straight, (on_b - on_a).norm()) - straight;
    const std::uint32_t fa = end_a < 0 ? a_.feature.edge_id[0] : a_.feature.vertex_id[end_a];
    const std::uint32_t fb = end_b < 0 ? b_.feature.edge_id[0] : b_.feature.vertex_id[end_b];
    add(on_a, za, zb + more, fa, fb);
  }

  const Shadow &a_, &b_;
  const Vector3d &n_, &u_, &v_;
  Candidates& out_;
  double tolerance_;
};

}  // namespace

void match_features(const ContactFeature& a, const ContactFeature& b, const Vector3d& n, Candidates& out) {
  const Vector3d u = n.unitOrthogonal(), v = n.cross(u);
  const Shadow of_a(a, n, u, v), of_b(b, n, u, v);
  Matcher(of_a, of_b, n, u, v, out).run();
}

void reduce(Candidates& c, double size) {
  const double noise = 1e-9 * size;
  const auto chosen_first = [&c](int place, int from) {
    std::rotate(c.list + place, c.list + from, c.list + from + 1);  // keeps the order of the others
  };
  if (c.count > Manifold::capacity) {
    int kept = 0;
    const auto choose = [&](auto&& value) {
      int best = kept;
      for (int i = kept + 1; i < c.count; ++i)
        if (value(c.list[i]) > value(c.list[best]) * (1 + 1e-9) + noise * noise) best = i;
      chosen_first(kept++, best);
    };
    int deepest = 0;
    for (int i = 1; i < c.count; ++i)
      if (c.list[i].gap < c.list[deepest].gap - noise) deepest = i;
    chosen_first(kept++, deepest);
    const Vector2d first = c.list[0].across;
    choose([&](const Candidate& x) { return (x.across - first).squaredNorm(); });
    const Vector2d axis = c.list[1].across - first;
    choose([&](const Candidate& x) { return std::abs(cross(axis, x.across - first)); });
    const double side = cross(axis, c.list[2].across - first) < 0 ? -1 : 1;
    choose([&](const Candidate& x) { return std::max(0.0, -side * cross(axis, x.across - first)); });
    while (kept < Manifold::capacity)
      choose([&](const Candidate& x) {
        double least = std::numeric_limits<double>::infinity();
        for (int i = 0; i < kept; ++i) least = std::min(least, (x.across - c.list[i].across).squaredNorm());
        return least;
      });
    c.count = kept;
  }
  std::sort(c.list, c.list + c.count, [](const Candidate& x, const Candidate& y) {
    return x.feature_a != y.feature_a ? x.feature_a < y.feature_a : x.feature_b < y.feature_b;
  });
}

}  // namespace condyle
