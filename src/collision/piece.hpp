#pragma once
// What the narrow phase works on: one convex piece of a collision shape, or an unbounded one, in a frame of its own. A shape
// has one piece; a mesh taken as convex parts has several; a mesh of triangles and a height field make theirs on the way.
#include <condyle/shape.hpp>

#include <memory>
#include <vector>

namespace condyle {

/// A convex polyhedron; a single triangle, segment or point is one too. Never changed after it was made.
struct Hull {
  std::vector<Eigen::Vector3d> vertices;  ///< m
  std::vector<int> face_begin;            ///< faces() + 1 entries into face_vertices
  std::vector<int> face_vertices;  ///< corners of each face, counter-clockwise seen from outside; coplanar ones merged
  std::vector<Eigen::Vector3d> face_normals;  ///< unit, outward
  std::vector<int> neighbour_begin;           ///< vertices + 1 entries into neighbours
  std::vector<int> neighbours;                ///< vertices that share an edge with each vertex, for hill climbing
  double radius = 0;                          ///< m, of the smallest ball about the frame's origin that holds it

  int faces() const { return static_cast<int>(face_normals.size()); }
};

struct Piece {
  ShapeKind kind = ShapeKind::sphere;              ///< mesh: `hull` is set; heightfield never
  Eigen::Vector3d size = Eigen::Vector3d::Ones();  ///< m, as in Shape
  std::shared_ptr<const Hull> hull;
  double radius = 0;  ///< m, bounding ball about the frame's origin; infinite for half-space and plane
};

/// The hull of points that span three dimensions; flat, straight or single ones give what they span. Coal's convex hull does
/// the work where there is volume (rank first: it ends the process on flat input).
std::shared_ptr<const Hull> make_hull(const std::vector<Eigen::Vector3d>& points);
std::shared_ptr<const Hull> make_triangle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c);

/// The piece of a primitive or of a mesh with policy `hull`; meshes of other policies and height fields are made elsewhere.
Piece make_piece(const Shape& shape);

}  // namespace condyle
