#include "scene/urdf/grammar.hpp"
#include "scene/urdf/reading.hpp"

#include "scene/names.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <unordered_map>

namespace condyle::urdf {

namespace {

using Index = std::unordered_map<std::string, std::size_t>;

Index index_links(const Reading& reading) {
  Index out;
  for (std::size_t i = 0; i < reading.links.size(); ++i)
    if (!out.emplace(reading.links[i].name, i).second)
      throw Error("duplicate-name", reading.links[i].place, "the name of the link is not unique",
                  "give every link a name of its own");
  return out;
}

std::vector<std::string> link_names(const Reading& reading) {
  std::vector<std::string> out;
  for (const LinkSpec& link : reading.links) out.push_back(link.name);
  return out;
}

std::size_t known_link(const Reading& reading, const Index& index, const std::string& name, const Place& place) {
  const auto found = index.find(name);
  if (found == index.end())
    throw Error("unknown-link", place,
                fmt::format("link '{}' is not declared{}", name, did_you_mean(name, link_names(reading))),
                fmt::format("add <link name=\"{}\"/>", name));
  return found->second;
}

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// The joint above each link, and the joints below each link by name.
struct Family {
  std::vector<std::size_t> above;
  std::vector<std::vector<std::size_t>> below;
  std::vector<std::size_t> parent, child;  ///< links of each joint
};

Family relate(const Reading& reading, const Index& index) {
  Family family;
  family.above.assign(reading.links.size(), none);
  family.below.resize(reading.links.size());
  std::unordered_map<std::string, std::size_t> seen;
  for (std::size_t j = 0; j < reading.joints.size(); ++j) {
    const RawJoint& joint = reading.joints[j];
    if (!seen.emplace(joint.spec.name, j).second)
      throw Error("duplicate-name", joint.spec.place, "the name of the joint is not unique",
                  "give every joint a name of its own");
    const std::size_t parent = known_link(reading, index, joint.parent, joint.spec.place);
    const std::size_t child = known_link(reading, index, joint.child, joint.spec.place);
    if (family.above[child] != none)
      throw Error(
          "two-parents", joint.spec.place,
          fmt::format("link '{}' already hangs on joint '{}'", joint.child, reading.joints[family.above[child]].spec.name),
          "write the second joint as a closure: <loop_joint>, a sidecar, or `loops` of a scene");
    family.above[child] = j;
    family.below[parent].push_back(j);
    family.parent.push_back(parent);
    family.child.push_back(child);
  }
  // urdfdom keeps joints in a map, so Pinocchio's q goes by the names of the joints below a link.
  for (std::vector<std::size_t>& joints : family.below)
    std::sort(joints.begin(), joints.end(),
              [&](std::size_t a, std::size_t b) { return reading.joints[a].spec.name < reading.joints[b].spec.name; });
  return family;
}

std::string some_names(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i) out += (i ? ", '" : "'") + names[i] + "'";
  return names.size() > 5 ? out + fmt::format(" and {} more", names.size() - 5) : out;
}

/// Links depth first from the only root. Throws if there is not exactly one tree.
std::vector<std::size_t> order_links(const Reading& reading, const Family& family, const Place& robot) {
  std::vector<std::string> roots;
  std::vector<std::size_t> stack, order;
  for (std::size_t i = 0; i < reading.links.size(); ++i) {
    if (family.above[i] != none) continue;
    roots.push_back(reading.links[i].name);
    stack.push_back(i);
  }
  if (roots.size() > 1)
    throw Error("multiple-roots", robot, fmt::format("{} links hang on no joint: {}", roots.size(), some_names(roots)),
                "join them by a fixed joint");
  std::vector<bool> reached(reading.links.size(), false);
  while (!stack.empty()) {
    const std::size_t link = stack.back();
    stack.pop_back();
    order.push_back(link);
    reached[link] = true;
    for (auto j = family.below[link].rbegin(); j != family.below[link].rend(); ++j) stack.push_back(family.child[*j]);
  }
  if (order.size() < reading.links.size()) {
    std::vector<std::string> lost;
    for (std::size_t i = 0; i < reading.links.size(); ++i)
      if (!reached[i]) lost.push_back(reading.links[i].name);
    throw Error("cycle", robot, fmt::format("links {} hang in a cycle of joints", some_names(lost)),
                "write the joint that closes the cycle as a closure: <loop_joint>, a sidecar, or `loops` of a scene");
  }
  return order;
}

}  // namespace

ModelDescription build_tree(Reading& reading, const XmlNode& robot) {
  const Index index = index_links(reading);
  const Family family = relate(reading, index);
  const std::vector<std::size_t> order = order_links(reading, family, place_of(reading.file, robot));
  ModelDescription model;
  model.name = reading.name;
  model.file = reading.file;
  model.format = "urdf";
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<int>(i);
    model.links.push_back(std::move(reading.links[order[i]]));
    const std::size_t j = family.above[order[i]];
    if (j == none) continue;
    JointSpec joint = reading.joints[j].spec;
    joint.parent = place[family.parent[j]];
    joint.child = static_cast<int>(i);
    model.joints.push_back(std::move(joint));
  }
  for (ShapeSpec& shape : reading.shapes) {
    shape.link = place[static_cast<std::size_t>(shape.link)];
    model.shapes.push_back(std::move(shape));
  }
  for (RawClosure& closure : reading.closures) {
    for (const bool a : {true, false}) {
      const auto found = index.find(a ? closure.link_a : closure.link_b);
      if (found == index.end()) {
        const std::string& name = a ? closure.link_a : closure.link_b;
        std::vector<std::string> names;
        for (const LinkSpec& link : model.links) names.push_back(link.name);
        throw Error("unknown-link", closure.spec.place,
                    fmt::format("link '{}' is not declared{}", name, did_you_mean(name, names)));
      }
      (a ? closure.spec.link_a : closure.spec.link_b) = place[found->second];
    }
    model.closures.push_back(std::move(closure.spec));
  }
  model.couplings = std::move(reading.couplings);
  model.closures_not_simulated = std::move(reading.closures_not_simulated);
  model.actuated_joints = std::move(reading.actuated_joints);
  return model;
}

void judge_inertias(const ModelDescription& model, LoadReport& report) {
  // A body is a link that moves, with everything that fixed joints weld to it.
  struct Part {
    std::size_t lead;
    Pose pose;
  };
  std::vector<Part> parts(model.links.size());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = {i, {}};
  for (const JointSpec& joint : model.joints) {
    if (joint.kind != JointKind::fixed) continue;
    const Part& above = parts[static_cast<std::size_t>(joint.parent)];
    parts[static_cast<std::size_t>(joint.child)] = {above.lead, above.pose * joint.origin};
  }
  std::vector<double> mass(parts.size(), 0);
  std::vector<Eigen::Vector3d> com(parts.size(), Eigen::Vector3d::Zero());
  std::vector<Eigen::Matrix3d> inertia(parts.size(), Eigen::Matrix3d::Zero());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    mass[parts[i].lead] += model.links[i].inertial.mass;
    com[parts[i].lead] += model.links[i].inertial.mass * (parts[i].pose * model.links[i].inertial.com);
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (mass[i] > 0) com[i] /= mass[i];
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Inertial& own = model.links[i].inertial;
    const Eigen::Vector3d d = parts[i].pose * own.com - com[parts[i].lead];
    inertia[parts[i].lead] += parts[i].pose.R * own.inertia * parts[i].pose.R.transpose() +
                              own.mass * (d.squaredNorm() * Eigen::Matrix3d::Identity() - d * d.transpose());
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].lead != i) continue;
    const Eigen::Vector3d e =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia[i], Eigen::EigenvaluesOnly).eigenvalues();
    const char* why = nullptr;
    if (e[0] < -1e-9 * e.cwiseAbs().maxCoeff())
      why = "negative";
    else if (mass[i] == 0 && e[2] > 0)
      why = "inertia without mass";
    else if (e[0] + e[1] < e[2] - 1e-6 * e[2])
      why = "triangle inequality";
    if (why)
      report.add(Outcome::applied, "unphysical-inertia", model.links[i].place,
                 fmt::format("body {}: {}: no rigid body of {:.9g} kg has the principal moments {:.9g}, {:.9g}, {:.9g} kg "
                             "m²; they are used as written",
                             model.links[i].name, why, mass[i], e[0], e[1], e[2]));
  }
}

void judge_start_pose(const ModelDescription& model, LoadReport& report) {
  for (const JointSpec& joint : model.joints)
    if (nv_of(joint.kind) == 1 && (joint.lower > 0 || joint.upper < 0))
      report.add(Outcome::assumed, "pose-outside-limits", joint.place,
                 fmt::format("initial pose 0 is outside the limits [{}, {}]", joint.lower, joint.upper));
}

}  // namespace condyle::urdf
