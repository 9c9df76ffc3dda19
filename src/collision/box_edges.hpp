#pragma once
#include "collision/face_contact.hpp"

namespace condyle {

/// Two boxes that touch with an edge each, by their separating axes: of all 15 one of the nine that are square to an edge of
/// either parts them most, by more than `bias` (m). Overlapping boxes: the largest of the 15 gaps is the depth. Boxes that are
/// apart: it is their distance if the nearest points of the two edges lie on them. `apart`: some axis parts them by more than
/// `enough`; `unknown`: a face does, or corners are nearest.
FaceAnswer box_edges(const ConvexPair& pair, double enough, double bias, CoreGap& out);

}  // namespace condyle
