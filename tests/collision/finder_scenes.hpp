#pragma once
// Scenes of loose bodies with one shape each, and what a contact finder is asked of them.
#include "collision/contact_finder.hpp"
#include "collision/tree_joints.hpp"
#include "test_shapes.hpp"

#include <condyle/condyle.hpp>

#include <Eigen/Geometry>

namespace condyle::test {

inline BodySpec loose(const std::string& name, const Shape& shape, const Pose& pose = {}) {
  BodySpec out;
  out.name = name;
  out.shapes = {shape};
  out.pose = pose;
  out.inertial = {1, Eigen::Vector3d::Zero(), 0.1 * Eigen::Matrix3d::Identity()};
  return out;
}

inline BodySpec standing(const std::string& name, const Shape& shape, const Pose& pose = {}) {
  BodySpec out = loose(name, shape, pose);
  out.is_static = true;
  return out;
}

inline Scene scene_of(const std::vector<BodySpec>& bodies) {
  SceneBuilder build;
  for (const BodySpec& body : bodies) build.add_body(body);
  return build.finish();
}

/// All shapes at their places at the start, at rest.
inline std::vector<ShapeMotion> at_rest(const Scene& scene) {
  std::vector<ShapeMotion> out;
  for (const Pose& pose : initial_shape_poses(scene.data())) out.push_back({pose, {0, 0, 0}, {0, 0, 0}});
  return out;
}

inline int shape_named(const Scene& scene, const std::string& body) {
  for (std::size_t i = 0; i < scene.data().shapes.size(); ++i)
    if (scene.data().body_name(scene.data().shapes[i].body) == body) return static_cast<int>(i);
  return -1;
}

inline ShapeMotion& motion_of(std::vector<ShapeMotion>& motions, const Scene& scene, const std::string& body) {
  return motions[static_cast<std::size_t>(shape_named(scene, body))];
}

/// A square of 2 m in n x n cells of two triangles, at z = 0, with normals up; a thin sheet with two sides.
inline Mesh flat_floor(int n) {
  Mesh mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) mesh.vertices.emplace_back(-1 + 2.0 * j / n, -1 + 2.0 * i / n, 0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int v = i * (n + 1) + j;
      mesh.triangles.emplace_back(v, v + 1, v + n + 2);
      mesh.triangles.emplace_back(v, v + n + 2, v + n + 1);
    }
  return mesh;
}

/// A closed box whose six faces are n x n cells each.
inline Mesh fine_box(const Eigen::Vector3d& size, int n) {
  Mesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto point = [&](int i, int j) {
        Eigen::Vector3d x;
        x[axis] = 0.5 * side * size[axis];
        x[u] = (-0.5 + static_cast<double>(i) / n) * size[u];
        x[v] = (-0.5 + static_cast<double>(j) / n) * size[v];
        return x;
      };
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          for (const auto& c : {std::array{0, 0, 1, 0, 1, 1}, std::array{0, 0, 1, 1, 0, 1}}) {
            const int k = static_cast<int>(mesh.vertices.size());
            for (int p = 0; p < 3; ++p)
              mesh.vertices.push_back(
                  point(i + c[static_cast<std::size_t>(2 * p)], j + c[static_cast<std::size_t>(2 * p + 1)]));
            mesh.triangles.emplace_back(k, side > 0 ? k + 1 : k + 2, side > 0 ? k + 2 : k + 1);
          }
    }
  return mesh;
}

inline Eigen::Matrix3d turn(const Eigen::Vector3d& by) {
  const double angle = by.norm();
  if (angle == 0) return Eigen::Matrix3d::Identity();
  return Eigen::AngleAxisd(angle, Eigen::Vector3d(by / angle)).toRotationMatrix();
}

}  // namespace condyle::test
