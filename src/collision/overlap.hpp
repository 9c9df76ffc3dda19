#pragma once
#include "collision/coal_shapes.hpp"

namespace condyle {

struct Overlap {
  double depth = 0;         ///< m, of the deepest contact; 0: apart or touching. Triangles of a mesh have no inside.
  std::string unsupported;  ///< why Coal cannot say (the depth is then 0); empty: it can
};

/// How deep two shapes are in each other, at world poses of their frames. Unbounded shapes must not meet each other.
Overlap overlap(const CoalShape& a, const Pose& pose_a, const CoalShape& b, const Pose& pose_b);

}  // namespace condyle
