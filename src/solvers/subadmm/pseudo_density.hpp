#pragma once
#include "solvers/scaled_island.hpp"

namespace condyle {

/// Where β begins (CANAL VI-D): geometric mean over constraints and trees of effective mass / constraints on the tree.
/// Scaled: the mass that a constraint feels of both sides together is 1. Problems without velocities: 1.
double pseudo_density(const ScaledIsland& island, std::vector<int>& scratch);

}  // namespace condyle
