#pragma once
// The built-in scenes behind builtin_scenes(): parameters with their ranges, and the text of a scene file for each.
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace condyle {

struct SceneParameter {
  enum class Kind { number, integer, boolean };
  std::string name;
  Kind kind = Kind::number;
  double usual = 0, low = 0, high = 0;
  std::string about;  ///< with the unit
};

/// Values of a scene's parameters; booleans are 0 and 1.
using ParameterValues = std::map<std::string, double>;

struct SceneRecipe {
  std::string name, summary;
  std::vector<SceneParameter> parameters;
  std::string (*text)(const ParameterValues&) = nullptr;  ///< without the heading
};

const std::vector<SceneRecipe>& scene_recipes();

std::string arm_text(const ParameterValues& values);
std::string quadruped_text(const ParameterValues& values);
std::string humanoid_text(const ParameterValues& values);

/// Replaces every $name by its value; a name ends where no letter, digit or '_' follows.
std::string fill_in(std::string_view text, const std::map<std::string, std::string>& values);
/// The shortest text that reads back as the same number.
std::string number_text(double value);
std::string gravity_line(bool on);

}  // namespace condyle
