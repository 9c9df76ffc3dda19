#pragma once
// Constraints that a scene declares. Free motion does not enforce them, so each step measures how far it broke them.
#include "dynamics/tree_dynamics.hpp"
#include "scene/scene_data.hpp"

#include <condyle/simulator.hpp>

#include <vector>

namespace condyle {

/// Where a body is in the world at q, to which its tree has been updated.
Pose body_pose(const SceneData& scene, const BodyRef& body, const Eigen::VectorXd& q,
               const std::vector<TreeDynamics>& trees);

class DeclaredConstraints {
 public:
  explicit DeclaredConstraints(const SceneData& scene);

  /// Sentences for the user, one for each kind that the scene has and the step does not enforce.
  std::vector<std::string> notes() const;

  /// Measures limits, couplings and closures at q (the trees are updated to it) and marks the report uncertified, naming
  /// the worst one, if any is broken by more than `allowed` (m or rad).
  void measure(const Eigen::VectorXd& q, const std::vector<TreeDynamics>& trees, double allowed, StepReport& report) const;

 private:
  struct Limit {
    int q;
    double lower, upper;
    std::string name;
  };
  const SceneData& scene_;
  std::vector<Limit> limits_;
};

}  // namespace condyle
