#include "collision/versions.hpp"

#include <coal/config.hh>

namespace condyle {

std::vector<LibraryVersion> collision_libraries() { return {{"Coal", COAL_VERSION}}; }

}  // namespace condyle
