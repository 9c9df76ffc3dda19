#pragma once
// The tables behind a Scene. Filled by SceneBuilder, const afterwards; every room below reads them.
#include <condyle/scene.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace condyle {

/// A link after welding: rides on Pinocchio joint `joint` (0: the world) at `placement`.
struct TreeLink {
  std::string name;
  int joint = 0;
  Pose placement;
  Inertial inertial;  ///< of this link alone, in its own frame
};

/// A joint that moves, in the order of q.
struct TreeJoint {
  std::string name;
  JointKind kind = JointKind::revolute;
  int joint = 0;     ///< Pinocchio joint
  int q = 0, v = 0;  ///< first index within the tree
  int nq = 1, nv = 1;
  double lower = -unlimited, upper = unlimited, effort = unlimited, velocity = unlimited;
  Place place;
};

/// One kinematic tree and its Pinocchio model: what instances share.
struct TreeModel {
  std::shared_ptr<const PinocchioModel> model;  ///< gravity of the scene, armature zero (it is in `armature`)
  bool free_base = false;                       ///< Pinocchio joint 1 is a free-flyer on the world
  int nq = 0, nv = 0;
  std::vector<TreeLink> links;
  std::vector<TreeJoint> joints;  ///< without the free base
  Eigen::VectorXd q_reference;    ///< nq, all joints at their start position
  double mass = 0;                ///< kg, moving mass only
  int moving_bodies = 0;          ///< after welding fixed joints
  std::uint64_t identity = 0;     ///< hash of everything above
};

/// One robot in the scene.
struct Tree {
  std::string name;
  std::shared_ptr<const TreeModel> model;
  std::shared_ptr<const ModelDescription> description;  ///< null for models handed over in memory
  Pose base;
  int q = 0, v = 0;                                        ///< first index in the state
  Eigen::VectorXd armature, damping, stiffness, friction;  ///< nv
  Eigen::VectorXd spring_reference;                        ///< nq: where all springs are slack
  Eigen::VectorXd q_initial, v_initial;
  std::string material;
};

struct FreeBody {
  std::string name;
  Inertial inertial;
  Pose pose;                             ///< at the start
  Eigen::Matrix<double, 6, 1> velocity;  ///< at the start, body axes, linear first
  int q = 0, v = 0;
};

struct StaticBody {
  std::string name;
  Pose pose;
};

/// Something that shapes and closures are attached to.
struct BodyRef {
  enum class Kind { world, link, free_body, static_body };
  Kind kind = Kind::world;
  int index = -1;  ///< tree, free body or static body
  int link = -1;   ///< within the tree
  bool operator==(const BodyRef&) const = default;
};

struct SceneShape {
  BodyRef body;
  ShapeRole role = ShapeRole::collision;
  std::string name;      ///< "model/link:k" or "body:k", unique
  std::string material;  ///< empty: default
  Eigen::Vector4d rgba = Eigen::Vector4d(0.7, 0.7, 0.7, 1);
  Shape shape;  ///< pose in the frame of the link or body
  Place place;
};

struct SceneClosure {
  std::string name;
  ClosureKind kind = ClosureKind::weld;
  BodyRef a, b;
  Pose frame_a, frame_b;
  bool active = true;
  Place place;
  double length = 0;  ///< m, of kind distance
};

/// Force on b along the line from b's point to a's: stiffness (distance - length) + damping (its rate); the opposite on a.
struct SceneSpring {
  std::string name;
  BodyRef a, b;
  Eigen::Vector3d point_a, point_b;               ///< m, in the frames of the link or body
  double stiffness = 0, damping = 0, length = 0;  ///< N/m, N s/m, m
  Place place;
};

/// Through the centre of mass of the link or body; while t < until.
struct SceneForce {
  BodyRef body;
  Eigen::Vector3d force, torque;  ///< N, N m
  bool turns_with_body = false;   ///< axes of the link or body; else of the world
  double until = unlimited;       ///< s
  Schedule factor;                ///< empty: 1
  Place place;

  /// Of the step of length dt that begins at t.
  double factor_in(double t, double dt) const { return !(t < until) ? 0 : factor.empty() ? 1 : factor.value(t + 0.5 * dt); }
};

/// A joint that a motor drives.
struct SceneMotor {
  std::string joint;
  int v = -1;
};

/// q(joint) = Σ polynomial[k] q(of)^k, one-dof joints, by index in the state.
struct SceneCoupling {
  std::string name;
  int q = -1, v = -1, of_q = -1, of_v = -1;
  bool turns = false, of_turns = false;  ///< a continuous joint: q has its cosine and sine
  std::vector<double> polynomial;
  Place place;
};

struct SceneActuator {
  std::string joint;
  ActuatorSpec spec;
  int q = -1, v = -1;
};

struct SceneData {
  std::string name = "scene";
  Eigen::Vector3d gravity = Eigen::Vector3d(0, 0, -9.81);  ///< m/s²
  RunDefaults defaults;
  std::map<std::string, Material> materials;  ///< "" is the default material
  std::map<std::pair<std::string, std::string>, Material> pair_materials;
  PairRules pair_rules;

  std::vector<Tree> trees;
  std::vector<FreeBody> free_bodies;
  std::vector<StaticBody> static_bodies;
  std::vector<SceneShape> shapes;
  std::vector<SceneClosure> closures;
  std::vector<SceneCoupling> couplings;
  std::vector<SceneActuator> actuators;
  std::vector<SceneMotor> motors;  ///< named by a robot file, a sidecar or the scene; none: nothing was said of any joint
  std::vector<SceneSpring> springs;
  std::vector<SceneForce> forces;
  std::vector<std::pair<std::string, std::string>> excluded_pairs;  ///< body names

  int nq = 0, nv = 0;
  int free_q = 0, free_v = 0;  ///< where the free bodies' block begins in q and v
  std::uint64_t identity = 0;
  LoadReport report;

  int find_tree(const std::string& tree) const;  ///< -1: none
  std::string body_name(const BodyRef& body) const;
  /// The material of a contact: the one given for the pair, else by the rules.
  Material pair_material(const std::string& a, const std::string& b) const;
  /// Finds "model/link", "body", "static body" or "world".
  bool find_body(const std::string& name, BodyRef& out) const;
};

/// Hash of everything that decides the motion, names included.
std::uint64_t scene_identity(const SceneData& data);

}  // namespace condyle
