#include "collision/pair_contacts.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace condyle {
namespace {

Eigen::Vector3d velocity(const ShapeMotion& motion, const Eigen::Vector3d& x) {
  return motion.linear + motion.angular.cross(x - motion.pose.p);
}

bool sound(const ContactPoint& p) {
  return p.point.allFinite() && std::isfinite(p.gap) && std::abs(p.normal.squaredNorm() - 1) < 1e-6;
}

}  // namespace

ContactPoint carried_back(const ContactPoint& at_impact, const PairSide& a, const PairSide& b, const Pose& pose_a,
                          const Pose& pose_b, double t) {
  ContactPoint out = at_impact;
  const Eigen::Vector3d with_a = a.motion->pose * (pose_a.inverse() * at_impact.point);
  const Eigen::Vector3d with_b = b.motion->pose * (pose_b.inverse() * at_impact.point);
  out.point = a.fixed ? with_b : b.fixed ? with_a : Eigen::Vector3d(0.5 * (with_a + with_b));
  out.gap -= t * out.normal.dot(velocity(*b.motion, out.point) - velocity(*a.motion, out.point));
  return out;
}

// Impacts are found to a thousandth of the margin, or to a micrometre without one.
PairContacts::PairContacts(double margin)
    : margin_(margin),
      tolerance_(margin > 0 ? std::min(1e-3 * margin, 1e-6) : 1e-6),
      impact_margin_(std::max(margin, 4 * tolerance_)) {}

const std::vector<ContactPoint>& PairContacts::find(const PairSide& a, const PairSide& b, double dt) {
  points_.clear();
  const ShapeGeometry &ga = *a.geometry, &gb = *b.geometry;
  if (ga.unbounded && gb.unbounded) return points_;
  std::uint64_t parts = 0;
  for (const Piece& piece_a : ga.pieces)
    for (const Piece& piece_b : gb.pieces) piece_on_piece(piece_a, piece_b, a, b, dt, parts++);
  std::sort(points_.begin(), points_.end(), [](const ContactPoint& x, const ContactPoint& y) {
    return x.feature != y.feature ? x.feature < y.feature : x.gap < y.gap;
  });
  points_.erase(std::unique(points_.begin(), points_.end(),
                            [](const ContactPoint& x, const ContactPoint& y) { return x.feature == y.feature; }),
                points_.end());
  return points_;
}

void PairContacts::piece_on_piece(const Piece& piece_a, const Piece& piece_b, const PairSide& a, const PairSide& b, double dt,
                                  std::uint64_t parts) {
  const std::uint64_t name = parts * 0x9E3779B97F4A7C15u;  // a shape of one piece keeps the features as they are
  narrow_.collide(piece_a, a.motion->pose, piece_b, b.motion->pose, margin_, manifold_);
  if (manifold_.size > 0) {
    for (int k = 0; k < manifold_.size; ++k)
      if (ContactPoint point = manifold_.points[static_cast<std::size_t>(k)]; sound(point)) {
        point.feature ^= name;
        points_.push_back(point);
      }
    return;
  }
  const Impact impact = time_of_impact(narrow_, piece_a, *a.motion, piece_b, *b.motion, dt, tolerance_);
  if (!impact.meets) return;
  const Pose pose_a = moved(*a.motion, impact.time), pose_b = moved(*b.motion, impact.time);
  narrow_.collide(piece_a, pose_a, piece_b, pose_b, impact_margin_, manifold_);
  if (manifold_.size == 0) {
    manifold_.size = 1;
    manifold_.points[0] = {0.5 * (impact.at.on_a + impact.at.on_b), impact.at.normal, impact.at.distance, 0};
  }
  for (int k = 0; k < manifold_.size; ++k)
    if (ContactPoint point = manifold_.points[static_cast<std::size_t>(k)]; sound(point)) {
      point = carried_back(point, a, b, pose_a, pose_b, impact.time);
      point.feature ^= name;
      points_.push_back(point);
    }
}

}  // namespace condyle
