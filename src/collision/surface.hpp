#pragma once
// Triangles that hang together, as contact sees them: a mesh or a height field, in a frame of its own.
#include "collision/aabb.hpp"

#include <array>
#include <vector>

namespace condyle {

class Surface {
 public:
  virtual ~Surface() = default;

  virtual int triangles() const = 0;
  virtual int vertices() const = 0;
  virtual std::array<int, 3> corners(int triangle) const = 0;  ///< numbers of vertices, counter-clockwise seen from outside
  virtual Eigen::Vector3d vertex(int number) const = 0;        ///< m
  virtual Eigen::Vector3d normal(int triangle) const = 0;      ///< unit, outward
  /// The smallest number of a triangle in the flat piece of surface that this one belongs to.
  virtual int region(int triangle) const = 0;
  /// Appends the triangles around a vertex.
  virtual void around(int vertex, std::vector<int>& out) const = 0;
  /// Appends the triangles whose boxes overlap `box`, each once.
  virtual void query(const Aabb& box, std::vector<int>& out) const = 0;
  /// Appends the triangles whose boxes reach below normal·x = offset.
  virtual void query_below(const Eigen::Vector3d& normal, double offset, std::vector<int>& out) const = 0;

  /// Whether a place is inside, for a surface that is endless; else false.
  virtual bool holds(const Eigen::Vector3d& x) const { return static_cast<void>(x), false; }

  const Aabb& box() const { return box_; }
  /// The surface of something solid: nothing belongs behind it. Otherwise a thin sheet with two sides.
  bool solid() const { return solid_; }
  /// Behind which there is no other side, however deep: height fields.
  bool endless() const { return endless_; }

 protected:
  Aabb box_;
  bool solid_ = false, endless_ = false;
};

/// Neighbours that make a smaller angle than this are one flat piece; so are a normal and a face that it is compared with.
inline constexpr double flat_angle = 1e-4;  // rad

}  // namespace condyle
