#include "scene/mesh_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace condyle {

namespace fs = std::filesystem;

namespace {

constexpr int package_depth = 5;
constexpr int most_folders = 50'000;  // a search path such as "/" must not hang the loader

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// The name a package.xml gives its folder, or empty.
std::string package_name(const fs::path& folder) {
  std::ifstream in(folder / "package.xml");
  if (!in) return {};
  std::string text(std::size_t{1} << 16, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  const std::size_t start = text.find("<name>");
  const std::size_t end = text.find("</name>");
  if (start == std::string::npos || end == std::string::npos || end < start) return {};
  const std::string name = text.substr(start + 6, end - start - 6);
  const std::size_t first = name.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? std::string() : name.substr(first, name.find_last_not_of(" \t\r\n") - first + 1);
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path out = fs::absolute(path, error);
  return (error ? fs::path(path) : out).lexically_normal().string();
}

std::vector<std::string> split_path(const char* text) {
  std::vector<std::string> out;
  std::string rest = text ? text : "";
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    if (end != 0) out.push_back(absolute(rest.substr(0, end)));
    rest = end == std::string::npos ? std::string() : rest.substr(end + 1);
  }
  return out;
}

/// Adds the place to what was tried and tells whether the file is there.
bool try_file(FoundFile& found, const fs::path& path, const std::string& rule) {
  const std::string text = path.lexically_normal().string();
  if (std::find(found.tried.begin(), found.tried.end(), text) == found.tried.end()) found.tried.push_back(text);
  if (!is_file(path)) return false;
  found.path = text;
  found.rule = rule;
  return true;
}

}  // namespace

FileSearch::FileSearch(const std::string& model_file, const std::vector<std::string>& package_path)
    : folder_(fs::path(absolute(model_file)).parent_path().string()),
      environment_(split_path(std::getenv("ROS_PACKAGE_PATH"))) {
  for (fs::path up = folder_; up != up.parent_path(); up = up.parent_path()) above_.push_back(up.string());
  for (const std::string& folder : package_path) given_.push_back(fs::path(absolute(folder + "/.")).parent_path().string());
}

FoundFile FileSearch::find(const std::string& uri) {
  FoundFile found;
  if (uri.find("$(") != std::string::npos || uri.find("${") != std::string::npos) {
    found.rule = "an unexpanded xacro expression is left in the name";
    return found;
  }
  for (const char* scheme : {"package://", "model://"}) {
    if (!uri.starts_with(scheme)) continue;
    const std::string rest = uri.substr(std::string_view(scheme).size());
    const std::size_t slash = rest.find('/');
    const std::string name = rest.substr(0, slash);
    const std::string inside = slash == std::string::npos ? std::string() : rest.substr(slash + 1);
    if (name.empty() || inside.empty()) return find_relative(inside.empty() ? name : inside);
    return find_package(name, inside);
  }
  return find_relative(uri.starts_with("file://") ? uri.substr(7) : uri);
}

FoundFile FileSearch::find_package(const std::string& name, const std::string& rest) {
  FoundFile found;
  const auto in_folder = [&](const std::string& folder, const char* where) {
    for (const fs::path& root : {fs::path(folder), fs::path(folder) / name}) {
      if (root.filename() == name) {
        if (try_file(found, root / rest, fmt::format("package folder {}", where))) return true;
      } else if (package_name(root) == name) {
        if (try_file(found, root / rest, fmt::format("package.xml {}", where))) return true;
      }
    }
    return false;
  };
  for (const std::string& folder : above_)
    if (in_folder(folder, "above the file")) return found;
  for (const auto& [folders, where] :
       {std::pair{&given_, "in the package path"}, std::pair{&environment_, "in ROS_PACKAGE_PATH"}})
    for (const std::string& folder : *folders) {
      if (in_folder(folder, where)) return found;
      for (const std::string& package : packages_below(folder, name))
        if (try_file(found, fs::path(package) / rest, fmt::format("package.xml {}", where))) return found;
    }
  found.rule = fmt::format("package '{}' or its file '{}' not found", name, rest);
  return found;
}

FoundFile FileSearch::find_relative(const std::string& name) {
  FoundFile found;
  found.rule = "no such file";
  if (fs::path(name).is_absolute()) {
    try_file(found, name, "absolute path");
    return found;
  }
  if (try_file(found, fs::path(folder_) / name, "relative to the file")) return found;
  if (try_file(found, fs::path(folder_).parent_path() / name, "relative to the folder above the file")) return found;
  for (const auto* folders : {&given_, &environment_})
    for (const std::string& folder : *folders)
      if (try_file(found, fs::path(folder) / name, "relative to the package path")) return found;
  return found;
}

const std::vector<std::string>& FileSearch::packages_below(const std::string& folder, const std::string& name) {
  static const std::vector<std::string> nothing;
  const auto [entry, fresh] = below_.try_emplace(folder);
  if (fresh) {
    std::error_code error;
    int visited = 0;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && at != end && visited < most_folders; at.increment(error)) {
      std::error_code ignored;
      if (!at->is_directory(ignored)) continue;
      ++visited;
      if (at.depth() >= package_depth) at.disable_recursion_pending();
      const std::string package = package_name(at->path());
      if (!package.empty()) entry->second[package].push_back(at->path().string());
    }
    for (auto& [package, folders] : entry->second) std::sort(folders.begin(), folders.end());
  }
  const auto found = entry->second.find(name);
  return found == entry->second.end() ? nothing : found->second;
}

namespace {

std::string listed(const std::vector<std::string>& tried) {
  if (tried.empty()) return "looked nowhere";
  std::string out = "looked for ";
  for (std::size_t i = 0; i < tried.size() && i < 6; ++i) out += (i ? ", " : "") + tried[i];
  return tried.size() > 6 ? out + fmt::format(" and {} more places", tried.size() - 6) : out;
}

void add_role(std::string& roles, const std::string& role) {
  if (roles.empty())
    roles = role;
  else if (roles != role)
    roles = "collision visual";
}

/// Resolves and reads the meshes of one model, each file once.
class MeshLoader {
 public:
  MeshLoader(const std::string& model_file, const ReadOptions& options, LoadReport& report)
      : options_(options), report_(report), search_(model_file, options.package_path) {}

  void load(ShapeSpec& shape) {
    const std::string& uri = shape.shape.mesh_uri;
    const bool collides = shape.role == ShapeRole::collision;
    const auto [known, fresh] = uses_.try_emplace(uri, report_.meshes.size());
    if (fresh) {
      found_.push_back(search_.find(uri));
      report_.meshes.push_back({uri, found_.back().path, found_.back().rule, "", "", -1});
    }
    MeshUse& use = report_.meshes[known->second];
    const FoundFile& found = found_[known->second];
    shape.shape.mesh_path = found.path;
    add_role(use.role, collides ? "collision" : "visual");
    if (collides) use.policy = to_string(shape.shape.policy);
    try {
      if (found.path.empty())
        throw Error("mesh-missing", shape.place, fmt::format("{}: {} ({})", uri, found.rule, listed(found.tried)),
                    "give the folder of the package with --package-path, or load with skip_meshes");
      if (collides) {
        shape.shape.mesh = read(found.path, shape.place);
        use.vertices = static_cast<int>(shape.shape.mesh->vertices.size());
      } else if (!looks_like_mesh(found.path)) {
        throw Error("mesh-unreadable", shape.place, fmt::format("{} is not a mesh ({})", uri, found.path));
      }
    } catch (const Error& error) {
      if (collides && !options_.skip_meshes) throw;
      report_.add(Outcome::ignored, error.code(), shape.place,
                  (collides ? "this collision shape is left out: " : "this visual cannot be drawn: ") + error.reason());
    }
  }

 private:
  std::shared_ptr<const Mesh> read(const std::string& path, const Place& place) {
    std::shared_ptr<const Mesh>& mesh = meshes_[path];
    if (mesh) return mesh;
    mesh = read_mesh(path, place);
    const ColladaFrame frame = collada_frame(path);
    if (frame.unit != 1)
      report_.add(Outcome::applied, "mesh-units", place,
                  fmt::format("{}: the file's unit of {} m is applied", path, frame.unit));
    if (!frame.up_axis.empty() && frame.up_axis != "Z_UP")
      report_.add(Outcome::assumed, "mesh-up-axis", place,
                  fmt::format("{}: the file says {}; its coordinates are taken as they stand, as other robot tools do", path,
                              frame.up_axis));
    return mesh;
  }

  const ReadOptions& options_;
  LoadReport& report_;
  FileSearch search_;
  std::map<std::string, std::size_t> uses_;
  std::vector<FoundFile> found_;
  std::map<std::string, std::shared_ptr<const Mesh>> meshes_;
};

}  // namespace

void load_meshes(ModelDescription& model, const ReadOptions& options, LoadReport& report) {
  MeshLoader loader(model.file, options, report);
  for (ShapeSpec& shape : model.shapes)
    if (shape.shape.kind == ShapeKind::mesh) loader.load(shape);
}

}  // namespace condyle
