#pragma once
#include "collision/convex_pair.hpp"

namespace condyle {

/// Cores of spheres and capsules (points and segments) against each other and points against primitives, in closed form.
/// False: this pair has none.
bool closed_form_gap(const ConvexPair& pair, CoreGap& out);

}  // namespace condyle
