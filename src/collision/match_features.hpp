#pragma once
#include "collision/contact_feature.hpp"

namespace condyle {

/// A point that may become a contact point, in the frame in which the features are.
struct Candidate {
  Eigen::Vector3d on_a;
  double gap;
  Eigen::Vector2d across;  // m, place in the plane across the normal
  std::uint32_t feature_a, feature_b;
};

struct Candidates {
  static constexpr int most = 256;
  Candidate list[most];
  int count = 0;
  double sides_of_a[ContactFeature::most * ContactFeature::most],
      sides_of_b[ContactFeature::most * ContactFeature::most];  // work
};

/// Where the features of A and B lie over each other, seen along n from A to B: corners of one over the other and crossings
/// of their sides, each with the true gap there. What is nearer together than 1e-6 of the features is one point, corners of
/// A before corners of B before crossings, so that features which end at the same place keep their points under noise.
void match_features(const ContactFeature& a, const ContactFeature& b, const Eigen::Vector3d& n, Candidates& out);

/// At most Manifold::capacity of them, ordered by feature: the deepest, the farthest from it, the ones that span the most
/// area, then whatever is farthest from all chosen. `size` is what is noise (1e-9 of it).
void reduce(Candidates& candidates, double size);

}  // namespace condyle
