#pragma once
// From the many points that triangles give to the few that carry the same load.
#include "collision/manifold.hpp"

#include <vector>

namespace condyle {

/// A point on a triangle, and how much it is to be trusted where several stand for the same.
struct SurfacePoint {
  enum class Rank { face, edge, behind };  ///< edge: of an edge or vertex; behind: pushed out through a solid
  ContactPoint at;
  Rank rank = Rank::face;
  bool cut = false;  ///< neither a corner of the one nor of the other, but where two edges cross
};

class PointReduction {
 public:
  static constexpr int capacity = 16;  ///< points of one surface and one shape that are kept

  /// Leaves of `points` each feature once, of points with one normal the corners of what they span and the deepest one, at
  /// most `capacity` in all. Points behind a solid's surface count only where there are no others. `scale`: m, lengths
  /// below 1e-6 of it are nothing. The result depends on the set alone, not on its order.
  void reduce(std::vector<SurfacePoint>& points, double scale);

 private:
  void span_of_group(std::vector<SurfacePoint>& points, double scale);
  void limit(std::vector<SurfacePoint>& points, double scale);

  struct Flat {
    double x = 0, y = 0;
    int index = 0;
  };
  std::vector<SurfacePoint> rest_, group_, kept_;
  std::vector<Flat> flat_, hull_;
  std::vector<char> chosen_;
  std::vector<double> distance_;
};

}  // namespace condyle
