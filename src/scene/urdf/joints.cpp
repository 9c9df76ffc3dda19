#include "scene/urdf/grammar.hpp"
#include "scene/urdf/reading.hpp"

#include "scene/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

namespace condyle::urdf {

namespace {

constexpr std::array<JointKind, 6> kinds = {JointKind::revolute, JointKind::continuous, JointKind::prismatic,
                                            JointKind::fixed,    JointKind::floating,   JointKind::planar};

/// Reads one joint; the parts are methods because all of them need the same five things.
class JointReader {
 public:
  JointReader(Reading& reading, const XmlNode& node)
      : reading_(reading), node_(node), owner_{"joint", node.name()}, place_(reading.place(node, owner_)) {}

  RawJoint read() {
    JointSpec& joint = raw_.spec;
    joint.name = owner_.name;
    joint.place = place_;
    if (joint.name.empty()) refuse("no-name", "the joint has no name", "give it a name of its own");
    check_grammar(node_, "joint", joint.name, reading_.file, reading_.report);
    read_kind();
    read_ends();
    joint.origin = read_origin(reading_, node_, owner_);
    read_limit();
    read_axis();
    read_dynamics();
    read_mimic();
    note_safety();
    return raw_;
  }

 private:
  [[noreturn]] void refuse(const std::string& code, const std::string& reason, const std::string& cure) const {
    throw Error(code, place_, reason, cure);
  }
  void say(Outcome outcome, const char* code, const XmlNode& at, const std::string& reason) {
    reading_.report.add(outcome, code, reading_.place(at, owner_), reason);
  }
  bool bounded() const { return raw_.spec.kind == JointKind::revolute || raw_.spec.kind == JointKind::prismatic; }
  bool one_dof() const { return nv_of(raw_.spec.kind) == 1; }
  std::string a_kind() const { return fmt::format("a {} joint", to_string(raw_.spec.kind)); }

  void read_kind() {
    const std::string* type = node_.find("type");
    std::vector<std::string> names;
    for (JointKind kind : kinds) {
      names.emplace_back(to_string(kind));
      if (type && *type == names.back()) {
        raw_.spec.kind = kind;
        return;
      }
    }
    refuse("unknown-joint-type",
           type ? fmt::format("type '{}' is not known{}", *type, did_you_mean(*type, names)) : std::string("it has no type"),
           fmt::format("use one of {}", fmt::join(names, ", ")));
  }

  void read_ends() {
    const char* cure = "give <parent link=\"...\"/> and <child link=\"...\"/>";
    for (const char* tag : {"parent", "child"}) {
      const XmlNode* end = node_.one(tag);
      const std::string* link = end ? end->find("link") : nullptr;
      if (!link || link->empty()) refuse("bad-joint", fmt::format("it needs <{}> with a link", tag), cure);
      (*tag == 'p' ? raw_.parent : raw_.child) = *link;
    }
  }

  void read_limit() {
    const XmlNode* limit = node_.one("limit");
    if (!limit) {
      if (bounded())
        refuse("missing-limit", fmt::format("{} without <limit>", a_kind()),
               "give limits, or use continuous for a joint that turns freely");
      if (one_dof())
        say(Outcome::assumed, "default-taken", node_, "no <limit> is given: effort and velocity without limit are taken");
      return;
    }
    if (!limit->find("effort") || !limit->find("velocity"))
      reading_.refuse("missing-limit", *limit, owner_, "it needs effort and velocity",
                      "use continuous for a joint without position limits");
    const double lower = read_number(reading_, *limit, owner_, "lower", 0, Range::unbounded);
    const double upper = read_number(reading_, *limit, owner_, "upper", 0, Range::unbounded);
    const double effort = read_number(reading_, *limit, owner_, "effort", 0, Range::unbounded);
    const double velocity = read_number(reading_, *limit, owner_, "velocity", 0, Range::unbounded);
    if (!one_dof()) {
      say(Outcome::ignored, "no-effect", *limit, fmt::format("<limit> has no effect on {}", a_kind()));
      return;
    }
    raw_.spec.effort = not_negative(*limit, "effort", effort);
    raw_.spec.velocity = not_negative(*limit, "velocity", velocity);
    if (bounded())
      read_range(*limit, lower, upper);
    else if (limit->find("lower") || limit->find("upper"))
      say(Outcome::ignored, "continuous-limits", *limit,
          "lower and upper have no effect on a continuous joint; effort and velocity apply");
  }

  double not_negative(const XmlNode& limit, const char* what, double value) {
    if (value >= 0) return value;
    say(Outcome::assumed, "negative-limit", limit, fmt::format("{} limit {} is negative and read as no limit", what, value));
    return unlimited;
  }

  void read_range(const XmlNode& limit, double lower, double upper) {
    if (lower > upper) refuse("bad-limit", fmt::format("lower {} > upper {}", lower, upper), "exchange the two");
    if (lower == unlimited || upper == -unlimited)
      refuse("bad-limit", fmt::format("no position lies between {} and {}", lower, upper), "give the range in rad or m");
    raw_.spec.lower = lower;
    raw_.spec.upper = upper;
    for (const char* side : {"lower", "upper"})
      if (!limit.find(side)) {
        say(Outcome::assumed, "default-taken", limit, fmt::format("no {} is given: 0 is taken", side));
        if (reading_.version_minor >= 2) reading_.odd(owner_, "it refuses a <limit> without lower and upper in URDF 1.2");
      }
    if (lower == upper)
      say(Outcome::assumed, "locked", limit, fmt::format("the range is [{0}, {0}]: the joint is locked at {0}", lower));
  }

  void read_axis() {
    const XmlNode* node = node_.one("axis");
    const bool has_axis = one_dof() || raw_.spec.kind == JointKind::planar;
    if (!node) {
      if (has_axis) say(Outcome::assumed, "default-taken", node_, "no <axis> is given: 1 0 0 is taken");
      return;
    }
    const Eigen::Vector3d axis = read_vector(reading_, *node, owner_, "xyz", Eigen::Vector3d::UnitX());
    if (!has_axis) {
      say(Outcome::ignored, "no-effect", *node, fmt::format("<axis> has no effect on {}", a_kind()));
      return;
    }
    if (!node->find("xyz")) reading_.odd(owner_, "it takes an <axis> without xyz for 0 0 0");
    const double length = axis.stableNorm();
    if (length == 0) refuse("bad-joint", "the axis is zero", "give a direction, such as 0 0 1");
    if (std::abs(length - 1) > 1e-6)
      say(Outcome::applied, "normalized", *node, fmt::format("the axis has length {:.6g} and is normalized", length));
    raw_.spec.axis = axis / length;
  }

  void read_dynamics() {
    const XmlNode* node = node_.one("dynamics");
    if (!node) {
      if (one_dof())
        say(Outcome::assumed, "default-taken", node_, "no <dynamics> is given: damping 0 and friction 0 are taken");
      return;
    }
    const double damping = read_number(reading_, *node, owner_, "damping", 0);
    const double friction = read_number(reading_, *node, owner_, "friction", 0);
    if (!node->find("damping") && !node->find("friction"))
      reading_.odd(owner_, "it refuses <dynamics> without damping and friction");
    if (raw_.spec.kind == JointKind::fixed) {
      say(Outcome::ignored, "no-effect", *node, "<dynamics> has no effect on a fixed joint");
      return;
    }
    raw_.spec.damping = damping;
    raw_.spec.friction = friction;
    if (damping < 0)
      say(Outcome::applied, "negative-damping", *node,
          fmt::format("damping {} is negative: the joint gains energy", damping));
    if (friction < 0) {
      say(Outcome::assumed, "negative-friction", *node, fmt::format("friction {} is negative and read as 0", friction));
      reading_.odd(owner_, "it keeps a negative friction");
      raw_.spec.friction = 0;
    }
  }

  void read_mimic() {
    const XmlNode* node = node_.one("mimic");
    if (!node) return;
    const std::string* of = node->find("joint");
    if (!of || of->empty())
      reading_.refuse("bad-joint", *node, owner_, "it does not say which joint it follows", "give joint=\"name\"");
    const double multiplier = read_number(reading_, *node, owner_, "multiplier", 1);
    const double offset = read_number(reading_, *node, owner_, "offset", 0);
    if (raw_.spec.kind == JointKind::fixed) {
      say(Outcome::ignored, "no-effect", *node, "<mimic> has no effect on a fixed joint");
      return;
    }
    if (!one_dof())
      reading_.refuse("bad-joint", *node, owner_, fmt::format("{} cannot follow another joint", a_kind()),
                      "only joints with one degree of freedom can");
    reading_.couplings.push_back({owner_.name, *of, {offset, multiplier}, reading_.place(*node, owner_)});
  }

  /// Elements that are only reported, but that urdfdom reads and may refuse the file for.
  void note_safety() {
    for (const char* tag : {"safety_controller", "calibration"}) {
      const XmlNode* node = node_.one(tag);
      if (!node) continue;
      if (std::string_view(tag) == "safety_controller" && !node->find("k_velocity"))
        reading_.odd(owner_, "it refuses a <safety_controller> without k_velocity");
      check_unused_numbers(*node);
    }
    if (const XmlNode* limit = node_.one("limit")) {
      for (const char* name : {"acceleration", "deceleration", "jerk"})
        if (limit->find(name)) reading_.odd(owner_, fmt::format("it reads {} and may refuse its value", name));
    }
  }

  void check_unused_numbers(const XmlNode& node) {
    for (const XmlAttribute& a : node.attributes) {
      try {
        read_number(reading_, node, owner_, a.name, 0);
      } catch (const Error& error) {
        say(Outcome::ignored, "bad-number", node, error.reason());
        reading_.odd(owner_, fmt::format("it refuses {}=\"{}\"", a.name, a.value));
      }
    }
  }

  Reading& reading_;
  const XmlNode& node_;
  Owner owner_;
  Place place_;
  RawJoint raw_;
};

constexpr std::size_t longest_chain = 1000;  // chains cost their length squared

}  // namespace

void read_joint(Reading& reading, const XmlNode& node) { reading.joints.push_back(JointReader(reading, node).read()); }

void read_transmission(Reading& reading, const XmlNode& node) {
  for (const XmlNode& child : node.children) {
    if (child.tag != "joint") continue;
    if (!child.name().empty()) reading.actuated_joints.push_back(child.name());
  }
}

void resolve_couplings(Reading& reading) {
  std::vector<std::string> names;
  std::unordered_map<std::string, const RawJoint*> declared;
  for (const RawJoint& joint : reading.joints) {
    names.push_back(joint.spec.name);
    declared.emplace(joint.spec.name, &joint);
  }
  std::map<std::string, std::size_t> own;  // joint -> its coupling as written
  for (std::size_t i = 0; i < reading.couplings.size(); ++i) own[reading.couplings[i].joint] = i;
  const std::vector<CouplingSpec> written = reading.couplings;
  for (CouplingSpec& coupling : reading.couplings) {
    std::string chain;
    std::set<std::string> seen = {coupling.joint};
    for (auto next = own.find(coupling.of); next != own.end(); next = own.find(coupling.of)) {
      if (!seen.insert(coupling.of).second)
        throw Error("bad-joint", coupling.place, "joints follow one another in a circle", "let one of them move by itself");
      if (seen.size() > longest_chain)
        throw Error("bad-joint", coupling.place, fmt::format("more than {} joints follow one another", longest_chain));
      const CouplingSpec& master = written[next->second];
      chain += (chain.empty() ? "" : ", ") + coupling.of;
      coupling.polynomial = {coupling.polynomial[0] + coupling.polynomial[1] * master.polynomial[0],
                             coupling.polynomial[1] * master.polynomial[1]};
      coupling.of = master.of;
      if (!std::isfinite(coupling.polynomial[0]) || !std::isfinite(coupling.polynomial[1]))
        throw Error("bad-number", coupling.place, "the multipliers of the joints it follows have no finite product");
    }
    const auto master = declared.find(coupling.of);
    if (master == declared.end()) {
      const std::string reason = fmt::format("mimic of {}: joint '{}' is not declared{}", coupling.joint, coupling.of,
                                             did_you_mean(coupling.of, names));
      if (!reading.options.skip_unknown_names)
        throw Error("unknown-joint", coupling.place, reason, "name a joint of this file, or load with skip_unknown_names");
      reading.report.add(Outcome::ignored, "unknown-joint", coupling.place, reason + ": the joint moves by itself");
      coupling.of.clear();
      continue;
    }
    const JointKind kind = master->second->spec.kind;
    if (kind == JointKind::fixed) {
      reading.report.add(
          Outcome::assumed, "mimic", coupling.place,
          fmt::format("'{}' is fixed at 0: '{}' is held at {}", coupling.of, coupling.joint, coupling.polynomial[0]));
      coupling.of = coupling.joint;  // q = offset, whatever q is
      coupling.polynomial.resize(1);
      continue;
    }
    if (nv_of(kind) != 1)
      throw Error("bad-joint", coupling.place,
                  fmt::format("joint '{}' is {} and cannot be followed", coupling.of, to_string(kind)),
                  "only joints with one degree of freedom can");
    reading.report.add(Outcome::applied, "mimic", coupling.place,
                       fmt::format("one coupling row holds {} = {} + {} {}{}", coupling.joint, coupling.polynomial[0],
                                   coupling.polynomial[1], coupling.of, chain.empty() ? "" : " (through " + chain + ")"));
  }
  std::erase_if(reading.couplings, [](const CouplingSpec& coupling) { return coupling.of.empty(); });
}

}  // namespace condyle::urdf
