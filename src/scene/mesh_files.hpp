#pragma once
// Finds the mesh files that a model names and reads those that collide.
#include <condyle/model.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace condyle {

struct FoundFile {
  std::string path;                ///< empty: not found
  std::string rule;                ///< how it was found, or why not
  std::vector<std::string> tried;  ///< every place that was looked at
};

/// Looks for files as robot files name them: package://NAME/rest, file://, absolute, relative.
class FileSearch {
 public:
  /// `model_file` is where relative names start; `package_path` comes before the environment's ROS_PACKAGE_PATH.
  FileSearch(const std::string& model_file, const std::vector<std::string>& package_path);

  FoundFile find(const std::string& uri);

 private:
  FoundFile find_package(const std::string& name, const std::string& rest);
  FoundFile find_relative(const std::string& name);
  const std::vector<std::string>& packages_below(const std::string& folder, const std::string& name);

  std::string folder_;
  std::vector<std::string> above_, given_, environment_;
  std::map<std::string, std::map<std::string, std::vector<std::string>>> below_;  ///< folder -> package name -> folders
};

/// How a Collada file's coordinates are to be taken.
struct ColladaFrame {
  double unit = 1;      ///< m
  std::string up_axis;  ///< "X_UP", "Y_UP", "Z_UP" or empty
};
ColladaFrame collada_frame(const std::string& path);

/// Triangles of a mesh file. Throws Error `mesh-unreadable` at `place`.
std::shared_ptr<const Mesh> read_mesh(const std::string& path, const Place& place);

/// Whether the first bytes fit the file's extension; a full reading is left to whoever draws it.
bool looks_like_mesh(const std::string& path);

/// Finds every mesh of the model, reads the collision meshes, fills report.meshes. Throws `mesh-missing` and
/// `mesh-unreadable` for collision meshes unless options.skip_meshes.
void load_meshes(ModelDescription& model, const ReadOptions& options, LoadReport& report);

}  // namespace condyle
