// Robots of the installed package example-robot-data, by name.
#include "scene/names.hpp"
#include "scene/robot_source.hpp"

#include <condyle/model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace condyle {

namespace fs = std::filesystem;

namespace {

struct RobotFile {
  std::string stem, folder, path;  ///< folder: the top one below the package, "talos_data"
};

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// Empty: not installed.
std::string package_folder() {
  if (const char* given = std::getenv("CONDYLE_ROBOTS")) {
    if (is_folder(given)) return given;
    throw Error("no-robots", Place{}, fmt::format("CONDYLE_ROBOTS is '{}', which is no folder", given),
                "set it to the folder that holds the robots' folders, or unset it");
  }
  std::error_code problem;
  const std::string here = fs::current_path(problem).string();
  for (const std::string& start : {program_folder(), here})
    for (const fs::path folder : folders_upward(start)) {
      const fs::path robots = folder / ".deps/robots/cmeel.prefix/share/example-robot-data/robots";
      if (is_folder(robots)) return robots.string();
    }
  return {};
}

/// Some files of the package are leftovers without any link; no robot is meant by their name.
bool has_link(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return text.find("<link") != std::string::npos;
}

std::vector<RobotFile> robot_files() {
  std::vector<RobotFile> out;
  const std::string root = package_folder();
  if (root.empty()) return out;
  std::error_code problem;
  for (fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, problem), end;
       at != end && !problem; at.increment(problem)) {
    const fs::path ending = at->path().extension();
    if ((ending != ".urdf" && ending != ".sdf") || !has_link(at->path())) continue;
    const fs::path below = at->path().lexically_relative(root);
    out.push_back({at->path().stem().string(), below.begin()->string(), at->path().string()});
  }
  std::sort(out.begin(), out.end(), [](const RobotFile& a, const RobotFile& b) { return a.path < b.path; });
  return out;
}

/// "anymal_b_simple_description" -> "anymal_b_simple"; with `shorter` also "anymal_b".
std::string robot_of_folder(std::string folder, bool shorter) {
  for (const std::string_view ending : {"_description", "_data"})
    if (folder.ends_with(ending)) folder.erase(folder.size() - ending.size());
  if (constexpr std::string_view simple = "_simple"; shorter && folder.ends_with(simple))
    folder.erase(folder.size() - simple.size());
  return folder;
}

/// The file of a folder that a person most likely means by the robot's name.
const RobotFile& main_file(const std::vector<const RobotFile*>& files, const std::string& name) {
  for (const char* ending : {"", "_robot", "_reduced"})
    for (const RobotFile* file : files)
      if (file->stem == name + ending) return *file;
  return **std::min_element(files.begin(), files.end(), [](const RobotFile* a, const RobotFile* b) {
    return std::pair(a->stem.size(), a->stem) < std::pair(b->stem.size(), b->stem);
  });
}

/// Every name and the file it means; an exact file name goes before a file name with "_robot", then a folder's name.
std::map<std::string, std::string> robot_table() {
  const std::vector<RobotFile> files = robot_files();
  std::map<std::string, std::string> out;
  for (const RobotFile& file : files) out.emplace(file.stem, file.path);
  for (const RobotFile& file : files)
    if (constexpr std::string_view robot = "_robot"; file.stem.ends_with(robot))
      out.emplace(file.stem.substr(0, file.stem.size() - robot.size()), file.path);
  std::map<std::string, std::vector<const RobotFile*>> folders;
  for (const RobotFile& file : files) folders[file.folder].push_back(&file);
  for (const bool shorter : {false, true})
    for (const auto& [folder, members] : folders) {
      const std::string name = robot_of_folder(folder, shorter);
      out.emplace(name, main_file(members, name).path);
    }
  return out;
}

}  // namespace

std::string find_robot(const std::string& name) {
  const std::map<std::string, std::string> table = robot_table();
  if (table.empty())
    throw Error("no-robots", Place{},
                fmt::format("robot '{}' is of the robot package, which is not installed", name.substr(0, 100)),
                "install it: scripts/setup --robots, or name its folder in CONDYLE_ROBOTS");
  const auto found = table.find(name);
  if (found != table.end()) return found->second;
  std::vector<std::string> known, similar;
  for (const auto& [other, path] : table) {
    known.push_back(other);
    if (name.size() >= 2 && other.find(name) != std::string::npos) similar.push_back(other);
  }
  std::string hint = name.size() <= 200 ? did_you_mean(name, known) : "";
  if (hint.empty() && !similar.empty()) hint = fmt::format(" (similar: {})", fmt::join(similar, ", "));
  throw Error("unknown-robot", Place{}, fmt::format("the robot package has no robot '{}'{}", name.substr(0, 100), hint),
              fmt::format("it has: {}", fmt::join(known, ", ")));
}

std::vector<std::string> robot_names() {
  std::vector<std::string> out;
  for (const auto& [name, path] : robot_table()) out.push_back(name);
  return out;
}

}  // namespace condyle
