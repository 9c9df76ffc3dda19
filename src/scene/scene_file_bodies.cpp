// Section `bodies` of a scene file: shapes, mass, motion of single rigid bodies.
#include "scene/mass_properties.hpp"
#include "scene/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace condyle {
namespace {

const std::vector<std::string>& shape_words() {
  static const std::vector<std::string> words{"sphere",    "box",       "capsule", "cylinder", "cone",
                                              "ellipsoid", "halfspace", "plane",   "mesh",     "heightfield"};
  return words;
}

Eigen::Vector3d read_radius_length(const YamlView& value) {
  value.allow_keys({"radius", "length"});
  return {value.at("radius").number(range::positive), value.at("length").number(range::positive), 1};
}

/// Places the local frame so that its z axis is the normal and its origin `offset` metres along it.
Pose read_side(const YamlView& value) {
  value.allow_keys({"normal", "offset"});
  const YamlView normal = value.at("normal");
  const Eigen::Vector3d axis = normal.vector3();
  if (axis.norm() < 1e-9) normal.fail("bad-number", "the normal has no direction");
  Pose out;
  out.R = rotation_z_to(axis);
  if (const auto offset = value.find("offset")) out.p = axis.normalized() * offset->number();
  return out;
}

Shape read_shape(SceneFile& scene, const YamlView& value) {
  value.allow_keys(
      {"sphere", "box", "capsule", "cylinder", "cone", "ellipsoid", "halfspace", "plane", "mesh", "heightfield", "pose"});
  std::vector<std::string> given;
  for (const std::string& word : shape_words())
    if (value.find(word)) given.push_back(word);
  if (given.size() != 1)
    value.fail("missing-value",
               given.empty() ? "the shape has no kind"
                             : fmt::format("the shape has {} kinds: {}", given.size(), fmt::join(given, ", ")),
               fmt::format("give one of: {}", fmt::join(shape_words(), ", ")));
  const YamlView size = value.at(given[0]);
  Shape shape;
  shape.kind =
      static_cast<ShapeKind>(std::find(shape_words().begin(), shape_words().end(), given[0]) - shape_words().begin());
  switch (shape.kind) {
    case ShapeKind::sphere: {
      if (size.is_map()) size.allow_keys({"radius"});
      shape.size[0] = (size.is_map() ? size.at("radius") : size).number(range::positive);
      break;
    }
    case ShapeKind::box:
    case ShapeKind::ellipsoid: shape.size = size.vector3(range::positive); break;
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
    case ShapeKind::cone: shape.size = read_radius_length(size); break;
    case ShapeKind::halfspace:
    case ShapeKind::plane: shape.pose = read_side(size); break;
    case ShapeKind::mesh: read_mesh_shape(scene, size, shape); break;
    case ShapeKind::heightfield: read_heightfield(size, shape); break;
  }
  if (const auto pose = value.find("pose")) shape.pose = pose->pose() * shape.pose;
  return shape;
}

/// [ixx, iyy, izz] or {ixx, iyy, izz, ixy, ixz, iyz}, about the centre of mass in the axes of the body.
Eigen::Matrix3d read_inertia(const YamlView& value) {
  if (value.is_sequence()) return value.vector3(range::positive).asDiagonal();
  value.allow_keys({"ixx", "iyy", "izz", "ixy", "ixz", "iyz"});
  const auto off_diagonal = [&](const char* key) {
    const auto entry = value.find(key);
    return entry ? entry->number() : 0.0;
  };
  const double ixx = value.at("ixx").number(range::positive), iyy = value.at("iyy").number(range::positive),
               izz = value.at("izz").number(range::positive);
  const double ixy = off_diagonal("ixy"), ixz = off_diagonal("ixz"), iyz = off_diagonal("iyz");
  Eigen::Matrix3d out;
  out << ixx, ixy, ixz, ixy, iyy, iyz, ixz, iyz, izz;
  return out;
}

Inertial read_inertial(const YamlView& entry, const BodySpec& body) {
  const double mass =
      entry.at("mass", "a body that moves needs its mass in kg; otherwise say static: true").number(range::positive);
  const auto inertia = entry.find("inertia"), com = entry.find("com");
  if (!inertia) {
    if (com) com->fail("missing-value", "'com' needs 'inertia': both come from the shapes, or both from the file");
    if (body.shapes.empty()) entry.fail("missing-value", "a body without shape needs 'inertia'");
    return solid(body.shapes, mass, entry.place());
  }
  Inertial out{mass, com ? com->vector3() : Eigen::Vector3d(0, 0, 0), read_inertia(*inertia)};
  if (const std::string why = unphysical(out); !why.empty()) inertia->fail("bad-inertial", why);
  return out;
}

BodySpec read_body(SceneFile& scene, const YamlView& entry) {
  entry.allow_keys({"name", "shape", "shapes", "static", "mass", "inertia", "com", "pose", "velocity", "material"});
  BodySpec body;
  body.name = scene.define(entry.at("name"));
  body.place = entry.place();
  const auto shape = entry.find("shape"), shapes = entry.find("shapes");
  if (shape && shapes) shapes->fail("duplicate-key", "'shape' and 'shapes' are both given", "keep one");
  if (shape) body.shapes.push_back(read_shape(scene, *shape));
  if (shapes)
    for (const YamlView& one : shapes->items()) body.shapes.push_back(read_shape(scene, one));
  if (const auto v = entry.find("static")) body.is_static = v->boolean();
  if (const auto v = entry.find("pose")) body.pose = v->pose();
  if (const auto v = entry.find("material")) body.material = scene.material(*v);
  if (body.is_static) {
    for (const char* key : {"mass", "inertia", "com", "velocity"})
      if (const auto v = entry.find(key))
        v->fail("unknown-key", fmt::format("a static body has no {}", key), "remove it, or 'static'");
    return body;
  }
  for (const Shape& one : body.shapes)
    if (one.kind == ShapeKind::halfspace || one.kind == ShapeKind::plane || one.kind == ShapeKind::heightfield)
      entry.fail("bad-shape", fmt::format("a {} has no end and cannot move", to_string(one.kind)), "say static: true");
  body.inertial = read_inertial(entry, body);
  if (const auto v = entry.find("velocity")) body.velocity = v->velocity();
  return body;
}

}  // namespace

void read_bodies(SceneFile& scene, const YamlView& section) {
  for (const YamlView& entry : section.items()) {
    const BodySpec body = read_body(scene, entry);
    scene.build.add_body(body);
    scene.bodies.push_back(body.name);
  }
}

}  // namespace condyle
