#pragma once
#include "collision/contact_feature.hpp"

namespace condyle {

enum class FaceAnswer { unknown, apart, found };

/// The commonest contact, a flat face against whatever touches it, without iterating. The face of either piece that lies
/// most between the two is the answer if that can be proved; `apart`: it separates the cores by more than `enough`. Leaves
/// the two features at that normal in `a` and `b`, both in A's frame.
///
/// The proof: A - B has a facet in the face's plane at height d (the depth) above the origin. If that facet holds a disc of
/// radius r about the origin's foot, and A - B a point D below the origin and l aside, then every other direction is at
/// least as deep when r >= 4 d and 0.866 D - 2 d l / r >= d: directions within 90 degrees because of the disc, those that
/// are steeper because of the point. Apart (d < 0), r > 0 is enough. r is the overlap of the two features' shadows on the
/// plane, corners within `bias` (m) of the other piece's lowest counted as touching.
FaceAnswer face_contact(const ConvexPair& pair, double enough, double bias, CoreGap& out, ContactFeature& a,
                        ContactFeature& b);

}  // namespace condyle
