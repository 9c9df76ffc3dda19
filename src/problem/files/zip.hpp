#pragma once
// Just enough of zip for numpy's archives: members that are stored or deflated, no encryption, below 4 GB.
#include <map>
#include <string>

namespace condyle::files {

/// The members' contents by name. Throws Error for what is damaged or unknown.
std::map<std::string, std::string> unzip(const std::string& file, const std::string& bytes);
/// Stored without compression.
std::string zip(const std::map<std::string, std::string>& members);

}  // namespace condyle::files
