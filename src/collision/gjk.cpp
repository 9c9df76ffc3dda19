#include "collision/gjk.hpp"

#include <algorithm>

namespace condyle {
namespace {

using Eigen::Vector3d;

/// Which corners of a simplex carry the point nearest to the origin.
struct Nearest {
  Vector3d v;
  double squared;
  int corner[3];
  double weight[3];
  int count;
};

Nearest nearest_on_segment(const Simplex& s, int i, int j) {
  const Vector3d& p = s.w[i];
  const Vector3d d = s.w[j] - p;
  const double dd = d.squaredNorm(), along = -p.dot(d);
  if (!(along > 0) || !(dd > 0)) return {p, p.squaredNorm(), {i}, {1}, 1};
  if (along >= dd) return {s.w[j], s.w[j].squaredNorm(), {j}, {1}, 1};
  const double f = along / dd;
  const Vector3d v = p + f * d;
  return {v, v.squaredNorm(), {i, j}, {1 - f, f}, 2};
}

Nearest nearest_on_triangle(const Simplex& s, int i, int j, int k) {
  const Vector3d &p = s.w[i], &q = s.w[j], &r = s.w[k];
  const Vector3d pq = q - p, pr = r - p, n = pq.cross(pr);
  const double nn = n.squaredNorm();
  double wq = -1, wr = -1, wp = -1;
  if (nn > 1e-26 * pq.squaredNorm() * pr.squaredNorm()) {
    wq = -n.dot(p.cross(pr)) / nn;
    wr = -n.dot(pq.cross(p)) / nn;
    wp = 1 - wq - wr;
    if (wp >= 0 && wq >= 0 && wr >= 0) {
      // along the plane's normal rather than by weights: its direction stays exact however near the origin is
      const Vector3d v = n * (n.dot(p) / nn);
      return {v, v.squaredNorm(), {i, j, k}, {wp, wq, wr}, 3};
    }
  }
  Nearest best{p, p.squaredNorm(), {i}, {1}, 1};
  const auto take = [&best](const Nearest& other) {
    if (other.squared < best.squared) best = other;
  };
  if (wr <= 0) take(nearest_on_segment(s, i, j));
  if (wq <= 0) take(nearest_on_segment(s, i, k));
  if (wp <= 0) take(nearest_on_segment(s, j, k));
  return best;
}

/// False: the origin is inside.
bool nearest_on_tetrahedron(const Simplex& s, Nearest& best) {
  static constexpr int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  const Vector3d e1 = s.w[1] - s.w[0], e2 = s.w[2] - s.w[0], e3 = s.w[3] - s.w[0];
  const bool flat = std::abs(e1.dot(e2.cross(e3))) <= 1e-14 * e1.norm() * e2.norm() * e3.norm();
  bool outside = false;
  best.squared = std::numeric_limits<double>::infinity();
  for (const auto& f : face) {
    const Vector3d n = (s.w[f[1]] - s.w[f[0]]).cross(s.w[f[2]] - s.w[f[0]]);
    const double to_origin = -n.dot(s.w[f[0]]), to_other = n.dot(s.w[f[3]] - s.w[f[0]]);
    if (!flat && to_origin * to_other >= 0) continue;
    outside = true;
    const Nearest one = nearest_on_triangle(s, f[0], f[1], f[2]);
    if (one.squared < best.squared) best = one;
  }
  return outside;
}

bool nearest(const Simplex& s, Nearest& best) {
  switch (s.count) {
    case 1: best = {s.w[0], s.w[0].squaredNorm(), {0}, {1}, 1}; return true;
    case 2: best = nearest_on_segment(s, 0, 1); return true;
    case 3: best = nearest_on_triangle(s, 0, 1, 2); return true;
    default: return nearest_on_tetrahedron(s, best);
  }
}

void keep(Simplex& s, const Nearest& best) {
  Vector3d w[3], a[3];
  for (int i = 0; i < best.count; ++i) w[i] = s.w[best.corner[i]], a[i] = s.a[best.corner[i]];
  for (int i = 0; i < best.count; ++i) s.w[i] = w[i], s.a[i] = a[i], s.weight[i] = best.weight[i];
  s.count = best.count;
}

}  // namespace

GjkResult gjk(const ConvexPair& pair, double enough, double relative, Simplex& s) {
  GjkResult out;
  const double noise = 4e-16 * (pair.size + pair.t.norm()), zero = 1e-12 * pair.size;
  Vector3d n = pair.t;
  if (!(n.squaredNorm() > 0)) n = Vector3d::UnitX();
  s.a[0] = pair.support_a(n);
  s.w[0] = s.a[0] - pair.support_b(n);
  s.weight[0] = 1;
  s.count = 1;
  Vector3d v = s.w[0];
  double vv = v.squaredNorm();
  out.lower = -std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 128; ++iteration) {
    const double length = std::sqrt(vv);
    out.upper = length;
    if (length <= zero) {
      out.status = GjkResult::Status::touching;
      return out;
    }
    n = -v / length;
    const Vector3d a = pair.support_a(n), w = a - pair.support_b(n);
    const double lower = -n.dot(w);
    if (lower > out.lower) out.lower = lower, out.normal = n;
    if (lower > enough) {
      out.status = GjkResult::Status::beyond;
      break;
    }
    out.status = GjkResult::Status::apart;
    if (length - lower <= std::max(noise, relative * length)) {
      out.lower = lower, out.normal = n;
      break;
    }
    bool known = false;
    for (int i = 0; i < s.count; ++i) known = known || s.w[i] == w;
    if (known) break;
    s.w[s.count] = w, s.a[s.count] = a;
    ++s.count;
    Nearest best;
    if (!nearest(s, best)) {
      out.status = GjkResult::Status::touching;
      return out;
    }
    if (best.squared >= vv) {  // round-off: nothing nearer can be found
      --s.count;
      break;
    }
    keep(s, best);
    v = best.v;
    vv = best.squared;
  }
  out.on_a.setZero();
  for (int i = 0; i < s.count; ++i) out.on_a += s.weight[i] * s.a[i];
  // an overlap that round-off hides behind a flat simplex shows no separating plane
  if (out.status == GjkResult::Status::apart && !(out.lower > 0)) out.status = GjkResult::Status::touching;
  return out;
}

}  // namespace condyle
