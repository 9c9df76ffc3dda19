#include "scene/urdf/grammar.hpp"
#include "scene/urdf/reading.hpp"
#include "scene/urdf/second_opinion.hpp"

#include "scene/mesh_files.hpp"
#include "scene/names.hpp"
#include "scene/sidecar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace condyle {

namespace urdf {
namespace {

void read_version(Reading& reading, const XmlNode& robot) {
  const std::string* version = robot.find("version");
  if (!version) return;
  constexpr std::array<std::string_view, 4> known = {"1", "1.0", "1.1", "1.2"};
  if (std::find(known.begin(), known.end(), *version) == known.end())
    throw Error("bad-version", place_of(reading.file, robot), fmt::format("URDF version '{}' is not known", *version),
                "use 1.0, 1.1 or 1.2");
  reading.version_minor = version->size() == 3 ? version->back() - '0' : 0;
  if (*version == "1") reading.odd({"robot", reading.name}, "it refuses version=\"1\", which must be written 1.0");
}

void read_elements(Reading& reading, const XmlNode& robot) {
  check_grammar(robot, "robot", robot.name(), reading.file, reading.report);
  for (const XmlNode& node : robot.children)
    if (node.tag == "material") read_material(reading, node);
  for (const XmlNode& node : robot.children) {
    if (node.tag == "link") read_link(reading, node);
    if (node.tag == "joint") read_joint(reading, node);
    if (node.tag == "loop_joint") read_loop_joint(reading, node);
    if (node.tag == "transmission") read_transmission(reading, node);
  }
}

/// Keeps each joint that a transmission names once, and reports names that are no joint.
void check_actuated(ModelDescription& model, const Place& robot, LoadReport& report) {
  std::vector<std::string> names;
  for (const JointSpec& joint : model.joints) names.push_back(joint.name);
  const std::set<std::string> declared(names.begin(), names.end());
  std::set<std::string> seen;
  std::erase_if(model.actuated_joints, [&](const std::string& name) {
    if (!seen.insert(name).second) return true;
    if (declared.count(name)) return false;
    report.add(Outcome::ignored, "unknown-joint", robot,
               fmt::format("a transmission names joint '{}', which is not declared{}", name, did_you_mean(name, names)));
    return true;
  });
}

ModelDescription read(const std::string& text, const std::string& file, const ReadOptions& options, LoadReport& report) {
  bool declaration_moved = false;
  const XmlNode robot = parse_xml(prepare_xml(text, file, report, declaration_moved), file);
  const Place place = place_of(file, robot);
  if (robot.tag != "robot")
    throw Error("no-robot", place, fmt::format("the root element is <{}>, not <robot>", robot.tag),
                "a URDF file holds one <robot>");
  Reading reading(file, options, report);
  reading.name = robot.name();
  read_version(reading, robot);
  if (declaration_moved) reading.odd({"robot", reading.name}, "it refuses an XML declaration that is not at the start");
  read_elements(reading, robot);
  if (reading.links.empty()) throw Error("no-links", place, "no <link>", "a robot has at least one link");
  if (reading.name.empty()) throw Error("no-name", place, "the robot has no name", "write <robot name=\"...\">");
  note_foreign_closures(reading, robot);
  resolve_materials(reading);
  const std::vector<CouplingSpec> written = reading.couplings;
  resolve_couplings(reading);
  ModelDescription model = build_tree(reading, robot);
  second_opinion(text, model, written, reading.oddities, place, report);
  check_actuated(model, place, report);
  const std::string sidecar = find_sidecar(file, options);
  if (!sidecar.empty()) apply_sidecar(model, sidecar, options, report);
  judge_closures(model, report);
  judge_inertias(model, report);
  judge_start_pose(model, report);
  load_meshes(model, options, report);
  return model;
}

}  // namespace

void be_strict(const LoadReport& report) {
  const int count = report.count(Outcome::ignored);
  if (count == 0) return;
  const auto first = std::find_if(report.entries.begin(), report.entries.end(),
                                  [](const ReportEntry& e) { return e.outcome == Outcome::ignored; });
  throw Error("strict", first->place, fmt::format("{} (the first of {} elements that have no effect)", first->reason, count),
              "remove them, or load without strict");
}

}  // namespace urdf

ModelDescription read_urdf_text(const std::string& text, const std::string& file, const ReadOptions& options,
                                LoadReport* partial) {
  LoadReport report;
  report.files.push_back(file);
  try {
    ModelDescription model = urdf::read(text, file, options, report);
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
