#include "dynamics/versions.hpp"

#include <pinocchio/config.hpp>

namespace condyle {

std::vector<LibraryVersion> dynamics_libraries() { return {{"Pinocchio", PINOCCHIO_VERSION}}; }

}  // namespace condyle
