#pragma once
// When two moving pieces meet: conservative advancement, so that nothing tunnels and nothing is hit that is missed.
#include "collision/contact_finder.hpp"
#include "collision/narrow_phase.hpp"

namespace condyle {

/// Where a shape is after a time t of its free motion: straight, turning at a constant rate.
Pose moved(const ShapeMotion& motion, double t);

struct Impact {
  bool meets = false;
  double time = 0;  ///< s, within [0, dt]; the pieces are then `tolerance` apart or nearer
  Separation at;    ///< at that time
};

/// The first time within dt at which the distance of two pieces is at most `tolerance` > 0. Pieces that are so near at the
/// start meet at time 0.
Impact time_of_impact(NarrowPhase& narrow, const Piece& a, const ShapeMotion& motion_a, const Piece& b,
                      const ShapeMotion& motion_b, double dt, double tolerance);

}  // namespace condyle
