#pragma once
#include "constraints/joint_rows.hpp"
#include "constraints/materials.hpp"
#include "linalg/block_jacobian.hpp"
#include "problem/assembly.hpp"
#include "problem/jacobian_writer.hpp"
#include "scene/canonical_order.hpp"

namespace condyle {

/// Where a block came from, and what the table says of it.
struct BlockSource {
  int index = -1;                                      ///< closure, coupling, contact, actuator or JointInfo
  int body_a = -1, body_b = -1;                        ///< names of the table
  double bias = 0, compliance = 0;                     ///< of an actuator or a spring
  double sign = 1;                                     ///< of a joint's row
  double followed_share = 0;                           ///< of a coupling: coefficient of the joint that is followed
  Eigen::Vector3d residual = Eigen::Vector3d::Zero();  ///< of its rows
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< of a closure: frame A in the world
  Eigen::Vector3d diagonal = Eigen::Vector3d::Zero();  ///< of G_ii
  PairRows rows;
};

struct Assembly::Work {
  Work(const SceneData& s, const LawOptions& l);

  const SceneData& scene;
  CanonicalOrder order;  ///< in which rows are stacked
  LawOptions laws;
  MaterialTable materials;
  std::vector<JointInfo> limited, rubbing, driven;                      ///< driven: by pd actuators
  std::vector<std::string> limited_names, rubbing_names, driven_names;  ///< ready: naming the worst one must not allocate
  std::vector<int> pd;                                                  ///< actuator of each driven joint
  std::vector<bool> coupling_angular;
  std::vector<std::string> names;  ///< of bodies
  std::vector<int> first_link;     ///< of each tree in `names`
  int first_free = 0, first_static = 0;

  ContactProblem problem;
  std::vector<BlockSource> sources, correction_sources;
  std::vector<Contact> contacts;  ///< of the last build
  JacobianWriter writer;
  JacobianProduct product;
  BlockFactor factor;
  std::vector<double> velocity;  ///< rows, J v0

  int name_of_body(const BodyRef& ref) const;
  void start(const FreeMotion& motion, ContactProblem& p);
  BlockSource& add_block(ContactProblem& p, ConstraintKind kind, SetKind set, int rows, std::uint64_t id, bool angular);
  void add_closures(const FreeMotion& motion, ContactProblem& p);
  void add_springs(const FreeMotion& motion, ContactProblem& p);
  void add_joint_rows(const FreeMotion& motion, ContactProblem& p);
  void add_limits(const FreeMotion& motion, ContactProblem& p, bool correction);
  void add_contacts(const FreeMotion& motion, const std::vector<Contact>& found, ContactProblem& p, bool correction);
  void weigh(const FreeMotion& motion, ContactProblem& p);
  void apply_laws(const FreeMotion& motion, const Eigen::VectorXd& closure_ahead, ContactProblem& p);
  void apply_correction(const FreeMotion& motion, const Eigen::VectorXd& v, ContactProblem& p);
};

}  // namespace condyle
