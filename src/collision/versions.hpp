#pragma once
#include "scene/versions.hpp"

namespace condyle {

std::vector<LibraryVersion> collision_libraries();

}  // namespace condyle
