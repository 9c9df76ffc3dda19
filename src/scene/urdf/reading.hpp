#pragma once
// What the parts of the URDF reader share while one file is read.
#include "scene/urdf/xml.hpp"

#include <condyle/model.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace condyle::urdf {

/// A link or joint, for messages and for what the second opinion may see differently.
struct Owner {
  std::string kind;  ///< "link", "joint" or "robot"
  std::string name;
  std::string key() const { return kind + " " + name; }
};

/// A joint with the names of its ends, before the tree is known.
struct RawJoint {
  JointSpec spec;
  std::string parent, child;
};

/// A closure before the links have their final indices.
struct RawClosure {
  ClosureSpec spec;
  std::string link_a, link_b;
};

struct Reading {
  Reading(const std::string& named, const ReadOptions& asked, LoadReport& out) : file(named), options(asked), report(out) {}

  const std::string& file;
  const ReadOptions& options;
  LoadReport& report;
  int version_minor = 0;  ///< URDF 1.x

  std::string name;
  std::vector<LinkSpec> links;    ///< in the order of the file
  std::vector<ShapeSpec> shapes;  ///< `link` counts in the order of the file
  std::vector<RawJoint> joints;
  std::vector<RawClosure> closures;
  std::vector<CouplingSpec> couplings;
  std::vector<std::string> closures_not_simulated;
  std::vector<std::string> actuated_joints;
  std::map<std::string, Eigen::Vector4d> colours;  ///< of named materials

  /// Constructs that urdfdom is known to read otherwise, by Owner::key(). A difference found there is explained by them.
  std::map<std::string, std::vector<std::string>> oddities;
  void odd(const Owner& owner, const std::string& what) { oddities[owner.key()].push_back(what); }

  Place place(const XmlNode& node, const Owner& owner) const;
  [[noreturn]] void refuse(const std::string& code, const XmlNode& node, const Owner& owner, const std::string& reason,
                           const std::string& cure = {}) const;
};

/// Whether infinite values are allowed (limits) or not. NaN never is.
enum class Range { finite, unbounded };

/// The numbers of an attribute; any white space separates them. Throws `bad-number`.
std::vector<double> read_numbers(Reading& reading, const XmlNode& node, const Owner& owner, std::string_view attribute,
                                 std::size_t count, Range range = Range::finite);
double read_number(Reading& reading, const XmlNode& node, const Owner& owner, std::string_view attribute, double absent,
                   Range range = Range::finite);
Eigen::Vector3d read_vector(Reading& reading, const XmlNode& node, const Owner& owner, std::string_view attribute,
                            const Eigen::Vector3d& absent);
/// The <origin> of an element, identity if there is none.
Pose read_origin(Reading& reading, const XmlNode& node, const Owner& owner);

void read_link(Reading& reading, const XmlNode& node);
void read_material(Reading& reading, const XmlNode& node);
/// Gives visual shapes the colour of the material they name.
void resolve_materials(Reading& reading);

void read_joint(Reading& reading, const XmlNode& node);
void read_transmission(Reading& reading, const XmlNode& node);
/// Replaces chains of mimic joints by couplings to their last master. Throws `unknown-joint`, `bad-joint`.
void resolve_couplings(Reading& reading);

void read_loop_joint(Reading& reading, const XmlNode& node);
/// Closures written for another simulator: named, not simulated.
void note_foreign_closures(Reading& reading, const XmlNode& robot);

/// Orders links and joints as a tree. Throws `unknown-link`, `two-parents`, `multiple-roots`, `cycle`.
ModelDescription build_tree(Reading& reading, const XmlNode& robot);
/// Reports bodies (links welded by fixed joints) whose inertia no rigid body can have.
void judge_inertias(const ModelDescription& model, LoadReport& report);
/// Reports joints whose limits exclude zero.
void judge_start_pose(const ModelDescription& model, LoadReport& report);
/// Refuses a file of which something has no effect.
void be_strict(const LoadReport& report);

}  // namespace condyle::urdf
