#pragma once
#include <condyle/shape.hpp>

namespace condyle {

/// The surface that contacts of a mesh or height field are found on, as triangles in the frame of the shape, scale applied:
/// the hulls, or the triangles themselves. Empty if there is none.
Mesh drawn_surface(const Shape& shape);

}  // namespace condyle
