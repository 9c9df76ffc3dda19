#pragma once
#include "collision/match_features.hpp"
#include "collision/narrow_phase.hpp"

namespace condyle {

/// A half-space or plane as A and a bounded piece as B. Of a plane the side counts that is nearer to the piece.
Separation plane_separation(const Piece& plane, const Pose& pose_plane, const Piece& piece, const Pose& pose);
void plane_contacts(const Piece& plane, const Pose& pose_plane, const Piece& piece, const Pose& pose, double margin,
                    Candidates& work, Manifold& out);

}  // namespace condyle
