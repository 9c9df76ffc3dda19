#include "scene/sidecar.hpp"

#include "scene/names.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace condyle {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char*, 5> keys = {"closed_loop", "type", "name_mot", "joint_name", "joint_type"};
constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 20;

std::string text_of(const std::string& path) {
  std::error_code error;
  if (fs::file_size(path, error) > most_bytes || error) return {};
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// A YAML file beside a robot may be anything; a sidecar has keys of its own and is no scene.
bool is_sidecar(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  const std::string text = text_of(path);
  try {
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap() || root["condyle"]) return false;
    return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return static_cast<bool>(root[key]); });
  } catch (const YAML::Exception&) {
    return text.find("closed_loop") != std::string::npos;  // meant as one: reading it says what is wrong
  }
}

class Sidecar {
 public:
  Sidecar(ModelDescription& model, const std::string& file, const ReadOptions& options, LoadReport& report)
      : model_(model), file_(file), options_(options), report_(report) {}

  void apply() {
    try {
      root_ = YAML::Load(text_of(file_));
    } catch (const YAML::Exception& error) {
      throw Error("bad-sidecar", {file_, error.mark.line + 1, ""}, error.msg, "correct the YAML at this line");
    }
    if (!root_.IsMap()) refuse("bad-sidecar", root_, "sidecar", "it holds no keys", "");
    std::vector<std::string> names(keys.begin(), keys.end());
    for (const auto& item : root_) {
      const std::string key = item.first.as<std::string>("");
      if (std::find(names.begin(), names.end(), key) == names.end())
        report_.add(Outcome::ignored, "unknown-key", at(item.first, key),
                    fmt::format("key '{}' is not known{}", key, did_you_mean(key, names)));
    }
    for (const JointSpec& joint : model_.joints) joints_.push_back(joint.name);
    read_closures();
    read_motors();
    read_retypes();
    check_couplings();
  }

 private:
  Place at(const YAML::Node& node, const std::string& element) const { return {file_, node.Mark().line + 1, element}; }
  [[noreturn]] void refuse(const char* code, const YAML::Node& node, const std::string& element, const std::string& reason,
                           const std::string& cure) const {
    throw Error(code, at(node, element), reason, cure);
  }
  /// A name that the model does not have: an error, or an entry if the user asked for that.
  void unknown(const char* code, const YAML::Node& node, const std::string& element, const std::string& reason) {
    if (!options_.skip_unknown_names)
      refuse(code, node, element, reason, "correct the name, or load with skip_unknown_names");
    report_.add(Outcome::ignored, code, at(node, element), reason);
  }

  YAML::Node list(const char* key) const {
    const YAML::Node node = root_[key];
    if (!node || node.IsNull()) return YAML::Node(YAML::NodeType::Sequence);
    if (!node.IsSequence()) refuse("bad-sidecar", node, key, "a list is expected", "write [a, b, ...]");
    return node;
  }
  std::string word(const YAML::Node& node, const std::string& element) const {
    if (!node.IsScalar()) refuse("bad-sidecar", node, element, "a name is expected", "");
    return node.Scalar();
  }

  /// The link that a frame (link or joint of that name) moves with; -1: none. Both kinds stand at the link's own frame.
  int link_of(const std::string& frame) const {
    const int link = model_.find_link(frame);
    if (link >= 0) return link;
    const int joint = model_.find_joint(frame);
    return joint < 0 ? -1 : model_.joints[static_cast<std::size_t>(joint)].child;
  }

  void read_closures() {
    std::vector<std::string> frames = joints_;
    for (const LinkSpec& link : model_.links) frames.push_back(link.name);
    const YAML::Node pairs = list("closed_loop"), types = list("type");
    if (types.size() > pairs.size())
      report_.add(Outcome::ignored, "no-effect", at(types, "type"),
                  fmt::format("{} types are given for {} closures", types.size(), pairs.size()));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::string element = fmt::format("closed_loop[{}]", i);
      if (!pairs[i].IsSequence() || pairs[i].size() != 2)
        refuse("bad-sidecar", pairs[i], element, "a pair of frames is expected", "write [a, b]");
      ClosureSpec closure;
      const std::string a = word(pairs[i][0], element), b = word(pairs[i][1], element);
      closure.name = a + "|" + b;
      closure.place = at(pairs[i], element);
      closure.link_a = link_of(a);
      closure.link_b = link_of(b);
      closure.kind = kind(types, i, closure.place);
      for (const auto& [name, link] : {std::pair{a, closure.link_a}, std::pair{b, closure.link_b}})
        if (link < 0)
          unknown("unknown-frame", pairs[i], element,
                  fmt::format("closed_loop frame '{}' is neither link nor joint{}", name, did_you_mean(name, frames)));
      if (closure.link_a >= 0 && closure.link_b >= 0) model_.closures.push_back(std::move(closure));
    }
  }

  ClosureKind kind(const YAML::Node& types, std::size_t i, const Place& place) {
    if (i >= types.size()) {
      report_.add(Outcome::assumed, "default-taken", place, "no type is given: 6d is taken");
      return ClosureKind::weld;
    }
    const std::string type = word(types[i], "type");
    if (type == "3d" || type == "3D") return ClosureKind::spherical;
    if (type == "6d" || type == "6D") return ClosureKind::weld;
    refuse("bad-sidecar", types[i], fmt::format("type[{}]", i), fmt::format("closure type '{}' is not known", type),
           "use 3d or 6d");
  }

  void read_motors() {
    const YAML::Node motors = list("name_mot");
    for (std::size_t i = 0; i < motors.size(); ++i) {
      const std::string element = fmt::format("name_mot[{}]", i);
      const std::string name = word(motors[i], element);
      if (model_.find_joint(name) < 0)
        unknown("unknown-joint", motors[i], element,
                fmt::format("motor '{}' is no joint{}", name, did_you_mean(name, joints_)));
      else if (std::find(model_.actuated_joints.begin(), model_.actuated_joints.end(), name) == model_.actuated_joints.end())
        model_.actuated_joints.push_back(name);
    }
  }

  void read_retypes() {
    const YAML::Node names = list("joint_name"), types = list("joint_type");
    if (names.size() != types.size())
      refuse("bad-sidecar", names, "joint_name", fmt::format("{} joints and {} types are given", names.size(), types.size()),
             "give one joint_type for each joint_name");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string element = fmt::format("joint_name[{}]", i);
      const std::string name = word(names[i], element), type = word(types[i], fmt::format("joint_type[{}]", i));
      const int joint = model_.find_joint(name);
      if (joint < 0)
        unknown("unknown-joint", names[i], element,
                fmt::format("joint '{}' to retype is not declared{}", name, did_you_mean(name, joints_)));
      else
        retype(static_cast<std::size_t>(joint), type, names[i], types[i]);
    }
  }

  void retype(std::size_t index, const std::string& type, const YAML::Node& name_node, const YAML::Node& type_node) {
    const std::string name = model_.joints[index].name;
    const Place place = at(name_node, "joint " + name);
    const auto axis = [&](std::size_t k) {
      return type.size() == 9 ? std::string_view("XYZ").find(type[k]) : std::string_view::npos;
    };
    std::string became;
    if (type == "SPHERICAL") {
      became = "a ball joint";
      free_limits(model_.joints[index]).kind = JointKind::ball;
    } else if (type == "FIXED") {
      became = "fixed at 0";
      free_limits(model_.joints[index]).kind = JointKind::fixed;
      std::erase(model_.actuated_joints, name);
    } else if (type.starts_with("UJOINT_") && axis(7) < 3 && axis(8) < 3 && axis(7) != axis(8)) {
      became = fmt::format("two revolute joints {0}_A about {1} and {0}_B about {2}", name, type[7], type[8]);
      split(index, Eigen::Vector3d::Unit(static_cast<int>(axis(7))), Eigen::Vector3d::Unit(static_cast<int>(axis(8))));
    } else {
      refuse("unknown-joint-type", type_node, "joint_type", fmt::format("joint '{}' cannot become '{}'", name, type),
             "use SPHERICAL, UJOINT_XY (any two axes) or FIXED");
    }
    report_.add(Outcome::applied, "retyped", place,
                fmt::format("the sidecar makes this joint {}; the limits of the URDF no longer hold", became));
  }

  static JointSpec& free_limits(JointSpec& joint) {
    joint.lower = -unlimited;
    joint.upper = unlimited;
    return joint;
  }

  /// Puts a massless link between the joint's ends, right before the child, so that parents stay before children.
  void split(std::size_t index, const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
    const int middle = model_.joints[index].child;
    const auto shift = [&](int& link) {
      if (link >= middle) ++link;
    };
    for (JointSpec& joint : model_.joints) shift(joint.parent), shift(joint.child);
    for (ShapeSpec& shape : model_.shapes) shift(shape.link);
    for (ClosureSpec& closure : model_.closures) shift(closure.link_a), shift(closure.link_b);
    JointSpec& first = free_limits(model_.joints[index]);
    const std::string name = first.name;
    model_.links.insert(model_.links.begin() + middle, LinkSpec{name + "_A_link", {}, false, first.place});
    JointSpec second = first;
    first.kind = second.kind = JointKind::revolute;
    first.name = name + "_A";
    first.axis = a;
    first.child = second.parent = middle;
    second.name = name + "_B";
    second.axis = b;
    second.origin = {};
    model_.joints.insert(model_.joints.begin() + static_cast<std::ptrdiff_t>(index) + 1, second);
    const auto motor = std::find(model_.actuated_joints.begin(), model_.actuated_joints.end(), name);
    if (motor != model_.actuated_joints.end()) {
      *motor = name + "_A";
      model_.actuated_joints.insert(motor + 1, name + "_B");
    }
  }

  /// A coupling needs two joints of one degree of freedom, which a retyping may have taken away.
  void check_couplings() const {
    for (const CouplingSpec& coupling : model_.couplings)
      for (const std::string& name : {coupling.joint, coupling.of}) {
        const int joint = model_.find_joint(name);
        if (joint < 0 || nv_of(model_.joints[static_cast<std::size_t>(joint)].kind) != 1)
          throw Error("bad-joint", coupling.place, fmt::format("joint '{}' is coupled, and {} retypes it", name, file_),
                      "take it out of the sidecar or remove the <mimic>");
      }
  }

  ModelDescription& model_;
  const std::string& file_;
  const ReadOptions& options_;
  LoadReport& report_;
  YAML::Node root_;
  std::vector<std::string> joints_;
};

}  // namespace

ClosureError closure_error(ClosureKind kind, const Pose& a, const Pose& b) {
  const Pose rel = a.inverse() * b;
  const double across = rel.p.head<2>().norm(), along = std::abs(rel.p.z());
  const double turn = std::acos(std::clamp((rel.R.trace() - 1) / 2, -1.0, 1.0));
  const Eigen::Vector3d z = rel.R.col(2);
  const double tilt = std::atan2(z.head<2>().norm(), z.z());
  switch (kind) {
    case ClosureKind::weld: return {rel.p.norm(), turn};
    case ClosureKind::revolute: return {rel.p.norm(), tilt};
    case ClosureKind::spherical:
    case ClosureKind::universal: return {rel.p.norm(), 0};
    case ClosureKind::prismatic: return {across, turn};
    case ClosureKind::cylindrical: return {across, tilt};
    case ClosureKind::planar: return {along, tilt};
    case ClosureKind::distance: return {};
  }
  return {};
}

std::string find_sidecar(const std::string& model_file, const ReadOptions& options) {
  if (!options.sidecar.empty()) {
    std::error_code error;
    if (!fs::is_regular_file(options.sidecar, error))
      throw Error("no-file", {options.sidecar, 0, ""}, "the sidecar does not exist");
    return options.sidecar;
  }
  const fs::path file(model_file);
  for (const fs::path& beside : {fs::path(file).replace_extension(".yaml"), file.parent_path() / "robot.yaml"})
    if (is_sidecar(beside.string())) return beside.string();
  return {};
}

void apply_sidecar(ModelDescription& model, const std::string& sidecar, const ReadOptions& options, LoadReport& report) {
  report.files.push_back(sidecar);
  try {
    Sidecar(model, sidecar, options, report).apply();
  } catch (const YAML::Exception& error) {
    throw Error("bad-sidecar", {sidecar, error.mark.line + 1, ""}, error.msg, "correct the YAML at this line");
  }
}

void judge_closures(const ModelDescription& model, LoadReport& report) {
  const std::vector<Pose> poses = model.reference_poses();
  const auto pose = [&](int link) { return link < 0 ? Pose{} : poses[static_cast<std::size_t>(link)]; };
  for (const ClosureSpec& closure : model.closures) {
    const ClosureError error =
        closure_error(closure.kind, pose(closure.link_a) * closure.frame_a, pose(closure.link_b) * closure.frame_b);
    const bool open = error.length > 1e-3 || error.angle > 1e-3;
    report.add(
        open ? Outcome::assumed : Outcome::applied, open ? "closure-open" : "closure", closure.place,
        fmt::format("{} closure '{}' misses by {:.3g} m and {:.3g} rad at the reference pose{}", to_string(closure.kind),
                    closure.name, error.length, error.angle, open ? ": assemble the model before it is simulated" : ""));
  }
}

}  // namespace condyle
