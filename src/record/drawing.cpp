#include "record/drawing.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <tuple>

#include "collision/drawn_surface.hpp"
#include "record/mesh_reduction.hpp"
#include "scene/mesh_files.hpp"

namespace condyle::record {

namespace {
using Json = nlohmann::ordered_json;

Json pose_json(const Pose& pose) {
  const Eigen::Vector4d q = pose.quaternion();
  return {pose.p.x(), pose.p.y(), pose.p.z(), q.x(), q.y(), q.z(), q.w()};
}

class Drawer {
 public:
  Drawer(const SceneData& scene, bool read_files) : scene_(scene), read_files_(read_files) {}

  Drawing finish() {
    for (const SceneShape& shape : scene_.shapes) add(shape);
    share_triangles();
    for (const Mesh& mesh : meshes_) store(mesh);
    for (const SceneClosure& closure : scene_.closures)
      if (closure.active)
        out_.closures.push_back({{"name", closure.name},
                                 {"kind", to_string(closure.kind)},
                                 {"a", body_index(scene_, closure.a)},
                                 {"pose_a", pose_json(closure.frame_a)},
                                 {"b", body_index(scene_, closure.b)},
                                 {"pose_b", pose_json(closure.frame_b)}});
    return std::move(out_);
  }

 private:
  using Key = std::tuple<std::string, const void*, double, double, double, int>;

  void add(const SceneShape& given) {
    const Shape& shape = given.shape;
    Json entry = {{"name", given.name},
                  {"body", body_index(scene_, given.body)},
                  {"kind", to_string(shape.kind)},
                  {"size", {shape.size.x(), shape.size.y(), shape.size.z()}},
                  {"pose", pose_json(shape.pose)},
                  {"role", given.role == ShapeRole::visual ? "visual" : "collision"}};
    // what no file gave a colour gets one from whoever draws it
    if (given.rgba != Eigen::Vector4d(0.7, 0.7, 0.7, 1))
      entry["color"] = {given.rgba[0], given.rgba[1], given.rgba[2], given.rgba[3]};
    if (shape.kind == ShapeKind::mesh || shape.kind == ShapeKind::heightfield) {
      const int mesh = mesh_of(given);
      if (mesh < 0) return;
      entry["mesh"] = mesh;
    }
    out_.shapes.push_back(std::move(entry));
  }

  /// -1: it cannot be drawn.
  int mesh_of(const SceneShape& given) {
    const Shape& shape = given.shape;
    const bool visual = given.role == ShapeRole::visual;
    const Key key{visual ? shape.mesh_path : std::string(),
                  visual ? nullptr : (shape.mesh ? static_cast<const void*>(shape.mesh.get()) : shape.field.get()),
                  shape.size.x(),
                  shape.size.y(),
                  shape.size.z(),
                  visual ? -1 : static_cast<int>(shape.policy)};
    const auto [known, fresh] = known_.try_emplace(key, -1);
    if (!fresh) return known->second;
    Mesh mesh;
    try {
      mesh = visual ? from_file(given) : drawn_surface(shape);
    } catch (const Error& error) {
      out_.notes.push_back(fmt::format("{} is not drawn: {}", given.name, error.reason()));
      return -1;
    }
    if (mesh.triangles.empty()) return -1;
    const std::size_t before = mesh.triangles.size();
    mesh = reduced(mesh, most_triangles_of_a_mesh);
    before_.push_back(before);
    meshes_.push_back(std::move(mesh));
    known->second = static_cast<int>(meshes_.size()) - 1;
    return known->second;
  }

  Mesh from_file(const SceneShape& given) {
    const Shape& shape = given.shape;
    if (shape.mesh_path.empty()) {
      out_.notes.push_back(fmt::format("{} is not drawn: its mesh {} was not found", given.name, shape.mesh_uri));
      return {};
    }
    if (!read_files_) {
      if (out_.notes.empty()) out_.notes.emplace_back("meshes that only a drawing needs were not recorded");
      return {};
    }
    Mesh mesh = *read_mesh(shape.mesh_path, given.place);
    for (Eigen::Vector3d& x : mesh.vertices) x = x.cwiseProduct(shape.size);
    if (shape.size.prod() < 0)
      for (Eigen::Vector3i& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
  }

  /// If all together are too many, each gives in proportion.
  void share_triangles() {
    std::size_t total = 0;
    for (const Mesh& mesh : meshes_) total += mesh.triangles.size();
    if (total <= most_triangles) return;
    for (Mesh& mesh : meshes_)
      mesh = reduced(mesh, std::max<std::size_t>(mesh.triangles.size() * most_triangles / total, 64));
  }

  void store(const Mesh& mesh) {
    const std::size_t k = out_.meshes.size();
    Json entry = {{"name", mesh.path.empty() ? "mesh" : std::filesystem::path(mesh.path).filename().string()},
                  {"first_vertex", out_.vertices.size() / 3},
                  {"vertices", mesh.vertices.size()},
                  {"first_triangle", out_.triangles.size() / 3},
                  {"triangles", mesh.triangles.size()}};
    if (before_[k] != mesh.triangles.size()) entry["triangles_before"] = before_[k];
    out_.meshes.push_back(std::move(entry));
    for (const Eigen::Vector3d& x : mesh.vertices) out_.vertices.insert(out_.vertices.end(), x.data(), x.data() + 3);
    for (const Eigen::Vector3i& t : mesh.triangles) out_.triangles.insert(out_.triangles.end(), t.data(), t.data() + 3);
  }

  const SceneData& scene_;
  bool read_files_;
  Drawing out_;
  std::map<Key, int> known_;
  std::vector<Mesh> meshes_;
  std::vector<std::size_t> before_;  ///< triangles of each as they were read
};
}  // namespace

int body_index(const SceneData& scene, const BodyRef& body) {
  int links = 0;
  for (std::size_t t = 0; t < scene.trees.size(); ++t) {
    if (body.kind == BodyRef::Kind::link && static_cast<int>(t) == body.index) return links + body.link;
    links += static_cast<int>(scene.trees[t].model->links.size());
  }
  const int free = static_cast<int>(scene.free_bodies.size());
  switch (body.kind) {
    case BodyRef::Kind::free_body: return links + body.index;
    case BodyRef::Kind::static_body: return links + free + body.index;
    default: return -1;
  }
}

Drawing draw(const SceneData& scene, bool read_files) { return Drawer(scene, read_files).finish(); }

}  // namespace condyle::record
