// Sections of a scene file that connect what others define: loops, couplings, actuators, joints, pairs.
#include "scene/scene_file.hpp"

#include <fmt/format.h>

#include <utility>

namespace condyle {
namespace {

ClosureKind read_closure_kind(const YamlView& value) {
  std::vector<std::string> words;
  for (const ClosureKind kind :
       {ClosureKind::spherical, ClosureKind::revolute, ClosureKind::universal, ClosureKind::cylindrical,
        ClosureKind::prismatic, ClosureKind::planar, ClosureKind::weld, ClosureKind::distance})
    words.emplace_back(to_string(kind));
  const std::string word = value.word(words);
  for (int k = 0; k <= static_cast<int>(ClosureKind::distance); ++k)
    if (word == to_string(static_cast<ClosureKind>(k))) return static_cast<ClosureKind>(k);
  return ClosureKind::weld;
}

/// `between` two bodies, `at` a place that both share at the start: a frame of the scene, a pose in the first body, or
/// one in the world.
void read_loop_between(const SceneFile& scene, const YamlView& entry, const YamlView& between, LoopSpec& loop) {
  const std::vector<YamlView> pair = between.items(2);
  loop.body_a = scene.body(pair[0]);
  loop.body_b = scene.body(pair[1]);
  const YamlView at = entry.at("at",
                               "say where: at: {frame: model/link}, at: {xyz: [..], rpy: [..]} in the world, or "
                               "at: {pose: {xyz: [..]}} in the first body");
  at.allow_keys({"frame", "pose", "xyz", "rpy", "quaternion"});
  const auto frame = at.find("frame"), pose = at.find("pose"), xyz = at.find("xyz");
  if (frame.has_value() + pose.has_value() + xyz.has_value() != 1)
    at.fail("missing-value", "needs one of 'frame', 'pose' (in the first body) and 'xyz' (in the world)");
  if (!xyz)
    for (const char* key : {"rpy", "quaternion"})
      if (const auto v = at.find(key)) v->fail("unknown-key", fmt::format("'{}' belongs to 'xyz'", key));
  const Pose a = scene.build.initial_pose(loop.body_a, pair[0].place());
  const Pose b = scene.build.initial_pose(loop.body_b, pair[1].place());
  const Pose shared = frame  ? scene.build.initial_pose(scene.body(*frame), frame->place())
                      : pose ? a * pose->pose()
                             : at.pose();
  loop.frame_a = a.inverse() * shared;
  loop.frame_b = b.inverse() * shared;
}

/// One of `frames`: the name of a link or body, or {body, pose}.
void read_loop_frame(const SceneFile& scene, const YamlView& value, std::string& body, Pose& frame) {
  if (!value.is_map()) {
    body = scene.body(value);
    return;
  }
  value.allow_keys({"body", "pose"});
  body = scene.body(value.at("body"));
  if (const auto pose = value.find("pose")) frame = pose->pose();
}

}  // namespace

void read_retype(SceneFile& scene, const YamlView& section) {
  for (const YamlView& entry : section.items()) {
    entry.allow_keys({"joint", "kind"});
    const YamlView joint = entry.at("joint"), kind = entry.at("kind");
    const std::string name = joint.text();
    if (!scene.retyped.emplace(name, std::pair(kind.word({"spherical", "fixed"}), joint.place())).second)
      joint.fail("duplicate-name", fmt::format("joint {} is retyped twice", in_quotes(name)));
  }
}

void read_joint_properties(SceneFile& scene, const YamlView& section) {
  std::map<std::string, int> seen;
  for (const YamlView& entry : section.items()) {
    entry.allow_keys({"joint", "stiffness", "reference", "damping", "armature", "friction"});
    const YamlView joint = entry.at("joint");
    const std::string name = scene.one_dof_joint(joint);
    if (const auto [earlier, is_new] = seen.emplace(name, joint.line()); !is_new)
      joint.fail("duplicate-name", fmt::format("joint {} has properties since line {}", in_quotes(name), earlier->second));
    JointProperties properties;
    if (const auto v = entry.find("stiffness")) properties.stiffness = v->number(range::not_negative);
    if (const auto v = entry.find("reference")) properties.reference = v->number();
    if (const auto v = entry.find("damping")) properties.damping = v->number(range::not_negative);
    if (const auto v = entry.find("armature")) properties.armature = v->number(range::not_negative);
    if (const auto v = entry.find("friction")) properties.friction = v->number(range::not_negative);
    scene.build.set_joint(name, properties, entry.place());
  }
}

void read_loops(SceneFile& scene, const YamlView& section) {
  std::map<std::string, int> seen;
  for (const YamlView& entry : section.items()) {
    entry.allow_keys({"name", "kind", "between", "at", "frames", "length"});
    LoopSpec loop;
    const YamlView name = entry.at("name");
    loop.name = name.name();
    if (const auto [earlier, is_new] = seen.emplace(loop.name, name.line()); !is_new)
      name.fail("duplicate-name", fmt::format("a loop {} stands in line {}", in_quotes(loop.name), earlier->second));
    loop.kind = read_closure_kind(entry.at("kind"));
    if (const auto length = entry.find("length")) {
      if (loop.kind != ClosureKind::distance)
        length->fail("unknown-key", fmt::format("a {} loop has no length", to_string(loop.kind)), "only distance has one");
      loop.length = length->number({1e-9, 1e20, "above 1e-9 m; for length 0 use kind spherical"});
    }
    loop.place = entry.place();
    const auto between = entry.find("between"), frames = entry.find("frames");
    if (between.has_value() == frames.has_value())
      entry.fail("missing-value", "a loop needs either 'between' with 'at', or 'frames'");
    if (between && loop.kind == ClosureKind::distance)
      between->fail("bad-loop", "a distance has two places, not one that both bodies share",
                    "give frames: [{body: A, pose: ..}, {body: B, pose: ..}]");
    if (between) {
      read_loop_between(scene, entry, *between, loop);
    } else {
      if (const auto at = entry.find("at"))
        at->fail("unknown-key", "'at' belongs to 'between'; 'frames' says both places itself");
      const std::vector<YamlView> pair = frames->items(2);
      read_loop_frame(scene, pair[0], loop.body_a, loop.frame_a);
      read_loop_frame(scene, pair[1], loop.body_b, loop.frame_b);
    }
    if (loop.body_a == loop.body_b) entry.fail("bad-loop", fmt::format("both ends are on {}", in_quotes(loop.body_a)));
    scene.build.add_loop(loop);
  }
}

void read_couplings(SceneFile& scene, const YamlView& section) {
  for (const YamlView& entry : section.items()) {
    entry.allow_keys({"joint", "of", "polycoef"});
    CouplingSpec coupling;
    coupling.joint = scene.one_dof_joint(entry.at("joint"));
    const YamlView of = entry.at("of");
    coupling.of = scene.one_dof_joint(of);
    if (coupling.of == coupling.joint) of.fail("bad-coupling", "a joint cannot be coupled to itself");
    const YamlView coefficients = entry.at("polycoef", "q(joint) = c0 + c1 q(of) + c2 q(of)^2 ..");
    for (const YamlView& c : coefficients.items()) coupling.polynomial.push_back(c.number());
    if (coupling.polynomial.empty() || coupling.polynomial.size() > 10)
      coefficients.fail("wrong-type", fmt::format("needs 1 to 10 coefficients, here are {}", coupling.polynomial.size()));
    coupling.place = entry.place();
    scene.build.add_coupling(coupling);
  }
}

void read_actuators(SceneFile& scene, const YamlView& section) {
  for (const YamlView& entry : section.items()) {
    ActuatorSpec actuator;
    const bool pd = entry.is_map() && entry.at("kind", "pd or torque").word({"pd", "torque"}) == "pd";
    if (pd)
      entry.allow_keys({"joint", "kind", "kp", "kd", "target", "target_velocity", "effort"});
    else
      entry.allow_keys({"joint", "kind", "value", "effort"});
    actuator.joint = scene.one_dof_joint(entry.at("joint"));
    actuator.kind = pd ? ActuatorKind::pd : ActuatorKind::torque;
    if (pd) {
      actuator.kp = entry.at("kp").number(range::not_negative);
      actuator.kd = entry.at("kd").number(range::not_negative);
      if (const auto v = entry.find("target")) read_number_or_schedule(*v, actuator.target, actuator.target_schedule);
      if (const auto v = entry.find("target_velocity")) {
        read_number_or_schedule(*v, actuator.target_velocity, actuator.velocity_schedule);
        // A number that stands beside a target's schedule takes the place of its rate.
        if (!actuator.target_schedule.empty() && actuator.velocity_schedule.empty())
          actuator.velocity_schedule = Schedule::constant(std::exchange(actuator.target_velocity, 0));
      }
    } else {
      read_number_or_schedule(entry.at("value"), actuator.value, actuator.value_schedule);
    }
    if (const auto v = entry.find("effort")) actuator.effort = v->number(range::not_negative);
    actuator.place = entry.place();
    scene.build.add_actuator(actuator);
  }
}

void read_actuated(SceneFile& scene, const YamlView& section) {
  std::map<std::string, int> seen;
  for (const YamlView& entry : section.items()) {
    const std::string joint = scene.one_dof_joint(entry);
    if (const auto [earlier, is_new] = seen.emplace(joint, entry.line()); !is_new)
      entry.fail("duplicate-name", fmt::format("joint {} is named twice", in_quotes(joint)));
    scene.build.add_actuated(joint, entry.place());
  }
}

void read_springs(SceneFile& scene, const YamlView& section) {
  std::map<std::string, int> seen;
  for (const YamlView& entry : section.items()) {
    entry.allow_keys({"name", "between", "at", "stiffness", "damping", "length"});
    SpringSpec spring;
    const YamlView name = entry.at("name");
    spring.name = name.name();
    if (const auto [earlier, is_new] = seen.emplace(spring.name, name.line()); !is_new)
      name.fail("duplicate-name", fmt::format("a spring {} stands in line {}", in_quotes(spring.name), earlier->second));
    const YamlView between = entry.at("between");
    const std::vector<YamlView> pair = between.items(2);
    spring.body_a = scene.body(pair[0]);
    spring.body_b = scene.body(pair[1]);
    if (spring.body_a == spring.body_b)
      between.fail("bad-spring", fmt::format("both ends are on {}", in_quotes(spring.body_a)));
    const std::vector<YamlView> points = entry.at("at", "two points, one in the frame of each body").items(2);
    spring.point_a = points[0].vector3();
    spring.point_b = points[1].vector3();
    spring.stiffness = entry.at("stiffness", "in N/m").number(range::not_negative);
    spring.length = entry.at("length", "where the spring is slack, in m").number(range::not_negative);
    if (const auto v = entry.find("damping")) spring.damping = v->number(range::not_negative);
    spring.place = entry.place();
    scene.build.add_spring(spring);
  }
}

void read_forces(SceneFile& scene, const YamlView& section) {
  for (const YamlView& entry : section.items()) {
    entry.allow_keys({"body", "force", "torque", "axes", "until", "factor"});
    ForceSpec force;
    force.body = scene.body(entry.at("body"));
    const auto linear = entry.find("force"), torque = entry.find("torque");
    if (!linear && !torque) entry.fail("missing-value", "needs 'force' (N), 'torque' (N m) or both");
    if (linear) force.force = linear->vector3();
    if (torque) force.torque = torque->vector3();
    if (const auto v = entry.find("axes")) force.turns_with_body = v->word({"world", "body"}) == "body";
    if (const auto v = entry.find("until")) force.until = v->number(range::not_negative);
    if (const auto v = entry.find("factor")) force.factor = read_schedule(*v);
    force.place = entry.place();
    scene.build.add_force(force);
  }
}

namespace {

/// The rule whose name stands there; Rule(0) .. last are tried.
template <class Rule>
Rule read_rule(const YamlView& value, Rule last) {
  std::vector<std::string> words;
  for (int k = 0; k <= static_cast<int>(last); ++k) words.emplace_back(to_string(static_cast<Rule>(k)));
  const std::string word = value.word(words);
  int k = 0;
  while (words[static_cast<std::size_t>(k)] != word) ++k;
  return static_cast<Rule>(k);
}

PairRules read_pair_rules(const YamlView& value) {
  value.allow_keys({"friction", "restitution", "stiffness"});
  PairRules out;
  if (const auto v = value.find("friction")) out.friction = read_rule(*v, PairRules::Friction::product);
  if (const auto v = value.find("restitution")) out.restitution = read_rule(*v, PairRules::Restitution::product);
  if (const auto v = value.find("stiffness")) out.stiffness = read_rule(*v, PairRules::Stiffness::maximum);
  return out;
}

}  // namespace

void read_pairs(SceneFile& scene, const YamlView& section) {
  section.allow_keys({"exclude", "materials", "rules"});
  if (const auto rules = section.find("rules")) scene.build.set_pair_rules(read_pair_rules(*rules));
  if (const auto exclude = section.find("exclude")) {
    for (const YamlView& entry : exclude->items()) {
      const std::vector<YamlView> pair = entry.items(2);
      scene.build.exclude_pair(scene.body(pair[0]), scene.body(pair[1]), entry.place());
    }
  }
  if (const auto materials = section.find("materials")) {
    std::map<std::pair<std::string, std::string>, int> seen;
    for (const YamlView& entry : materials->items()) {
      const Material material = read_material(entry, "between");
      const YamlView between = entry.at("between");
      const std::vector<YamlView> pair = between.items(2);
      const std::string a = scene.material(pair[0]), b = scene.material(pair[1]);
      if (const auto [earlier, is_new] = seen.emplace(std::minmax(a, b), entry.line()); !is_new)
        between.fail("duplicate-name", fmt::format("this pair of materials stands in line {} already", earlier->second));
      scene.build.set_pair_material(a, b, material, entry.place());
    }
  }
}

}  // namespace condyle
