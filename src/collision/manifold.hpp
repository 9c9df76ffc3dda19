#pragma once
// What the narrow phase says of two shapes: a few points that stand for where they touch or are about to.
#include <condyle/eigen_abi.hpp>

#include <array>
#include <cstdint>

namespace condyle {

struct ContactPoint {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< m, world, midway between the two surfaces
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< unit, world, from shape A to shape B
  double gap = 0;                                     ///< m along the normal, positive apart
  std::uint64_t feature = 0;                          ///< which features of the two shapes touch; stays while they do
};

/// At most `capacity` points of one pair of convex shapes, deepest point and largest area kept.
struct Manifold {
  static constexpr int capacity = 8;
  std::array<ContactPoint, capacity> points;
  int size = 0;
};

}  // namespace condyle
