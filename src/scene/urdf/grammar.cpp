#include "scene/urdf/grammar.hpp"

#include "scene/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace condyle::urdf {

namespace {

struct AttributeRule {
  std::string_view name;
  std::string_view absent = {};     ///< what holds without it; empty: its reader decides
  std::string_view no_effect = {};  ///< why it is only reported
  std::string_view unless = {};     ///< another attribute that takes its place
};

struct ChildRule {
  std::string_view name;
  std::string_view rule = {};  ///< row that judges it; empty: its inside is not URDF's business
  bool many = false;
  std::string_view absent = {};
  std::string_view no_effect = {};
};

struct ElementRule {
  std::vector<AttributeRule> attributes;
  std::vector<ChildRule> children;
};

constexpr std::string_view at_parent = "its frame is that of the element around it";

const std::map<std::string_view, ElementRule>& table() {
  static const ChildRule origin = {"origin", "origin", false, at_parent};
  static const std::map<std::string_view, ElementRule> rules = {
      {"robot",
       {{{"name"}, {"version", "1.0 is taken"}},
        {{"link", "link", true},
         {"joint", "joint", true},
         {"material", "material", true},
         {"loop_joint", "loop_joint", true},
         {"transmission", "", true, "", "only the names of its joints are used"},
         {"gazebo", "", true, "", "it is written for another simulator"},
         {"sensor", "", true, "", "sensors are not simulated"},
         {"mujoco", "", true, "", "it is written for another simulator"}}}},
      {"link",
       {{{"name"}},
        {{"inertial", "inertial", false, "the link is a frame without mass"},
         {"visual", "visual", true, "the link is not drawn"},
         {"collision", "collision", true, "the link touches nothing"}}}},
      {"inertial", {{}, {origin, {"mass", "mass"}, {"inertia", "inertia"}}}},
      {"mass", {{{"value"}}, {}}},
      {"inertia", {{{"ixx"}, {"ixy"}, {"ixz"}, {"iyy"}, {"iyz"}, {"izz"}}, {}}},
      {"origin", {{{"xyz", "0 0 0 is taken"}, {"rpy", "0 0 0 is taken", "", "quat_xyzw"}, {"quat_xyzw"}}, {}}},
      {"visual",
       {{{"name", "the shape has none"}},
        {origin, {"geometry", "geometry"}, {"material", "visual material", false, "the default colour is taken"}}}},
      {"collision",
       {{{"name", "the shape has none"}},
        {origin,
         {"geometry", "geometry"},
         {"material", "visual material", false, "", "collision shapes are not drawn"},
         {"verbose", "verbose", false, "", "it asks another program for output"}}}},
      {"verbose", {{{"value"}}, {}}},
      {"geometry",
       {{},
        {{"box", "box"},
         {"sphere", "sphere"},
         {"cylinder", "cylinder"},
         {"capsule", "cylinder"},
         {"mesh", "mesh"},
         {"material", "visual material", false, "", "the material of a shape stands beside its <geometry>"}}}},
      {"box", {{{"size"}}, {}}},
      {"sphere", {{{"radius"}}, {}}},
      {"cylinder", {{{"radius"}, {"length"}}, {}}},
      {"mesh", {{{"filename"}, {"scale", "1 1 1 is taken"}}, {}}},
      {"material",
       {{{"name"}},
        {{"color", "color", false, "the default colour is taken"},
         {"texture", "texture", false, "", "textures are not drawn"}}}},
      {"visual material",
       {{{"name", "the colour has none"}},
        {{"color", "color"}, {"texture", "texture", false, "", "textures are not drawn"}}}},
      {"color", {{{"rgba", "the default colour is taken"}}, {}}},
      {"texture", {{{"filename"}}, {}}},
      {"joint",
       {{{"name"}, {"type"}},
        {{"origin", "origin", false, "the joint is at the frame of the parent link"},
         {"parent", "end"},
         {"child", "end"},
         {"axis", "axis"},
         {"limit", "limit"},
         {"dynamics", "dynamics"},
         {"mimic", "mimic"},
         {"calibration", "calibration", false, "", "a calibration has no meaning in a simulation"},
         {"safety_controller", "safety_controller", false, "", "safety controllers are not simulated"}}}},
      {"end", {{{"link"}}, {}}},
      {"axis", {{{"xyz", "1 0 0 is taken"}}, {}}},
      {"limit",
       {{{"lower"},
         {"upper"},
         {"effort"},
         {"velocity"},
         {"acceleration", "", "accelerations are not limited"},
         {"deceleration", "", "accelerations are not limited"},
         {"jerk", "", "jerk is not limited"}},
        {}}},
      {"dynamics", {{{"damping", "0 is taken"}, {"friction", "0 is taken"}}, {}}},
      {"mimic", {{{"joint"}, {"multiplier", "1 is taken"}, {"offset", "0 is taken"}}, {}}},
      {"calibration", {{{"rising"}, {"falling"}, {"reference_position"}}, {}}},
      {"safety_controller", {{{"soft_lower_limit"}, {"soft_upper_limit"}, {"k_position"}, {"k_velocity"}}, {}}},
      {"loop_joint",
       {{{"name"}, {"type"}},
        {{"link1", "loop end"},
         {"link2", "loop end"},
         {"axis", "axis"},
         {"limit", "limit", false, "", "limits of a loop joint are not simulated"},
         {"dynamics", "dynamics", false, "", "damping and friction of a loop joint are not simulated"}}}},
      {"loop end", {{{"link"}, {"xyz", "0 0 0 is taken"}, {"rpy", "0 0 0 is taken"}}, {}}},
  };
  return rules;
}

template <class Rule>
const Rule* find_rule(const std::vector<Rule>& rules, std::string_view name) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& r) { return r.name == name; });
  return found == rules.end() ? nullptr : &*found;
}

template <class Rule>
std::vector<std::string> names_of(const std::vector<Rule>& rules) {
  std::vector<std::string> out;
  for (const Rule& rule : rules) out.emplace_back(rule.name);
  return out;
}

/// Where else in URDF an element of this name stands, for one that was moved.
std::string known_elsewhere(const std::string& tag) {
  for (const auto& [name, rule] : table())
    if (find_rule(rule.children, tag)) return fmt::format(" (it belongs in <{}>)", name);
  if (tag.starts_with("xacro:")) return " (expand the file with xacro first)";
  return {};
}

void check_attributes(const XmlNode& node, const ElementRule& rule, const Place& place, LoadReport& report) {
  for (const XmlAttribute& a : node.attributes) {
    const AttributeRule* known = find_rule(rule.attributes, a.name);
    const bool name_space = a.name == "xmlns" || a.name.starts_with("xmlns:") || a.name.starts_with("xsi:");
    if (!known && !(name_space && node.tag == "robot"))
      report.add(
          Outcome::ignored, "unknown-attribute", place,
          fmt::format("attribute {} is not known here{}", a.name, did_you_mean(a.name, names_of(rule.attributes), 2)));
    else if (known && !known->no_effect.empty())
      report.add(Outcome::ignored, "no-effect", place, fmt::format("{} has no effect: {}", a.name, known->no_effect));
  }
  for (const AttributeRule& expected : rule.attributes)
    if (!expected.absent.empty() && !node.find(expected.name) && (expected.unless.empty() || !node.find(expected.unless)))
      report.add(Outcome::assumed, "default-taken", place,
                 fmt::format("no {} is given: {}", expected.name, expected.absent));
}

}  // namespace

Place place_of(const std::string& file, const XmlNode& node, std::string_view owner) {
  const std::string name = node.name();
  std::string element = name.empty() ? "<" + node.tag + ">" : "<" + node.tag + " " + name + ">";
  if (!owner.empty() && name != owner) element += " of " + std::string(owner);
  return {file, node.line, std::move(element)};
}

void check_grammar(const XmlNode& node, std::string_view rule_name, std::string_view owner, const std::string& file,
                   LoadReport& report) {
  const auto found = table().find(rule_name);
  if (found == table().end()) return;
  const ElementRule& rule = found->second;
  const Place place = place_of(file, node, owner);
  check_attributes(node, rule, place, report);
  if (!node.text.empty())
    report.add(Outcome::ignored, "stray-text", {file, node.text_line, place.element},
               fmt::format("text '{}' has no meaning here", node.text.substr(0, 40)));
  std::set<std::string_view> seen;
  for (const XmlNode& child : node.children) {
    const ChildRule* known = find_rule(rule.children, child.tag);
    const Place here = place_of(file, child, owner);
    if (!known) {
      const std::string near = did_you_mean(child.tag, names_of(rule.children), 2);
      report.add(
          Outcome::ignored, "unknown-element", here,
          fmt::format("<{}> is not known in <{}>{}", child.tag, node.tag, near.empty() ? known_elsewhere(child.tag) : near));
      continue;
    }
    const bool again = !seen.insert(known->name).second;
    if (again && !known->many) {
      report.add(Outcome::ignored, "repeated-element", here,
                 fmt::format("a second <{}> in <{}>: the first one holds", child.tag, node.tag));
      continue;
    }
    if (!known->no_effect.empty())
      report.add(Outcome::ignored, known->rule.empty() ? "not-simulated" : "no-effect", here,
                 fmt::format("<{}> has no effect: {}", child.tag, known->no_effect));
    if (rule_name != "robot") check_grammar(child, known->rule, owner, file, report);  // the reader enters links and joints
  }
  for (const ChildRule& expected : rule.children)
    if (!expected.absent.empty() && !seen.count(expected.name))
      report.add(Outcome::assumed, "default-taken", place,
                 fmt::format("no <{}> is given: {}", expected.name, expected.absent));
}

}  // namespace condyle::urdf
