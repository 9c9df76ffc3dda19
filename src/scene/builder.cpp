#include "scene/builder_work.hpp"
#include "scene/mass_properties.hpp"
#include "scene/names.hpp"
#include "scene/tree_builder.hpp"

#include <fmt/format.h>

#include <cmath>

namespace condyle {

namespace {

std::string option_key(const std::string& file, const ReadOptions& o) {
  std::string key = fmt::format("{}|{}|{}{}{}{}|{}", file, o.sidecar, o.strict, o.skip_meshes, o.skip_unsupported,
                                o.skip_unknown_names, static_cast<int>(o.mesh_policy));
  for (const std::string& folder : o.package_path) key += "|" + folder;
  if (o.default_inertia) key += fmt::format("|{}|{}", o.default_inertia->mass, o.default_inertia->radius);
  return key;
}

void take_name(std::set<std::string>& names, const std::string& name, const Place& place) {
  if (name.empty()) throw Error("bad-name", place, "a model or body needs a name", "give it one");
  if (name == "world" || name.find('/') != std::string::npos)
    throw Error("bad-name", place, "'" + name + "' cannot be a name",
                "'world' and names with '/' have a meaning of their own");
  if (!names.insert(name).second)
    throw Error("duplicate-name", place, "the name '" + name + "' is used twice", "rename one of them");
}

/// Mass of the root link with everything that fixed joints weld to it.
double root_mass(const ModelDescription& description) {
  std::vector<bool> welded(description.links.size(), false);
  welded[static_cast<std::size_t>(description.root)] = true;
  double mass = description.links[static_cast<std::size_t>(description.root)].inertial.mass;
  for (const JointSpec& joint : description.joints) {
    if (joint.kind != JointKind::fixed || !welded[static_cast<std::size_t>(joint.parent)]) continue;
    welded[static_cast<std::size_t>(joint.child)] = true;
    mass += description.links[static_cast<std::size_t>(joint.child)].inertial.mass;
  }
  return mass;
}

bool decide_base(const ModelDescription& description, Base wanted, LoadReport& report) {
  if (wanted != Base::automatic) return wanted == Base::free;
  for (const JointSpec& joint : description.joints)
    if (joint.kind == JointKind::floating && joint.parent == description.root) return false;
  const LinkSpec& root = description.links[static_cast<std::size_t>(description.root)];
  const bool fixed = root.name == "world" || !(root_mass(description) > 0);
  report.add(Outcome::assumed, "base", root.place,
             fmt::format("the base is {}: root link '{}' {}; say base: fixed or base: free to decide",
                         fixed ? "fixed" : "free", root.name,
                         root.name == "world" ? "is the world"
                         : fixed              ? "and what is welded to it have no mass"
                                              : "has mass"));
  return !fixed;
}

void set_position(Eigen::VectorXd& q, const TreeJoint& joint, double value) {
  if (joint.nq == 2)
    q.segment<2>(joint.q) << std::cos(value), std::sin(value);
  else
    q[joint.q] = value;
}

void apply_start(Tree& tree, const ModelOptions& options, LoadReport& report) {
  const Place place{"", 0, "model '" + tree.name + "'"};
  tree.q_initial = tree.model->q_reference;
  tree.v_initial.setZero(tree.model->nv);
  for (const auto& [name, value] : options.joints) {
    if (!std::isfinite(value)) throw Error("bad-number", place, "the start position of '" + name + "' is not finite");
    const TreeJoint& joint = one_dof_joint(tree, name, place);
    set_position(tree.q_initial, joint, value);
    if (value < joint.lower || value > joint.upper)
      report.add(Outcome::assumed, "pose-outside-limits", joint.place,
                 fmt::format("joint '{}' starts at {:.6g}, outside its limits [{:.6g}, {:.6g}]", name, value, joint.lower,
                             joint.upper));
  }
  for (const auto& [name, value] : options.joint_velocities) {
    if (!std::isfinite(value)) throw Error("bad-number", place, "the start velocity of '" + name + "' is not finite");
    tree.v_initial[one_dof_joint(tree, name, place).v] = value;
  }
  if (!options.velocity.allFinite()) throw Error("bad-number", place, "the start velocity of the base is not finite");
  if (tree.model->free_base) {
    const Eigen::Matrix3d to_body = tree.base.R.transpose();
    tree.v_initial.head<3>() = to_body * options.velocity.head<3>();
    tree.v_initial.segment<3>(3) = to_body * options.velocity.tail<3>();
  } else if (!options.velocity.isZero(0)) {
    throw Error("bad-velocity", place, "a fixed base cannot have a velocity", "make the base free or drop the velocity");
  }
}

/// Joint positions at which every spring is slack; joints without spring stay at their reference.
Eigen::VectorXd slack(const Tree& tree) {
  Eigen::VectorXd q = tree.model->q_reference;
  if (!tree.description) return q;
  for (const TreeJoint& joint : tree.model->joints)
    if (joint.nv == 1)
      set_position(
          q, joint,
          tree.description->joints[static_cast<std::size_t>(tree.description->find_joint(joint.name))].spring_reference);
  return q;
}

void copy_joint_parameters(Tree& tree) {
  const int nv = tree.model->nv;
  tree.armature.setZero(nv);
  tree.damping.setZero(nv);
  tree.stiffness.setZero(nv);
  tree.friction.setZero(nv);
  for (const TreeJoint& joint : tree.model->joints) {
    const JointSpec& spec = tree.description->joints[static_cast<std::size_t>(tree.description->find_joint(joint.name))];
    tree.armature.segment(joint.v, joint.nv).setConstant(spec.armature);
    tree.damping.segment(joint.v, joint.nv).setConstant(spec.damping);
    tree.stiffness.segment(joint.v, joint.nv).setConstant(spec.stiffness);
    tree.friction.segment(joint.v, joint.nv).setConstant(spec.friction);
  }
}

}  // namespace

SceneBuilder::SceneBuilder() : work_(std::make_unique<Work>()) { work_->data.materials[""] = Material(); }
SceneBuilder::~SceneBuilder() = default;
SceneBuilder::SceneBuilder(SceneBuilder&&) noexcept = default;
SceneBuilder& SceneBuilder::operator=(SceneBuilder&&) noexcept = default;

SceneBuilder& SceneBuilder::set_name(std::string name) {
  work_->data.name = std::move(name);
  return *this;
}

SceneBuilder& SceneBuilder::set_gravity(const Eigen::Vector3d& gravity) {
  if (!gravity.allFinite()) throw Error("bad-number", {"", 0, "gravity"}, "gravity is not finite");
  if (!work_->data.trees.empty())
    throw Error("order", {"", 0, "gravity"}, "gravity is set after a model was added", "set it first: models carry it");
  work_->data.gravity = gravity;
  return *this;
}

SceneBuilder& SceneBuilder::set_defaults(const RunDefaults& defaults) {
  work_->data.defaults = defaults;
  return *this;
}

SceneBuilder& SceneBuilder::add_model(const std::string& file, const ModelOptions& options) {
  auto& description = work_->files[option_key(file, options.read)];
  if (!description) description = std::make_shared<const ModelDescription>(read_model(file, options.read));
  return add_model(description, options);
}

SceneBuilder& SceneBuilder::add_model(std::shared_ptr<const ModelDescription> description, const ModelOptions& options) {
  SceneData& data = work_->data;
  Tree tree;
  tree.name = options.name.empty() ? description->name : options.name;
  take_name(work_->names, tree.name, {description->file, 0, ""});
  data.report.append(description->report);
  const bool free_base = decide_base(*description, options.base, data.report);

  // A free base has its pose in q, so all its instances share one model; a fixed one carries its pose in the model.
  std::string key = fmt::format("{}|{}", static_cast<const void*>(description.get()), free_base);
  if (!free_base)
    for (int i = 0; i < 12; ++i) key += fmt::format("|{}", i < 9 ? options.pose.R.data()[i] : options.pose.p[i - 9]);
  auto& model = work_->models[key];
  if (!model) model = build_tree(*description, free_base, options.pose, data.gravity);

  tree.model = model;
  tree.description = description;
  tree.base = options.pose;
  tree.q = data.nq;
  tree.v = data.nv;
  tree.material = options.material;
  copy_joint_parameters(tree);
  tree.spring_reference = slack(tree);
  apply_start(tree, options, data.report);
  if (free_base) {
    tree.q_initial.head<3>() = options.pose.p;
    tree.q_initial.segment<4>(3) = options.pose.quaternion();
  }
  data.nq += model->nq;
  data.nv += model->nv;

  const int index = static_cast<int>(data.trees.size());
  data.trees.push_back(std::move(tree));
  const Tree& added = data.trees.back();
  std::map<int, int> numbers;
  for (const ShapeSpec& shape : description->shapes) {
    const std::string& link = description->links[static_cast<std::size_t>(shape.link)].name;
    data.shapes.push_back({{BodyRef::Kind::link, index, shape.link},
                           shape.role,
                           fmt::format("{}/{}:{}", added.name, link, numbers[shape.link]++),
                           options.material,
                           shape.rgba,
                           shape.shape,
                           shape.place});
  }
  for (const ClosureSpec& c : description->closures) {
    const auto end = [&](int link) { return link < 0 ? BodyRef{} : BodyRef{BodyRef::Kind::link, index, link}; };
    data.closures.push_back(
        {added.name + "/" + c.name, c.kind, end(c.link_a), end(c.link_b), c.frame_a, c.frame_b, c.active, c.place});
  }
  for (const std::string& joint : description->actuated_joints) {
    const int known = description->find_joint(joint);
    if (known >= 0 && nv_of(description->joints[static_cast<std::size_t>(known)].kind) == 1)
      add_actuated(added.name + "/" + joint);
  }
  for (CouplingSpec coupling : description->couplings) {
    coupling.joint = added.name + "/" + coupling.joint;
    coupling.of = added.name + "/" + coupling.of;
    add_coupling(coupling);
  }
  for (ActuatorSpec actuator : description->actuators) {
    actuator.joint = added.name + "/" + actuator.joint;
    add_actuator(actuator);
  }
  return *this;
}

SceneBuilder& SceneBuilder::add_model(const PinocchioModel& model, const ModelOptions& options) {
  SceneData& data = work_->data;
  Tree tree;
  tree.name = options.name.empty() ? "model" : options.name;
  take_name(work_->names, tree.name, {"", 0, "model in memory"});
  tree.base = options.pose;
  tree.model = adopt_tree(model, options.pose, data.gravity);
  tree.q = data.nq;
  tree.v = data.nv;
  tree.material = options.material;
  const JointParameters parameters = joint_parameters(model);
  tree.armature = parameters.armature;
  tree.damping = parameters.damping;
  tree.friction = parameters.friction;
  tree.stiffness.setZero(tree.model->nv);
  tree.spring_reference = slack(tree);
  apply_start(tree, options, data.report);
  data.nq += tree.model->nq;
  data.nv += tree.model->nv;
  data.trees.push_back(std::move(tree));
  return *this;
}

SceneBuilder& SceneBuilder::add_body(const BodySpec& body) {
  SceneData& data = work_->data;
  const Place place = body.place.text().empty() ? Place{"", 0, "body '" + body.name + "'"} : body.place;
  take_name(work_->names, body.name, place);
  if (!body.pose.p.allFinite() || !body.pose.R.allFinite() || !body.velocity.allFinite())
    throw Error("bad-number", place, "pose and velocity must be finite");
  BodyRef ref;
  if (body.is_static) {
    ref = {BodyRef::Kind::static_body, static_cast<int>(data.static_bodies.size()), -1};
    data.static_bodies.push_back({body.name, body.pose});
  } else {
    Inertial inertial = body.inertial;
    if (!(inertial.mass > 0) || !std::isfinite(inertial.mass))
      throw Error("bad-mass", place, fmt::format("mass is {} kg", inertial.mass),
                  "a free body needs a positive mass; or make it static");
    if (inertial.inertia.isZero(0)) inertial = solid(body.shapes, inertial.mass, place);
    if (!inertial.inertia.allFinite() || !inertial.com.allFinite())
      throw Error("bad-number", place, "com and inertia must be finite");
    if (const std::string why = unphysical(inertial); !why.empty())
      throw Error("bad-inertia", place, "the inertia is not that of a real body: " + why, "correct the inertia");
    Eigen::Matrix<double, 6, 1> velocity;
    velocity << body.pose.R.transpose() * body.velocity.head<3>(), body.pose.R.transpose() * body.velocity.tail<3>();
    ref = {BodyRef::Kind::free_body, static_cast<int>(data.free_bodies.size()), -1};
    data.free_bodies.push_back({body.name, inertial, body.pose, velocity, 0, 0});
  }
  int number = 0;
  for (const Shape& shape : body.shapes)
    data.shapes.push_back({ref, ShapeRole::collision, fmt::format("{}:{}", body.name, number++), body.material,
                           Eigen::Vector4d(0.7, 0.7, 0.7, 1), shape, place});
  return *this;
}

SceneBuilder& SceneBuilder::add_shape(const std::string& body, ShapeRole role, const Shape& shape,
                                      const std::string& material, const Place& place) {
  SceneData& data = work_->data;
  BodyRef ref;
  if (!data.find_body(body, ref))
    throw Error("unknown-body", place, "there is no body '" + body + "'", "add it before its shapes");
  int number = 0;
  for (const SceneShape& other : data.shapes) number += other.body == ref;
  data.shapes.push_back(
      {ref, role, fmt::format("{}:{}", body, number), material, Eigen::Vector4d(0.7, 0.7, 0.7, 1), shape, place});
  return *this;
}

SceneBuilder& SceneBuilder::add_ground(const Material& material, double height) {
  add_material("ground", material);
  Shape shape;
  shape.kind = ShapeKind::halfspace;
  BodySpec body;
  body.name = "ground";
  body.shapes = {shape};
  body.is_static = true;
  body.pose.p.z() = height;
  body.material = "ground";
  return add_body(body);
}

SceneBuilder& SceneBuilder::add_material(const std::string& name, const Material& material, const Place& place) {
  const auto bad = [&](const char* field, double value, const char* range) {
    throw Error("bad-material", place, fmt::format("material '{}': {} is {}", name, field, value),
                std::string("it must be ") + range);
  };
  if (!(material.friction >= 0) || std::isinf(material.friction)) bad("friction", material.friction, "0 or above");
  if (!(material.restitution >= 0 && material.restitution <= 1)) bad("restitution", material.restitution, "from 0 to 1");
  if (!(material.stiffness > 0)) bad("stiffness", material.stiffness, "above 0 N/m; leave it out for a rigid material");
  if (!(material.dissipation_time >= 0) || std::isinf(material.dissipation_time))
    bad("dissipation_time", material.dissipation_time, "0 s or above");
  if (!name.empty() && work_->data.materials.count(name))
    throw Error("duplicate-name", place, "material '" + name + "' is defined twice", "rename one of them");
  work_->data.materials[name] = material;
  return *this;
}

SceneBuilder& SceneBuilder::set_pair_material(const std::string& a, const std::string& b, const Material& material,
                                              const Place& place) {
  for (const std::string& name : {a, b})
    if (!work_->data.materials.count(name))
      throw Error("unknown-material", place, "there is no material '" + name + "'", "define it first");
  work_->data.pair_materials[std::minmax(a, b)] = material;
  return *this;
}

SceneBuilder& SceneBuilder::set_pair_rules(const PairRules& rules) {
  work_->data.pair_rules = rules;
  return *this;
}

namespace {

void override_value(double value, double& target, const char* what, bool may_be_negative, const std::string& joint,
                    const Place& place) {
  if (std::isnan(value)) return;
  if (!std::isfinite(value) || (!may_be_negative && value < 0))
    throw Error("bad-number", place, fmt::format("{} of joint '{}' is {}", what, joint, value),
                "it must be finite and not negative");
  target = value;
}

}  // namespace

SceneBuilder& SceneBuilder::set_joint(const std::string& name, const JointProperties& properties, const Place& place) {
  auto [tree, joint] = find_joint(work_->data, name, place);
  override_value(properties.stiffness, tree->stiffness[joint->v], "stiffness", false, name, place);
  override_value(properties.damping, tree->damping[joint->v], "damping", false, name, place);
  override_value(properties.armature, tree->armature[joint->v], "armature", false, name, place);
  override_value(properties.friction, tree->friction[joint->v], "friction", false, name, place);
  double reference = std::numeric_limits<double>::quiet_NaN();
  override_value(properties.reference, reference, "spring reference", true, name, place);
  if (!std::isnan(reference)) set_position(tree->spring_reference, *joint, reference);
  return *this;
}

SceneBuilder& SceneBuilder::exclude_pair(const std::string& a, const std::string& b, const Place& place) {
  for (const std::string& name : {a, b}) {
    BodyRef ref;
    if (!work_->data.find_body(name, ref))
      throw Error("unknown-body", place, "there is no body '" + name + "'", "write it as model/link or body");
  }
  work_->data.excluded_pairs.push_back(std::minmax(a, b));
  return *this;
}

Pose SceneBuilder::initial_pose(const std::string& body, const Place& place) const {
  const SceneData& data = work_->data;
  BodyRef ref;
  if (!data.find_body(body, ref))
    throw Error("unknown-body", place, "there is no body '" + body + "'", "write it as model/link, body or world");
  switch (ref.kind) {
    case BodyRef::Kind::world: return {};
    case BodyRef::Kind::free_body: return data.free_bodies[static_cast<std::size_t>(ref.index)].pose;
    case BodyRef::Kind::static_body: return data.static_bodies[static_cast<std::size_t>(ref.index)].pose;
    case BodyRef::Kind::link: break;
  }
  const Tree& tree = data.trees[static_cast<std::size_t>(ref.index)];
  if (!tree.description)
    throw Error("no-description", place, "'" + body + "' belongs to a model made in memory", "ask a Simulator for the pose");
  return link_poses(tree, tree.q_initial)[static_cast<std::size_t>(ref.link)];
}

bool SceneBuilder::has_body(const std::string& body) const {
  BodyRef ref;
  return work_->data.find_body(body, ref);
}

LoadReport& SceneBuilder::report() { return work_->data.report; }

Scene SceneBuilder::finish() {
  auto data = std::make_shared<SceneData>(std::move(work_->data));
  std::vector<std::string> materials;
  for (const auto& [name, material] : data->materials) materials.push_back(name);
  for (const SceneShape& shape : data->shapes)
    if (!data->materials.count(shape.material))
      throw Error("unknown-material", shape.place,
                  "there is no material '" + shape.material + "'" + did_you_mean(shape.material, materials),
                  "define it under materials");
  data->free_q = data->nq;
  data->free_v = data->nv;
  for (FreeBody& body : data->free_bodies) {
    body.q = data->nq;
    body.v = data->nv;
    data->nq += 7;
    data->nv += 6;
  }
  data->identity = scene_identity(*data);
  work_ = std::make_unique<Work>();
  work_->data.materials[""] = Material();
  return Scene(std::move(data));
}

}  // namespace condyle
