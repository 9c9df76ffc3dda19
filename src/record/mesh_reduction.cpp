#include "record/mesh_reduction.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace condyle::record {

namespace {
struct Hash {
  std::size_t operator()(const std::array<int, 3>& x) const {
    std::size_t h = 0;
    for (int k : x) h = (h ^ static_cast<std::size_t>(static_cast<unsigned>(k))) * 0x9E3779B97F4A7C15ull;
    return h ^ (h >> 29);
  }
};

/// `cells` along the longest side.
Mesh clustered(const Mesh& mesh, const Eigen::AlignedBox3d& box, int cells) {
  const double side = std::max(box.sizes().maxCoeff(), 1e-300) / cells;
  Mesh out;
  out.path = mesh.path;
  std::unordered_map<std::array<int, 3>, int, Hash> cell;
  std::vector<int> to(mesh.vertices.size()), count;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Eigen::Vector3d at = (mesh.vertices[i] - box.min()) / side;
    std::array<int, 3> key;
    for (int k = 0; k < 3; ++k) key[static_cast<std::size_t>(k)] = std::min(static_cast<int>(at[k]), cells - 1);
    const auto [known, fresh] = cell.try_emplace(key, static_cast<int>(out.vertices.size()));
    if (fresh) {
      out.vertices.emplace_back(Eigen::Vector3d::Zero());
      count.push_back(0);
    }
    const auto k = static_cast<std::size_t>(known->second);
    out.vertices[k] += mesh.vertices[i];
    ++count[k];
    to[i] = known->second;
  }
  for (std::size_t k = 0; k < count.size(); ++k) out.vertices[k] /= count[k];

  std::unordered_set<std::array<int, 3>, Hash> known;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    std::array<int, 3> k{};
    for (int i = 0; i < 3; ++i) k[static_cast<std::size_t>(i)] = to[static_cast<std::size_t>(t[i])];
    if (k[0] == k[1] || k[1] == k[2] || k[2] == k[0]) continue;
    std::rotate(k.begin(), std::min_element(k.begin(), k.end()), k.end());  // the same triangle, the same winding
    if (known.insert(k).second) out.triangles.emplace_back(k[0], k[1], k[2]);
  }
  return out;
}
}  // namespace

Mesh reduced(const Mesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most) return mesh;
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& x : mesh.vertices) box.extend(x);
  int coarse = 2, fine = 2048;
  Mesh best = clustered(mesh, box, coarse);
  while (fine - coarse > std::max(1, coarse / 16)) {
    const int cells = (coarse + fine) / 2;
    Mesh tried = clustered(mesh, box, cells);
    if (tried.triangles.size() <= most) {
      best = std::move(tried);
      coarse = cells;
    } else {
      fine = cells;
    }
  }
  return best;
}

}  // namespace condyle::record
