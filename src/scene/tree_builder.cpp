#include "scene/tree_builder.hpp"

#include "scene/mixer.hpp"

#include <pinocchio/multibody.hpp>

namespace condyle {

namespace pin = pinocchio;

namespace {

pin::SE3 se3(const Pose& pose) { return pin::SE3(pose.R, pose.p); }
Pose pose_of(const pin::SE3& m) { return {m.rotation(), m.translation()}; }
pin::Inertia inertia(const Inertial& i) { return pin::Inertia(i.mass, i.com, i.inertia); }

/// The same choice as Pinocchio's own URDF reader, so that q has the same meaning: an axis that is exactly a coordinate
/// axis gets the fast joint.
template <class X, class Y, class Z, class Any>
pin::JointModel by_axis(const Eigen::Vector3d& axis) {
  if (axis == Eigen::Vector3d::UnitX()) return pin::JointModel(X());
  if (axis == Eigen::Vector3d::UnitY()) return pin::JointModel(Y());
  if (axis == Eigen::Vector3d::UnitZ()) return pin::JointModel(Z());
  return pin::JointModel(Any(axis));
}

pin::JointModel joint_model(const JointSpec& joint) {
  switch (joint.kind) {
    case JointKind::revolute:
      return by_axis<pin::JointModelRX, pin::JointModelRY, pin::JointModelRZ, pin::JointModelRevoluteUnaligned>(joint.axis);
    case JointKind::continuous:
      return by_axis<pin::JointModelRUBX, pin::JointModelRUBY, pin::JointModelRUBZ,
                     pin::JointModelRevoluteUnboundedUnaligned>(joint.axis);
    case JointKind::prismatic:
      return by_axis<pin::JointModelPX, pin::JointModelPY, pin::JointModelPZ, pin::JointModelPrismaticUnaligned>(joint.axis);
    case JointKind::planar: return pin::JointModel(pin::JointModelPlanar());
    case JointKind::ball: return pin::JointModel(pin::JointModelSpherical());
    case JointKind::floating:
    case JointKind::fixed: break;
  }
  return pin::JointModel(pin::JointModelFreeFlyer());
}

void attach(pin::Model& model, const LinkSpec& link, const TreeLink& where) {
  const auto joint = static_cast<pin::JointIndex>(where.joint);
  if (link.has_inertial) model.appendBodyToJoint(joint, inertia(link.inertial), se3(where.placement));
  model.addFrame(pin::Frame(link.name, joint, 0, se3(where.placement), pin::BODY));
}

void copy_limits(pin::Model& model, const TreeJoint& joint) {
  model.upperEffortLimit.segment(joint.v, joint.nv).setConstant(joint.effort);
  model.lowerEffortLimit.segment(joint.v, joint.nv).setConstant(-joint.effort);
  model.upperVelocityLimit.segment(joint.v, joint.nv).setConstant(joint.velocity);
  model.lowerVelocityLimit.segment(joint.v, joint.nv).setConstant(-joint.velocity);
  if (joint.nq != 1) return;
  model.lowerPositionLimit[joint.q] = joint.lower;
  model.upperPositionLimit[joint.q] = joint.upper;
}

bool floats(const pin::Model& model) {
  return model.njoints > 1 && model.joints[1].shortname() == "JointModelFreeFlyer" && model.parents[1] == 0 &&
         model.nvs[1] == 6 && model.subtrees[1].size() == static_cast<std::size_t>(model.njoints) - 1;
}

void finish(TreeModel& tree, std::shared_ptr<pin::Model> model, const Eigen::Vector3d& gravity) {
  model->gravity = pin::Motion(gravity, Eigen::Vector3d::Zero());
  model->armature.setZero();
  tree.nq = model->nq;
  tree.nv = model->nv;
  tree.free_base = floats(*model);
  tree.q_reference.resize(model->nq);
  pin::neutral(*model, tree.q_reference);
  Mixer mixer;
  for (pin::JointIndex j = 1; j < static_cast<pin::JointIndex>(model->njoints); ++j) {
    const pin::Inertia& body = model->inertias[j];
    tree.mass += body.mass();
    mixer.text(model->names[j]);
    mixer.text(model->joints[j].shortname());
    mixer.word(model->parents[j]);
    mixer.pose(pose_of(model->jointPlacements[j]));
    mixer.number(body.mass());
    mixer.vector(body.lever());
    mixer.vector(body.inertia().matrix());
  }
  for (const TreeLink& link : tree.links) {
    mixer.text(link.name);
    mixer.word(static_cast<std::uint64_t>(link.joint));
    mixer.pose(link.placement);
  }
  for (const TreeJoint& joint : tree.joints) {
    mixer.text(joint.name);
    mixer.number(joint.lower);
    mixer.number(joint.upper);
    mixer.number(joint.effort);
    mixer.number(joint.velocity);
  }
  tree.moving_bodies = model->njoints - 1;
  tree.identity = mixer.value();
  tree.model = std::move(model);
}

Eigen::Matrix3d about(const Eigen::Vector3d& axis, double cosine, double sine) {
  Eigen::Matrix3d k;
  k << 0, -axis.z(), axis.y(), axis.z(), 0, -axis.x(), -axis.y(), axis.x(), 0;
  return Eigen::Matrix3d::Identity() + sine * k + (1 - cosine) * k * k;
}

/// Motion of a joint at its part of q, in the conventions of Pinocchio.
Pose joint_motion(const JointSpec& joint, const double* q) {
  switch (joint.kind) {
    case JointKind::fixed: return {};
    case JointKind::revolute: return {about(joint.axis, std::cos(q[0]), std::sin(q[0])), Eigen::Vector3d::Zero()};
    case JointKind::continuous: return {about(joint.axis, q[0], q[1]), Eigen::Vector3d::Zero()};
    case JointKind::prismatic: return {Eigen::Matrix3d::Identity(), q[0] * joint.axis};
    case JointKind::planar: {
      const Pose frame{rotation_z_to(joint.axis), Eigen::Vector3d::Zero()};
      const Pose slide{about(Eigen::Vector3d::UnitZ(), q[2], q[3]), Eigen::Vector3d(q[0], q[1], 0)};
      return frame * slide * frame.inverse();
    }
    case JointKind::ball: return Pose::from_xyz_quaternion(Eigen::Vector3d::Zero(), Eigen::Vector4d(q[0], q[1], q[2], q[3]));
    case JointKind::floating:
      return Pose::from_xyz_quaternion(Eigen::Vector3d(q[0], q[1], q[2]), Eigen::Vector4d(q[3], q[4], q[5], q[6]));
  }
  return {};
}

}  // namespace

std::shared_ptr<TreeModel> build_tree(const ModelDescription& description, bool free_base, const Pose& base,
                                      const Eigen::Vector3d& gravity) {
  auto tree = std::make_shared<TreeModel>();
  auto model = std::make_shared<pin::Model>();
  model->name = description.name;
  tree->links.resize(description.links.size());

  const auto root = static_cast<std::size_t>(description.root);
  TreeLink& root_link = tree->links[root];
  root_link = {description.links[root].name, 0, base, description.links[root].inertial};
  if (free_base) {
    for (const JointSpec& joint : description.joints)
      if (joint.kind == JointKind::floating && joint.parent == description.root)
        throw Error("second-free-base", joint.place, "the file already floats on joint '" + joint.name + "'",
                    "load it with base: fixed");
    root_link.joint = static_cast<int>(
        model->addJoint(0, pin::JointModel(pin::JointModelFreeFlyer()), pin::SE3::Identity(), "root_joint"));
    root_link.placement = Pose();
  }
  attach(*model, description.links[root], root_link);

  for (const JointSpec& joint : description.joints) {
    const TreeLink& parent = tree->links[static_cast<std::size_t>(joint.parent)];
    const LinkSpec& child = description.links[static_cast<std::size_t>(joint.child)];
    TreeLink& link = tree->links[static_cast<std::size_t>(joint.child)];
    link = {child.name, parent.joint, parent.placement * joint.origin, child.inertial};
    if (joint.kind != JointKind::fixed) {
      Pose turned;  // Pinocchio's planar joint moves in its own x-y plane: turn the joint so that z is the normal
      if (joint.kind == JointKind::planar) turned.R = rotation_z_to(joint.axis);
      const auto id = model->addJoint(static_cast<pin::JointIndex>(parent.joint), joint_model(joint),
                                      se3(link.placement * turned), joint.name);
      link.joint = static_cast<int>(id);
      link.placement = turned.inverse();
      tree->joints.push_back({joint.name, joint.kind, link.joint, model->idx_qs[id], model->idx_vs[id], model->nqs[id],
                              model->nvs[id], joint.lower, joint.upper, joint.effort, joint.velocity, joint.place});
      copy_limits(*model, tree->joints.back());
    }
    attach(*model, child, link);
  }
  finish(*tree, std::move(model), gravity);
  for (const TreeJoint& joint : tree->joints) {
    const JointSpec& spec = description.joints[static_cast<std::size_t>(description.find_joint(joint.name))];
    if (joint.nq == 1) tree->q_reference[joint.q] = spec.initial;
    if (joint.kind == JointKind::continuous)
      tree->q_reference.segment<2>(joint.q) << std::cos(spec.initial), std::sin(spec.initial);
  }
  return tree;
}

std::shared_ptr<TreeModel> adopt_tree(const PinocchioModel& given, const Pose& base, const Eigen::Vector3d& gravity) {
  auto tree = std::make_shared<TreeModel>();
  auto model = std::make_shared<pin::Model>(given);
  for (pin::JointIndex j = 1; j < static_cast<pin::JointIndex>(model->njoints); ++j) {
    const pin::JointModel& joint = model->joints[j];
    const std::string kind = joint.shortname();
    if (kind.find("Mimic") != std::string::npos || kind.find("Composite") != std::string::npos)
      throw Error("unsupported-joint", {model->name, 0, "joint '" + model->names[j] + "'"},
                  "a " + kind + " has no forward dynamics that can be trusted",
                  "give it as a joint of its own with a coupling, or as a chain of simple joints");
    if (model->parents[j] == 0) model->jointPlacements[j] = se3(base) * model->jointPlacements[j];
    const bool bounded = model->nqs[j] == 1;
    const JointKind known = kind == "JointModelFreeFlyer"                  ? JointKind::floating
                            : kind == "JointModelSpherical"                ? JointKind::ball
                            : kind == "JointModelPlanar"                   ? JointKind::planar
                            : kind.rfind("JointModelP", 0) == 0 && bounded ? JointKind::prismatic
                            : model->nqs[j] == 2 && model->nvs[j] == 1     ? JointKind::continuous
                                                                           : JointKind::revolute;
    if (known == JointKind::floating && j == 1 && model->parents[j] == 0) continue;
    tree->joints.push_back({model->names[j],
                            known,
                            static_cast<int>(j),
                            model->idx_qs[j],
                            model->idx_vs[j],
                            model->nqs[j],
                            model->nvs[j],
                            bounded ? model->lowerPositionLimit[model->idx_qs[j]] : -unlimited,
                            bounded ? model->upperPositionLimit[model->idx_qs[j]] : unlimited,
                            model->upperEffortLimit[model->idx_vs[j]],
                            model->upperVelocityLimit[model->idx_vs[j]],
                            {}});
  }
  for (const pin::Frame& frame : model->frames)
    if (frame.type == pin::BODY) {
      Pose placement = pose_of(frame.placement);
      if (frame.parentJoint == 0) placement = base * placement;
      tree->links.push_back({frame.name, static_cast<int>(frame.parentJoint), placement, {}});
    }
  for (pin::JointIndex j = 1; j < static_cast<pin::JointIndex>(model->njoints); ++j) {  // every moving body has a name
    bool named = false;
    for (const TreeLink& link : tree->links) named = named || link.joint == static_cast<int>(j);
    if (!named) tree->links.push_back({model->names[j], static_cast<int>(j), Pose(), {}});
  }
  // A body frame does not say which part of the joint's inertia is its own: the first link of a joint carries it all.
  for (pin::JointIndex j = 1; j < static_cast<pin::JointIndex>(model->njoints); ++j)
    for (TreeLink& link : tree->links)
      if (link.joint == static_cast<int>(j)) {
        const pin::Inertia body = se3(link.placement).actInv(model->inertias[j]);
        link.inertial = {body.mass(), body.lever(), body.inertia().matrix()};
        break;
      }
  finish(*tree, std::move(model), gravity);
  return tree;
}

JointParameters joint_parameters(const PinocchioModel& model) {
  return {model.armature, model.damping, model.upperDryFrictionLimit};
}

std::vector<Pose> link_poses(const Tree& tree, const Eigen::VectorXd& q) {
  const ModelDescription& description = *tree.description;
  std::vector<Pose> out(description.links.size());
  out[static_cast<std::size_t>(description.root)] =
      tree.model->free_base && tree.model->links[static_cast<std::size_t>(description.root)].joint == 1
          ? Pose::from_xyz_quaternion(q.head<3>(), q.segment<4>(3))
          : tree.base;
  auto moving = tree.model->joints.begin();
  for (const JointSpec& joint : description.joints) {
    const Pose& parent = out[static_cast<std::size_t>(joint.parent)];
    Pose& child = out[static_cast<std::size_t>(joint.child)];
    child = parent * joint.origin;
    if (joint.kind == JointKind::fixed) continue;
    child = child * joint_motion(joint, q.data() + moving->q);
    ++moving;
  }
  return out;
}

}  // namespace condyle
