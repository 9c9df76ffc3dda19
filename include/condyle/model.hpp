#pragma once
// What a robot file says, as a plain tree, with the place each thing came from. Every reader (URDF now, MJCF later)
// produces a ModelDescription and one builder turns it into a simulated tree, so no format has a way of its own.
#include <condyle/error.hpp>
#include <condyle/load_report.hpp>
#include <condyle/schedule.hpp>
#include <condyle/shape.hpp>

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condyle {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Mass properties: inertia about the centre of mass, in the axes of the link.
struct Inertial {
  double mass = 0;                                    ///< kg
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      ///< m, in the link frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< kg m²
};

struct LinkSpec {
  std::string name{};
  Inertial inertial;
  bool has_inertial = false;  ///< false: the file gives none, the link is a massless frame
  Place place{};
};

enum class JointKind { fixed, revolute, continuous, prismatic, planar, floating, ball };
const char* to_string(JointKind kind);
/// Numbers in q and v, in Pinocchio's convention: continuous 2/1, planar 4/3, ball 4/3, floating 7/6.
int nq_of(JointKind kind);
int nv_of(JointKind kind);

/// Moves link `child` relative to link `parent`. At zero position the child frame coincides with `origin`.
struct JointSpec {
  std::string name{};
  JointKind kind = JointKind::fixed;
  int parent = -1;  ///< index into links
  int child = -1;
  Pose origin;                                      ///< in the parent link
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< unit, in the joint frame; planar: the plane's normal
  double lower = -unlimited, upper = unlimited;     ///< rad or m; one-dof joints
  double effort = unlimited, velocity = unlimited;  ///< N m or N; rad/s or m/s
  double damping = 0;                               ///< N m s/rad or N s/m
  double friction = 0;                              ///< dry friction, N m or N
  double armature = 0;                              ///< kg m² or kg, added to the joint-space inertia
  double stiffness = 0, spring_reference = 0;       ///< joint spring, N m/rad or N/m, and where it is slack
  double initial = 0;                               ///< rad or m, start position of a one-dof joint
  Place place{};
};

enum class ShapeRole { collision, visual };

struct ShapeSpec {
  int link = -1;
  ShapeRole role = ShapeRole::collision;
  std::string name{};    ///< may be empty
  std::string material;  ///< of a visual: its material's name; may be empty
  Eigen::Vector4d rgba = Eigen::Vector4d(0.7, 0.7, 0.7, 1);
  Shape shape;
  Place place{};
};

/// q(joint) = Σ_k polynomial[k] q(of)^k; a mimic joint is offset + multiplier q(of).
struct CouplingSpec {
  std::string joint, of;
  std::vector<double> polynomial;
  Place place{};
};

enum class ClosureKind { spherical, revolute, universal, cylindrical, prismatic, planar, weld, distance };
const char* to_string(ClosureKind kind);
int rows_of(ClosureKind kind);

/// Two frames, one on each of two links, that a closure holds together. Axis z of the frames where a kind has an axis.
struct ClosureSpec {
  std::string name{};
  ClosureKind kind = ClosureKind::weld;
  int link_a = -1, link_b = -1;  ///< -1: the world
  Pose frame_a, frame_b;         ///< in the links
  bool active = true;
  Place place{};
};

enum class ActuatorKind { torque, pd };

struct ActuatorSpec {
  std::string joint{};
  ActuatorKind kind = ActuatorKind::torque;
  double kp = 0, kd = 0, target = 0, target_velocity = 0;  ///< pd
  double value = 0;                                        ///< torque: N m or N
  double effort = unlimited;
  /// In place of target, target_velocity and value where they are not empty. Without one of its own the velocity of a target
  /// that follows a schedule is its rate.
  Schedule target_schedule{}, velocity_schedule{}, value_schedule{};
  Place place{};
};

/// What a pd actuator aims at, and what a torque actuator gives, in the step of length dt that begins at t. A target is that
/// of the step's end, as the law is; whatever jumps at a keyframe (targets that are held, rates, torques) is taken in the
/// middle of the step, where round-off in t does not decide, and a torque has the impulse of its schedule.
struct ActuatorAim {
  double target = 0, velocity = 0;  ///< pd: rad or m; rad/s or m/s
  double value = 0;                 ///< torque: N m or N, within the effort
};
ActuatorAim actuator_aim(const ActuatorSpec& spec, double t, double dt);

struct ModelDescription {
  std::string name{};
  std::string file;
  std::string format;             ///< "urdf", "mjcf", "memory"
  std::vector<LinkSpec> links;    ///< links[root] first among its tree; a parent comes before its children
  std::vector<JointSpec> joints;  ///< joints[i] moves its child; order: depth first, children by the joint's name
  std::vector<ShapeSpec> shapes;
  std::vector<CouplingSpec> couplings;
  std::vector<ClosureSpec> closures;
  std::vector<std::string> closures_not_simulated;  ///< named in the file in a form that is only reported
  std::vector<ActuatorSpec> actuators;
  std::vector<std::string> actuated_joints;  ///< named by transmissions or a sidecar
  int root = 0;
  LoadReport report;

  double total_mass() const;
  int nq() const;  ///< without the base
  int nv() const;
  int find_link(std::string_view name) const;   ///< -1: none
  int find_joint(std::string_view name) const;  ///< -1: none
  /// Pose of every link in the root link's frame with all joints at zero.
  std::vector<Pose> reference_poses() const;
};

/// How a file is turned into a description.
struct ReadOptions {
  std::vector<std::string> package_path{};  ///< folders searched for package:// names and relative meshes
  std::string sidecar{};                    ///< loop-closure sidecar; empty: <stem>.yaml or robot.yaml beside the file
  bool strict = false;                      ///< an `ignored` entry refuses the file
  bool skip_meshes = false;                 ///< collision meshes that are missing or unreadable are left out and reported
  bool skip_unsupported = false;
  bool skip_unknown_names = false;
  MeshPolicy mesh_policy = MeshPolicy::hull;
  struct DefaultInertia {
    double mass, radius;  ///< kg, m: links without inertial become solid spheres of this size
  };
  std::optional<DefaultInertia> default_inertia{};
};

/// Reads a robot file (URDF). Throws Error with file, line, element and cure if it must be refused; the report that had
/// been collected until then can be had through `partial`.
ModelDescription read_model(const std::string& file, const ReadOptions& options = {}, LoadReport* partial = nullptr);

/// The same from text; `file` names it in messages and is where relative paths start.
ModelDescription read_urdf_text(const std::string& text, const std::string& file, const ReadOptions& options = {},
                                LoadReport* partial = nullptr);

/// File of a robot of the installed robot package ("talos" -> .../talos_reduced.urdf). Throws Error naming the nearest
/// robots, or saying how to install the package.
std::string find_robot(const std::string& name);
/// All names that find_robot accepts as they are, sorted; empty if the package is not installed.
std::vector<std::string> robot_names();

}  // namespace condyle
