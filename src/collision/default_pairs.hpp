#pragma once
// Which shapes may touch: the filter of every run, and the list of pairs it leaves.
#include "collision/coal_shapes.hpp"
#include "scene/scene_data.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace condyle {

/// Indices into SceneData::shapes, a < b.
struct ShapePair {
  int a = -1, b = -1;
  auto operator<=>(const ShapePair&) const = default;
};

enum class PairVerdict {
  candidate,     ///< to be looked at
  no_collision,  ///< one of them is there to be seen only
  same_body,     ///< links joined by fixed joints are one body
  both_static,
  parent_child,  ///< neighbours in one tree; MJCF: a static parent does not count
  excluded       ///< by name in the scene
};
const char* to_string(PairVerdict verdict);

/// Judges pairs of shapes by what they are attached to. Constant time a pair, so that a broad phase can ask it.
class PairFilter {
 public:
  /// Throws Error if an excluded pair names a body that does not exist.
  explicit PairFilter(const SceneData& scene);
  PairVerdict judge(int a, int b) const;
  bool same_tree(int a, int b) const;

 private:
  struct Owner {
    bool collides = false;
    int tree = -1;    // -1: not a link
    int joint = 0;    // Pinocchio joint of the link's tree; 0: static
    int parent = -1;  // Pinocchio joint above; -1: none that counts
    int body = 0;     // moving body, numbered over the scene; 0: static
    int name = -1;    // numbers bodies and links by name, for exclusion; -1: not excluded from anything
  };
  std::vector<Owner> owners_;
  std::vector<std::pair<int, int>> excluded_;  // names, sorted
};

struct PairOptions {
  bool keep_overlapping = false;
  double overlap = 1e-3;  ///< m, >= 0: deeper pairs at the start are taken out
  /// Only pairs within one tree are taken out: what a robot file lays into itself is meant, a foot in the floor is not.
  bool only_within_trees = false;
};

struct OverlapEntry {
  ShapePair pair;
  std::string a, b;   ///< names of the shapes
  double depth = 0;   ///< m
  bool kept = false;  ///< still in `pairs`
};

struct UnsupportedEntry {
  ShapePair pair;
  std::string a, b, reason;
};

struct PairTable {
  std::vector<ShapePair> pairs;               ///< sorted
  int candidates = 0;                         ///< before geometry is looked at
  std::map<std::string, int> filtered;        ///< pairs of collision shapes that are not in `pairs`, by reason
  std::vector<OverlapEntry> overlapping;      ///< deeper than allowed at the start, in order of pairs
  std::vector<UnsupportedEntry> unsupported;  ///< Coal cannot test them; still in `pairs`
};

/// All candidates by attachment alone; no geometry is made.
PairTable candidate_pairs(const SceneData& scene);

/// Candidates without those that can never touch (no geometry, two unbounded shapes) and those that overlap when shape
/// i is at `poses[i]` in the world. `shapes[i]` is the geometry of shape i; not used for visual ones.
PairTable default_pairs(const SceneData& scene, const std::vector<CoalShape>& shapes, const std::vector<Pose>& poses,
                        const PairOptions& options = {});

/// Geometry of every collision shape of a scene, by shape; visual shapes stay empty.
std::vector<CoalShape> make_shapes(const SceneData& scene, CoalShapes& made);

/// Says in a load report which pairs overlap at the start, and which cannot be tested.
void report_pairs(const PairTable& table, LoadReport& report);

/// Says in a load report which collision meshes are not simulated as asked.
void report_shapes(const SceneData& scene, const std::vector<CoalShape>& shapes, LoadReport& report);

}  // namespace condyle
