#pragma once
#include "collision/convex_pair.hpp"

namespace condyle {

/// Points of the difference A - B that span the part nearest to the origin, with the points of A that they come from.
struct Simplex {
  Eigen::Vector3d w[4], a[4];
  double weight[4];
  int count = 0;
};

struct GjkResult {
  enum class Status {
    beyond,
    apart,
    touching
  };  // beyond: farther than asked for; touching: apart by nothing, or overlapping
  Status status = Status::touching;
  double lower = 0, upper = 0;                        // m, bounds of the distance
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // from A to B, attains `lower`
  Eigen::Vector3d on_a = Eigen::Vector3d::Zero();
};

/// Distance of two cores by Gilbert, Johnson and Keerthi. Ends when the bounds agree to `relative` of the distance and
/// round-off of the size, or when `lower` exceeds `enough`.
GjkResult gjk(const ConvexPair& pair, double enough, double relative, Simplex& simplex);

}  // namespace condyle
