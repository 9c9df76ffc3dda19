#pragma once
#include <condyle/pose.hpp>

#include <memory>
#include <string>
#include <vector>

namespace condyle {

enum class ShapeKind { sphere, box, capsule, cylinder, cone, ellipsoid, halfspace, plane, mesh, heightfield };
const char* to_string(ShapeKind kind);

/// How a collision mesh is simulated.
enum class MeshPolicy { hull, convex_parts, bvh };
const char* to_string(MeshPolicy policy);

/// Triangles of one mesh file, the file's own units and up-axis applied, `scale` of the model not applied.
struct Mesh {
  std::string path;
  std::vector<Eigen::Vector3d> vertices;  ///< m
  std::vector<Eigen::Vector3i> triangles;
};

/// Heights on a regular grid centred on the shape's origin.
struct HeightField {
  Eigen::MatrixXd heights;  ///< m; row i at y = y_min + i*dy, column j at x = x_min + j*dx
  Eigen::Vector2d extent;   ///< m, full length in x and y
};

/// Geometry in the frame of its body. Axes: capsule, cylinder, cone along z; half-space and plane have normal z.
struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  /// m. sphere: (radius,-,-); box: full lengths; capsule (length without caps), cylinder, cone: (radius, length,-);
  /// ellipsoid: half axes; mesh: scale per axis; others unused.
  Eigen::Vector3d size = Eigen::Vector3d::Ones();
  Pose pose;
  std::string mesh_uri;              ///< as written in the model
  std::string mesh_path;             ///< where it was found; empty: nowhere, or it was made in memory
  std::shared_ptr<const Mesh> mesh;  ///< null for visual meshes and for skipped ones
  MeshPolicy policy = MeshPolicy::hull;
  std::shared_ptr<const HeightField> field;
};

}  // namespace condyle
