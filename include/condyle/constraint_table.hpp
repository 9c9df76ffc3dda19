#pragma once
// What every constraint did in the last step, in world axes, for people and recordings.
#include <condyle/contact_problem.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace condyle {

enum class ContactMode { open, stick, slip, active, free_ };  ///< active, free_: limits and boxes at, or off, their bound
const char* to_string(ContactMode mode);

/// One constraint. The force is the one on B from A.
struct ConstraintRow {
  std::uint64_t id = 0;
  ConstraintKind kind = ConstraintKind::contact;
  int body_a = -1, body_b = -1;  ///< index into Simulator::body_names(); -1: the world, or a joint's own row
  int joint = -1;                ///< first velocity index of the joint of a limit, friction, actuator or coupling; else -1
  int followed_joint = -1;       ///< couplings: first velocity index of the joint that `joint` follows; else -1
  double followed_share = 0;     ///< couplings: the impulse on that joint for each unit of the one on `joint`
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  ///< columns t1, t2, n
  double friction = 0;                                  ///< μ of a contact; 0 for others
  double gap = 0;                                       ///< m (rad): positive apart; closures: the largest residual
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();    ///< N s, world axes; joint rows: the first entry, N m s or N s
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();     ///< N m s, world axes, about the point: closures
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();   ///< m/s, σ in the frame (t1, t2, n)
  double residual = 0;                                  ///< m/s, its share of the certificate
  ContactMode mode = ContactMode::open;
};

}  // namespace condyle
