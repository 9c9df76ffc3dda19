#pragma once
#include "collision/convex_pair.hpp"

namespace condyle {

/// The normal of largest gap near `start`, to round-off: Newton's method on the sphere of normals. Support functions have
/// kinks where a normal meets an edge, a generator or a face; there the best normal is on a circle or a point of the sphere,
/// so those near `start` (rad: `reach`) are tried too. Every normal gives a bound, the largest gap wins. `start.on_a` is
/// used where both touch along a line or a face.
CoreGap refine_normal(const ConvexPair& pair, const CoreGap& start, double reach);

}  // namespace condyle
