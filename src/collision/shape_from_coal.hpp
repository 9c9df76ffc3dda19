#pragma once
#include "collision/coal_shapes.hpp"

namespace condyle {

/// The shape that Coal geometry stands for; its pose holds what Coal keeps in the geometry (normal and offset of a
/// plane). `triangles` says how a bare triangle mesh is simulated; a convex polytope stays its own hull. Throws Error for
/// what has no counterpart: octrees, rounded boxes.
Shape shape_from_coal(const coal::CollisionGeometry& geometry, MeshPolicy triangles, const Place& place);

}  // namespace condyle
