// Section `models` of a scene file: robot files, where they stand and how their joints start.
#include "scene/names.hpp"
#include "scene/robot_source.hpp"
#include "scene/scene_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace condyle {

MeshPolicy read_mesh_policy(const YamlView& value) {
  const std::string word = value.word({"hull", "convex-parts", "bvh"});
  return word == "hull" ? MeshPolicy::hull : word == "bvh" ? MeshPolicy::bvh : MeshPolicy::convex_parts;
}

namespace {

ReadOptions read_read_options(const SceneFile& scene, const YamlView& entry) {
  ReadOptions out = scene.options.read;
  if (const auto v = entry.find("mesh_policy")) out.mesh_policy = read_mesh_policy(*v);
  if (const auto v = entry.find("skip_meshes")) out.skip_meshes = v->boolean();
  if (const auto v = entry.find("sidecar")) out.sidecar = scene.path(v->text());
  if (const auto v = entry.find("default_inertia")) {
    v->allow_keys({"mass", "radius"});
    out.default_inertia = {v->at("mass").number(range::positive), v->at("radius").number(range::positive)};
  }
  if (const auto v = entry.find("package_path")) {
    std::vector<std::string> folders;
    if (v->is_sequence())
      for (const YamlView& folder : v->items()) folders.push_back(scene.path(folder.text()));
    else
      folders.push_back(scene.path(v->text()));
    out.package_path.insert(out.package_path.begin(), folders.begin(), folders.end());
  }
  return out;
}

/// A block of text begins on the line after its key, so that line `n` of the block is line `n + offset` of the file.
void shift_lines(ModelDescription& model, int offset) {
  for (auto& link : model.links) link.place.line += offset;
  for (auto& joint : model.joints) joint.place.line += offset;
  for (auto& shape : model.shapes) shape.place.line += offset;
  for (auto& coupling : model.couplings) coupling.place.line += offset;
  for (auto& closure : model.closures) closure.place.line += offset;
  for (auto& actuator : model.actuators) actuator.place.line += offset;
  for (auto& entry : model.report.entries)
    if (entry.place.line > 0) entry.place.line += offset;
}

ModelDescription read_inline(const SceneFile& scene, const YamlView& text, const ReadOptions& options) {
  try {
    ModelDescription model = read_urdf_text(text.text(), scene.file, options);
    shift_lines(model, text.line());
    return model;
  } catch (const Error& e) {
    Place place = e.place();
    if (place.line > 0) place.line += text.line();
    throw Error(e.code(), place, e.reason(), e.cure());
  }
}

/// Descriptions by the file and the options they were read with, so that copies of a robot share one.
using Known = std::map<std::string, std::shared_ptr<const ModelDescription>>;

std::shared_ptr<const ModelDescription> read_description(const SceneFile& scene, const YamlView& entry,
                                                         const ReadOptions& options, Known& known) {
  const auto file = entry.find("file"), text = entry.find("inline_urdf");
  if (file.has_value() == text.has_value())
    entry.fail("missing-value", "a model needs either 'file' or 'inline_urdf'", "file: robot.urdf, or file: robot:NAME");
  if (text) return std::make_shared<const ModelDescription>(read_inline(scene, *text, options));

  std::string path;
  try {
    path = robot_source(file->text(), std::filesystem::path(scene.file).parent_path().string());
  } catch (const Error& e) {
    throw Error(e.code(), file->place(), e.reason(), e.cure());
  }
  const std::string key = fmt::format(
      "{}\n{}\n{}\n{}\n{}\n{}", path, options.sidecar, static_cast<int>(options.mesh_policy), options.skip_meshes,
      options.default_inertia ? fmt::format("{} {}", options.default_inertia->mass, options.default_inertia->radius) : "",
      fmt::join(options.package_path, "\n"));
  auto& slot = known[key];
  if (!slot) slot = std::make_shared<const ModelDescription>(read_model(path, options));
  return slot;
}

/// Joints of this model that the section `retype` names change their kind.
std::shared_ptr<const ModelDescription> retype(SceneFile& scene, const std::string& name,
                                               std::shared_ptr<const ModelDescription> given) {
  std::shared_ptr<ModelDescription> changed;
  for (std::size_t i = 0; i < given->joints.size() && !scene.retyped.empty(); ++i) {
    const auto wanted = scene.retyped.find(name + "/" + given->joints[i].name);
    if (wanted == scene.retyped.end()) continue;
    if (!changed) changed = std::make_shared<ModelDescription>(*given);
    JointSpec& joint = changed->joints[i];
    const auto& [kind, place] = wanted->second;
    joint.kind = kind == "fixed" ? JointKind::fixed : JointKind::ball;
    joint.lower = -unlimited;
    joint.upper = unlimited;
    changed->report.add(Outcome::applied, "retyped", place,
                        fmt::format("joint '{}' of the file is taken as {} and without its limits", joint.name, kind));
    scene.retyped.erase(wanted);
  }
  return changed ? std::shared_ptr<const ModelDescription>(changed) : given;
}

/// With `limits: false` the joints of a robot may go anywhere.
std::shared_ptr<const ModelDescription> without_limits(const YamlView& entry,
                                                       std::shared_ptr<const ModelDescription> given) {
  const auto limits = entry.find("limits");
  if (!limits || limits->boolean()) return given;
  const auto changed = std::make_shared<ModelDescription>(*given);
  for (JointSpec& joint : changed->joints) joint.lower = -unlimited, joint.upper = unlimited;
  changed->report.add(Outcome::applied, "without-limits", limits->place(), "the joints' limits of position are left out");
  return changed;
}

std::map<std::string, double> read_joint_values(const YamlView& value, const ModelDescription& model) {
  std::map<std::string, JointKind> kinds;
  for (const JointSpec& joint : model.joints)
    if (joint.kind != JointKind::fixed) kinds[joint.name] = joint.kind;
  std::map<std::string, double> out;
  for (const auto& [name, number] : value.entries()) {
    const auto joint = kinds.find(name);
    if (joint == kinds.end()) {
      std::vector<std::string> known;
      for (const auto& [other, kind] : kinds) known.push_back(other);
      number.fail_unknown("moving joint", name, known);
    }
    if (nv_of(joint->second) != 1)
      number.fail("bad-joint", fmt::format("joint {} is {}; only joints with one degree of freedom take a number",
                                           in_quotes(name), to_string(joint->second)));
    out[name] = number.number();
  }
  return out;
}

void read_model_entry(SceneFile& scene, const YamlView& entry, Known& known) {
  entry.allow_keys({"name", "file", "inline_urdf", "base", "pose", "joints", "joint_velocities", "velocity", "material",
                    "limits", "mesh_policy", "skip_meshes", "default_inertia", "package_path", "sidecar"});
  ModelOptions options;
  options.name = scene.define(entry.at("name"));
  options.read = read_read_options(scene, entry);
  const auto model = without_limits(entry, retype(scene, options.name, read_description(scene, entry, options.read, known)));
  if (const auto v = entry.find("base")) {
    const std::string word = v->word({"automatic", "fixed", "free"});
    options.base = word == "fixed" ? Base::fixed : word == "free" ? Base::free : Base::automatic;
  }
  if (const auto v = entry.find("pose")) options.pose = v->pose();
  if (const auto v = entry.find("joints")) options.joints = read_joint_values(*v, *model);
  if (const auto v = entry.find("joint_velocities")) options.joint_velocities = read_joint_values(*v, *model);
  if (const auto v = entry.find("velocity")) {
    if (options.base == Base::fixed) v->fail("unknown-key", "a fixed base has no velocity", "remove it, or say base: free");
    options.velocity = v->velocity();
  }
  if (const auto v = entry.find("material")) options.material = scene.material(*v);
  try {
    scene.build.add_model(model, options);
  } catch (const Error& e) {
    if (!e.place().file.empty()) throw;
    throw Error(e.code(), entry.place(), e.reason(), e.cure());
  }
  for (const LinkSpec& link : model->links) scene.bodies.push_back(options.name + "/" + link.name);
  for (const JointSpec& joint : model->joints) {
    if (joint.kind == JointKind::fixed) continue;
    scene.joints.push_back(options.name + "/" + joint.name);
    scene.joint_kinds[scene.joints.back()] = joint.kind;
  }
}

}  // namespace

void read_models(SceneFile& scene, const YamlView& section) {
  Known known;
  for (const YamlView& entry : section.items()) read_model_entry(scene, entry, known);
}

}  // namespace condyle
