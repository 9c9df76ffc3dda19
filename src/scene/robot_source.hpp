#pragma once
// Where robots come from: a file, the installed robot package ("robot:NAME") or Condyle's own models
// ("condyle:robots/arm.urdf").
#include <string>
#include <vector>

namespace condyle {

/// The path of a robot as a user writes it; relative paths start at `folder` (empty: the current one). Throws Error if
/// there is no such robot or file, without a place: the caller knows where it is written.
std::string robot_source(const std::string& written, const std::string& folder);

/// Folder `models` of Condyle: CONDYLE_DATA, or found by going up from the library and the program. Throws Error.
std::string data_folder();

/// Folders to look in, the nearest first: `start` and all folders above it.
std::vector<std::string> folders_upward(const std::string& start);

/// Folder of the running program; empty if it cannot be known.
std::string program_folder();

}  // namespace condyle
