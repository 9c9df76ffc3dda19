#pragma once
// Scenes of boxes that tumble onto each other: many contacts that come and go.
#include <condyle/condyle.hpp>

#include <Eigen/Geometry>

#include <string>
#include <vector>

namespace condyle::test {

inline BodySpec tumbling_box(const std::string& name, int i, const Eigen::Vector3d& foot) {
  BodySpec body;
  body.name = name;
  Shape shape;
  shape.kind = ShapeKind::box;
  shape.size = Eigen::Vector3d::Constant(0.1);
  body.shapes = {shape};
  body.inertial.mass = 0.5 + 0.3 * i;
  body.pose.p = foot + Eigen::Vector3d(0.03 * i, 0.02 * (i % 2), 0.06 + 0.12 * i);
  body.pose.R = Eigen::AngleAxisd(0.2 * i, Eigen::Vector3d(1, 0.3 * i, 0.5).normalized()).toRotationMatrix();
  return body;
}

/// `count` heaps of `boxes` boxes, each an island of its own, no two alike.
inline Scene heaps(int count, int boxes) {
  SceneBuilder build;
  build.add_ground({.friction = 0.6});
  for (int h = 0; h < count; ++h)
    for (int i = 0; i < boxes - h % 2; ++i)
      build.add_body(tumbling_box("box_" + std::to_string(h) + "_" + std::to_string(i), i + h % 3,
                                  {2.0 * (h % 3) + 0.001 * h, 2.0 * (h / 3), 0}));
  return build.finish();
}

}  // namespace condyle::test
