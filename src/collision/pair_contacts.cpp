#include "collision/pair_contacts.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace condyle {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Impacts are found to a thousandth of the margin, or to a micrometre without one.
Nearness nearness(double margin) {
  const double tolerance = margin > 0 ? std::min(1e-3 * margin, 1e-6) : 1e-6;
  return {margin, tolerance, std::max(margin, 4 * tolerance)};
}

/// Which of two surfaces is asked: by what they are and where, so that the order of the shapes does not matter.
bool comes_first(const PairSide& a, const PairSide& b) {
  const auto key = [](const PairSide& side) {
    const Eigen::Vector3d& p = side.motion->pose.p;
    return std::tuple(!side.geometry->surface->endless(), side.geometry->surface->triangles(), side.geometry->radius, p[0],
                      p[1], p[2]);
  };
  return key(a) < key(b);
}

/// How far a point of one side can come nearer to the other within the step, at most.
double reach_of(const PairSide& a, const PairSide& b, double dt) {
  const auto turning = [](const PairSide& side) {
    const double w = side.motion->angular.norm();
    return w == 0 ? 0 : w * std::min(side.geometry->radius, 1e3);
  };
  return dt * ((b.motion->linear - a.motion->linear).norm() + turning(a) + turning(b));
}

/// Rate of a point's gap along the free motion.
double opening(const ContactPoint& point, const PairSide& a, const PairSide& b) {
  const auto velocity = [&](const PairSide& side) -> Eigen::Vector3d {
    return side.motion->linear + side.motion->angular.cross(point.point - side.motion->pose.p);
  };
  return point.normal.dot(velocity(b) - velocity(a));
}

double diameter(const ShapeGeometry& g) { return g.unbounded ? 1e300 : (g.box.high - g.box.low).norm(); }

}  // namespace

const std::vector<ContactPoint>& PairContacts::find(const PairSide& a, const PairSide& b, double dt, double margin) {
  points_.clear();
  near_ = nearness(margin);
  surfaces_.set(near_);
  const ShapeGeometry &ga = *a.geometry, &gb = *b.geometry;
  if (ga.unbounded && gb.unbounded) return points_;
  pieces(a, b, dt);
  const bool a_first = ga.surface && (!gb.surface || comes_first(a, b));
  if (ga.surface) surface_on(a, b, false, a_first, dt);
  if (gb.surface) surface_on(b, a, true, !a_first, dt);
  std::sort(points_.begin(), points_.end(), [](const ContactPoint& x, const ContactPoint& y) {
    return x.feature != y.feature ? x.feature < y.feature : x.gap < y.gap;
  });
  points_.erase(std::unique(points_.begin(), points_.end(),
                            [](const ContactPoint& x, const ContactPoint& y) { return x.feature == y.feature; }),
                points_.end());
  return points_;
}

void PairContacts::add(ContactPoint point, std::uint64_t name) {
  if (!point.point.allFinite() || !std::isfinite(point.gap) || !(std::abs(point.normal.squaredNorm() - 1) < 1e-6)) return;
  point.feature ^= name;
  points_.push_back(point);
}

void PairContacts::pieces(const PairSide& a, const PairSide& b, double dt) {
  const ShapeGeometry &ga = *a.geometry, &gb = *b.geometry;
  for (std::size_t i = 0; i < ga.pieces.size(); ++i)
    for (std::size_t j = 0; j < gb.pieces.size(); ++j) piece_on_piece(ga.pieces[i], gb.pieces[j], a, b, dt, i << 32 | j);
}

void PairContacts::piece_on_piece(const Piece& piece_a, const Piece& piece_b, const PairSide& a, const PairSide& b,
                                  double dt, std::uint64_t parts) {
  const std::uint64_t name = parts * 0x9E3779B97F4A7C15u;  // a shape of one piece keeps the features as they are
  // Of a pair that is near, or will be, every point counts that can arrive before the step ends, not only those that are
  // near now: the far corners of a box that lands with a small tilt come in the same step as the first one.
  const double reach = reach_of(a, b, dt);
  const auto arrives = [&](const ContactPoint& point) {
    return point.gap < near_.margin || point.gap + dt * opening(point, a, b) < near_.margin;
  };
  narrow_.collide(piece_a, a.motion->pose, piece_b, b.motion->pose, near_.margin + reach, manifold_);
  if (manifold_.size == 0) return;
  double nearest = manifold_.points[0].gap;
  for (int k = 1; k < manifold_.size; ++k) nearest = std::min(nearest, manifold_.points[at(k)].gap);
  if (nearest < near_.margin) {
    for (int k = 0; k < manifold_.size; ++k)
      if (arrives(manifold_.points[at(k)])) add(manifold_.points[at(k)], name);
    return;
  }
  const Impact impact = time_of_impact(narrow_, piece_a, *a.motion, piece_b, *b.motion, dt, near_.tolerance);
  if (!impact.meets) return;
  const Pose pose_a = moved(*a.motion, impact.time), pose_b = moved(*b.motion, impact.time);
  narrow_.collide(piece_a, pose_a, piece_b, pose_b, near_.impact_margin + reach * (1 - impact.time / dt), manifold_);
  if (manifold_.size == 0) {
    manifold_.size = 1;
    manifold_.points[0] = {0.5 * (impact.at.on_a + impact.at.on_b), impact.at.normal, impact.at.distance, 0};
  }
  for (int k = 0; k < manifold_.size; ++k) {
    const bool first = manifold_.points[at(k)].gap < near_.impact_margin;
    const ContactPoint point = carried_back(manifold_.points[at(k)], a, b, pose_a, pose_b, impact.time);
    if (first || arrives(point)) add(point, name);
  }
}

/// All that `surface` meets of the other shape; `swapped`: the other is shape A of the pair; `both`: its surface, too.
void PairContacts::surface_on(const PairSide& surface, const PairSide& other, bool swapped, bool both, double dt) {
  on_surface_.clear();
  const ShapeGeometry& g = *other.geometry;
  if (g.unbounded) {
    surfaces_.on_unbounded(surface, other, dt, on_surface_);
  } else {
    for (std::size_t k = 0; k < g.pieces.size(); ++k)
      surfaces_.on_piece(narrow_, surface, other, g.pieces[k], g.boxes[k], static_cast<int>(k), dt, on_surface_);
    if (g.surface && both) surfaces_.on_surface(narrow_, surface, other, dt, on_surface_);
  }
  reduction_.reduce(on_surface_, std::min(diameter(*surface.geometry), diameter(g)));
  for (SurfacePoint& point : on_surface_) {
    if (swapped) point.at.normal = -point.at.normal;
    add(point.at, 0);
  }
}

}  // namespace condyle
