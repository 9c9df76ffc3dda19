#pragma once
// Two pieces at their poses: how far apart, and the points that stand for where they touch. Pure functions of their
// arguments, so that a restored state goes on bit for bit; work memory lives in the object, one for each thread.
#include "collision/manifold.hpp"
#include "collision/piece.hpp"

#include <memory>

namespace condyle {

/// The nearest points, or, where the pieces overlap, the shortest way out.
struct Separation {
  double distance = 0;  ///< m, negative: minus the depth, never beyond the smaller piece's size
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit, from A to B
  Eigen::Vector3d on_a = Eigen::Vector3d::Zero(),
                  on_b = Eigen::Vector3d::Zero();  ///< m, world; on_b - on_a = distance normal
};

class NarrowPhase {
 public:
  NarrowPhase();
  ~NarrowPhase();
  NarrowPhase(NarrowPhase&&) noexcept;
  NarrowPhase& operator=(NarrowPhase&&) noexcept;

  /// Swapping the two gives the mirrored answer. Two unbounded pieces must not be asked for.
  Separation separation(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b);

  /// The points whose gap is below `margin`: for a face on a face at least three that are not on one line, at most
  /// Manifold::capacity, the deepest one and the largest area kept; each with a gap of its own. One common normal. Empty if
  /// the pieces are further apart. Swapping the two gives the mirrored answer, features included (as a set).
  void collide(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b, double margin, Manifold& out);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace condyle
