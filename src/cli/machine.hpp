#pragma once
// What this process runs on: the libraries that are really loaded, and the processor.
#include <string>
#include <vector>

namespace condyle::cli {

struct LoadedLibrary {
  std::string name;  ///< without folder and version: "libcoal"
  std::string path;
};

/// Shared libraries of this process that Condyle's results depend on, in the order of their names.
std::vector<LoadedLibrary> loaded_libraries();

/// Instruction sets of this processor, of those that matter for numbers.
std::vector<std::string> cpu_features();

/// A path as a person reads it: relative to the current folder where that is shorter.
std::string short_path(const std::string& path);

}  // namespace condyle::cli
