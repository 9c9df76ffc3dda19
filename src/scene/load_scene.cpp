// What a user may name as a scene: a scene file, a robot, or a scene that is built in.
#include "scene/names.hpp"
#include "scene/robot_source.hpp"

#include <condyle/scene.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace condyle {

namespace fs = std::filesystem;

namespace {

constexpr double clearance = 0.05;  // m: how far above the floor a robot without a scene starts

std::string lower_extension(const std::string& file) {
  std::string out = fs::path(file).extension().string();
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string read_text(const std::string& file) {
  std::error_code problem;
  if (!fs::is_regular_file(file, problem))
    throw Error("no-file", Place{file, 0, ""}, "there is no such file",
                "check the path; paths are relative to the current folder");
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw Error("no-file", Place{file, 0, ""}, "the file cannot be read", "check its permissions");
  return text;
}

/// Lowest z that a shape reaches when its body has this pose; +infinity for shapes without an end or without triangles.
double lowest_point(const Shape& shape, const Pose& body) {
  const Pose at = body * shape.pose;
  const Eigen::Vector3d down = -at.R.transpose().col(2);  // world -z seen from the shape
  const Eigen::Vector3d& s = shape.size;
  const double across = std::hypot(down.x(), down.y()), along = std::abs(down.z());
  switch (shape.kind) {
    case ShapeKind::sphere: return at.p.z() - s[0];
    case ShapeKind::box: return at.p.z() - 0.5 * s.dot(down.cwiseAbs());
    case ShapeKind::capsule: return at.p.z() - s[0] - 0.5 * s[1] * along;
    case ShapeKind::cylinder: return at.p.z() - s[0] * across - 0.5 * s[1] * along;
    case ShapeKind::cone:  // base at -length/2, tip at +length/2
      return at.p.z() - std::max(s[0] * across - 0.5 * s[1] * down.z(), 0.5 * s[1] * down.z());
    case ShapeKind::ellipsoid: return at.p.z() - s.cwiseProduct(down).norm();
    case ShapeKind::mesh: {
      double lowest = std::numeric_limits<double>::infinity();
      if (shape.mesh)
        for (const Eigen::Vector3d& vertex : shape.mesh->vertices)
          lowest = std::min(lowest, at.p.z() - down.dot(s.cwiseProduct(vertex)));
      return lowest;
    }
    case ShapeKind::halfspace:
    case ShapeKind::plane:
    case ShapeKind::heightfield: break;
  }
  return std::numeric_limits<double>::infinity();
}

struct Lift {
  double height = 0;  ///< m, of the root link
  std::string reason;
};

Lift lift_above_floor(const ModelDescription& model) {
  const std::vector<Pose> poses = model.reference_poses();
  double lowest = std::numeric_limits<double>::infinity();
  std::string what = "lowest collision shape";
  for (const ShapeSpec& shape : model.shapes)
    if (shape.role == ShapeRole::collision)
      lowest = std::min(lowest, lowest_point(shape.shape, poses[static_cast<std::size_t>(shape.link)]));
  if (!std::isfinite(lowest)) {
    what = "lowest link origin (there are no collision shapes)";
    for (const Pose& pose : poses) lowest = std::min(lowest, pose.p.z());
  }
  const double height = clearance - lowest;
  return {height, fmt::format("the free base starts {:.4g} m above the origin, so that its {} is {} m above the floor",
                              height, what, clearance)};
}

/// Free by the same rule as the builder's, or moved by a floating joint of the file.
bool floats(const ModelDescription& model, Base base) {
  for (const JointSpec& joint : model.joints)
    if (joint.kind == JointKind::floating && joint.parent == model.root) return true;
  if (base != Base::automatic) return base == Base::free;
  const LinkSpec& root = model.links[static_cast<std::size_t>(model.root)];
  return root.inertial.mass > 0 && root.name != "world";
}

Scene load_robot(const std::string& what, const SceneOptions& options) {
  if (!options.parameters.empty())
    throw Error("unknown-parameter", Place{what, 0, ""},
                fmt::format("'{}' is set, but a robot by itself has no parameters", options.parameters.begin()->first),
                "only built-in scenes have parameters");
  const std::string file = robot_source(what, "");
  const auto model = std::make_shared<const ModelDescription>(read_model(file, options.read));
  ModelOptions start;
  start.base = options.base;
  start.read = options.read;
  const bool may_float = floats(*model, options.base);
  Lift lift;
  if (may_float) {
    lift = lift_above_floor(*model);
    start.pose.p.z() = lift.height;
  }

  SceneBuilder build;
  build.set_name(model->name.empty() ? fs::path(file).stem().string() : model->name);
  build.add_model(model, start);
  build.add_ground();
  const auto assume = [&](const char* element, const std::string& reason) {
    build.report().add(Outcome::assumed, "default-taken", Place{file, 0, element}, reason);
  };
  assume("gravity", "a robot by itself: gravity of 9.81 m/s² along -z is taken");
  assume("ground", fmt::format("a robot by itself: a floor at z = 0 with friction {} is added", Material().friction));
  if (may_float) assume("base", lift.reason);
  return build.finish();
}

[[noreturn]] void fail_unknown(const std::string& what) {
  std::vector<std::string> known;
  for (const BuiltinScene& scene : builtin_scenes()) known.push_back(scene.name);
  std::string hint = what.size() <= 200 ? did_you_mean(what, known) : "";
  std::vector<std::string> robots;
  try {
    robots = robot_names();
  } catch (const Error&) {
    robots.clear();  // a robot package that cannot be read is not what this message is about
  }
  if (const std::string robot = what.size() <= 200 ? nearest_name(what, robots) : ""; !robot.empty())
    hint += fmt::format(" (the robot package has robot:{})", robot);
  throw Error(
      "unknown-scene", Place{}, fmt::format("'{}' is neither a file nor a built-in scene{}", what.substr(0, 200), hint),
      fmt::format("give a scene file (.yaml), a robot file (.urdf), robot:NAME, or one of: {}", fmt::join(known, ", ")));
}

bool is_builtin(const std::string& name) {
  const auto& scenes = builtin_scenes();
  return std::any_of(scenes.begin(), scenes.end(), [&](const BuiltinScene& scene) { return scene.name == name; });
}

}  // namespace

Scene load_scene(const std::string& what, const SceneOptions& options) {
  if (is_builtin(what)) {
    const std::string text = builtin_scene_text(what, options.parameters);
    SceneOptions rest = options;
    rest.parameters.clear();
    return read_scene_text(text, what + ".yaml", rest);
  }
  const std::string extension = lower_extension(what);
  if (what.starts_with("robot:") || what.starts_with("condyle:")) return load_robot(what, options);
  if (extension == ".yaml" || extension == ".yml") return read_scene_text(read_text(what), what, options);
  if (extension == ".urdf" || extension == ".xml" || extension == ".mjcf" || extension == ".xacro" || extension == ".sdf")
    return load_robot(what, options);
  std::error_code problem;
  if (fs::is_regular_file(what, problem))
    throw Error("unsupported-format", Place{what, 0, ""},
                fmt::format("the ending '{}' names no format that can be read", extension),
                "scene files end in .yaml or .yml, robot files in .urdf, .sdf or .xml");
  fail_unknown(what);
}

}  // namespace condyle
