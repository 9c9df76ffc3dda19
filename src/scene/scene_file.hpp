#pragma once
// The parts of the scene-file reader. Each reads one section and hands it to the builder; what a later section may
// refer to is collected here, so that a wrong name is found at its own line.
#include "scene/yaml_view.hpp"

#include <condyle/scene.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace condyle {

struct SceneFile {
  std::string file;
  SceneOptions options;
  SceneBuilder build;

  std::map<std::string, int> names;                              ///< of models and bodies, and the line of each
  std::vector<std::string> materials, joints, bodies;            ///< what may be referred to, as it is written there
  std::map<std::string, JointKind> joint_kinds;                  ///< "model/joint", moving joints
  std::map<std::string, std::pair<std::string, Place>> retyped;  ///< "model/joint" -> kind, until its model is read
  std::map<std::string, std::shared_ptr<const Mesh>> meshes;     ///< by path

  /// Registers the name of a model or body; Error if it is taken.
  std::string define(const YamlView& name);
  std::string material(const YamlView& value) const;       ///< Error if it is not defined
  std::string body(const YamlView& value) const;           ///< body, model/link or world; Error if there is none
  std::string one_dof_joint(const YamlView& value) const;  ///< model/joint; Error if there is none
  std::string path(const std::string& written) const;      ///< relative to the file's folder
};

/// {friction, restitution, stiffness, dissipation_time}; `more` names a further key that the caller reads.
Material read_material(const YamlView& value, const char* more = nullptr);
MeshPolicy read_mesh_policy(const YamlView& value);
void read_models(SceneFile& scene, const YamlView& section);
void read_bodies(SceneFile& scene, const YamlView& section);
void read_retype(SceneFile& scene, const YamlView& section);
void read_joint_properties(SceneFile& scene, const YamlView& section);
void read_loops(SceneFile& scene, const YamlView& section);
void read_couplings(SceneFile& scene, const YamlView& section);
void read_actuators(SceneFile& scene, const YamlView& section);
void read_actuated(SceneFile& scene, const YamlView& section);
void read_springs(SceneFile& scene, const YamlView& section);
void read_forces(SceneFile& scene, const YamlView& section);
void read_pairs(SceneFile& scene, const YamlView& section);
/// {times, values, period, interpolation}.
Schedule read_schedule(const YamlView& value);
void read_number_or_schedule(const YamlView& value, double& number, Schedule& schedule);
/// Section `solver`.
void read_solver(const YamlView& section, RunDefaults& out);
/// {file, scale, mesh_policy}, {vertices, triangles, scale, mesh_policy} or the file alone.
void read_mesh_shape(SceneFile& scene, const YamlView& value, Shape& shape);
/// {extent, heights} or {extent, waves: {amplitude, wavelength, samples}}.
void read_heightfield(const YamlView& value, Shape& shape);

}  // namespace condyle
