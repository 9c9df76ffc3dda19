#include "collision/sphere_like.hpp"

#include <algorithm>
#include <limits>

namespace condyle {
namespace {

using Eigen::Vector3d;

/// Two segments (a point is one without length). Where they meet, the way out is across both.
CoreGap segments(const ConvexPair& pair) {
  const double ha = pair.a.h[2], hb = pair.b.h[2];
  const Vector3d d = Vector3d::UnitZ(), e = pair.R.col(2), &t = pair.t;
  const double c = e[2], dt = t[2], et = e.dot(t), ss = d.cross(e).squaredNorm();
  // least |x d - t - y e| with |x| <= ha, |y| <= hb
  double x = 0, y = 0;
  if (ss > 1e-14 && hb > 0 && ha > 0) {
    x = std::clamp((dt - c * et) / ss, -ha, ha);
    y = x * c - et;
  } else if (hb > 0) {                              // parallel: the middle of the stretch beside each other
    const double m = c * dt, w = std::abs(c) * ha;  // A on B's line, centred there at -m
    const double low = std::max(-hb, -m - w), high = std::min(hb, -m + w);
    y = low <= high ? 0.5 * (low + high) : (low > hb ? hb : (high < -hb ? -hb : (-m > 0 ? hb : -hb)));
    if (!(ha > 0)) y = -et;
  }
  y = std::clamp(y, -hb, hb);
  x = std::clamp(dt + y * c, -ha, ha);
  y = std::clamp(x * c - et, -hb, hb);
  x = std::clamp(dt + y * c, -ha, ha);
  const Vector3d on_a = x * d, v = t + y * e - on_a;
  const double length = v.norm();
  if (length > 1e-12 * pair.size) return {length, v / length, on_a};
  Vector3d n = ss > 1e-14 && ha > 0 && hb > 0 ? d.cross(e) : (ha > 0 || !(hb > 0) ? Vector3d::UnitX() : e.unitOrthogonal());
  if (!(ha > 0) && !(hb > 0)) n = Vector3d::UnitZ();
  n.normalize();
  if (n.dot(t) < 0) n = -n;
  return {n.dot(v), n, on_a};
}

/// Signed distance of a point from a shape in the shape's frame: outward normal and foot.
struct PointGap {
  double gap;
  Vector3d normal, foot;
};

PointGap from_box(const Vector3d& h, const Vector3d& p) {
  const Vector3d foot = p.cwiseMax(-h).cwiseMin(h), d = p - foot;
  const double length = d.norm();
  if (length > 1e-12 * h.maxCoeff()) return {length, d / length, foot};
  int axis = 0;
  const double depth = (h - p.cwiseAbs()).minCoeff(&axis);
  const double side = p[axis] < 0 ? -1 : 1;
  Vector3d on = p;
  on[axis] = side * h[axis];
  return {-depth, side * Vector3d::Unit(axis), on};
}

/// In the half plane of (distance from the axis, z) the solid is a convex polygon; `side` is the unit outward direction
/// there.
PointGap from_axis(const Vector3d& p, double rho, double foot_rho, double foot_z, double gap, double side_rho,
                   double side_z) {
  const double x = rho > 0 ? p[0] / rho : 1, y = rho > 0 ? p[1] / rho : 0;
  return {gap, {x * side_rho, y * side_rho, side_z}, {x * foot_rho, y * foot_rho, foot_z}};
}

PointGap from_cylinder(const Vector3d& h, const Vector3d& p) {
  const double rho = std::hypot(p[0], p[1]), fr = std::min(rho, h[0]), fz = std::clamp(p[2], -h[2], h[2]);
  const double length = std::hypot(rho - fr, p[2] - fz);
  if (length > 1e-12 * h.maxCoeff()) return from_axis(p, rho, fr, fz, length, (rho - fr) / length, (p[2] - fz) / length);
  const double to_side = h[0] - rho, to_end = h[2] - std::abs(p[2]), up = p[2] < 0 ? -1 : 1;
  if (to_end <= to_side) return from_axis(p, rho, rho, up * h[2], -to_end, 0, up);
  return from_axis(p, rho, h[0], p[2], -to_side, 1, 0);
}

PointGap from_cone(const Vector3d& h, const Vector3d& p) {
  const double rho = std::hypot(p[0], p[1]), slant = std::hypot(2 * h[2], h[0]);
  const double sr = slant > 0 ? 2 * h[2] / slant : 1, sz = slant > 0 ? h[0] / slant : 0;  // outward of the side
  const double over_side = sr * (rho - h[0]) + sz * (p[2] + h[2]), under_base = -h[2] - p[2];
  if (over_side <= 0 && under_base <= 0) {
    if (under_base >= over_side) return from_axis(p, rho, rho, -h[2], under_base, 0, -1);
    return from_axis(p, rho, rho - over_side * sr, p[2] - over_side * sz, over_side, sr, sz);
  }
  // nearest of base and side in the half plane
  const double base_r = std::min(rho, h[0]);
  const double along = std::clamp((-sz * (rho - h[0]) + sr * (p[2] + h[2])), 0.0, slant);
  if (over_side > 0 && along > 0 && along < slant)
    return from_axis(p, rho, rho - over_side * sr, p[2] - over_side * sz, over_side, sr, sz);
  const double side_r = h[0] - along * sz, side_z = -h[2] + along * sr;
  const double to_base = std::hypot(rho - base_r, p[2] + h[2]), to_side = std::hypot(rho - side_r, p[2] - side_z);
  const bool base = under_base > 0 && to_base <= to_side;
  const double fr = base ? base_r : side_r, fz = base ? -h[2] : side_z, length = base ? to_base : to_side;
  if (length > 1e-12 * h.maxCoeff()) return from_axis(p, rho, fr, fz, length, (rho - fr) / length, (p[2] - fz) / length);
  return base ? from_axis(p, rho, fr, fz, length, 0, -1) : from_axis(p, rho, fr, fz, length, sr, sz);
}

/// Foot x_i = h_i^2 p_i / (h_i^2 + t), where t is the one root above -min h^2 of sum (h_i p_i / (h_i^2 + t))^2 = 1 (t < 0
/// inside). In units of the shortest half axis and from s = 1 + t >= 0 on, the sum falls and is convex: Newton from the left
/// never overshoots, and a bracket keeps it from creeping.
bool from_ellipsoid(const Vector3d& h, const Vector3d& p, PointGap& out) {
  const double unit = h.minCoeff(), longest = h.maxCoeff();
  if (!(unit > 1e-6 * longest)) return false;
  const Vector3d e = h / unit, z = p.cwiseAbs() / unit;
  const Vector3d ez = e.cwiseProduct(z), ee = e.cwiseAbs2();
  const auto excess = [&](double s, double& slope) {
    double sum = -1;
    slope = 0;
    for (int i = 0; i < 3; ++i) {
      const double below = ee[i] - 1 + s;
      if (ez[i] == 0) continue;
      if (!(below > 0)) return std::numeric_limits<double>::infinity();
      const double f = ez[i] / below;
      sum += f * f, slope -= 2 * f * f / below;
    }
    return sum;
  };
  double slope = 0, low = 0, high = 0;
  for (int i = 0; i < 3; ++i) low = std::max(low, ez[i] - (ee[i] - 1));
  high = std::max(ez.norm(), low);
  Vector3d foot;
  if (!(excess(0, slope) > 0)) {  // on the middle section: the foot leaves it towards the shortest axis
    double rest = 1;
    int shortest = 0;
    e.minCoeff(&shortest);
    for (int i = 0; i < 3; ++i) {
      foot[i] = ee[i] > 1 ? ee[i] * z[i] / (ee[i] - 1) : 0;
      rest -= foot[i] * foot[i] / ee[i];
    }
    foot[shortest] = std::sqrt(std::max(0.0, rest));
  } else {
    double s = low > 0 ? low : 0.5 * high;
    for (int k = 0; k < 80; ++k) {
      const double f = excess(s, slope);
      (f > 0 ? low : high) = s;
      double next = s - f / slope;
      if (!(next >= low && next <= high)) next = 0.5 * (low + high);
      const bool still = std::abs(next - s) <= 1e-16 * s;
      s = next;
      if (still) break;
    }
    for (int i = 0; i < 3; ++i) foot[i] = z[i] == 0 ? 0 : ee[i] * z[i] / (ee[i] - 1 + s);
  }
  for (int i = 0; i < 3; ++i) foot[i] *= unit * (p[i] < 0 ? -1 : 1);
  out.foot = foot;
  out.normal = foot.cwiseQuotient(h).cwiseQuotient(h);
  const double length = out.normal.norm();
  if (!(length > 0)) return false;
  out.normal /= length;
  out.gap = out.normal.dot(p - foot);
  return true;
}

bool point_gap(const Convex& c, const Vector3d& p, PointGap& out) {
  switch (c.core) {
    case Core::box: out = from_box(c.h, p); return true;
    case Core::cylinder: out = from_cylinder(c.h, p); return true;
    case Core::cone: out = from_cone(c.h, p); return true;
    case Core::ellipsoid: return from_ellipsoid(c.h, p, out);
    default: return false;
  }
}

}  // namespace

bool closed_form_gap(const ConvexPair& pair, CoreGap& out) {
  const bool line_a = pair.a.core == Core::point || pair.a.core == Core::segment;
  const bool line_b = pair.b.core == Core::point || pair.b.core == Core::segment;
  if (line_a && line_b) {
    out = segments(pair);
    return true;
  }
  PointGap at;
  if (pair.b.core == Core::point && point_gap(pair.a, pair.t, at)) {
    out = {at.gap, at.normal, at.foot};
    return true;
  }
  if (pair.a.core == Core::point && point_gap(pair.b, -(pair.R.transpose() * pair.t), at)) {
    out = {at.gap, -(pair.R * at.normal), Vector3d::Zero()};
    return true;
  }
  return false;
}

}  // namespace condyle
