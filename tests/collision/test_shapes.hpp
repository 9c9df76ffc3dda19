#pragma once
#include <condyle/shape.hpp>

namespace condyle {

inline Shape make(ShapeKind kind, double x = 1, double y = 1, double z = 1) {
  Shape shape;
  shape.kind = kind;
  shape.size = {x, y, z};
  return shape;
}

inline Pose at(double x, double y, double z) {
  Pose pose;
  pose.p = {x, y, z};
  return pose;
}

/// Twelve triangles around a box with one corner at `low` and full lengths `size`; every triangle has its own vertices,
/// as in an STL file.
inline void add_box(Mesh& mesh, const Eigen::Vector3d& low, const Eigen::Vector3d& size) {
  const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  const auto corner = [&](int i) {
    return Eigen::Vector3d(low + Eigen::Vector3d((i & 1) * size[0], ((i >> 1) & 1) * size[1], ((i >> 2) & 1) * size[2]));
  };
  for (const auto& f : faces)
    for (const auto& t : {Eigen::Vector3i(f[0], f[1], f[2]), Eigen::Vector3i(f[0], f[2], f[3])}) {
      const int n = static_cast<int>(mesh.vertices.size());
      for (int k = 0; k < 3; ++k) mesh.vertices.push_back(corner(t[k]));
      mesh.triangles.emplace_back(n, n + 1, n + 2);
    }
}

inline Shape mesh_shape(Mesh mesh, MeshPolicy policy = MeshPolicy::hull,
                        const Eigen::Vector3d& scale = Eigen::Vector3d::Ones()) {
  Shape shape;
  shape.kind = ShapeKind::mesh;
  shape.size = scale;
  shape.policy = policy;
  shape.mesh = std::make_shared<const Mesh>(std::move(mesh));
  return shape;
}

inline Shape cube_mesh(MeshPolicy policy = MeshPolicy::hull, const Eigen::Vector3d& scale = Eigen::Vector3d::Ones()) {
  Mesh mesh;
  add_box(mesh, {-0.5, -0.5, -0.5}, {1, 1, 1});
  return mesh_shape(std::move(mesh), policy, scale);
}

}  // namespace condyle
