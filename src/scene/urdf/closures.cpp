#include "scene/urdf/grammar.hpp"
#include "scene/urdf/reading.hpp"

#include "scene/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace condyle::urdf {

namespace {

struct LoopKind {
  std::string_view type;
  ClosureKind kind;
};
constexpr std::array<LoopKind, 9> loop_kinds = {{{"revolute", ClosureKind::revolute},
                                                 {"continuous", ClosureKind::revolute},
                                                 {"fixed", ClosureKind::weld},
                                                 {"spherical", ClosureKind::spherical},
                                                 {"ball", ClosureKind::spherical},
                                                 {"universal", ClosureKind::universal},
                                                 {"prismatic", ClosureKind::prismatic},
                                                 {"cylindrical", ClosureKind::cylindrical},
                                                 {"planar", ClosureKind::planar}}};

/// Pairs of links that an element of another simulator joins, by SDF's or by old Gazebo's words.
std::string foreign_ends(const XmlNode& node) {
  const XmlNode *parent = node.one("parent"), *child = node.one("child");
  if (node.tag == "joint" && parent && child) return parent->text + " - " + child->text;
  const XmlNode *body1 = node.one("body1"), *body2 = node.one("body2");
  if (body1 && body2) return body1->text + " - " + body2->text;
  return {};
}

void note(Reading& reading, const XmlNode& node, const std::string& ends) {
  const std::string name = node.name().empty() ? fmt::format("{} of line {}", node.tag, node.line) : node.name();
  reading.closures_not_simulated.push_back(name);
  reading.report.add(
      Outcome::ignored, "closure-not-simulated", place_of(reading.file, node),
      fmt::format("closure not simulated{}: it is written for another simulator; give it in a sidecar or in the scene",
                  ends.empty() ? "" : " (" + ends + ")"));
}

void walk(Reading& reading, const XmlNode& node) {
  const std::string ends = foreign_ends(node);
  if (!ends.empty()) note(reading, node, ends);
  for (const XmlNode& child : node.children) walk(reading, child);
}

}  // namespace

void read_loop_joint(Reading& reading, const XmlNode& node) {
  const Owner owner{"loop_joint", node.name()};
  check_grammar(node, "loop_joint", owner.name, reading.file, reading.report);
  RawClosure out;
  out.spec.name = owner.name;
  out.spec.place = reading.place(node, owner);
  if (owner.name.empty()) reading.refuse("no-name", node, owner, "the loop joint has no name", "give it a name of its own");
  for (const RawClosure& other : reading.closures)
    if (other.spec.name == owner.name)
      reading.refuse("duplicate-name", node, owner, "the name of the loop joint is not unique");
  const std::string* type = node.find("type");
  const auto kind =
      std::find_if(loop_kinds.begin(), loop_kinds.end(), [&](const LoopKind& k) { return type && k.type == *type; });
  if (kind == loop_kinds.end()) {
    std::vector<std::string> names;
    for (const LoopKind& k : loop_kinds) names.emplace_back(k.type);
    reading.refuse(
        "unknown-joint-type", node, owner,
        type ? fmt::format("type '{}' is not known{}", *type, did_you_mean(*type, names)) : std::string("it has no type"),
        fmt::format("use one of {}", fmt::join(names, ", ")));
  }
  out.spec.kind = kind->kind;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
  if (const XmlNode* given = node.one("axis")) {
    axis = read_vector(reading, *given, owner, "xyz", axis);
    if (axis.stableNorm() == 0)
      reading.refuse("bad-joint", node, owner, "the axis is zero", "give a direction, such as 0 0 1");
    axis /= axis.stableNorm();
  } else if (out.spec.kind != ClosureKind::weld && out.spec.kind != ClosureKind::spherical) {
    reading.report.add(Outcome::assumed, "default-taken", out.spec.place, "no <axis> is given: 1 0 0 is taken");
  }
  // Closures turn about the z axis of their frames.
  const Pose turned{rotation_z_to(axis), Eigen::Vector3d::Zero()};
  const auto end = [&](const char* tag, std::string& link, Pose& frame) {
    const XmlNode* given = node.one(tag);
    const std::string* name = given ? given->find("link") : nullptr;
    if (!name || name->empty()) reading.refuse("bad-joint", node, owner, fmt::format("it needs <{}> with a link", tag));
    link = *name;
    frame = Pose::from_xyz_rpy(read_vector(reading, *given, owner, "xyz", Eigen::Vector3d::Zero()),
                               read_vector(reading, *given, owner, "rpy", Eigen::Vector3d::Zero())) *
            turned;
  };
  end("link1", out.link_a, out.spec.frame_a);
  end("link2", out.link_b, out.spec.frame_b);
  reading.closures.push_back(std::move(out));
}

void note_foreign_closures(Reading& reading, const XmlNode& robot) {
  constexpr std::array<std::string_view, 4> named = {"linear_bushing_rpy", "ball_constraint", "distance_constraint", "loop"};
  for (const XmlNode& node : robot.children) {
    if (node.tag == "gazebo") walk(reading, node);
    const std::size_t colon = node.tag.rfind(':');
    const std::string_view local = std::string_view(node.tag).substr(colon == std::string::npos ? 0 : colon + 1);
    if (std::find(named.begin(), named.end(), local) != named.end()) note(reading, node, {});
  }
}

}  // namespace condyle::urdf
