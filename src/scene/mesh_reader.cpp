// The only file that sees assimp.
#include "scene/mesh_files.hpp"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <assimp/Importer.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unordered_map>

namespace condyle {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 30;

std::string extension(const std::string& path) {
  std::string out = fs::path(path).extension().string();
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string head_of(const std::string& path, std::size_t bytes) {
  std::ifstream in(path, std::ios::binary);
  std::string out(bytes, '\0');
  in.read(out.data(), static_cast<std::streamsize>(bytes));
  out.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return out;
}

/// Gathers triangles and makes vertices that are equal to the last bit one: STL writes each of them many times.
class Collector {
 public:
  explicit Collector(Mesh& mesh) : mesh_(mesh) {}

  void node(const aiScene& scene, const aiNode& node, const aiMatrix4x4& above) {
    const aiMatrix4x4 pose = above * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i) part(*scene.mMeshes[node.mMeshes[i]], pose);
    for (unsigned i = 0; i < node.mNumChildren; ++i) this->node(scene, *node.mChildren[i], pose);
  }

 private:
  struct Hash {
    std::size_t operator()(const std::array<double, 3>& x) const {
      std::size_t h = 0;
      for (double value : x) h = (h ^ std::hash<double>()(value)) * 0x9E3779B97F4A7C15ull;
      return h;
    }
  };

  void part(const aiMesh& mesh, const aiMatrix4x4& pose) {
    std::vector<int> index(mesh.mNumVertices);
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D x = pose * mesh.mVertices[i];
      const std::array<double, 3> key = {double{x.x}, double{x.y}, double{x.z}};
      const auto [at, fresh] = known_.try_emplace(key, static_cast<int>(mesh_.vertices.size()));
      if (fresh) mesh_.vertices.emplace_back(key[0], key[1], key[2]);
      index[i] = at->second;
    }
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices != 3) continue;  // points and lines have no surface
      mesh_.triangles.emplace_back(index[face.mIndices[0]], index[face.mIndices[1]], index[face.mIndices[2]]);
    }
  }

  Mesh& mesh_;
  std::unordered_map<std::array<double, 3>, int, Hash> known_;
};

}  // namespace

ColladaFrame collada_frame(const std::string& path) {
  ColladaFrame frame;
  if (extension(path) != ".dae") return frame;
  const std::string head = head_of(path, std::size_t{1} << 16);
  const std::size_t unit = head.find("<unit");
  const std::size_t meter = unit == std::string::npos ? unit : head.substr(0, head.find('>', unit)).find("meter=", unit);
  if (meter != std::string::npos) {
    double value = 0;
    const char* first = head.data() + std::min(meter + 7, head.size());
    const auto [end, error] = std::from_chars(first, head.data() + head.size(), value);
    if (error == std::errc() && value > 0 && std::isfinite(value)) frame.unit = value;
  }
  const std::size_t up = head.find("<up_axis>");
  if (up != std::string::npos) frame.up_axis = head.substr(up + 9, head.find('<', up + 9) - up - 9);
  return frame;
}

std::shared_ptr<const Mesh> read_mesh(const std::string& path, const Place& place) {
  const auto refuse = [&](const std::string& why) {
    throw Error("mesh-unreadable", place, fmt::format("{} is not a mesh that can be read: {}", path, why),
                "give an STL, OBJ or DAE file with triangles, or load with skip_meshes");
  };
  std::error_code error;
  if (fs::file_size(path, error) > most_bytes || error) refuse(error ? error.message() : "it is larger than 1 GiB");
  auto mesh = std::make_shared<Mesh>();
  mesh->path = path;
  try {
    Assimp::Importer importer;
    // Units are taken from the file here; the up axis is not, because robot tools take Collada coordinates as they stand.
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UNIT_SIZE, true);
    const aiScene* scene = importer.ReadFile(path, aiProcess_Triangulate);
    if (!scene || !scene->mRootNode) refuse(importer.GetErrorString());
    Collector(*mesh).node(*scene, *scene->mRootNode, aiMatrix4x4());
  } catch (const Error&) {
    throw;
  } catch (const std::exception& problem) {
    refuse(problem.what());
  }
  const double unit = collada_frame(path).unit;
  for (Eigen::Vector3d& x : mesh->vertices) x *= unit;
  if (mesh->triangles.empty()) refuse("it holds no triangle");
  for (const Eigen::Vector3d& x : mesh->vertices)
    if (!x.allFinite()) refuse("a vertex is not finite");
  return mesh;
}

bool looks_like_mesh(const std::string& path) {
  const std::string kind = extension(path);
  const std::string head = head_of(path, std::size_t{1} << 16);
  if (kind == ".stl") {
    std::error_code error;
    std::uint32_t count = 0;
    if (head.size() >= 84) std::memcpy(&count, head.data() + 80, 4);
    const bool binary = head.size() >= 84 && fs::file_size(path, error) == 84 + std::uintmax_t{50} * count;
    return binary || head.find("facet") != std::string::npos;
  }
  if (kind == ".obj")
    return head.starts_with("v ") || head.find("\nv ") != std::string::npos || head.find("\nv\t") != std::string::npos;
  if (kind == ".dae") return head.find("COLLADA") != std::string::npos;
  return !head.empty();
}

}  // namespace condyle
