#pragma once
#include <string>

namespace condyle::record {

/// viewer/dist/replay.html and study.html, built into the library.
std::string replay_template();
std::string study_template();

}  // namespace condyle::record
