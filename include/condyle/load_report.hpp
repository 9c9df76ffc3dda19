#pragma once
#include <condyle/error.hpp>

#include <string>
#include <vector>

namespace condyle {

/// What became of one element or attribute of a file.
enum class Outcome {
  applied,  ///< simulated, but not plainly as written: the reason says how (normalized, retyped, converted)
  ignored,  ///< has no effect; an error under `strict`
  assumed,  ///< the file leaves it open; the reason says what was taken
  error     ///< the reason of a refusal
};
const char* to_string(Outcome outcome);

struct ReportEntry {
  Place place;
  Outcome outcome = Outcome::applied;
  std::string code;    ///< reason class, stable for scripts: "unknown-element", "default-taken", "mimic", ...
  std::string reason;  ///< a sentence for a person
};

/// One mesh file a model refers to.
struct MeshUse {
  std::string uri;     ///< as written
  std::string path;    ///< where it was found; empty: not found
  std::string rule;    ///< which rule of the search found it, or why none did
  std::string role;    ///< "collision", "visual" or "collision visual"
  std::string policy;  ///< "hull", "bvh", ... for collision meshes; empty for visual ones
  int vertices = -1;   ///< -1: not read (visual meshes are read when they are drawn)
};

/// Everything the loading of a scene has to say: each element that is not plainly applied has an entry.
struct LoadReport {
  std::vector<std::string> files;  ///< every file that was read, in order
  std::vector<ReportEntry> entries;
  std::vector<MeshUse> meshes;

  void add(Outcome outcome, std::string code, Place place, std::string reason);
  int count(Outcome outcome) const;
  void append(const LoadReport& other);
};

}  // namespace condyle
