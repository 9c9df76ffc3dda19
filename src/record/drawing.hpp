#pragma once
// What of a scene can be seen: shapes with their places, colours and triangles. A recording carries it, because whoever
// opens one later may have neither the robot's files nor Condyle.
#include "scene/scene_data.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace condyle::record {

/// Of a whole scene, and of one mesh.
inline constexpr std::size_t most_triangles = 300000, most_triangles_of_a_mesh = 20000;

struct Drawing {
  nlohmann::ordered_json shapes = nlohmann::ordered_json::array();  ///< name, body, kind, size, pose, role, color, mesh
  nlohmann::ordered_json meshes = nlohmann::ordered_json::array();  ///< name, first and count of vertices and triangles
  nlohmann::ordered_json closures = nlohmann::ordered_json::array();
  std::vector<std::string> notes;  ///< what cannot be drawn, and why
  std::vector<double> vertices;    ///< three for each, in the frame of the shape, scale applied
  std::vector<std::int32_t> triangles;
};

/// `read_files`: also the meshes that only a drawing needs.
Drawing draw(const SceneData& scene, bool read_files);

/// Index of a body in the description's list (links, free bodies, static bodies); -1: the world.
int body_index(const SceneData& scene, const BodyRef& body);

}  // namespace condyle::record
