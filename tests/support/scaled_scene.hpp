#pragma once
// The same scene with every length and every mass multiplied. Gravity stays. What a servo or a joint's friction can do
// follows the weights it works against (mass times length), its damping the time in which things fall (root of the length).
#include <condyle/condyle.hpp>

#include <cmath>
#include <memory>

#include "scene/scene_data.hpp"

namespace condyle::test {

struct Scale {
  double length = 1, mass = 1;
  double torque() const { return mass * length; }
  double rotational_damping() const { return torque() * std::sqrt(length); }
};

inline Pose scaled(Pose pose, double length) {
  pose.p *= length;
  return pose;
}

inline Inertial scaled(Inertial inertial, const Scale& s) {
  inertial.mass *= s.mass;
  inertial.com *= s.length;
  inertial.inertia *= s.mass * s.length * s.length;
  return inertial;
}

inline Shape scaled(Shape shape, double length) {
  shape.size *= length;
  shape.pose = scaled(shape.pose, length);
  return shape;
}

/// Robots whose joints all turn.
inline std::shared_ptr<ModelDescription> scaled(const ModelDescription& model, const Scale& s) {
  auto out = std::make_shared<ModelDescription>(model);
  for (LinkSpec& link : out->links) link.inertial = scaled(link.inertial, s);
  for (JointSpec& joint : out->joints) {
    joint.origin = scaled(joint.origin, s.length);
    joint.friction *= s.torque();
    joint.damping *= s.rotational_damping();
    joint.armature *= s.mass * s.length * s.length;
  }
  for (ShapeSpec& shape : out->shapes) shape.shape = scaled(shape.shape, s.length);
  for (ClosureSpec& closure : out->closures) {
    closure.frame_a = scaled(closure.frame_a, s.length);
    closure.frame_b = scaled(closure.frame_b, s.length);
  }
  return out;
}

/// Of robots, free and static bodies, loops and servos. Robots start in the reference pose that `joints` changes.
inline Scene scaled(const Scene& scene, const Scale& s) {
  const SceneData& data = scene.data();
  SceneBuilder build;
  build.set_name(data.name).set_gravity(data.gravity).set_defaults(data.defaults);
  for (const auto& [name, material] : data.materials)
    if (!name.empty()) build.add_material(name, material);
  for (const StaticBody& body : data.static_bodies) {
    BodySpec spec;
    spec.name = body.name;
    spec.is_static = true;
    spec.pose = scaled(body.pose, s.length);
    for (const SceneShape& shape : data.shapes)
      if (data.body_name(shape.body) == body.name) {
        spec.shapes.push_back(scaled(shape.shape, s.length));
        spec.material = shape.material;
      }
    build.add_body(spec);
  }
  for (const Tree& tree : data.trees) {
    ModelOptions options;
    options.name = tree.name;
    options.base = tree.model->free_base ? Base::free : Base::fixed;
    options.pose =
        scaled(tree.model->free_base ? Pose::from_xyz_quaternion(tree.q_initial.head<3>(), tree.q_initial.segment<4>(3))
                                     : tree.base,
               s.length);
    for (const TreeJoint& joint : tree.model->joints) {
      const double c = tree.q_initial[joint.q];
      options.joints[joint.name] = joint.nq == 2 ? std::atan2(tree.q_initial[joint.q + 1], c) : c;
      options.joint_velocities[joint.name] = tree.v_initial[joint.v];
    }
    options.material = tree.material;
    build.add_model(scaled(*tree.description, s), options);
  }
  for (const FreeBody& body : data.free_bodies) {
    BodySpec spec;
    spec.name = body.name;
    spec.inertial = scaled(body.inertial, s);
    spec.pose = scaled(body.pose, s.length);
    for (const SceneShape& shape : data.shapes)
      if (data.body_name(shape.body) == body.name) {
        spec.shapes.push_back(scaled(shape.shape, s.length));
        spec.material = shape.material;
      }
    build.add_body(spec);
  }
  for (const SceneClosure& closure : data.closures) {
    LoopSpec loop;
    loop.name = closure.name;
    loop.kind = closure.kind;
    loop.body_a = data.body_name(closure.a);
    loop.body_b = data.body_name(closure.b);
    loop.frame_a = scaled(closure.frame_a, s.length);
    loop.frame_b = scaled(closure.frame_b, s.length);
    if (closure.kind == ClosureKind::distance) loop.length = s.length * closure.length;
    build.add_loop(loop);
  }
  for (const SceneActuator& actuator : data.actuators) {
    ActuatorSpec spec = actuator.spec;
    spec.joint = actuator.joint;
    spec.kp *= s.torque();
    spec.kd *= s.rotational_damping();
    spec.effort *= s.torque();
    build.add_actuator(spec);
  }
  for (const auto& [a, b] : data.excluded_pairs) build.exclude_pair(a, b);
  return build.finish();
}

}  // namespace condyle::test
