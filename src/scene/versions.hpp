#pragma once
#include <string>
#include <vector>

namespace condyle {

/// A library that a room is built on; where the library can say it itself, the version that is loaded.
struct LibraryVersion {
  std::string name, version;
};

std::vector<LibraryVersion> scene_libraries();

}  // namespace condyle
