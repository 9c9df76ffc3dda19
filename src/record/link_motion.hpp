#pragma once
// Where the links of all trees are and how they move, for recordings: whoever reads one has no model to compute it from.
#include <condyle/scene.hpp>

#include <vector>

#include "dynamics/kinematics.hpp"

namespace condyle::record {

class LinkMotion {
 public:
  explicit LinkMotion(const SceneData& scene);

  int links() const { return static_cast<int>(refs_.size()); }
  /// `poses`: x y z, quaternion x y z w for each link; `twists`: velocity of its origin, angular velocity, world axes. NaN
  /// for trees whose state is not finite.
  void compute(const State& x, double* poses, double* twists);

 private:
  const SceneData& scene_;
  std::vector<TreeDynamics> trees_;
  Kinematics kinematics_;
  std::vector<BodyRef> refs_;
};

}  // namespace condyle::record
