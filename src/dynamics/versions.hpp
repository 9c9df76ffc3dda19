#pragma once
#include "scene/versions.hpp"

namespace condyle {

std::vector<LibraryVersion> dynamics_libraries();

}  // namespace condyle
