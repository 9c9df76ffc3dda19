#pragma once
#include "collision/piece.hpp"

#include <limits>

namespace condyle {

/// A box with sides along the axes; made empty.
struct Aabb {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector3d high = Eigen::Vector3d::Constant(-std::numeric_limits<double>::infinity());

  /// False for empty boxes and for ones that are not numbers. Without branches: among many boxes none can be foreseen.
  bool overlaps(const Aabb& b) const {
    const int x = (low[0] <= b.high[0]) & (b.low[0] <= high[0]);
    const int y = (low[1] <= b.high[1]) & (b.low[1] <= high[1]);
    const int z = (low[2] <= b.high[2]) & (b.low[2] <= high[2]);
    return (x & y & z) != 0;
  }
  void add(const Eigen::Vector3d& x) { low = low.cwiseMin(x), high = high.cwiseMax(x); }
  void add(const Aabb& b) { low = low.cwiseMin(b.low), high = high.cwiseMax(b.high); }
  void inflate(double by) { low.array() -= by, high.array() += by; }
  bool empty() const { return !(low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2]); }
  bool finite() const { return low.allFinite() && high.allFinite(); }
  Eigen::Vector3d centre() const { return 0.5 * (low + high); }
  Eigen::Vector3d half() const { return 0.5 * (high - low); }
};

/// Holds the box `local` of a frame at `pose`.
inline Aabb turned(const Aabb& local, const Pose& pose) {
  const Eigen::Vector3d c = pose * local.centre(), h = pose.R.cwiseAbs() * local.half();
  return {c - h, c + h};
}

/// Of a bounded piece in its own frame.
inline Aabb local_box(const Piece& piece) {
  Eigen::Vector3d h = Eigen::Vector3d::Zero();
  const Eigen::Vector3d& s = piece.size;
  switch (piece.kind) {
    case ShapeKind::sphere: h.setConstant(s[0]); break;
    case ShapeKind::box: h = 0.5 * s; break;
    case ShapeKind::ellipsoid: h = s; break;
    case ShapeKind::capsule: h = {s[0], s[0], 0.5 * s[1] + s[0]}; break;
    case ShapeKind::cylinder:
    case ShapeKind::cone: h = {s[0], s[0], 0.5 * s[1]}; break;
    case ShapeKind::mesh: {
      Aabb out;
      for (const Eigen::Vector3d& x : piece.hull->vertices) out.add(x);
      return out;
    }
    case ShapeKind::halfspace:
    case ShapeKind::plane:
    case ShapeKind::heightfield: h.setConstant(std::numeric_limits<double>::infinity());
  }
  return {-h, h};
}

}  // namespace condyle
