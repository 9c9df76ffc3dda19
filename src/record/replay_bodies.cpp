// What moves and what it looks like.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/rotation.hpp"
#include "record/mesh_reduction.hpp"
#include "record/replay_builder.hpp"

namespace condyle::record {

namespace {
using Json = nlohmann::ordered_json;
constexpr double quaternion_step = 1e-5, twist_step = 1e-3;
constexpr int mesh_cells = 65535;  // vertices lie on a grid of 16 bits
}  // namespace

Json ReplayBuilder::bodies() const {
  Json out = Json::array();
  out.push_back({{"name", "world"}, {"kind", "world"}});
  for (const Json& body : scene_.at("bodies")) out.push_back(body);
  return out;
}

Json ReplayBuilder::shapes() const {
  Json out = Json::array();
  for (Json shape : scene_.at("shapes")) {
    const int body = shape.at("body").get<int>(), bodies = static_cast<int>(scene_.at("bodies").size());
    if (body < -1 || body >= bodies)
      throw Error("damaged-file", {recording_.info().file, 0, "/scene/description"},
                  fmt::format("a shape belongs to body {} of {}", body, bodies));
    shape["body"] = body + 1;  // the page counts the world as the first
    out.push_back(std::move(shape));
  }
  return out;
}

Json ReplayBuilder::closures() const {
  Json out = Json::array();
  for (Json closure : scene_.at("closures")) {
    closure["a"] = closure.at("a").get<int>() + 1;
    closure["b"] = closure.at("b").get<int>() + 1;
    out.push_back(std::move(closure));
  }
  return out;
}

std::size_t ReplayBuilder::largest_mesh() const {
  std::size_t out = 0;
  for (const Json& mesh : scene_.at("meshes")) out = std::max(out, mesh.at("triangles").get<std::size_t>());
  return out;
}

Json ReplayBuilder::meshes(std::size_t most, std::vector<std::string>& dropped) {
  Json out = Json::array();
  std::size_t before_all = 0, after_all = 0, reduced_meshes = 0;
  for (const Json& given : scene_.at("meshes")) {
    const auto first_v = given.at("first_vertex").get<std::size_t>(), nv = given.at("vertices").get<std::size_t>(),
               first_t = given.at("first_triangle").get<std::size_t>(), nt = given.at("triangles").get<std::size_t>();
    if (first_v + nv > vertices_.size() / 3 || first_t + nt > triangles_.size() / 3)
      throw Error("damaged-file", {recording_.info().file, 0, "/scene/triangles"},
                  "a mesh has more triangles than there are", "use another copy of the file");
    Mesh mesh;
    for (std::size_t i = 0; i < nv; ++i) mesh.vertices.emplace_back(vertices_.data() + 3 * (first_v + i));
    for (std::size_t i = 0; i < nt; ++i) {
      mesh.triangles.emplace_back(triangles_.data() + 3 * (first_t + i));
      if (mesh.triangles.back().minCoeff() < 0 || mesh.triangles.back().maxCoeff() >= static_cast<int>(nv))
        throw Error("damaged-file", {recording_.info().file, 0, "/scene/triangles"},
                    fmt::format("triangle {} names a vertex beyond its mesh", first_t + i), "use another copy of the file");
    }
    mesh = reduced(mesh, most);

    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& x : mesh.vertices) box.extend(x);
    const double step = mesh.vertices.empty() ? 1 : std::max(box.sizes().maxCoeff() / mesh_cells, 1e-12);
    std::vector<int> place(mesh.vertices.size(), -1);  // in order of first use, so that neighbours have near numbers
    std::vector<std::int32_t> v, t;
    for (const Eigen::Vector3i& triangle : mesh.triangles)
      for (int k = 0; k < 3; ++k) {
        int& at = place[static_cast<std::size_t>(triangle[k])];
        if (at < 0) {
          at = static_cast<int>(v.size() / 3);
          const Eigen::Vector3d x = (mesh.vertices[static_cast<std::size_t>(triangle[k])] - box.min()) / step;
          for (int i = 0; i < 3; ++i) v.push_back(static_cast<std::int32_t>(std::lround(x[i])));
        }
        t.push_back(at);
      }
    const std::string name = fmt::format("mesh.{}", out.size());
    arrays_.add_delta(name + ".v", v, 3, step);
    arrays_.add_delta(name + ".t", t, 1, 1);
    const std::size_t before = given.value("triangles_before", nt), after = mesh.triangles.size();
    Json entry = {{"name", given.at("name")}, {"vertices", name + ".v"}, {"triangles", name + ".t"}};
    entry["origin"] = {box.min().x(), box.min().y(), box.min().z()};
    if (mesh.vertices.empty()) entry["origin"] = {0, 0, 0};
    if (after != before) {
      entry["trianglesBefore"] = before;
      ++reduced_meshes;
      before_all += before;
      after_all += after;
    }
    out.push_back(std::move(entry));
  }
  if (reduced_meshes > 0)
    dropped.push_back(fmt::format("{} {} drawn with {} of {} triangles", reduced_meshes,
                                  reduced_meshes == 1 ? "mesh is" : "meshes are", after_all, before_all));
  return out;
}

double ReplayBuilder::position_step() const {
  // a hundred thousandth of the scene's size, which is taken from where the bodies are, without the outermost
  std::vector<double> sizes;
  for (std::size_t i = 0; i < frames_.size(); i += std::max<std::size_t>(1, frames_.size() / 20)) {
    const auto all = poses(frames_[i]);
    for (int k = 0; k < 3; ++k) {
      std::vector<double> x;
      for (Eigen::Index b = 0; b < all.cols(); ++b)
        if (std::isfinite(all(k, b))) x.push_back(all(k, b));
      if (x.size() < 2) continue;
      std::sort(x.begin(), x.end());
      sizes.push_back(x[x.size() - 1 - x.size() / 20] - x[x.size() / 20]);
    }
  }
  for (const Json& shape : scene_.at("shapes"))
    if (shape.at("kind") == "box") sizes.push_back(shape.at("size").at(0).get<double>());
  const double size = sizes.empty() ? 1 : *std::max_element(sizes.begin(), sizes.end());
  const double decade = std::floor(std::log10(std::clamp(size, 0.011, 99.0)) + 1e-9);
  return std::pow(10.0, decade - 5);
}

Eigen::Matrix<double, 7, Eigen::Dynamic> ReplayBuilder::poses(std::uint64_t frame) const {
  Eigen::Matrix<double, 7, Eigen::Dynamic> out(7, moving_);
  const int links = recording_.info().links;
  out.leftCols(links) = recording_.link_poses(frame);
  const State x = recording_.state(frame);
  for (int b = links; b < moving_; ++b) out.col(b) = x.q.segment<7>(x.q.size() - 7 * (moving_ - b));
  return out;
}

void ReplayBuilder::add_motion(const std::vector<std::uint64_t>& frames, const Cuts& cuts, const std::string& key) {
  const auto n = static_cast<std::size_t>(moving_);
  if (!arrays_.reuse("pose.position", key) || !arrays_.reuse("pose.rotation", key)) {
    std::vector<std::int32_t> place, turn;
    place.reserve(3 * n * frames.size());
    turn.reserve(4 * n * frames.size());
    Eigen::Matrix<double, 4, Eigen::Dynamic> last = Eigen::Matrix<double, 4, Eigen::Dynamic>::Zero(4, moving_);
    for (const std::uint64_t frame : frames) {
      const auto all = poses(frame);
      for (int b = 0; b < moving_; ++b) {
        Eigen::Vector4d q = all.col(b).tail<4>().normalized();
        if (q.dot(last.col(b)) < 0) q = -q;  // both signs are one rotation: the one that is near the last leaves no jump
        if (q.allFinite()) last.col(b) = q;
        for (int k = 0; k < 3; ++k) place.push_back(quantized(all(k, b), step_));
        for (int k = 0; k < 4; ++k) turn.push_back(quantized(q[k], quaternion_step));
      }
    }
    arrays_.add_delta("pose.position", place, 3 * n, step_);
    arrays_.add_delta("pose.rotation", turn, 4 * n, quaternion_step);
  }
  if (!cuts.twists || arrays_.reuse("twist", key)) return;
  std::vector<std::int32_t> twists;
  twists.reserve(6 * n * frames.size());
  const int links = recording_.info().links;
  for (const std::uint64_t frame : frames) {
    const auto of_links = recording_.link_twists(frame);
    const State x = recording_.state(frame);
    for (int b = 0; b < moving_; ++b) {
      Eigen::Matrix<double, 6, 1> v;
      if (b < links) {
        v = of_links.col(b);
      } else {  // the state has it in the axes of the body
        const Eigen::Matrix3d R = rotation_of(x.q.data() + x.q.size() - 7 * (moving_ - b) + 3);
        const double* own = x.v.data() + x.v.size() - 6 * (moving_ - b);
        v << R * Eigen::Map<const Eigen::Vector3d>(own), R * Eigen::Map<const Eigen::Vector3d>(own + 3);
      }
      for (int k = 0; k < 6; ++k) twists.push_back(quantized(v[k], twist_step));
    }
  }
  arrays_.add_delta("twist", twists, 6 * n, twist_step);
}

}  // namespace condyle::record
