#pragma once
// All moving bodies of a scene at one configuration: where they are, and how each velocity moves them.
#include "dynamics/tree_dynamics.hpp"
#include "scene/scene_data.hpp"

#include <Eigen/Geometry>

#include <span>
#include <vector>

namespace condyle {

/// Motion in world axes: velocity of the point that is at the world's origin, and angular velocity.
struct Twist {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< m/s
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< rad/s
  Eigen::Vector3d at(const Eigen::Vector3d& point) const { return linear + angular.cross(point); }
};

/// Moving bodies are numbered from 1: Pinocchio joints tree by tree, then free bodies. 0 is everything that does not move.
class Kinematics {
 public:
  Kinematics(const SceneData& scene, const std::vector<TreeDynamics>& trees);

  int bodies() const;                            ///< with the world: numbers run below this
  int body_of(const BodyRef& ref) const;         ///< 0: does not move
  int tree_of(int body) const;                   ///< -1: free body or the world
  std::span<const int> support(int body) const;  ///< velocities of the scene that move the body, ascending
  int block_of(int velocity) const;              ///< block of A: trees in order (those that can move), then free bodies
  int velocities() const { return static_cast<int>(block_of_.size()); }

  /// Takes the poses and Jacobians of the trees (which must be updated) and of the free bodies at q.
  void update(const Eigen::VectorXd& q);
  void update_free_body(int body, const Eigen::VectorXd& q);  ///< of one alone, by its index in the scene

  Pose pose(const BodyRef& ref) const;
  /// World twist of whatever velocity k moves, for a unit of it: linear (at the world's origin), angular. Six numbers.
  const double* column(int velocity) const;
  Twist twist(int body, const Eigen::VectorXd& v) const;

 private:
  const SceneData& scene_;
  const std::vector<TreeDynamics>& trees_;
  std::vector<int> support_begin_, support_, first_body_, tree_of_, block_of_;
  std::vector<int> tree_of_velocity_;  ///< -1: free body
  std::vector<Pose> free_poses_;
  std::vector<double> free_columns_;  ///< 36 numbers for each free body
};

}  // namespace condyle
