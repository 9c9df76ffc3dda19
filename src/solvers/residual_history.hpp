#pragma once
// Entries of the history that a caller may ask for; nothing of this runs unless one does.
#include "solvers/scaled_island.hpp"

namespace condyle {

/// Of λ̃ and its σ̃, in true units.
ResidualHistory::Entry history_entry(const ScaledIsland& island, const double* impulse, const double* sigma, double measure);

}  // namespace condyle
