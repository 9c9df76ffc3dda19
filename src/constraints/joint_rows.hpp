#pragma once
// Rows on joint velocities: couplings, limits, dry friction, pd actuators.
#include "constraints/rows.hpp"
#include "scene/scene_data.hpp"

#include <string>
#include <vector>

namespace condyle {

/// Position of a one-dof joint: q itself, or the angle of a continuous joint's (cos, sin), in (-π, π].
double joint_position(const Eigen::VectorXd& q, int index, bool turns);

/// f = q_i - Σ c_k q_of^k, wrapped for a continuous q_i; rows [1, -Σ k c_k q_of^(k-1)].
JointRow coupling_row(const SceneCoupling& coupling, const Eigen::VectorXd& q);

/// One degree of freedom of the scene that has rows of its own.
struct JointInfo {
  int tree = 0, joint = 0;  ///< index into Tree::model->joints; -1: the free base
  int q = -1, v = -1;
  bool turns = false;    ///< continuous
  bool angular = false;  ///< rad
  double lower = -unlimited, upper = unlimited;
  double friction = 0;  ///< N m or N
};
JointInfo joint_info(const SceneData& scene, int velocity);
std::string joint_name(const SceneData& scene, const JointInfo& joint);
/// Joints with a finite limit: those whose q is their position.
std::vector<JointInfo> limited_joints(const SceneData& scene);
std::vector<JointInfo> rubbing_joints(const SceneData& scene);

/// Which sides of a limit get a row in a step. The nearer one if it is within reach; the other one too if the joint is fast
/// enough to run through the whole range; `locked`: lower = upper, one row that holds both ways.
struct LimitSides {
  bool lower = false, upper = false, locked = false;
};
LimitSides limit_sides(const JointInfo& joint, double position, double v0, double v_free, double dt);
/// Gap of a side, positive inside the range; row sign + at the lower, - at the upper one.
JointRow limit_row(const JointInfo& joint, double position, bool upper);

/// pd actuator as an implicit spring and damper on one velocity: (b, R) of its row; false: it has no gains and no row.
struct ActuatorLaw {
  double bias = 0, compliance = 0, bound = 0;  ///< bound: of |λ|, N m s or N s
};
bool actuator_law(const ActuatorSpec& spec, const ActuatorAim& aim, double position, bool turns, double dt,
                  ActuatorLaw& out);

}  // namespace condyle
