#pragma once
// Scenes of loose bodies with one shape each, and what a contact finder is asked of them.
#include "collision/contact_finder.hpp"
#include "collision/tree_joints.hpp"
#include "test_shapes.hpp"

#include <condyle/condyle.hpp>

namespace condyle::test {

inline BodySpec loose(const std::string& name, const Shape& shape, const Pose& pose = {}) {
  BodySpec out;
  out.name = name;
  out.shapes = {shape};
  out.pose = pose;
  out.inertial.mass = 1;
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

}  // namespace condyle::test
