#pragma once
// What contact works on in the place of each collision shape of a scene.
#include "collision/surface.hpp"
#include "scene/scene_data.hpp"

#include <memory>
#include <vector>

namespace condyle {

/// In the shape's frame. Never changed after it was made.
struct ShapeGeometry {
  std::vector<Piece> pieces;
  std::vector<Aabb> boxes;                 ///< of each piece
  std::shared_ptr<const Surface> surface;  ///< triangles that have no hull, or whose hull is not wanted
  Aabb box;                                ///< of all; empty: touches nothing
  double radius = 0;                       ///< m, bounding ball about the frame's origin
  bool unbounded = false;                  ///< half-space or plane: one piece, no box
};

/// Geometry of every collision shape, by shape; meshes that are used more than once are made once. Visual shapes stay
/// empty. Shapes must have passed CoalShapes, which throws for bad ones.
std::vector<std::shared_ptr<const ShapeGeometry>> make_geometry(const SceneData& scene);

}  // namespace condyle
