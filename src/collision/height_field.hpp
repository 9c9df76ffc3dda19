#pragma once
#include "collision/surface.hpp"

namespace condyle {

/// Heights on a grid, two triangles a cell, solid below without end. Triangles and neighbours follow from the indices.
class HeightSurface final : public Surface {
 public:
  explicit HeightSurface(const HeightField& field);

  int triangles() const override { return 2 * (rows_ - 1) * (columns_ - 1); }
  int vertices() const override { return rows_ * columns_; }
  std::array<int, 3> corners(int t) const override;
  Eigen::Vector3d vertex(int v) const override;
  Eigen::Vector3d normal(int t) const override;
  int region(int t) const override { return regions_[static_cast<std::size_t>(t)]; }
  void around(int v, std::vector<int>& out) const override;
  /// Also what lies above the box: nothing is free below the surface.
  void query(const Aabb& box, std::vector<int>& out) const override;
  void query_below(const Eigen::Vector3d& normal, double offset, std::vector<int>& out) const override;
  bool holds(const Eigen::Vector3d& x) const override;

 private:
  int triangle(int row, int column, int half) const { return 2 * (row * (columns_ - 1) + column) + half; }

  Eigen::MatrixXd heights_;
  int rows_ = 0, columns_ = 0;
  double x0_ = 0, y0_ = 0, dx_ = 1, dy_ = 1;
  std::vector<int> regions_;
};

}  // namespace condyle
