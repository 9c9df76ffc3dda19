#include "scene/mixer.hpp"
#include "scene/names.hpp"
#include "scene/scene_data.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace condyle {

namespace {
constexpr std::pair<Integrator, const char*> integrator_names[] = {
    {Integrator::explicit_euler, "explicit"},         {Integrator::symplectic, "symplectic"},
    {Integrator::implicit_euler, "implicit"},         {Integrator::midpoint, "midpoint"},
    {Integrator::moreau_midpoint, "moreau-midpoint"}, {Integrator::mid_velocity, "mid-velocity"}};

constexpr const char* pose_names[] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
constexpr const char* twist_names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
}  // namespace

const char* to_string(Integrator integrator) {
  for (const auto& [value, name] : integrator_names)
    if (value == integrator) return name;
  return "";
}

Integrator integrator_from(const std::string& name, const Place& place) {
  std::vector<std::string> known;
  for (const auto& [value, text] : integrator_names) {
    if (name == text) return value;
    known.push_back(text);
  }
  throw Error("unknown-integrator", place, "there is no integrator '" + name + "'" + did_you_mean(name, known),
              fmt::format("there are {}", fmt::join(known, ", ")));
}

int SceneData::find_tree(const std::string& wanted) const {
  for (std::size_t i = 0; i < trees.size(); ++i)
    if (trees[i].name == wanted) return static_cast<int>(i);
  return -1;
}

std::string SceneData::body_name(const BodyRef& body) const {
  const auto index = static_cast<std::size_t>(body.index);
  switch (body.kind) {
    case BodyRef::Kind::world: return "world";
    case BodyRef::Kind::link:
      return trees[index].name + "/" + trees[index].model->links[static_cast<std::size_t>(body.link)].name;
    case BodyRef::Kind::free_body: return free_bodies[index].name;
    case BodyRef::Kind::static_body: return static_bodies[index].name;
  }
  return {};
}

bool SceneData::find_body(const std::string& wanted, BodyRef& out) const {
  if (wanted == "world") {
    out = {};
    return true;
  }
  if (const auto slash = wanted.find('/'); slash != std::string::npos) {
    const int tree = find_tree(wanted.substr(0, slash));
    if (tree < 0) return false;
    const auto& links = trees[static_cast<std::size_t>(tree)].model->links;
    for (std::size_t i = 0; i < links.size(); ++i)
      if (wanted.compare(slash + 1, std::string::npos, links[i].name) == 0) {
        out = {BodyRef::Kind::link, tree, static_cast<int>(i)};
        return true;
      }
    return false;
  }
  for (std::size_t i = 0; i < free_bodies.size(); ++i)
    if (free_bodies[i].name == wanted) {
      out = {BodyRef::Kind::free_body, static_cast<int>(i), -1};
      return true;
    }
  for (std::size_t i = 0; i < static_bodies.size(); ++i)
    if (static_bodies[i].name == wanted) {
      out = {BodyRef::Kind::static_body, static_cast<int>(i), -1};
      return true;
    }
  return false;
}

Material SceneData::pair_material(const std::string& a, const std::string& b) const {
  const auto given = pair_materials.find(std::minmax(a, b));
  return given != pair_materials.end() ? given->second : contact_material(materials.at(a), materials.at(b), pair_rules);
}

namespace {

void mix_shape(Mixer& mixer, const SceneData& data, const SceneShape& shape) {
  mixer.text(data.body_name(shape.body));
  mixer.word(static_cast<std::uint64_t>(shape.role));
  mixer.text(shape.material);
  mixer.word(static_cast<std::uint64_t>(shape.shape.kind));
  mixer.vector(shape.shape.size);
  mixer.pose(shape.shape.pose);
  if (shape.shape.mesh)
    for (const Eigen::Vector3d& vertex : shape.shape.mesh->vertices) mixer.vector(vertex);
  if (shape.shape.mesh) {
    mixer.word(static_cast<std::uint64_t>(shape.shape.policy));
    for (const Eigen::Vector3i& triangle : shape.shape.mesh->triangles)
      for (const int corner : triangle) mixer.word(static_cast<std::uint64_t>(corner));
  }
  if (shape.shape.field) {
    mixer.vector(shape.shape.field->extent);
    mixer.vector(shape.shape.field->heights);
  }
}

void mix_material(Mixer& mixer, const Material& m) {
  for (const double x : {m.friction, m.restitution, m.stiffness, m.dissipation_time}) mixer.number(x);
}

void mix_schedule(Mixer& mixer, const Schedule& s) {
  mixer.word(s.times.size());
  for (const double t : s.times) mixer.number(t);
  for (const double x : s.values) mixer.number(x);
  if (s.empty()) return;
  mixer.number(s.period);
  mixer.word(static_cast<std::uint64_t>(s.interpolation));
}

}  // namespace

std::uint64_t scene_identity(const SceneData& data) {
  Mixer mixer;
  mixer.text(data.name);
  mixer.vector(data.gravity);
  for (const auto& [name, material] : data.materials) {
    mixer.text(name);
    mix_material(mixer, material);
  }
  for (const auto& [pair, material] : data.pair_materials) {
    mixer.text(pair.first);
    mixer.text(pair.second);
    mix_material(mixer, material);
  }
  mixer.word(static_cast<std::uint64_t>(data.pair_rules.friction));
  mixer.word(static_cast<std::uint64_t>(data.pair_rules.restitution));
  mixer.word(static_cast<std::uint64_t>(data.pair_rules.stiffness));
  for (const Tree& tree : data.trees) {
    mixer.text(tree.name);
    mixer.word(tree.model->identity);
    for (const Eigen::VectorXd* x : {&tree.armature, &tree.damping, &tree.stiffness, &tree.friction, &tree.spring_reference,
                                     &tree.q_initial, &tree.v_initial})
      mixer.vector(*x);
  }
  for (const FreeBody& body : data.free_bodies) {
    mixer.text(body.name);
    mixer.number(body.inertial.mass);
    mixer.vector(body.inertial.com);
    mixer.vector(body.inertial.inertia);
    mixer.pose(body.pose);
    mixer.vector(body.velocity);
  }
  for (const StaticBody& body : data.static_bodies) {
    mixer.text(body.name);
    mixer.pose(body.pose);
  }
  for (const SceneShape& shape : data.shapes) mix_shape(mixer, data, shape);
  for (const SceneClosure& closure : data.closures) {
    mixer.text(closure.name);
    mixer.word(static_cast<std::uint64_t>(closure.kind) * 2 + closure.active);
    mixer.text(data.body_name(closure.a));
    mixer.text(data.body_name(closure.b));
    mixer.pose(closure.frame_a);
    mixer.pose(closure.frame_b);
    mixer.number(closure.length);
  }
  for (const SceneCoupling& coupling : data.couplings) {
    mixer.word(static_cast<std::uint64_t>(coupling.v));
    mixer.word(static_cast<std::uint64_t>(coupling.of_v));
    for (const double c : coupling.polynomial) mixer.number(c);
  }
  for (const SceneActuator& actuator : data.actuators) {
    const ActuatorSpec& s = actuator.spec;
    mixer.text(actuator.joint);
    mixer.word(static_cast<std::uint64_t>(s.kind));
    for (const double x : {s.kp, s.kd, s.target, s.target_velocity, s.value, s.effort}) mixer.number(x);
    for (const Schedule* schedule : {&s.target_schedule, &s.velocity_schedule, &s.value_schedule})
      mix_schedule(mixer, *schedule);
  }
  for (const SceneMotor& motor : data.motors) mixer.text(motor.joint);
  for (const SceneSpring& spring : data.springs) {
    mixer.text(data.body_name(spring.a));
    mixer.text(data.body_name(spring.b));
    mixer.vector(spring.point_a);
    mixer.vector(spring.point_b);
    for (const double x : {spring.stiffness, spring.damping, spring.length}) mixer.number(x);
  }
  for (const SceneForce& force : data.forces) {
    mixer.text(data.body_name(force.body));
    mixer.vector(force.force);
    mixer.vector(force.torque);
    mixer.word(force.turns_with_body);
    mixer.number(force.until);
    mix_schedule(mixer, force.factor);
  }
  for (const auto& [a, b] : data.excluded_pairs) {
    mixer.text(a);
    mixer.text(b);
  }
  return mixer.value();
}

const std::string& Scene::name() const { return data_->name; }
int Scene::nq() const { return data_->nq; }
int Scene::nv() const { return data_->nv; }
const Eigen::Vector3d& Scene::gravity() const { return data_->gravity; }
const RunDefaults& Scene::defaults() const { return data_->defaults; }
const LoadReport& Scene::report() const { return data_->report; }
std::uint64_t Scene::identity() const { return data_->identity; }

int Scene::body_count() const {
  int count = static_cast<int>(data_->free_bodies.size());
  for (const Tree& tree : data_->trees) count += tree.model->moving_bodies;
  return count;
}

double Scene::total_mass() const {
  double mass = 0;
  for (const Tree& tree : data_->trees) mass += tree.model->mass;
  for (const FreeBody& body : data_->free_bodies) mass += body.inertial.mass;
  return mass;
}

State Scene::initial_state() const {
  State x;
  x.q.resize(data_->nq);
  x.v.resize(data_->nv);
  for (const Tree& tree : data_->trees) {
    x.q.segment(tree.q, tree.model->nq) = tree.q_initial;
    x.v.segment(tree.v, tree.model->nv) = tree.v_initial;
  }
  for (const FreeBody& body : data_->free_bodies) {
    x.q.segment<3>(body.q) = body.pose.p;
    x.q.segment<4>(body.q + 3) = body.pose.quaternion();
    x.v.segment<6>(body.v) = body.velocity;
  }
  return x;
}

namespace {

std::vector<std::string> coordinate_names(const SceneData& data, bool positions) {
  std::vector<std::string> out;
  const auto add_free = [&](const std::string& name) {
    for (int k = 0; k < (positions ? 7 : 6); ++k) out.push_back(name + "." + (positions ? pose_names[k] : twist_names[k]));
  };
  for (const Tree& tree : data.trees) {
    if (tree.model->free_base && (tree.model->joints.empty() || tree.model->joints.front().q > 0)) add_free(tree.name);
    for (const TreeJoint& joint : tree.model->joints) {
      const int n = positions ? joint.nq : joint.nv;
      const std::string name = tree.name + "/" + joint.name;
      for (int k = 0; k < n; ++k) out.push_back(n == 1 ? name : fmt::format("{}[{}]", name, k));
    }
  }
  for (const FreeBody& body : data.free_bodies) add_free(body.name);
  return out;
}

int coordinate_index(const SceneData& data, const std::string& name, bool positions) {
  for (const Tree& tree : data.trees) {
    if (tree.name == name) return tree.model->free_base ? (positions ? tree.q : tree.v) : -1;
    for (const TreeJoint& joint : tree.model->joints)
      if (tree.name + "/" + joint.name == name) return positions ? tree.q + joint.q : tree.v + joint.v;
  }
  for (const FreeBody& body : data.free_bodies)
    if (body.name == name) return positions ? body.q : body.v;
  return -1;
}

}  // namespace

std::vector<std::string> Scene::q_names() const { return coordinate_names(*data_, true); }
std::vector<std::string> Scene::v_names() const { return coordinate_names(*data_, false); }
int Scene::q_index(const std::string& name) const { return coordinate_index(*data_, name, true); }
int Scene::v_index(const std::string& name) const { return coordinate_index(*data_, name, false); }

}  // namespace condyle
