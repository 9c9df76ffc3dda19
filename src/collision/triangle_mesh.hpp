#pragma once
#include "collision/surface.hpp"

namespace condyle {

/// A mesh as its triangles, in a tree of boxes. Vertices at the same place are one; triangles without an area are left out.
/// Closed and of one winding: the surface of something solid. Edges of more than two triangles are allowed.
class TriangleMesh final : public Surface {
 public:
  /// `mirrored`: a scale has turned the triangles inside out. Indices must be in range, points finite.
  TriangleMesh(const std::vector<Eigen::Vector3d>& points, const std::vector<Eigen::Vector3i>& triangles, bool mirrored);

  int triangles() const override { return static_cast<int>(corners_.size()); }
  int vertices() const override { return static_cast<int>(points_.size()); }
  std::array<int, 3> corners(int t) const override { return corners_[static_cast<std::size_t>(t)]; }
  Eigen::Vector3d vertex(int v) const override { return points_[static_cast<std::size_t>(v)]; }
  Eigen::Vector3d normal(int t) const override { return normals_[static_cast<std::size_t>(t)]; }
  int region(int t) const override { return regions_[static_cast<std::size_t>(t)]; }
  void around(int v, std::vector<int>& out) const override;
  void query(const Aabb& box, std::vector<int>& out) const override;
  void query_below(const Eigen::Vector3d& normal, double offset, std::vector<int>& out) const override;

 private:
  struct Node {
    Aabb box;
    int begin = 0, end = 0;  // entries of order_
    int right = 0;           // 0: a leaf; the left child follows its parent
  };
  void weld(const std::vector<Eigen::Vector3d>& points, const std::vector<Eigen::Vector3i>& triangles, bool mirrored);
  void join();
  int build_node(int begin, int end);
  template <class Keep>
  void traverse(const Keep& keep, std::vector<int>& out) const;

  std::vector<Eigen::Vector3d> points_, normals_;
  std::vector<std::array<int, 3>> corners_;
  std::vector<int> regions_;
  std::vector<int> around_begin_, around_;  // triangles by vertex
  std::vector<Node> nodes_;
  std::vector<int> order_;
  std::vector<Aabb> boxes_;  // of triangles, by number
};

/// Numbers each triangle by the smallest one of its flat piece, given pairs of neighbours that lie in one plane.
void number_regions(const std::vector<std::pair<int, int>>& flat, int triangles, std::vector<int>& regions);

}  // namespace condyle
