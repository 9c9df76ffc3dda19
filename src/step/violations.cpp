#include "step/violations.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

LimitViolation::LimitViolation(const SceneData& scene) {
  for (const Tree& tree : scene.trees)
    for (const TreeJoint& joint : tree.model->joints)
      if (joint.nq == 1 && (std::isfinite(joint.lower) || std::isfinite(joint.upper)))
        limits_.push_back({tree.q + joint.q, joint.lower, joint.upper});
}

double LimitViolation::largest(const Eigen::VectorXd& q) const {
  double out = 0;
  for (const Limit& limit : limits_) out = std::max({out, limit.lower - q[limit.q], q[limit.q] - limit.upper});
  return out;
}

}  // namespace condyle
