#pragma once
#include <condyle/contact_laws.hpp>
#include <condyle/model.hpp>
#include <condyle/pinocchio_fwd.hpp>
#include <condyle/state.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace condyle {

struct SceneData;  // src/scene/scene_data.hpp: the plain tables behind a Scene

/// Surface properties. Rigid unless a stiffness is given.
struct Material {
  double friction = 0.5;         ///< Coulomb coefficient, >= 0
  double restitution = 0;        ///< 0..1
  double stiffness = unlimited;  ///< N/m
  double dissipation_time = 0;   ///< s
};

/// How the numbers of two materials become those of their contact, where no pair of materials is given by name. The
/// dissipation times are weighted by compliance whatever the rule of the stiffness.
struct PairRules {
  enum class Friction { harmonic, minimum, maximum, mean, geometric, product };  ///< harmonic: 2 a b / (a + b)
  enum class Restitution { maximum, minimum, mean, product };
  enum class Stiffness { series, minimum, maximum };  ///< series: compliances add
  Friction friction = Friction::harmonic;
  Restitution restitution = Restitution::maximum;
  Stiffness stiffness = Stiffness::series;
  bool operator==(const PairRules&) const = default;
};
const char* to_string(PairRules::Friction rule);
const char* to_string(PairRules::Restitution rule);
const char* to_string(PairRules::Stiffness rule);
/// The material of a contact between a and b by these rules.
Material contact_material(const Material& a, const Material& b, const PairRules& rules = {});

enum class Integrator { explicit_euler, symplectic, implicit_euler, midpoint, moreau_midpoint, mid_velocity };
const char* to_string(Integrator integrator);
/// Throws Error naming the nearest valid name.
Integrator integrator_from(const std::string& name, const Place& place = {});

enum class Base {
  automatic,  ///< fixed if the root link is called "world" or is massless with all that is welded to it, else free; the
              ///< report says which
  fixed,
  free
};

struct ModelOptions {
  std::string name{};  ///< in the scene; empty: the model's own name
  Base base = Base::automatic;
  Pose pose{};  ///< of the root link at the start (fixed: for ever)
  Eigen::Matrix<double, 6, 1> velocity =
      Eigen::Matrix<double, 6, 1>::Zero();           ///< of a free base: linear, angular, world axes
  std::map<std::string, double> joints{};            ///< start positions by joint name, rad or m
  std::map<std::string, double> joint_velocities{};  ///< rad/s or m/s
  std::string material{};                            ///< name of a material; empty: the default one
  ReadOptions read{};
};

/// Overrides what a robot file says of one joint; NaN leaves it as it is.
struct JointProperties {
  double stiffness = std::numeric_limits<double>::quiet_NaN();
  double reference = std::numeric_limits<double>::quiet_NaN();
  double damping = std::numeric_limits<double>::quiet_NaN();
  double armature = std::numeric_limits<double>::quiet_NaN();
  double friction = std::numeric_limits<double>::quiet_NaN();
};

/// A single rigid body: free, or static if mass is not used.
struct BodySpec {
  std::string name{};
  std::vector<Shape> shapes{};
  bool is_static = false;
  Inertial inertial{};  ///< of a free body; inertia zero: that of uniform material in its shapes
  Pose pose{};
  Eigen::Matrix<double, 6, 1> velocity = Eigen::Matrix<double, 6, 1>::Zero();  ///< linear, angular, world axes
  std::string material{};
  Place place{};
};

struct LoopSpec {
  std::string name{};
  ClosureKind kind = ClosureKind::weld;
  std::string body_a{}, body_b{};  ///< "model/link", "body" or "world"
  Pose frame_a{}, frame_b{};
  /// m, of kind distance: between the origins of the two frames, above 0. NaN: what it is at the start.
  double length = std::numeric_limits<double>::quiet_NaN();
  Place place{};
};

/// Pulls the two points together with stiffness (distance - length) + damping (rate of the distance).
struct SpringSpec {
  std::string name{};
  std::string body_a{}, body_b{};                                                        ///< "model/link", "body" or "world"
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero(), point_b = Eigen::Vector3d::Zero();  ///< m, in the bodies' frames
  double stiffness = 0;                                                                  ///< N/m, >= 0
  double damping = 0;                                                                    ///< N s/m, >= 0
  double length = 0;  ///< m, >= 0: where the spring is slack
  Place place{};
};

/// A push on a body from the start until a time; constant unless a factor goes with time.
struct ForceSpec {
  std::string body{};                                ///< "model/link" or "body"; it must be able to move
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< N, through the centre of mass of that link or body
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< N m
  bool turns_with_body = false;                      ///< in the axes of the link or body; else of the world
  double until = unlimited;                          ///< s; a step that begins before it has the force
  Schedule factor{};                                 ///< of force and torque, in the middle of a step; empty: 1
  Place place{};
};

/// Defaults that a scene carries for whoever runs it.
struct RunDefaults {
  double dt = 1e-3;  ///< s
  double end = 2.0;  ///< s
  Integrator integrator = Integrator::symplectic;
  std::string solver = "auto";
  double tolerance = 1e-7;  ///< m/s
  int max_iterations = 20000;
  LawOptions laws{};
};

/// A world that does not change while it is simulated: shared between threads by copying this handle.
class Scene {
 public:
  explicit Scene(std::shared_ptr<const SceneData> data) : data_(std::move(data)) {}

  const std::string& name() const;
  int nq() const;
  int nv() const;
  int body_count() const;  ///< moving links after welding fixed joints, plus free bodies
  double total_mass() const;
  const Eigen::Vector3d& gravity() const;
  const RunDefaults& defaults() const;
  const LoadReport& report() const;

  State initial_state() const;
  /// The same for two scenes that mean the same: names, masses, geometry, parameters.
  std::uint64_t identity() const;

  /// "model/joint[k]" or "body.x" for every entry of q and of v.
  std::vector<std::string> q_names() const;
  std::vector<std::string> v_names() const;
  /// First index in q and v of a joint ("model/joint") or body ("body", "model": its free base); -1: none.
  int q_index(const std::string& name) const;
  int v_index(const std::string& name) const;

  /// One Pinocchio model of the whole scene, made on request: trees in order, then free bodies as free-flyers.
  std::shared_ptr<const PinocchioModel> pinocchio_model() const;

  const SceneData& data() const { return *data_; }

 private:
  std::shared_ptr<const SceneData> data_;
};

/// Collects models, bodies and parameters, then makes an immutable Scene. Every mistake is an Error at the call.
class SceneBuilder {
 public:
  SceneBuilder();
  ~SceneBuilder();
  SceneBuilder(SceneBuilder&&) noexcept;
  SceneBuilder& operator=(SceneBuilder&&) noexcept;

  SceneBuilder& set_name(std::string name);
  SceneBuilder& set_gravity(const Eigen::Vector3d& gravity);
  SceneBuilder& set_defaults(const RunDefaults& defaults);

  /// A robot file or "robot:NAME". Instances of one file with one kind of base share their Pinocchio model.
  SceneBuilder& add_model(const std::string& file, const ModelOptions& options = {});
  SceneBuilder& add_model(std::shared_ptr<const ModelDescription> description, const ModelOptions& options = {});
  /// A model made in memory; one kinematic tree. Its own root joint decides the base, `options.base` is not used.
  SceneBuilder& add_model(const PinocchioModel& model, const ModelOptions& options = {});
  SceneBuilder& add_model(const PinocchioModel& model, const pinocchio::GeometryModel& collision,
                          const ModelOptions& options = {});

  SceneBuilder& add_body(const BodySpec& body);
  /// One more shape on a link ("model/link") or body that has been added.
  SceneBuilder& add_shape(const std::string& body, ShapeRole role, const Shape& shape, const std::string& material = {},
                          const Place& place = {});
  SceneBuilder& add_ground(const Material& material = {}, double height = 0);
  SceneBuilder& add_material(const std::string& name, const Material& material, const Place& place = {});
  SceneBuilder& set_pair_material(const std::string& a, const std::string& b, const Material& material,
                                  const Place& place = {});
  SceneBuilder& set_pair_rules(const PairRules& rules);
  SceneBuilder& set_joint(const std::string& joint, const JointProperties& properties, const Place& place = {});
  SceneBuilder& add_loop(const LoopSpec& loop);
  SceneBuilder& add_coupling(const CouplingSpec& coupling);  ///< joints as "model/joint"
  SceneBuilder& add_actuator(const ActuatorSpec& actuator);  ///< joint as "model/joint"
  SceneBuilder& add_spring(const SpringSpec& spring);
  SceneBuilder& add_force(const ForceSpec& force);
  /// Names a joint ("model/joint") that a motor drives. Scenes that name none leave every joint to the caller's tau.
  SceneBuilder& add_actuated(const std::string& joint, const Place& place = {});
  SceneBuilder& exclude_pair(const std::string& a, const std::string& b, const Place& place = {});

  /// Pose of a body or link ("model/link", "body", "world") at the start, as far as it has been added.
  Pose initial_pose(const std::string& body, const Place& place = {}) const;
  LoadReport& report();
  bool has_body(const std::string& body) const;

  /// Checks names that refer to each other and freezes the scene. The builder is empty afterwards.
  Scene finish();

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

struct SceneOptions {
  std::map<std::string, std::string> parameters{};  ///< --set key=value of a built-in scene
  Base base = Base::automatic;                      ///< of a robot file that is run by itself
  ReadOptions read{};
};

/// A scene file (YAML), a robot file (then gravity and a floor are assumed and reported), "robot:NAME", or the name of
/// a built-in scene.
Scene load_scene(const std::string& what, const SceneOptions& options = {});
/// Scene file from text; `file` names it in messages and is where relative paths start.
Scene read_scene_text(const std::string& text, const std::string& file, const SceneOptions& options = {});

/// A scene that is built into the program.
struct BuiltinScene {
  std::string name, summary;
  std::vector<std::string> parameters;  ///< "n = 10   number of links"
};
const std::vector<BuiltinScene>& builtin_scenes();
/// The scene as the text of a scene file. Throws Error naming the nearest scene or parameter.
std::string builtin_scene_text(const std::string& name, const std::map<std::string, std::string>& parameters = {});

}  // namespace condyle
