#pragma once
#include "scene/versions.hpp"

namespace condyle {

std::vector<LibraryVersion> record_libraries();

}  // namespace condyle
