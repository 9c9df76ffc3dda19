#include "scene/builtin_texts.hpp"
#include "scene/names.hpp"

#include <condyle/scene.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace condyle {
namespace {

using Kind = SceneParameter::Kind;

std::string written(const SceneParameter& parameter, double value) {
  if (parameter.kind == Kind::boolean) return value != 0 ? "true" : "false";
  return fmt::format("{:.15g}", value);
}

std::string range_words(const SceneParameter& parameter) {
  if (parameter.kind == Kind::boolean) return "true or false";
  return fmt::format("{} between {:.15g} and {:.15g}", parameter.kind == Kind::integer ? "a whole number" : "a number",
                     parameter.low, parameter.high);
}

double parse(const SceneParameter& parameter, const std::string& text, const Place& place) {
  const auto bad = [&] {
    throw Error("bad-parameter", place, fmt::format("'{}' is given for {}", text.substr(0, 60), parameter.name),
                fmt::format("it must be {}", range_words(parameter)));
  };
  if (parameter.kind == Kind::boolean) {
    if (text == "true" || text == "1") return 1;
    if (text == "false" || text == "0") return 0;
    bad();
  }
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (text.empty() || stop != end || problem != std::errc() || !std::isfinite(value)) bad();
  if (value < parameter.low || value > parameter.high) bad();
  if (parameter.kind == Kind::integer && value != std::floor(value)) bad();
  return value;
}

const SceneRecipe& find_recipe(const std::string& name) {
  std::vector<std::string> known;
  for (const SceneRecipe& recipe : scene_recipes()) {
    if (recipe.name == name) return recipe;
    known.push_back(recipe.name);
  }
  throw Error("unknown-scene", Place{},
              fmt::format("there is no built-in scene '{}'{}", name.substr(0, 200),
                          name.size() <= 200 ? did_you_mean(name, known) : ""),
              fmt::format("built in are: {}", fmt::join(known, ", ")));
}

ParameterValues read_values(const SceneRecipe& recipe, const std::map<std::string, std::string>& given) {
  std::vector<std::string> known;
  ParameterValues values;
  for (const SceneParameter& parameter : recipe.parameters) {
    known.push_back(parameter.name);
    values[parameter.name] = parameter.usual;
    const auto set = given.find(parameter.name);
    if (set != given.end()) values[parameter.name] = parse(parameter, set->second, Place{"", 0, recipe.name});
  }
  for (const auto& [name, value] : given)
    if (!values.contains(name))
      throw Error("unknown-parameter", Place{"", 0, recipe.name},
                  fmt::format("there is no parameter '{}'{}", name.substr(0, 200),
                              name.size() <= 200 ? did_you_mean(name, known) : ""),
                  fmt::format("its parameters are: {}", fmt::join(known, ", ")));
  return values;
}

}  // namespace

std::string robot_of_scene(const std::string& name) {
  for (const SceneRecipe& recipe : scene_recipes())
    if (recipe.name == name) return recipe.robot;
  return {};
}

const std::vector<BuiltinScene>& builtin_scenes() {
  static const std::vector<BuiltinScene> scenes = [] {
    std::vector<BuiltinScene> out;
    for (const SceneRecipe& recipe : scene_recipes()) {
      BuiltinScene scene{recipe.name, recipe.summary, {}};
      for (const SceneParameter& p : recipe.parameters)
        scene.parameters.push_back(fmt::format("{} = {}   {}; {}", p.name, written(p, p.usual), p.about, range_words(p)));
      out.push_back(std::move(scene));
    }
    return out;
  }();
  return scenes;
}

std::string builtin_scene_text(const std::string& name, const std::map<std::string, std::string>& parameters) {
  const SceneRecipe& recipe = find_recipe(name);
  const ParameterValues values = read_values(recipe, parameters);
  std::string out = fmt::format("# {}\n", recipe.summary);
  for (const SceneParameter& p : recipe.parameters)
    out += fmt::format("# {} = {}   {}\n", p.name, written(p, values.at(p.name)), p.about);
  return out + fmt::format("condyle: 1\nname: {}\n", recipe.name) + recipe.text(values);
}

}  // namespace condyle
