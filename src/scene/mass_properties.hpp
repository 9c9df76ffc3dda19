#pragma once
#include <condyle/model.hpp>

#include <vector>

namespace condyle {

/// Volume, centre and inertia at unit density of a solid primitive, in the frame of the body (the shape's pose applied).
/// Throws Error for shapes without volume (half-space, plane, height field) and for meshes.
Inertial unit_density(const Shape& shape, const Place& place);

/// A body of the given mass made of uniform material in all shapes (overlaps count twice).
Inertial solid(const std::vector<Shape>& shapes, double mass, const Place& place);

/// Moves the inertia of a part to the common centre: mass, centre and inertia of two parts in one frame.
Inertial combine(const Inertial& a, const Inertial& b);

/// Why this inertia is not that of a real body, in words with the principal moments; empty: it is.
std::string unphysical(const Inertial& inertial);

}  // namespace condyle
