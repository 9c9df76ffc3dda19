// Every URDF file of ../shared/models against expected.json and, joint by joint, against the independent oracle.
#include <condyle/model.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace condyle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string models = std::string(CONDYLE_SHARED_DATA) + "/models";

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

bool is_urdf(const std::string& file) { return file.ends_with(".urdf") || file.ends_with(".URDF"); }

json expectations() {
  if (!fs::exists(models + "/expected.json")) return {};
  return json::parse(text_of(models + "/expected.json"))["models"];
}

ReadOptions corpus_options(const json& expected) {
  ReadOptions options;
  options.package_path = {models};
  for (const json& option : expected.value("loads_with", json::array())) {
    if (option == "skip_meshes") options.skip_meshes = true;
    if (option == "skip_unknown_names") options.skip_unknown_names = true;
    if (option == "skip_unsupported") options.skip_unsupported = true;
  }
  return options;
}

/// Joints by type as the oracle counts them: the two halves of a universal joint are one.
std::map<std::string, int> joints_by_type(const ModelDescription& model) {
  std::map<std::string, int> out;
  for (const JointSpec& joint : model.joints) {
    const bool half =
        joint.name.ends_with("_B") && model.find_link(joint.name.substr(0, joint.name.size() - 2) + "_A_link") >= 0;
    if (half) {
      --out["revolute"];
      ++out["universal"];
    } else {
      ++out[to_string(joint.kind)];
    }
  }
  std::erase_if(out, [](const auto& item) { return item.second == 0; });
  return out;
}

std::set<std::string> unphysical(const LoadReport& report) {
  std::set<std::string> out;
  for (const ReportEntry& entry : report.entries) {
    if (entry.code != "unphysical-inertia") continue;
    const std::size_t colon = entry.reason.find(": ", entry.reason.find(": ") + 2);
    out.insert(entry.reason.substr(5, colon - 5));
  }
  return out;
}

void expect_totals(const ModelDescription& model, const json& expected) {
  EXPECT_NEAR(model.total_mass(), expected["total_mass"].get<double>(),
              1e-9 * std::max(1e-9, expected["total_mass"].get<double>()));
  EXPECT_EQ(model.nq(), expected["nq"]);
  EXPECT_EQ(model.nv(), expected["nv"]);
  int mimic_dofs = 0, between = 0, moving = 0;
  for (const CouplingSpec& coupling : model.couplings)
    mimic_dofs += nv_of(model.joints[static_cast<std::size_t>(model.find_joint(coupling.joint))].kind);
  for (const LinkSpec& link : model.links) between += link.name.ends_with("_A_link");
  const auto types = joints_by_type(model);
  for (const auto& [type, count] : types) moving += type == "fixed" ? 0 : count;
  EXPECT_EQ(model.nv() - mimic_dofs, expected["nv_without_mimic"]);
  EXPECT_EQ(static_cast<int>(model.links.size()) - between, expected["bodies"]);
  EXPECT_EQ(moving, expected["moving_joints"]);
  EXPECT_EQ(json(types), expected["joints_by_type"]);
  EXPECT_EQ(model.couplings.size(), expected["mimic"]);
  EXPECT_EQ(model.closures.size(), expected["loops"]);
  const std::map<std::string, std::string> loop_words = {{"weld", "6d"}, {"spherical", "3d"}, {"revolute", "continuous"}};
  std::map<std::string, int> loops;
  for (const ClosureSpec& closure : model.closures) ++loops[loop_words.at(to_string(closure.kind))];
  EXPECT_EQ(json(loops), expected["loops_by_kind"]);
  EXPECT_EQ(model.closures_not_simulated.size(), expected["loops_reported_only"]);
  std::map<std::string, int> collision;
  int visual = 0;
  for (const ShapeSpec& shape : model.shapes) {
    if (shape.role == ShapeRole::visual)
      ++visual;
    else
      ++collision[to_string(shape.shape.kind)];
  }
  EXPECT_EQ(json(collision), expected["collision_by_kind"]);
  EXPECT_EQ(visual, expected["visual_shapes"]);
  EXPECT_EQ(model.report.meshes.size(), expected["meshes"]);
  EXPECT_EQ(
      std::count_if(model.report.meshes.begin(), model.report.meshes.end(), [](const MeshUse& m) { return m.path.empty(); }),
      expected["meshes_missing"]);
  EXPECT_EQ(model.actuated_joints.size(), expected["actuators"]);
  EXPECT_EQ(unphysical(model.report), expected["unphysical_inertias"].get<std::set<std::string>>());
  // The oracle does not judge the attributes of <link>.
  const auto unknown = std::count_if(model.report.entries.begin(), model.report.entries.end(), [](const ReportEntry& e) {
    return e.code == "unknown-element" || e.code == "unknown-key" ||
           (e.code == "unknown-attribute" && !e.place.element.starts_with("<link "));
  });
  EXPECT_EQ(unknown, expected["unknown_grammar"].get<int>());
}

/// "file:line <element>" and the quoted names of the oracle's message must be in ours.
void expect_named(const std::string& message, const std::string& names) {
  const std::string place = names.substr(0, names.find(": "));
  EXPECT_NE(message.find(place), std::string::npos) << message << "\ndoes not name " << place;
  for (std::size_t open = names.find('\''); open != std::string::npos; open = names.find('\'', open)) {
    const std::size_t close = names.find('\'', open + 1);
    if (close == std::string::npos) break;
    const std::string quoted = names.substr(open, close - open + 1);
    EXPECT_NE(message.find(quoted), std::string::npos) << message << "\ndoes not name " << quoted;
    open = close + 1;
  }
}

TEST(UrdfCorpus, EveryFileLoadsWithTheExpectedTotalsOrIsRefusedForTheExpectedReason) {
  const json all = expectations();
  if (all.is_null()) GTEST_SKIP() << "../shared/models is not here";
  int loaded = 0, refused = 0;
  for (const auto& [file, expected] : all.items()) {
    if (!is_urdf(file)) continue;
    SCOPED_TRACE(file);
    ReadOptions options;
    options.package_path = {models};
    const std::string path = models + "/" + file;
    if (expected["status"] == "refuse") {
      LoadReport partial;
      try {
        read_model(path, options, &partial);
        ADD_FAILURE() << "was not refused";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), expected["reason"]) << error.what();
        expect_named(error.what(), expected["message_names"]);
        ASSERT_FALSE(partial.entries.empty());
        EXPECT_EQ(partial.entries.back().outcome, Outcome::error);
        ++refused;
      }
      if (!expected.contains("loads_with")) continue;
      options = corpus_options(expected);
    }
    try {
      expect_totals(read_model(path, options), expected);
      ++loaded;
    } catch (const Error& error) {
      ADD_FAILURE() << error.code() << ": " << error.what();
    }
  }
  EXPECT_EQ(loaded, 43);
  EXPECT_EQ(refused, 10);
}

/// The oracle's view of all files that load, from one process.
json oracle_view(const std::vector<std::string>& files) {
  const std::string out = std::string(CONDYLE_TEST_OUTPUT) + "/urdf_oracle.json";
  std::string command =
      fmt::format("cd '{}' && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='{}/.deps/python' python3 oracle.py --path .", models,
                  CONDYLE_SOURCE_DIR);
  for (const std::string& file : files) command += " '" + file + "'";
  command += " > '" + out + "' 2>/dev/null";
  if (std::system(command.c_str()) != 0) return {};
  return json::parse(text_of(out));
}

double number_or(const json& value, double absent) { return value.is_null() ? absent : value.get<double>(); }

TEST(UrdfCorpus, LimitsDampingFrictionAndMassesAgreeWithTheOracleJointByJoint) {
  const json all = expectations();
  if (all.is_null()) GTEST_SKIP() << "../shared/models is not here";
  std::vector<std::string> files;
  for (const auto& [file, expected] : all.items())
    if (is_urdf(file) && expected["status"] == "load" && !expected["joints_by_type"].contains("universal"))
      files.push_back(file);  // the oracle cannot print the axes of universal joints
  const json view = oracle_view(files);
  if (view.is_null()) GTEST_SKIP() << "the oracle does not run here: python3 and numpy are needed (scripts/setup --test)";
  int joints = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    SCOPED_TRACE(files[i]);
    ReadOptions options;
    options.package_path = {models};
    const ModelDescription model = read_model(models + "/" + files[i], options);
    for (const json& body : view[i]["body_list"]) {
      const int link = model.find_link(body["name"].get<std::string>());
      ASSERT_GE(link, 0) << body["name"];
      EXPECT_DOUBLE_EQ(model.links[static_cast<std::size_t>(link)].inertial.mass, body["mass"].get<double>())
          << body["name"];
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(model.links[static_cast<std::size_t>(link)].inertial.com[k],
                    body["com"][static_cast<std::size_t>(k)].get<double>(), 1e-12)
            << body["name"];
    }
    for (const json& theirs : view[i]["joint_list"]) {
      const int found = model.find_joint(theirs["name"].get<std::string>());
      if (found < 0 || nv_of(model.joints[static_cast<std::size_t>(found)].kind) != 1)
        continue;  // retyped or not of one dof
      const JointSpec& ours = model.joints[static_cast<std::size_t>(found)];
      SCOPED_TRACE(ours.name);
      ++joints;
      EXPECT_DOUBLE_EQ(ours.lower, number_or(theirs["lower"], -unlimited));
      EXPECT_DOUBLE_EQ(ours.upper, number_or(theirs["upper"], unlimited));
      EXPECT_DOUBLE_EQ(ours.effort, number_or(theirs["effort"], unlimited));
      EXPECT_DOUBLE_EQ(ours.velocity, number_or(theirs["velocity"], unlimited));
      EXPECT_DOUBLE_EQ(ours.damping, theirs["damping"].get<double>());
      EXPECT_DOUBLE_EQ(ours.friction, theirs["friction"].get<double>());
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(ours.axis[k], theirs["axis"][static_cast<std::size_t>(k)].get<double>(), 1e-12);
    }
  }
  EXPECT_GT(joints, 400);
}

double mass_in_xml(const fs::path& file) {
  tinyxml2::XMLDocument document;
  document.LoadFile(file.c_str());
  double mass = 0;
  const tinyxml2::XMLElement* robot = document.RootElement();
  for (const auto* link = robot->FirstChildElement("link"); link; link = link->NextSiblingElement("link"))
    if (const auto* inertial = link->FirstChildElement("inertial"))
      mass += inertial->FirstChildElement("mass")->DoubleAttribute("value");
  return mass;
}

TEST(UrdfCorpus, EveryRobotOfTheInstalledPackageLoadsWithTheMassOfItsXml) {
  const fs::path share = fs::path(CONDYLE_SOURCE_DIR) / ".deps/robots/cmeel.prefix/share/example-robot-data";
  if (!fs::exists(share / "robots")) GTEST_SKIP() << "the robot package is not installed (scripts/setup --robots)";
  ReadOptions options;
  options.package_path = {share.string(), share.parent_path().string()};
  int loaded = 0;
  for (const auto& entry : fs::recursive_directory_iterator(share / "robots")) {
    if (!is_urdf(entry.path().string())) continue;
    SCOPED_TRACE(entry.path().string());
    try {
      const ModelDescription model = read_model(entry.path().string(), options);
      const double mass = mass_in_xml(entry.path());
      EXPECT_NEAR(model.total_mass(), mass, 1e-9 * mass);
      ++loaded;
    } catch (const Error& error) {
      const std::string name = entry.path().filename().string();
      if (name == "alex_psyonic_hands.urdf" && error.code() == "unknown-joint") {  // mimics a joint that it does not have
        ReadOptions without_it = options;
        without_it.skip_unknown_names = true;
        EXPECT_NEAR(read_model(entry.path().string(), without_it).total_mass(), mass_in_xml(entry.path()), 1e-9);
        ++loaded;
      } else {
        EXPECT_TRUE(name == "ur3.urdf" && error.code() == "no-links") << error.code() << ": " << error.what();
      }
    }
  }
  EXPECT_EQ(loaded, 68);
}

TEST(UrdfCorpus, NoFileCutAtAnyByteCrashesOrHangsTheReader) {
  const json all = expectations();
  if (all.is_null()) GTEST_SKIP() << "../shared/models is not here";
  ReadOptions options;
  options.skip_meshes = true;  // meshes are looked for after the tree, which a cut file never reaches
  int refused = 0;
  for (const auto& [file, expected] : all.items()) {
    if (!is_urdf(file)) continue;
    const std::string path = models + "/" + file, text = text_of(path);
    const std::size_t step = std::max<std::size_t>(1, text.size() / 23);
    for (std::size_t cut = 0; cut + 20 < text.size(); cut += step) {
      try {
        read_urdf_text(text.substr(0, cut), path, options);
        ADD_FAILURE() << file << " cut at byte " << cut << " loads";
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 900);
}

}  // namespace
}  // namespace condyle
