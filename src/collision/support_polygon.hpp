#pragma once
// The side that a convex piece shows to a direction, as a few corners: what lies on a triangle when the piece rests there.
#include "collision/piece.hpp"

#include <array>
#include <cstdint>

namespace condyle {

/// A convex polygon, segment or point. Labels name corners of the piece and stay while it moves.
struct LabelledPolygon {
  static constexpr int capacity = 48;
  std::array<Eigen::Vector3d, capacity> points;
  std::array<std::uint32_t, capacity> labels;
  int size = 0;

  void add(const Eigen::Vector3d& x, std::uint32_t label) {
    if (size == capacity) return;
    points[static_cast<std::size_t>(size)] = x;
    labels[static_cast<std::size_t>(size++)] = label;
  }
};

/// The part of a bounded piece that is farthest along `direction` (unit, world): of a polyhedron the face at its farthest
/// corner that looks most that way. Round rims are sampled, with the farthest point itself among the samples.
void support_polygon(const Piece& piece, const Pose& pose, const Eigen::Vector3d& direction, LabelledPolygon& out);

/// What of a polygon lies within the column over a triangle along its unit normal. Corners keep their labels; new ones are
/// named by what was cut.
void clip_to_column(const std::array<Eigen::Vector3d, 3>& triangle, const Eigen::Vector3d& normal, LabelledPolygon& polygon);

}  // namespace condyle
