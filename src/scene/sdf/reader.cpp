#include "scene/sdf/reader.hpp"

#include "scene/mesh_files.hpp"
#include "scene/names.hpp"
#include "scene/sidecar.hpp"
#include "scene/urdf/grammar.hpp"
#include "scene/urdf/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace condyle {
namespace sdf {
namespace {

using urdf::Owner;
using urdf::RawClosure;
using urdf::RawJoint;
using urdf::Reading;
using urdf::XmlNode;

constexpr double endless = 1e15;  // SDF writes 1e16 for a limit that is none

/// Reads the links and joints of a model into the form that URDF has: every link's frame at the joint that carries it.
class ModelReader {
 public:
  ModelReader(Reading& reading, const XmlNode& model) : reading_(reading), model_(model) {}

  void read() {
    know(model_, {"link", "joint"}, {"model", reading_.name});
    for (const XmlNode& node : model_.children)
      if (node.tag == "link") read_link(node);
    for (const XmlNode& node : model_.children)
      if (node.tag == "joint") read_joint(node);
    for (const Joint& joint : joints_)
      if (!joint.closes) carry(joint);
    for (const Joint& joint : joints_) joint.closes ? add_closure(joint) : add_joint(joint);
  }

 private:
  struct Joint {
    const XmlNode* node;
    Owner owner;
    JointSpec spec;
    std::string type;
    std::size_t parent, child;
    Pose in_child;
    bool closes = false;
  };

  /// Everything else in the element has no effect, and is said.
  void know(const XmlNode& node, const std::vector<std::string>& words, const Owner& owner) {
    for (const XmlNode& child : node.children)
      if (std::find(words.begin(), words.end(), child.tag) == words.end())
        reading_.report.add(
            Outcome::ignored, "no-effect", reading_.place(child, owner),
            fmt::format("<{}> in <{}> has no effect{}", child.tag, node.tag, did_you_mean(child.tag, words)));
  }

  /// Numbers that stand as the text of a child element; empty: there is none.
  std::vector<double> numbers(const XmlNode& node, const char* child, std::size_t count, const Owner& owner) {
    const XmlNode* given = node.one(child);
    if (!given) return {};
    XmlNode value = *given;
    value.attributes.push_back({"text", given->text});
    return urdf::read_numbers(reading_, value, owner, "text", count);
  }
  double number(const XmlNode& node, const char* child, double absent, const Owner& owner) {
    const std::vector<double> out = numbers(node, child, 1, owner);
    return out.empty() ? absent : out[0];
  }
  double needed(const XmlNode& node, const char* child, const Owner& owner) {
    if (!node.one(child))
      reading_.refuse("missing-value", node, owner, fmt::format("<{}> needs <{}>", node.tag, child), "give it in SI units");
    return number(node, child, 0, owner);
  }

  Pose pose(const XmlNode& node, const Owner& owner) {
    const XmlNode* given = node.one("pose");
    if (!given) return {};
    for (const char* name : {"frame", "relative_to", "degrees", "rotation_format"})
      if (const std::string* value = given->find(name);
          value && !value->empty() && *value != "false" && *value != "euler_rpy")
        reading_.refuse("unsupported-element", *given, owner, fmt::format("{}=\"{}\" of a pose is not read", name, *value),
                        "give the pose relative to the element around it, in radians");
    const std::vector<double> x = numbers(node, "pose", 6, owner);
    return Pose::from_xyz_rpy({x[0], x[1], x[2]}, {x[3], x[4], x[5]});
  }

  void read_link(const XmlNode& node) {
    const Owner owner{"link", node.name()};
    if (owner.name.empty()) reading_.refuse("no-name", node, owner, "the link has no name", "give it a name of its own");
    know(node, {"pose", "inertial", "visual", "collision"}, owner);
    LinkSpec link;
    link.name = owner.name;
    link.place = reading_.place(node, owner);
    if (const XmlNode* inertial = node.one("inertial")) read_inertial(*inertial, owner, link);
    for (const XmlNode& child : node.children)
      if (child.tag == "visual" || child.tag == "collision") read_shape(child, owner);
    poses_.push_back(pose(node, owner));
    reading_.links.push_back(std::move(link));
  }

  void read_inertial(const XmlNode& node, const Owner& owner, LinkSpec& link) {
    know(node, {"pose", "mass", "inertia"}, owner);
    const XmlNode* inertia = node.one("inertia");
    if (!inertia) reading_.refuse("bad-inertial", node, owner, "it has no <inertia>", "give mass and inertia");
    const auto I = [&](const char* entry) { return needed(*inertia, entry, owner); };
    const double xy = I("ixy"), xz = I("ixz"), yz = I("iyz");
    Eigen::Matrix3d about;
    about << I("ixx"), xy, xz, xy, I("iyy"), yz, xz, yz, I("izz");
    const Pose at = pose(node, owner);
    link.has_inertial = true;
    link.inertial = {needed(node, "mass", owner), at.p, at.R * about * at.R.transpose()};
    if (link.inertial.mass < 0) reading_.refuse("bad-inertial", node, owner, "the mass is negative", "give a positive mass");
  }

  void read_shape(const XmlNode& node, const Owner& owner) {
    ShapeSpec out;
    out.role = node.tag == "visual" ? ShapeRole::visual : ShapeRole::collision;
    know(node, {"pose", "geometry", out.role == ShapeRole::visual ? "material" : "geometry"}, owner);
    out.link = static_cast<int>(reading_.links.size());
    out.name = node.name();
    out.place = reading_.place(node, owner);
    const XmlNode* geometry = node.one("geometry");
    if (!geometry || geometry->children.size() != 1)
      reading_.refuse("unknown-geometry", node, owner, "it needs one <geometry> with one shape");
    out.shape = read_geometry(geometry->children[0], owner);
    out.shape.pose = pose(node, owner);
    if (const XmlNode* material = node.one("material"))
      for (const char* colour : {"ambient", "diffuse"})
        if (const auto rgba = numbers(*material, colour, 4, owner); !rgba.empty())
          out.rgba = {rgba[0], rgba[1], rgba[2], rgba[3]};
    reading_.shapes.push_back(std::move(out));
  }

  Shape read_geometry(const XmlNode& node, const Owner& owner) {
    Shape out;
    out.policy = reading_.options.mesh_policy;
    if (node.tag == "sphere") {
      out.size << needed(node, "radius", owner), 0, 0;
    } else if (node.tag == "cylinder" || node.tag == "capsule") {
      out.kind = node.tag == "cylinder" ? ShapeKind::cylinder : ShapeKind::capsule;
      out.size << needed(node, "radius", owner), needed(node, "length", owner), 0;
    } else if (node.tag == "box" || node.tag == "mesh") {
      const bool box = node.tag == "box";
      out.kind = box ? ShapeKind::box : ShapeKind::mesh;
      const std::vector<double> size = numbers(node, box ? "size" : "scale", 3, owner);
      if (size.empty() && box)
        reading_.refuse("bad-geometry", node, owner, "size is missing", "give three lengths in metres");
      out.size = size.empty() ? Eigen::Vector3d::Ones() : Eigen::Vector3d(size[0], size[1], size[2]);
      if (const XmlNode* uri = node.one("uri")) out.mesh_uri = uri->text;
      if (!box && out.mesh_uri.empty()) reading_.refuse("bad-geometry", node, owner, "uri is missing", "name the mesh file");
    } else {
      reading_.refuse("unknown-geometry", node, owner, fmt::format("geometry '{}' is not read", node.tag),
                      "use one of <box>, <sphere>, <cylinder>, <capsule>, <mesh>");
    }
    const int sizes = out.kind == ShapeKind::sphere ? 1 : out.kind == ShapeKind::box ? 3 : 2;
    if (out.kind != ShapeKind::mesh && out.size.head(sizes).minCoeff() <= 0)
      reading_.refuse("bad-geometry", node, owner, "a size is not positive", "give it in metres");
    return out;
  }

  std::size_t link(const XmlNode& joint, const char* end, const Owner& owner) {
    const XmlNode* given = joint.one(end);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < reading_.links.size(); ++i) {
      names.push_back(reading_.links[i].name);
      if (given && given->text == names.back()) return i;
    }
    reading_.refuse("unknown-link", joint, owner,
                    given ? fmt::format("{} '{}' is no link{}", end, given->text, did_you_mean(given->text, names))
                          : fmt::format("it has no <{}>", end));
  }

  void read_joint(const XmlNode& node) {
    Joint out{&node, {"joint", node.name()}, {}, node.find("type") ? *node.find("type") : "", 0, 0, {}, false};
    know(node, {"parent", "child", "pose", "axis"}, out.owner);
    out.spec.name = out.owner.name;
    out.spec.place = reading_.place(node, out.owner);
    out.parent = link(node, "parent", out.owner);
    out.child = link(node, "child", out.owner);
    out.in_child = pose(node, out.owner);
    out.closes = std::any_of(joints_.begin(), joints_.end(), [&](const Joint& j) { return j.child == out.child; });
    if (const XmlNode* axis = node.one("axis")) read_axis(*axis, out);
    joints_.push_back(std::move(out));
  }

  void read_axis(const XmlNode& node, Joint& out) {
    know(node, {"xyz", "limit", "dynamics"}, out.owner);
    if (const XmlNode* xyz = node.one("xyz"); xyz && xyz->find("expressed_in") && !xyz->find("expressed_in")->empty())
      reading_.refuse("unsupported-element", *xyz, out.owner, "an axis in another frame is not read",
                      "give it in the frame of the joint");
    const std::vector<double> xyz = numbers(node, "xyz", 3, out.owner);
    const Eigen::Vector3d axis = xyz.empty() ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d(xyz[0], xyz[1], xyz[2]);
    if (axis.stableNorm() == 0) reading_.refuse("bad-joint", node, out.owner, "the axis is zero", "give a direction");
    out.spec.axis = axis.normalized();
    if (const XmlNode* limit = node.one("limit")) {
      know(*limit, {"lower", "upper", "effort", "velocity"}, out.owner);
      const auto bound = [&](const char* name, double absent) {
        const double x = number(*limit, name, absent, out.owner);
        return std::abs(x) > endless ? std::copysign(unlimited, x) : x;
      };
      out.spec.lower = bound("lower", -unlimited);
      out.spec.upper = bound("upper", unlimited);
      out.spec.effort = bound("effort", unlimited);
      out.spec.velocity = bound("velocity", unlimited);
      if (out.spec.lower > out.spec.upper)
        reading_.refuse("bad-limit", *limit, out.owner, "lower is above upper", "exchange the two");
      if (out.spec.effort < 0) out.spec.effort = unlimited;
      if (out.spec.velocity < 0) out.spec.velocity = unlimited;
    }
    if (const XmlNode* dynamics = node.one("dynamics")) {
      know(*dynamics, {"damping", "friction", "spring_reference", "spring_stiffness"}, out.owner);
      out.spec.damping = number(*dynamics, "damping", 0, out.owner);
      out.spec.friction = number(*dynamics, "friction", 0, out.owner);
      out.spec.stiffness = number(*dynamics, "spring_stiffness", 0, out.owner);
      out.spec.spring_reference = number(*dynamics, "spring_reference", 0, out.owner);
    }
  }

  /// Moves the frame of the carried link to its joint.
  void carry(const Joint& joint) {
    poses_[joint.child] = poses_[joint.child] * joint.in_child;
    const Pose back = joint.in_child.inverse();
    Inertial& inertial = reading_.links[joint.child].inertial;
    inertial.com = back * inertial.com;
    inertial.inertia = back.R * inertial.inertia * back.R.transpose();
    for (ShapeSpec& shape : reading_.shapes)
      if (shape.link == static_cast<int>(joint.child)) shape.shape.pose = back * shape.shape.pose;
  }

  void add_joint(const Joint& joint) {
    RawJoint out{joint.spec, reading_.links[joint.parent].name, reading_.links[joint.child].name};
    const bool bounded = std::isfinite(out.spec.lower) || std::isfinite(out.spec.upper);
    if (joint.type == "revolute" || joint.type == "continuous")
      out.spec.kind = bounded ? JointKind::revolute : JointKind::continuous;
    else if (joint.type == "prismatic")
      out.spec.kind = JointKind::prismatic;
    else if (joint.type == "fixed")
      out.spec.kind = JointKind::fixed;
    else if (joint.type == "ball")
      out.spec.kind = JointKind::ball;
    else
      unknown_type(joint);
    out.spec.origin = poses_[joint.parent].inverse() * poses_[joint.child];
    reading_.joints.push_back(std::move(out));
  }

  void add_closure(const Joint& joint) {
    RawClosure out;
    out.spec.name = joint.spec.name;
    out.spec.place = joint.spec.place;
    if (joint.type == "revolute" || joint.type == "continuous")
      out.spec.kind = ClosureKind::revolute;
    else if (joint.type == "ball")
      out.spec.kind = ClosureKind::spherical;
    else if (joint.type == "prismatic")
      out.spec.kind = ClosureKind::prismatic;
    else if (joint.type == "fixed")
      out.spec.kind = ClosureKind::weld;
    else
      unknown_type(joint);
    const auto carrier =
        std::find_if(joints_.begin(), joints_.end(), [&](const Joint& j) { return !j.closes && j.child == joint.child; });
    const Pose in_child = carrier->in_child.inverse() * joint.in_child * Pose{rotation_z_to(joint.spec.axis), {0, 0, 0}};
    out.link_a = reading_.links[joint.parent].name;
    out.link_b = reading_.links[joint.child].name;
    out.spec.frame_a = poses_[joint.parent].inverse() * poses_[joint.child] * in_child;
    out.spec.frame_b = in_child;
    if (joint.spec.damping != 0 || joint.spec.friction != 0 || joint.spec.stiffness != 0 || joint.spec.lower > -unlimited)
      reading_.report.add(Outcome::ignored, "no-effect", joint.spec.place,
                          "damping, friction, springs and limits of a joint that closes a loop have no effect");
    reading_.closures.push_back(std::move(out));
  }

  [[noreturn]] void unknown_type(const Joint& joint) const {
    reading_.refuse("unknown-joint-type", *joint.node, joint.owner, fmt::format("type '{}' is not read", joint.type),
                    "use one of revolute, continuous, prismatic, fixed, ball");
  }

  Reading& reading_;
  const XmlNode& model_;
  std::vector<Pose> poses_;  ///< of the links, in the model
  std::vector<Joint> joints_;
};

ModelDescription read(const std::string& text, const std::string& file, const ReadOptions& options, LoadReport& report) {
  bool declaration_moved = false;
  const XmlNode root = urdf::parse_xml(urdf::prepare_xml(text, file, report, declaration_moved), file);
  const XmlNode* model = root.one("model");
  if (root.tag != "sdf" || !model || root.children.size() != 1)
    throw Error("unsupported-format", urdf::place_of(file, root), "only an SDF file that holds one <model> is read",
                "take the model out of its world");
  Reading reading(file, options, report);
  reading.name = model->name();
  ModelReader(reading, *model).read();
  if (reading.links.empty())
    throw Error("no-links", urdf::place_of(file, *model), "no <link>", "a robot has at least one link");
  ModelDescription out = urdf::build_tree(reading, *model);
  out.format = "sdf";
  const std::string sidecar = find_sidecar(file, options);
  if (!sidecar.empty()) apply_sidecar(out, sidecar, options, report);
  judge_closures(out, report);
  urdf::judge_inertias(out, report);
  urdf::judge_start_pose(out, report);
  load_meshes(out, options, report);
  return out;
}

}  // namespace
}  // namespace sdf

ModelDescription read_sdf_text(const std::string& text, const std::string& file, const ReadOptions& options,
                               LoadReport* partial) {
  LoadReport report;
  report.files.push_back(file);
  try {
    ModelDescription model = sdf::read(text, file, options, report);
    if (options.strict) urdf::be_strict(report);
    model.report = std::move(report);
    return model;
  } catch (const Error& error) {
    report.add(Outcome::error, error.code(), error.place(), error.reason());
    if (partial) *partial = std::move(report);
    throw;
  }
}

}  // namespace condyle
