#pragma once
// What a person wants to know of a robot file beyond its tables: the order of q and v, whether it can be simulated, how
// far its loops are open, which shapes may touch.
#include <condyle/scene.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace condyle {

struct LoadAudit {
  struct Slot {
    std::string name;
    const char* type = "";
    int q = 0, v = 0;  ///< first index in the state of a scene that holds this model alone
  };
  struct Unphysical {
    std::string body, reason;
    Eigen::Vector3d moments;  ///< kg m², principal, ascending
  };
  struct Closure {
    std::string name;
    ClosureKind kind = ClosureKind::weld;
    std::string body_a, body_b;
    Pose frame_a, frame_b;
    bool active = true;
    double error_m = 0, error_rad = 0;  ///< at the start pose, in the directions that the kind holds
  };
  struct Overlap {
    std::string a, b;
    double depth = 0;  ///< m
  };
  struct Pairs {
    int candidate = 0, filtered = 0;     ///< candidate: by attachment alone; filtered: left out, for all reasons
    std::map<std::string, int> reasons;  ///< of what is filtered
    std::vector<Overlap> overlapping;
  };

  int bodies = 0;  ///< links of the file, without those that stand between the halves of a split joint
  bool free_base = false;
  std::vector<Slot> joint_order;
  std::vector<std::string> massless;
  std::vector<Unphysical> unphysical;
  std::vector<std::string>
      joints_at_fault;  ///< nothing gives them inertia; empty: the joint-space inertia is positive definite
  std::vector<Closure> closures;
  Pairs pairs;
};

/// A model by itself, loaded and looked at.
struct LoadedModel {
  std::shared_ptr<const ModelDescription> model;
  LoadReport report;  ///< of the reader, the builder and the pairs
  LoadAudit audit;
};

/// Builds a scene of this model alone and examines it at its start pose. Throws Error if it cannot be built; `report` of
/// what had been found until then is in the description.
LoadedModel examine(std::shared_ptr<const ModelDescription> model, Base base);

}  // namespace condyle
