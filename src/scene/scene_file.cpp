#include "scene/scene_file.hpp"

#include "scene/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

namespace condyle {

namespace fs = std::filesystem;

std::string SceneFile::define(const YamlView& value) {
  std::string name = value.name();
  const auto [earlier, is_new] = names.emplace(name, value.line());
  if (!is_new)
    value.fail("duplicate-name", fmt::format("the name {} is taken since line {}", in_quotes(name), earlier->second),
               "models and bodies need names of their own");
  return name;
}

std::string SceneFile::material(const YamlView& value) const {
  std::string name = value.text();
  if (!std::binary_search(materials.begin(), materials.end(), name)) value.fail_unknown("material", name, materials);
  return name;
}

std::string SceneFile::body(const YamlView& value) const {
  std::string name = value.text();
  if (!std::binary_search(bodies.begin(), bodies.end(), name)) value.fail_unknown("body or link", name, bodies);
  return name;
}

std::string SceneFile::one_dof_joint(const YamlView& value) const {
  std::string name = value.text();
  const auto joint = joint_kinds.find(name);
  if (joint == joint_kinds.end()) value.fail_unknown("moving joint", name, joints);
  if (nv_of(joint->second) != 1)
    value.fail("bad-joint", fmt::format("joint {} is {}, not a joint with one degree of freedom", in_quotes(name),
                                        to_string(joint->second)));
  return name;
}

std::string SceneFile::path(const std::string& written) const {
  const fs::path given(written);
  return given.is_absolute() ? written : (fs::path(file).parent_path() / given).lexically_normal().string();
}

Material read_material(const YamlView& value, const char* more) {
  if (more != nullptr)
    value.allow_keys({more, "friction", "restitution", "stiffness", "dissipation_time"});
  else
    value.allow_keys({"friction", "restitution", "stiffness", "dissipation_time"});
  Material out;
  out.friction = value.at("friction", "a material needs its Coulomb coefficient").number(range::not_negative);
  if (const auto v = value.find("restitution")) out.restitution = v->number(range::fraction);
  if (const auto v = value.find("stiffness")) out.stiffness = v->number(range::positive);
  if (const auto v = value.find("dissipation_time")) out.dissipation_time = v->number(range::not_negative);
  return out;
}

namespace {

void read_head(SceneFile& scene, const YamlView& root) {
  root.allow_keys({"condyle", "name", "gravity", "time", "solver", "materials", "models", "bodies", "retype",
                   "joint_properties", "loops", "couplings", "actuators", "actuated", "springs", "forces", "pairs"});
  root.at("condyle", "begin the file with 'condyle: 1', the version of its format").integer(1, 1);
  const auto name = root.find("name");
  scene.build.set_name(name ? name->text() : fs::path(scene.file).stem().string());
  if (const auto gravity = root.find("gravity"))
    scene.build.set_gravity(gravity->vector3());
  else
    scene.build.report().add(Outcome::assumed, "default-taken", Place{scene.file, 0, "gravity"},
                             "the file gives no gravity: 9.81 m/s² along -z is taken");
}

RunDefaults read_defaults(const YamlView& root) {
  RunDefaults out;
  if (const auto time = root.find("time")) {
    time->allow_keys({"step", "end", "integrator"});
    if (const auto v = time->find("step")) out.dt = v->number({1e-9, 10, "between 1e-9 and 10 seconds"});
    if (const auto v = time->find("end")) out.end = v->number({0, 1e9, "between 0 and 1e9 seconds"});
    if (const auto v = time->find("integrator")) out.integrator = integrator_from(v->text().substr(0, 200), v->place());
  }
  if (const auto solver = root.find("solver")) read_solver(*solver, out);
  return out;
}

void read_materials(SceneFile& scene, const YamlView& section) {
  for (const auto& [name, value] : section.entries()) {
    if (name.empty() || name.size() > 200) value.fail("bad-name", "a material needs a name of 1 to 200 characters");
    scene.build.add_material(name, read_material(value), value.place());
    scene.materials.push_back(name);
  }
  std::sort(scene.materials.begin(), scene.materials.end());
}

using SectionReader = void (*)(SceneFile&, const YamlView&);
void read_section(SceneFile& scene, const YamlView& root, const char* key, SectionReader read) {
  if (const auto section = root.find(key)) read(scene, *section);
}

}  // namespace

Scene read_scene_text(const std::string& text, const std::string& file, const SceneOptions& options) {
  if (!options.parameters.empty())
    throw Error("unknown-parameter", Place{file, 0, ""},
                fmt::format("'{}' is set, but a scene file has no parameters", options.parameters.begin()->first),
                "change the value in the file; only built-in scenes have parameters");
  const YamlNode tree = parse_yaml(text, file);
  const YamlView root(tree, file);
  SceneFile scene;
  scene.file = file;
  scene.options = options;
  scene.build.report().files.push_back(file);

  read_head(scene, root);
  scene.build.set_defaults(read_defaults(root));
  read_section(scene, root, "materials", read_materials);
  read_section(scene, root, "retype", read_retype);
  read_section(scene, root, "models", read_models);
  read_section(scene, root, "bodies", read_bodies);
  scene.bodies.push_back("world");
  std::sort(scene.bodies.begin(), scene.bodies.end());
  if (!scene.retyped.empty()) {
    const auto& [joint, kind_and_place] = *scene.retyped.begin();
    throw Error("unknown-name", kind_and_place.second,
                fmt::format("there is no joint {}{}", in_quotes(joint),
                            joint.size() <= 200 ? did_you_mean(joint, scene.joints) : ""),
                "joints are written as model/joint");
  }
  read_section(scene, root, "joint_properties", read_joint_properties);
  read_section(scene, root, "loops", read_loops);
  read_section(scene, root, "couplings", read_couplings);
  read_section(scene, root, "actuators", read_actuators);
  read_section(scene, root, "actuated", read_actuated);
  read_section(scene, root, "springs", read_springs);
  read_section(scene, root, "forces", read_forces);
  read_section(scene, root, "pairs", read_pairs);
  return scene.build.finish();
}

}  // namespace condyle
