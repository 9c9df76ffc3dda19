#pragma once
#include "collision/gjk.hpp"

#include <vector>

namespace condyle {

/// Work memory of the expanding polytope; its capacity stays.
struct PolytopeWork {
  struct Facet {
    int v[3];
    int across[3];  // facet on the other side of the edge from v[k] to v[k + 1]
    Eigen::Vector3d n;
    double d;    // m, of its plane from the origin
    bool alive;  // part of the polytope
    int seen;    // number of the last search that came by
  };
  struct RimEdge {
    int from, to, outer, outer_edge;
  };
  std::vector<Eigen::Vector3d> w, a;
  std::vector<Facet> facets;
  std::vector<double> key;  // m, d of the facets that may still be pushed out, infinite for the others
  std::vector<int> free, visible, next;
  std::vector<RimEdge> rim;
  PolytopeWork();
};

/// Shortest way out of an overlap (or across a gap of no more than round-off) by an expanding polytope, to `tolerance`.
/// `start` is a simplex of A - B that helps if it has a volume. `converged`: no other direction is better by more than the
/// tolerance.
CoreGap penetration(const ConvexPair& pair, const Simplex& start, double tolerance, PolytopeWork& work, bool& converged);

}  // namespace condyle
