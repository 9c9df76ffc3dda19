#pragma once
// The built-in scenes behind builtin_scenes(): parameters with their ranges, and the text of a scene file for each.
#include <condyle/eigen_abi.hpp>

#include <map>
#include <numbers>
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
  std::string robot{};                                    ///< of the installed robot package that it needs; empty: none
};

const std::vector<SceneRecipe>& scene_recipes();  ///< all, by name
/// The robot of the installed robot package (find_robot) that a built-in scene needs; empty: none.
std::string robot_of_scene(const std::string& name);
std::vector<SceneRecipe> contact_recipes();
std::vector<SceneRecipe> pile_recipes();
std::vector<SceneRecipe> mechanism_recipes();
std::vector<SceneRecipe> many_tree_recipes();
std::vector<SceneRecipe> machine_recipes();
std::vector<SceneRecipe> figure_recipes();
std::vector<SceneRecipe> package_recipes();
std::vector<SceneRecipe> heavy_recipes();  ///< the MLCP paper's cases

std::string arm_text(const ParameterValues& values);
std::string quadruped_text(const ParameterValues& values);
std::string humanoid_text(const ParameterValues& values);
std::string quadruped_drop_text(const ParameterValues& values);
std::string humanoid_fall_text(const ParameterValues& values);
std::string log_grasp_text(const ParameterValues& values);

inline constexpr double pi = std::numbers::pi;
inline double radians(double degrees) { return degrees * pi / 180; }
/// A URDF link of uniform material in a box about `centre`; it is seen, and touches others if `collide`.
std::string box_link(const std::string& name, const Eigen::Vector3d& size, const Eigen::Vector3d& centre, double mass,
                     bool collide);
/// A URDF link of uniform material in a capsule along z, centred at z = `middle`; it is seen as it touches.
std::string capsule_link(const std::string& name, double radius, double length, double mass, double middle);
/// Replaces every $name or ${name} by its value; a name ends where no letter, digit or '_' follows.
std::string fill_in(std::string_view text, const std::map<std::string, std::string>& values);
/// The shortest text that reads back as the same number.
std::string number_text(double value);
std::string gravity_line(bool on);

}  // namespace condyle
