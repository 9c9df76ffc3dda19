#pragma once
// All contact points of one pair of shapes: near ones at the start of a step, and those of impacts within it.
#include "collision/narrow_phase.hpp"
#include "collision/shape_geometry.hpp"
#include "collision/time_of_impact.hpp"

namespace condyle {

struct PairSide {
  const ShapeGeometry* geometry = nullptr;
  const ShapeMotion* motion = nullptr;
  bool fixed = false;
};

class PairContacts {
 public:
  /// `margin` >= 0, m: nearer points are found whatever the motion.
  explicit PairContacts(double margin);

  /// Sorted by feature, each feature once; valid until the next call. Two unbounded shapes have none.
  const std::vector<ContactPoint>& find(const PairSide& a, const PairSide& b, double dt);

 private:
  void piece_on_piece(const Piece& piece_a, const Piece& piece_b, const PairSide& a, const PairSide& b, double dt,
                      std::uint64_t parts);

  double margin_, tolerance_, impact_margin_;
  NarrowPhase narrow_;
  Manifold manifold_;
  std::vector<ContactPoint> points_;
};

/// The points of an impact at time t seen from the start of the step: the gap is what the velocities close until then.
ContactPoint carried_back(const ContactPoint& at_impact, const PairSide& a, const PairSide& b, const Pose& pose_a,
                          const Pose& pose_b, double t);

}  // namespace condyle
