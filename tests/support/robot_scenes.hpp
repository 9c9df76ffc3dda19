#pragma once
// Built-in scenes whose robot is of the robot package: tests skip them, in words, where it is not installed.
#include "scene/builtin_texts.hpp"

#include <condyle/model.hpp>

#include <algorithm>
#include <string>

namespace condyle::test {

/// Why a built-in scene cannot be loaded here; empty: it can.
inline std::string missing_robot(const std::string& scene) {
  const std::string robot = robot_of_scene(scene);
  const std::vector<std::string> installed = robot_names();
  if (!robot.empty() && !std::binary_search(installed.begin(), installed.end(), robot))
    return scene + " needs robot:" + robot + " of the robot package, which is not installed (scripts/setup --robots)";
  return {};
}

}  // namespace condyle::test
