#pragma once
#include "collision/gjk.hpp"

#include <vector>

namespace condyle {

/// Work memory of the expanding polytope; its capacity stays.
struct PolytopeWork {
  struct Facet {
    int v[3];
    Eigen::Vector3d n;
    double d;  // m, of its plane from the origin; infinite: without area
  };
  std::vector<Eigen::Vector3d> w, a;
  std::vector<Facet> facets;
  std::vector<std::pair<int, int>> rim;
  PolytopeWork();
};

/// Shortest way out of an overlap (or across a gap of no more than round-off) by an expanding polytope, to `tolerance`. `start`
/// is a simplex of A - B that helps if it has a volume.
CoreGap penetration(const ConvexPair& pair, const Simplex& start, double tolerance, PolytopeWork& work);

}  // namespace condyle
