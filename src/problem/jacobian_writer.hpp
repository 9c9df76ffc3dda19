#pragma once
// Writes the block-sparse J: one carrier for each pair of moving bodies and one for each joint velocity, whatever the number
// of constraints on them.
//
// Runs of a carrier within one block of A: columns ascend along one branch of the tree, towards the link that is moved.
// Where a run begins before the one that it follows, another branch begins: the carrier is between two links of one tree, or
// couples two joints of it. So a solver that divides by bodies (solvers/subadmm) finds its sides.
#include "constraints/rows.hpp"
#include "dynamics/kinematics.hpp"
#include "linalg/block_factor.hpp"

#include <condyle/contact_problem.hpp>

namespace condyle {

class JacobianWriter {
 public:
  void begin(const Kinematics& kinematics, BlockJacobian& J);
  /// Appends rows between two bodies (numbers of Kinematics; 0: the world).
  void add(const PairRows& rows, int body_a, int body_b);
  /// Appends one row on one or two velocities.
  void add(const JointRow& row);

  /// W = C A⁻¹ Cᵀ of every carrier. `factor` holds A; failed: its diagonal stands for it.
  void weigh(const BlockDiagonal& A, const BlockFactor& factor, bool factored);
  /// G_ii = X W Xᵀ of a part; rows × rows in the corner.
  Eigen::Matrix3d delassus(int part) const;

 private:
  int pair_carrier(int body_a, int body_b, const Eigen::Vector3d& point);
  int joint_carrier(int velocity);
  void add_part(int carrier, int rows, int x);
  template <int Rows>
  void weigh_carrier(const BlockJacobian::Carrier& carrier, const BlockDiagonal& A, const BlockFactor& factor, bool factored,
                     Eigen::Matrix<double, 6, 6>& out);

  const Kinematics* kinematics_ = nullptr;
  BlockJacobian* J_ = nullptr;
  // Carriers of a body are a list that hangs on the higher number of the pair, so that the world's does not grow long.
  std::vector<int> head_, next_, low_, joint_carrier_;
  std::vector<int> from_;  ///< of each carrier: body A of the rows that asked for it first; its twist is B's minus A's
  std::vector<int> touched_bodies_, touched_joints_;
  std::vector<Eigen::Vector3d> reference_;  ///< of each carrier
  std::vector<Eigen::Matrix<double, 6, 6>> W_;
  std::vector<double> scratch_;
};

}  // namespace condyle
