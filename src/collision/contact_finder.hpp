#pragma once
// From the poses of all shapes to all contact points: broad phase, pair filter, narrow phase, persistent ids.
#include "collision/default_pairs.hpp"
#include "collision/manifold.hpp"
#include "scene/scene_data.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace condyle {

/// A shape at the start of a step and the velocity that it would have without constraints.
struct ShapeMotion {
  Pose pose;                                          ///< of the shape's frame (Shape::pose included), world
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< m/s, of the frame's origin, world axes
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< rad/s, world axes
};

struct FinderOptions {
  double margin = 1e-3;  ///< m, >= 0: points that are this near are kept whatever their velocity
  /// >= 0: the margin of a pair is no more than this part of its smaller shape's diameter. A margin of the shapes' own size
  /// would keep contacts with what lies round the corner, and their planes would stand in the way.
  double margin_of_size = std::numeric_limits<double>::infinity();
  PairOptions pairs{.keep_overlapping = false, .overlap = 1e-3, .only_within_trees = true};
};

struct Contact {
  ShapePair pair;  ///< indices into SceneData::shapes, A before B in CanonicalOrder; the point's normal goes from A to B
  ContactPoint at;
  std::uint64_t place = 0;  ///< of the pair in CanonicalOrder
  std::uint64_t id = 0;     ///< of the pair and the feature; unique within a step, the same in the next while they touch
};

/// The part of a contact's id that all points of its pair have in common.
constexpr std::uint64_t pair_of_id(std::uint64_t id) { return id >> 32; }

struct FinderStats {
  int shapes = 0, boxes_overlapping = 0, pairs_tested = 0, points = 0;
};

class ContactFinder {
 public:
  /// Makes the geometry of all collision shapes. Throws Error as CoalShapes does.
  ContactFinder(const SceneData& scene, const FinderOptions& options = {});
  ~ContactFinder();
  ContactFinder(ContactFinder&&) noexcept;
  ContactFinder& operator=(ContactFinder&&) noexcept;

  /// All points whose gap is below the margin or could close within dt (speculative: nothing tunnels), ordered by the pair's
  /// names and by feature, whatever the order in which they were found or the shapes were added. `motions[i]` belongs to
  /// SceneData::shapes[i]; visual shapes' entries are not read. No allocation once the number of pairs and points has been
  /// reached before.
  const std::vector<Contact>& find(const std::vector<ShapeMotion>& motions, double dt);
  const FinderStats& stats() const;
  double margin(int shape) const;  ///< m, FinderOptions::margin, less for a small shape
  double radius(int shape) const;  ///< m, of a ball about the shape's frame that holds it; 0 for visual and unbounded ones
  /// Pairs that are never looked at because they overlap at the start, for the notes of a run.
  const PairTable& pairs() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace condyle
