#include "record/versions.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <nlohmann/json_fwd.hpp>

namespace condyle {

std::vector<LibraryVersion> record_libraries() {
  unsigned major = 0, minor = 0, patch = 0;
  H5get_libversion(&major, &minor, &patch);
  return {{"HDF5", fmt::format("{}.{}.{}", major, minor, patch)},
          {"nlohmann-json",
           fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}};
}

}  // namespace condyle
