#include "scene/versions.hpp"

#include <assimp/version.h>
#include <fmt/core.h>
#include <fmt/format.h>
#include <tinyxml2.h>
#include <Eigen/Core>

namespace condyle {

// urdfdom and yaml-cpp do not say their versions in their headers; the build does.
std::vector<LibraryVersion> scene_libraries() {
  return {{"Eigen", fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"urdfdom", CONDYLE_URDFDOM_VERSION},
          {"tinyxml2", fmt::format("{}.{}.{}", TIXML2_MAJOR_VERSION, TIXML2_MINOR_VERSION, TIXML2_PATCH_VERSION)},
          {"assimp", fmt::format("{}.{}.{}", aiGetVersionMajor(), aiGetVersionMinor(), aiGetVersionPatch())},
          {"yaml-cpp", CONDYLE_YAML_CPP_VERSION},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)}};
}

}  // namespace condyle
