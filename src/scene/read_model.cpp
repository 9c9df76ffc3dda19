#include <condyle/model.hpp>

#include "scene/robot_source.hpp"
#include "scene/sdf/reader.hpp"
#include "scene/urdf/xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace condyle {

namespace fs = std::filesystem;

namespace {

std::string read_text(const std::string& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw Error("no-file", {file, 0, ""}, fs::exists(file, error) ? "this is not a file" : "there is no such file",
                "give the path of a URDF file, or robot:NAME");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  if (!in) throw Error("no-file", {file, 0, ""}, "the file cannot be read");
  return out.str();
}

std::string extension(const std::string& file) {
  std::string out = fs::path(file).extension().string();
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// Refuses what is neither URDF nor SDF, by the root element if there is one and else by the extension.
void check_format(const std::string& text, const std::string& file) {
  const std::string root = urdf::root_name(text), ending = extension(file);
  const auto refuse = [&](const std::string& reason) {
    throw Error("unsupported-format", {file, 0, ""}, reason,
                "a URDF or SDF file is expected: XML with the root element <robot> or <sdf>");
  };
  if (root == "mujoco" || root == "mujocoinclude") refuse("MJCF is not read yet");
  if (root == "gazebo" || root == "world") refuse("worlds of Gazebo are not read, only SDF files with one model");
  if (root == "sdf") return;
  if (ending == ".xacro") refuse("this is a xacro file: expand it with xacro first");
  if (root == "robot" || ending == ".urdf") return;
  if (ending == ".xml" && root.empty()) refuse("the file has no root element");
  refuse(root.empty() ? std::string("this is not a robot file") : fmt::format("the root element is <{}>", root));
}

}  // namespace

ModelDescription read_model(const std::string& file, const ReadOptions& options, LoadReport* partial) {
  if (file.starts_with("robot:") || file.starts_with("condyle:"))
    return read_model(robot_source(file, {}), options, partial);
  try {
    const std::string text = read_text(file);
    check_format(text, file);
    if (urdf::root_name(text) == "sdf") return read_sdf_text(text, file, options, partial);
    return read_urdf_text(text, file, options, partial);
  } catch (const Error& error) {
    if (partial && (partial->entries.empty() || partial->entries.back().outcome != Outcome::error))
      partial->add(Outcome::error, error.code(), error.place(), error.reason());
    throw;
  }
}

}  // namespace condyle
