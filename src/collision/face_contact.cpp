#include "collision/face_contact.hpp"

#include <algorithm>
#include <limits>

namespace condyle {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

/// The outward normal of the flat face whose plane is farthest on the inner side of `centre` (of the other piece).
bool facing(const Convex& c, const Vector3d& centre, Vector3d& normal) {
  switch (c.core) {
    case Core::box: {
      int axis = 0;
      (centre.cwiseAbs() - c.h).maxCoeff(&axis);
      normal = Vector3d::Unit(axis) * (centre[axis] < 0 ? -1.0 : 1.0);
      return true;
    }
    case Core::cylinder: normal = {0, 0, centre[2] < 0 ? -1.0 : 1.0}; return true;
    case Core::cone: normal = {0, 0, -1}; return centre[2] < 0;
    case Core::hull: {
      const Hull& hull = *c.hull;
      if (hull.faces() > 48) return false;  // round: seldom a face contact, and looking costs more than iterating
      double most = -std::numeric_limits<double>::infinity();
      for (std::size_t f = 0; f < hull.face_normals.size(); ++f) {
        const auto corner = static_cast<std::size_t>(hull.face_vertices[static_cast<std::size_t>(hull.face_begin[f])]);
        const double over = hull.face_normals[f].dot(centre - hull.vertices[corner]);
        if (over > most) most = over, normal = hull.face_normals[f];
      }
      return hull.faces() > 0;
    }
    default: return false;
  }
}

Vector3d centre_of(const Convex& c) {
  if (c.core != Core::hull) return Vector3d::Zero();
  Vector3d sum = Vector3d::Zero();  // of a few corners: only where to look
  const std::size_t count = c.hull->vertices.size(), step = std::max<std::size_t>(1, count / 8);
  int used = 0;
  for (std::size_t i = 0; i < count; i += step, ++used) sum += c.hull->vertices[i];
  return sum / used;
}

struct Flat {
  Vector2d x[ContactFeature::most];
  int count = 0;
};

double cross(const Vector2d& a, const Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; }

/// How far the touching corners `q` can be moved before they leave the polygon `p`: least over p's sides.
double overlap(const Flat& p, const Flat& q) {
  double area = 0;
  for (int i = 2; i < p.count; ++i) area += cross(p.x[i - 1] - p.x[0], p.x[i] - p.x[0]);
  const double turn = area < 0 ? -1 : 1;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < p.count; ++i) {
    const Vector2d& next = p.x[i + 1 == p.count ? 0 : i + 1];
    const double x = p.x[i][0], y = p.x[i][1], dx = turn * (next[0] - x), dy = turn * (next[1] - y);
    const double squared = dx * dx + dy * dy;
    if (!(squared > 0)) continue;
    double deepest = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < q.count; ++k) deepest = std::max(deepest, dx * (q.x[k][1] - y) - dy * (q.x[k][0] - x));
    least = std::min(least, deepest / std::sqrt(squared));
  }
  return least;
}

double overlap_across(const Flat& p, const Flat& line) {
  const Vector2d d = line.x[1] - line.x[0];
  const double length = d.norm();
  if (!(length > 0)) return std::numeric_limits<double>::infinity();
  double low = 0, high = 0;
  for (int i = 0; i < p.count; ++i) {
    const double side = cross(d, p.x[i] - line.x[0]) / length;
    low = std::min(low, side), high = std::max(high, side);
  }
  return std::min(-low, high);
}

}  // namespace

FaceAnswer face_contact(const ConvexPair& pair, double enough, double bias, CoreGap& out, ContactFeature& a,
                        ContactFeature& b) {
  const auto Rt = pair.R.transpose();
  Vector3d fa, fb;
  double gap_a = -std::numeric_limits<double>::infinity(), gap_b = gap_a;
  if (facing(pair.a, pair.R * centre_of(pair.b) + pair.t, fa)) gap_a = pair.gap(fa);
  if (gap_a > enough) return FaceAnswer::apart;
  if (facing(pair.b, Rt * (centre_of(pair.a) - pair.t), fb)) {
    fb = -(pair.R * fb);
    gap_b = pair.gap(fb);
  }
  if (gap_b > enough) return FaceAnswer::apart;
  const bool of_a = gap_a >= gap_b - bias;
  const double gap = of_a ? gap_a : gap_b;
  if (!(gap > -std::numeric_limits<double>::infinity())) return FaceAnswer::unknown;
  const Vector3d n = of_a ? fa : fb;

  find_feature(pair.a, n, a);
  find_feature(pair.b, -(Rt * n), b);
  for (int i = 0; i < b.count; ++i) b.p[i] = pair.R * b.p[i] + pair.t;
  b.normal = pair.R * b.normal;
  const ContactFeature &face = of_a ? a : b, &other = of_a ? b : a;
  if (face.count < 3) return FaceAnswer::unknown;

  const Vector3d u = n.unitOrthogonal(), v = n.cross(u);
  Flat p, q;
  for (int i = 0; i < face.count; ++i) p.x[p.count++] = {u.dot(face.p[i]), v.dot(face.p[i])};
  const double towards = of_a ? 1 : -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < other.count; ++i) nearest = std::min(nearest, towards * n.dot(other.p[i]));
  for (int i = 0; i < other.count; ++i)
    if (towards * n.dot(other.p[i]) <= nearest + bias) q.x[q.count++] = {u.dot(other.p[i]), v.dot(other.p[i])};
  double r = overlap(p, q);
  if (!(r > 0)) return FaceAnswer::unknown;
  if (q.count == 2) r = std::min(r, overlap_across(p, q));
  if (q.count > 2) r = std::min(r, overlap(q, p));
  if (!(r > bias)) return FaceAnswer::unknown;
  if (const double d = -gap; d > 0) {
    if (r < 4 * d) return FaceAnswer::unknown;
    const Vector3d far = pair.support_a(-n) - pair.support_b(-n);
    const double D = -n.dot(far), l = (far + D * n).norm();
    if (0.866 * D - 2 * d * l / r < d) return FaceAnswer::unknown;
  }
  out.gap = gap;
  out.normal = n;
  out.on_a = of_a ? Vector3d(pair.support_b(n) - gap * n) : pair.support_a(n);
  return FaceAnswer::found;
}

}  // namespace condyle
