#pragma once
#include "collision/convex_pair.hpp"
#include "collision/manifold.hpp"

#include <cstdint>

namespace condyle {

/// What a piece touches with in one direction: a point, a segment or a flat convex polygon that holds its farthest point. Of
/// the faces and generators there it is the one that spans the least along the direction; nothing depends on how flat it
/// lies, since each of its points gets a gap of its own. A round face is eight points of its rim, fixed in the piece.
struct ContactFeature {
  static constexpr int most = 64;
  enum Kind : std::uint32_t { vertex = 0u << 30, edge = 1u << 30, face = 2u << 30, nearest = 3u << 30 };

  int count = 0;
  Eigen::Vector3d p[most];
  std::uint32_t vertex_id[most], edge_id[most];  // edge i goes from corner i to i + 1
  std::uint32_t face_id = face;
  double round = 0;                                   // m, of a segment: radius of the surface that it is a line of
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // of a polygon: unit, outward

  void add(const Eigen::Vector3d& x, std::uint32_t id) {
    if (count == most) return;
    p[count] = x;
    vertex_id[count] = vertex | (id & 0x3fffffffu);
    edge_id[count] = edge | (id & 0x3fffffffu);
    ++count;
  }
};

/// In the piece's frame, n outward, rounding included.
void find_feature(const Convex& piece, const Eigen::Vector3d& n, ContactFeature& out);

/// The unit face normal nearest to n in the piece's frame; false if it has no flat face.
bool nearest_face_normal(const Convex& piece, const Eigen::Vector3d& n, Eigen::Vector3d& normal);

}  // namespace condyle
