#pragma once
// How far a configuration is from what the scene's joints allow: limits, measured at the end of a step.
#include "scene/scene_data.hpp"

#include <vector>

namespace condyle {

class LimitViolation {
 public:
  explicit LimitViolation(const SceneData& scene);
  /// rad or m, the largest over all joints; 0: none is violated.
  double largest(const Eigen::VectorXd& q) const;

 private:
  struct Limit {
    int q;
    double lower, upper;
  };
  std::vector<Limit> limits_;
};

}  // namespace condyle
