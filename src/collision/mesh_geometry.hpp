#pragma once
#include "collision/coal_shapes.hpp"

namespace condyle {

/// Dimension of what the points span: -1 no point, 0 a point, 1 a line, 2 flat, 3 solid. Anything thinner than 1e-6 of
/// the longest extent counts as flat: STL files are single precision.
int span_dimension(const std::vector<Eigen::Vector3d>& points);

/// Indices of triangles by connected part, in the order of each part's first triangle. Vertices at the same place are
/// one vertex, because STL files repeat them for each triangle.
std::vector<std::vector<int>> connected_parts(const Mesh& mesh);

/// Coal geometry of a mesh. `hull`: convex hull of all points. `convex_parts`: one hull for each connected part. `bvh`:
/// the triangles. What is flat has no hull that Coal can build and stays as triangles.
CoalShape mesh_geometry(const Mesh& mesh, const Eigen::Vector3d& scale, MeshPolicy policy, const Place& place);

}  // namespace condyle
