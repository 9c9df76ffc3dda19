#include "constraints/contact.hpp"
#include "constraints/laws.hpp"
#include "constraints/loop_closure.hpp"
#include "constraints/spring_damper.hpp"
#include "problem/assembly_work.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double correction_give = 0.1;  ///< of a row's effective inverse mass
constexpr std::uint64_t highest_bit = std::uint64_t{1} << 63;

/// Ids of all but contacts: the highest bit, the kind, which half or side, the index.
std::uint64_t id_of(ConstraintKind kind, int half, int index) {
  return highest_bit | (static_cast<std::uint64_t>(kind) << 56) | (static_cast<std::uint64_t>(half) << 48) |
         static_cast<std::uint64_t>(index);
}

std::uint64_t contact_id(std::uint64_t id) {
  id &= ~highest_bit;
  return id ? id : 1;
}

/// By tree; within a tree as they are.
std::vector<JointInfo> in_order(std::vector<JointInfo> joints, const CanonicalOrder& order) {
  std::vector<int> rank(order.trees.size());
  for (std::size_t k = 0; k < rank.size(); ++k) rank[at(order.trees[k])] = static_cast<int>(k);
  std::stable_sort(joints.begin(), joints.end(),
                   [&](const JointInfo& a, const JointInfo& b) { return rank[at(a.tree)] < rank[at(b.tree)]; });
  return joints;
}
}  // namespace

Assembly::Work::Work(const SceneData& s, const LawOptions& l)
    : scene(s),
      order(s),
      laws(l),
      materials(s),
      limited(in_order(limited_joints(s), order)),
      rubbing(in_order(rubbing_joints(s), order)) {
  laws.check();
  for (const int i : order.actuators)
    if (scene.actuators[at(i)].spec.kind == ActuatorKind::pd) {
      driven.push_back(joint_info(scene, scene.actuators[at(i)].v));
      pd.push_back(i);
    }
  for (const JointInfo& joint : limited) limited_names.push_back(joint_name(scene, joint));
  for (const JointInfo& joint : rubbing) rubbing_names.push_back(joint_name(scene, joint));
  for (const JointInfo& joint : driven) driven_names.push_back(joint_name(scene, joint));
  for (const SceneCoupling& coupling : scene.couplings) coupling_angular.push_back(joint_info(scene, coupling.v).angular);
  for (std::size_t t = 0; t < scene.trees.size(); ++t) {
    first_link.push_back(static_cast<int>(names.size()));
    for (std::size_t link = 0; link < scene.trees[t].model->links.size(); ++link)
      names.push_back(scene.body_name({BodyRef::Kind::link, static_cast<int>(t), static_cast<int>(link)}));
  }
  first_free = static_cast<int>(names.size());
  for (const FreeBody& body : scene.free_bodies) names.push_back(body.name);
  first_static = static_cast<int>(names.size());
  for (const StaticBody& body : scene.static_bodies) names.push_back(body.name);
}

Assembly::Assembly(const SceneData& scene, const LawOptions& laws) : work_(std::make_unique<Work>(scene, laws)) {}
Assembly::~Assembly() = default;
Assembly::Assembly(Assembly&&) noexcept = default;
Assembly& Assembly::operator=(Assembly&&) noexcept = default;

int Assembly::Work::name_of_body(const BodyRef& ref) const {
  switch (ref.kind) {
    case BodyRef::Kind::world: break;
    case BodyRef::Kind::link: return first_link[at(ref.index)] + ref.link;
    case BodyRef::Kind::free_body: return first_free + ref.index;
    case BodyRef::Kind::static_body: return first_static + ref.index;
  }
  return -1;
}

void Assembly::Work::start(const FreeMotion& motion, ContactProblem& p) {
  p.blocks.clear();
  p.names.clear();
  p.dual_only = false;
  p.dt = motion.dt;
  p.A.begin = motion.A.begin;
  p.A.value = motion.A.value;
  p.A.values = motion.A.values;
  sources.clear();
  writer.begin(motion.kinematics, p.J);
}

BlockSource& Assembly::Work::add_block(ContactProblem& p, ConstraintKind kind, SetKind set, int rows, std::uint64_t id,
                                       bool angular) {
  ConstraintBlock block;
  block.kind = kind;
  block.set = set;
  block.row = p.J.rows;
  block.rows = rows;
  block.id = id;
  block.angular = angular;
  p.blocks.push_back(block);
  sources.emplace_back();
  return sources.back();
}

/// Closures, then couplings: their rows come first, so that the caller's bias is the head of b.
void Assembly::Work::add_closures(const FreeMotion& motion, ContactProblem& p) {
  ClosureRows rows;
  for (const int index : order.closures) {
    const SceneClosure& closure = scene.closures[at(index)];
    if (!closure.active) continue;
    const Pose a = motion.kinematics.pose(closure.a) * closure.frame_a,
               b = motion.kinematics.pose(closure.b) * closure.frame_b;
    loop_closure(closure.kind, closure.length, a, b, rows);
    const int body_a = motion.kinematics.body_of(closure.a), body_b = motion.kinematics.body_of(closure.b);
    for (const bool angular : {false, true}) {
      const PairRows& half = angular ? rows.angular : rows.linear;
      if (half.rows == 0) continue;
      BlockSource& source = add_block(p, ConstraintKind::closure, SetKind::bilateral, half.rows,
                                      id_of(ConstraintKind::closure, angular, index), angular);
      source.index = index;
      source.body_a = name_of_body(closure.a);
      source.body_b = name_of_body(closure.b);
      source.residual = angular ? rows.f_angular : rows.f_linear;
      source.axes = a.R;
      source.rows = half;
      writer.add(half, body_a, body_b);
    }
  }
  for (const int index : order.couplings) {
    const JointRow row = coupling_row(scene.couplings[at(index)], motion.q);
    BlockSource& source = add_block(p, ConstraintKind::coupling, SetKind::bilateral, 1,
                                    id_of(ConstraintKind::coupling, 0, index), coupling_angular[at(index)]);
    source.index = index;
    source.residual[0] = row.residual;
    source.followed_share = row.coefficient[1];
    writer.add(row);
  }
}

void Assembly::Work::add_springs(const FreeMotion& motion, ContactProblem& p) {
  SpringDamper made;
  for (const int index : order.springs) {
    const SceneSpring& spring = scene.springs[at(index)];
    if (!spring_damper(motion.kinematics.pose(spring.a) * spring.point_a, motion.kinematics.pose(spring.b) * spring.point_b,
                       spring.stiffness, spring.damping, spring.length, motion.dt, made))
      continue;
    BlockSource& source = add_block(p, ConstraintKind::spring_damper, SetKind::bilateral, 1,
                                    id_of(ConstraintKind::spring_damper, 0, index), false);
    source.index = index;
    source.body_a = name_of_body(spring.a);
    source.body_b = name_of_body(spring.b);
    source.residual[0] = made.stretch;
    source.bias = made.bias;
    source.compliance = made.compliance;
    source.axes = contact_frame(made.row.direction.col(0));
    source.rows = made.row;
    writer.add(made.row, motion.kinematics.body_of(spring.a), motion.kinematics.body_of(spring.b));
  }
}

/// Dry friction and pd actuators.
void Assembly::Work::add_joint_rows(const FreeMotion& motion, ContactProblem& p) {
  JointRow row;
  for (std::size_t i = 0; i < rubbing.size(); ++i) {
    const JointInfo& joint = rubbing[i];
    add_block(p, ConstraintKind::joint_friction, SetKind::box, 1, id_of(ConstraintKind::joint_friction, 0, joint.v),
              joint.angular)
        .index = static_cast<int>(i);
    p.blocks.back().upper = joint.friction * motion.dt;
    p.blocks.back().lower = -p.blocks.back().upper;
    row.velocity[0] = joint.v;
    writer.add(row);
  }
  for (std::size_t i = 0; i < driven.size(); ++i) {
    const JointInfo& joint = driven[i];
    ActuatorLaw law;
    const double position = joint_position(motion.q, joint.q, joint.turns);
    const ActuatorSpec& spec = scene.actuators[at(pd[i])].spec;
    const ActuatorAim aim = actuator_aim(spec, motion.t, motion.dt);
    if (!actuator_law(spec, aim, position, joint.turns, motion.dt, law)) continue;
    BlockSource& source =
        add_block(p, ConstraintKind::actuator, SetKind::box, 1, id_of(ConstraintKind::actuator, 0, pd[i]), joint.angular);
    source.index = static_cast<int>(i);
    source.residual[0] = position - aim.target;
    source.bias = law.bias;
    source.compliance = law.compliance;
    p.blocks.back().upper = law.bound;
    p.blocks.back().lower = -law.bound;
    row.velocity[0] = joint.v;
    writer.add(row);
  }
}

void Assembly::Work::add_limits(const FreeMotion& motion, ContactProblem& p, bool correction) {
  for (std::size_t i = 0; i < limited.size(); ++i) {
    const JointInfo& joint = limited[i];
    const double position = motion.q[joint.q];
    const double v0 = correction ? 0 : motion.v0[joint.v], v_free = correction ? 0 : motion.v_free[joint.v];
    const LimitSides sides = limit_sides(joint, position, v0, v_free, motion.dt);
    for (const bool upper : {false, true}) {
      if (!(upper ? sides.upper : sides.lower || sides.locked)) continue;
      const JointRow row = limit_row(joint, position, upper);
      if (!sides.locked && !exists(laws, row.residual)) continue;
      BlockSource& source =
          add_block(p, ConstraintKind::joint_limit, sides.locked ? SetKind::bilateral : SetKind::nonnegative, 1,
                    id_of(ConstraintKind::joint_limit, upper, joint.v), joint.angular);
      source.index = static_cast<int>(i);
      source.sign = row.coefficient[0];
      source.residual[0] = row.residual;
      writer.add(row);
    }
  }
}

void Assembly::Work::add_contacts(const FreeMotion& motion, const std::vector<Contact>& found, ContactProblem& p,
                                  bool correction) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Contact& contact = found[i];
    const Material& material = materials.of(contact.pair.a, contact.pair.b);
    if (correction ? !penetration_is_error(laws, material) : !exists(laws, contact.at.gap)) continue;
    const BodyRef &a = scene.shapes[at(contact.pair.a)].body, &b = scene.shapes[at(contact.pair.b)].body;
    const int body_a = motion.kinematics.body_of(a), body_b = motion.kinematics.body_of(b);
    if (body_a == body_b) continue;  // nothing moves them relative to each other
    const int rows = correction ? 1 : 3;
    BlockSource& source = add_block(p, ConstraintKind::contact, correction ? SetKind::nonnegative : SetKind::cone, rows,
                                    contact_id(contact.id), false);
    p.blocks.back().friction = correction ? 0 : material.friction;
    source.index = static_cast<int>(i);
    source.body_a = name_of_body(a);
    source.body_b = name_of_body(b);
    source.residual[0] = contact.at.gap;
    source.rows = correction ? contact_normal_row(contact.at.point, contact.at.normal)
                             : contact_rows(contact.at.point, contact.at.normal);
    writer.add(source.rows, body_a, body_b);
  }
}

void Assembly::Work::weigh(const FreeMotion& motion, ContactProblem& p) {
  writer.weigh(p.A, factor, factor.factor(p.A) < 0 && factor.symmetric());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    ConstraintBlock& block = p.blocks[i];
    const Eigen::Matrix3d G = writer.delassus(static_cast<int>(i));
    sources[i].diagonal = G.diagonal();
    block.weight = G.norm() / block.rows;
    if (!(block.weight > 0)) block.weight = 1;  // nothing moves: any number that can be divided by
  }
  p.bias.setZero(p.J.rows);
  p.compliance.setZero(p.J.rows);
  velocity.resize(at(p.J.rows));
  product.multiply(p.J, motion.v0.data(), velocity.data());
}

void Assembly::Work::apply_laws(const FreeMotion& motion, const Eigen::VectorXd& closure_ahead, ContactProblem& p) {
  const double dt = motion.dt;
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const ConstraintBlock& block = p.blocks[i];
    const BlockSource& source = sources[i];
    const int r = block.row;
    RowLaw law;
    switch (block.kind) {
      case ConstraintKind::closure:
      case ConstraintKind::coupling:
        for (int k = 0; k < block.rows; ++k) {
          law = bilateral_law(laws, dt, {source.residual[k], velocity[at(r + k)], block.weight, source.diagonal[k]});
          p.bias[r + k] = law.bias;
          if (closure_ahead.size()) p.bias[r + k] += (closure_ahead[r + k] - source.residual[k]) / dt - velocity[at(r + k)];
          p.compliance[r + k] = law.compliance;
        }
        continue;
      case ConstraintKind::contact: {
        const Contact& contact = contacts[at(source.index)];
        const ContactLaw c =
            contact_law(laws, materials.of(contact.pair.a, contact.pair.b), dt, contact.at.gap, velocity.data() + r,
                        block.weight, 0.5 * (source.diagonal[0] + source.diagonal[1]), source.diagonal[2]);
        p.bias.segment<3>(r) << c.bias[0], c.bias[1], c.bias[2];
        p.compliance.segment<3>(r) << c.tangent, c.tangent, c.normal;
        continue;
      }
      case ConstraintKind::joint_limit: {
        const RowFacts facts{source.residual[0], velocity[at(r)], block.weight, block.weight};
        law = block.set == SetKind::bilateral ? bilateral_law(laws, dt, facts) : limit_law(laws, dt, facts);
        break;
      }
      case ConstraintKind::joint_friction: law = rubbing_law(laws, block.weight); break;
      case ConstraintKind::actuator:
      case ConstraintKind::spring_damper: law = {source.bias, source.compliance}; break;
      case ConstraintKind::other: continue;
    }
    p.bias[r] = law.bias;
    p.compliance[r] = law.compliance;
  }
}

const ContactProblem& Assembly::build(const FreeMotion& motion, const std::vector<Contact>& contacts,
                                      const Eigen::VectorXd& closure_ahead) {
  Work& w = *work_;
  w.contacts = contacts;
  w.start(motion, w.problem);
  w.problem.v_free = motion.v_free;
  w.add_closures(motion, w.problem);
  w.add_springs(motion, w.problem);
  w.add_joint_rows(motion, w.problem);
  w.add_limits(motion, w.problem, false);
  w.add_contacts(motion, contacts, w.problem, false);
  if (w.problem.blocks.empty()) {
    w.problem.bias.resize(0);
    w.problem.compliance.resize(0);
    return w.problem;
  }
  w.weigh(motion, w.problem);
  w.apply_laws(motion, closure_ahead, w.problem);
  return w.problem;
}

void Assembly::Work::apply_correction(const FreeMotion& motion, const Eigen::VectorXd& v, ContactProblem& p) {
  product.multiply(p.J, v.data(), velocity.data());
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const ConstraintBlock& block = p.blocks[i];
    const double gap = sources[i].residual[0];
    if (block.set == SetKind::nonnegative) {
      p.bias[block.row] = velocity[at(block.row)] + correction_bias(laws, motion.dt, gap);
      // What is wedged between two others has no way out of both: a little give lets it settle between them at once, where a
      // rigid problem without solution would be searched in every step.
      p.compliance[block.row] = correction_give * block.weight;
    } else if (block.kind == ConstraintKind::joint_limit)  // a locked joint: an error on either side
      p.bias[block.row] = correction_bias(laws, motion.dt, -std::abs(gap)) * (gap > 0 ? -1 : 1);
  }
}

bool Assembly::build_correction(const FreeMotion& motion, const Eigen::VectorXd& v, const std::vector<Contact>& contacts,
                                ContactProblem& out) {
  Work& w = *work_;
  if (w.laws.kind != LawKind::rigid || w.laws.correction != Correction::split) return false;
  // Errors are reduced to the slop and wake the correction well beyond it: at the slop itself it would never come to rest,
  // and every step would see other gaps than the last. A pile feels that most: what is pushed out of one contact leaves
  // another, which has to be closed again.
  const double wakes = 2 * w.laws.slop, contact_wakes = 10 * w.laws.slop;
  bool error = false;
  for (const Contact& contact : contacts)
    error = error || (contact.at.gap < -contact_wakes &&
                      penetration_is_error(w.laws, w.materials.of(contact.pair.a, contact.pair.b)));
  for (const JointInfo& joint : w.limited) {
    const double position = motion.q[joint.q];
    error = error || position < joint.lower - wakes || position > joint.upper + wakes;
  }
  if (!error) return false;
  // The table speaks of the last build(), whose sources this one must not overwrite.
  w.sources.swap(w.correction_sources);
  w.start(motion, out);
  out.v_free.setZero(motion.v_free.size());
  w.add_closures(motion, out);
  w.add_limits(motion, out, true);
  w.add_contacts(motion, contacts, out, true);
  w.weigh(motion, out);
  w.apply_correction(motion, v, out);
  w.sources.swap(w.correction_sources);
  return true;
}

}  // namespace condyle
