// Sections of a scene file that connect what others define: loops, couplings, actuators, joints, pairs.
#include "scene/scene_file.hpp"

#include <fmt/format.h>

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

/// `between` two bodies, `at` a place that both share at the start: a frame of the scene, or a pose in the first body.
void read_loop_between(const SceneFile& scene, const YamlView& entry, const YamlView& between, LoopSpec& loop) {
  const std::vector<YamlView> pair = between.items(2);
  loop.body_a = scene.body(pair[0]);
  loop.body_b = scene.body(pair[1]);
  const YamlView at = entry.at("at", "say where: at: {frame: model/link} or at: {pose: {xyz: [..]}} in the first body");
  at.allow_keys({"frame", "pose"});
  const auto frame = at.find("frame"), pose = at.find("pose");
  if (frame.has_value() == pose.has_value()) at.fail("missing-value", "needs either 'frame' or 'pose'");
  const Pose a = scene.build.initial_pose(loop.body_a, pair[0].place());
  const Pose b = scene.build.initial_pose(loop.body_b, pair[1].place());
  const Pose shared = frame ? scene.build.initial_pose(scene.body(*frame), frame->place()) : a * pose->pose();
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
    entry.allow_keys({"name", "kind", "between", "at", "frames"});
    LoopSpec loop;
    const YamlView name = entry.at("name");
    loop.name = name.name();
    if (const auto [earlier, is_new] = seen.emplace(loop.name, name.line()); !is_new)
      name.fail("duplicate-name", fmt::format("a loop {} stands in line {}", in_quotes(loop.name), earlier->second));
    loop.kind = read_closure_kind(entry.at("kind"));
    loop.place = entry.place();
    const auto between = entry.find("between"), frames = entry.find("frames");
    if (between.has_value() == frames.has_value())
      entry.fail("missing-value", "a loop needs either 'between' with 'at', or 'frames'");
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
      if (const auto v = entry.find("target")) actuator.target = v->number();
      if (const auto v = entry.find("target_velocity")) actuator.target_velocity = v->number();
    } else {
      actuator.value = entry.at("value").number();
    }
    if (const auto v = entry.find("effort")) actuator.effort = v->number(range::not_negative);
    actuator.place = entry.place();
    scene.build.add_actuator(actuator);
  }
}

void read_pairs(SceneFile& scene, const YamlView& section) {
  section.allow_keys({"exclude", "materials"});
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
