#include "scene/urdf/grammar.hpp"
#include "scene/urdf/reading.hpp"

#include "scene/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace condyle::urdf {

namespace {

void read_inertial(Reading& reading, const XmlNode& node, const Owner& owner, LinkSpec& link) {
  const XmlNode* mass = node.one("mass");
  const XmlNode* inertia = node.one("inertia");
  const char* cure =
      "give <mass value=\"kg\"/> and <inertia ixx ixy ixz iyy iyz izz/>, or leave out <inertial> for a massless frame";
  if (!mass || !mass->find("value")) reading.refuse("bad-inertial", node, owner, "it has no <mass value>", cure);
  if (!inertia) reading.refuse("bad-inertial", node, owner, "it has no <inertia>", cure);
  constexpr std::array<std::string_view, 6> entries = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  std::array<double, 6> value{};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!inertia->find(entries[i]))
      reading.refuse("bad-inertial", *inertia, owner, fmt::format("{} is missing", entries[i]), cure);
    value[i] = read_number(reading, *inertia, owner, entries[i], 0);
  }
  link.has_inertial = true;
  link.inertial.mass = read_number(reading, *mass, owner, "value", 0);
  if (link.inertial.mass < 0)
    reading.refuse("bad-inertial", node, owner, fmt::format("the mass {} is negative", link.inertial.mass),
                   "give a positive mass");
  const Pose origin = read_origin(reading, node, owner);
  Eigen::Matrix3d about;
  about << value[0], value[1], value[2], value[1], value[3], value[4], value[2], value[4], value[5];
  link.inertial.com = origin.p;
  link.inertial.inertia = origin.R * about * origin.R.transpose();
  if (link.inertial.mass == 0)
    reading.report.add(Outcome::assumed, "massless-link", reading.place(node, owner),
                       "the mass is zero: the link is a frame without mass");
}

Eigen::Vector3d read_sizes(Reading& reading, const XmlNode& shape, const Owner& owner, ShapeKind kind) {
  const auto positive = [&](std::string_view attribute) {
    if (!shape.find(attribute))
      reading.refuse("bad-geometry", shape, owner, fmt::format("{} is missing", attribute), "give it in metres");
    const double x = read_number(reading, shape, owner, attribute, 0);
    if (x < 0 || (x == 0 && kind != ShapeKind::sphere))
      reading.refuse("bad-geometry", shape, owner, fmt::format("{} is {} and must be positive", attribute, x),
                     "give it in metres");
    return x;
  };
  switch (kind) {
    case ShapeKind::sphere: {
      const double radius = positive("radius");
      if (radius == 0)
        reading.report.add(Outcome::applied, "point-sphere", reading.place(shape, owner), "a sphere of radius 0 is a point");
      return {radius, 0, 0};
    }
    case ShapeKind::capsule:
    case ShapeKind::cylinder: {
      const double radius = positive("radius");
      return {radius, positive("length"), 0};
    }
    case ShapeKind::box: {
      if (!shape.find("size"))
        reading.refuse("bad-geometry", shape, owner, "size is missing", "give three lengths in metres");
      const Eigen::Vector3d size = read_vector(reading, shape, owner, "size", Eigen::Vector3d::Zero());
      if ((size.array() <= 0).any())
        reading.refuse("bad-geometry", shape, owner, "size must be positive in every direction",
                       "give three lengths in metres");
      return size;
    }
    default: {
      const Eigen::Vector3d scale = read_vector(reading, shape, owner, "scale", Eigen::Vector3d::Ones());
      if ((scale.array() == 0).any()) reading.refuse("bad-geometry", shape, owner, "scale must not be zero");
      if (scale.prod() < 0)
        reading.report.add(Outcome::applied, "mirrored-mesh", reading.place(shape, owner),
                           "a negative scale mirrors the mesh");
      return scale;
    }
  }
}

std::optional<ShapeKind> kind_of(std::string_view tag) {
  for (ShapeKind kind : {ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder, ShapeKind::capsule, ShapeKind::mesh})
    if (tag == to_string(kind)) return kind;
  return std::nullopt;
}

Shape read_geometry(Reading& reading, const XmlNode& node, const Owner& owner) {
  const char* cure = "use one of <box>, <sphere>, <cylinder>, <capsule>, <mesh>";
  const XmlNode* geometry = node.one("geometry");
  if (!geometry) reading.refuse("unknown-geometry", node, owner, "it has no <geometry>", cure);
  const XmlNode* shape = nullptr;
  for (const XmlNode& child : geometry->children) {
    if (child.tag == "material") {
      if (!shape) reading.odd(owner, "it takes the <material> in a <geometry> for a shape");
      continue;
    }
    if (!shape) {
      shape = &child;
    } else if (kind_of(child.tag) && child.tag != shape->tag) {
      reading.report.add(Outcome::ignored, "repeated-element", reading.place(child, owner),
                         "a second shape in one <geometry>: the first one holds");
    }
  }
  if (!shape) reading.refuse("unknown-geometry", *geometry, owner, "the geometry is empty", cure);
  const std::optional<ShapeKind> kind = kind_of(shape->tag);
  if (!kind) reading.refuse("unknown-geometry", *shape, owner, fmt::format("geometry '{}' is not known", shape->tag), cure);
  Shape out;
  out.kind = *kind;
  out.policy = reading.options.mesh_policy;
  out.size = read_sizes(reading, *shape, owner, *kind);
  if (*kind == ShapeKind::mesh) {
    const std::string* uri = shape->find("filename");
    if (!uri || uri->empty()) reading.refuse("bad-geometry", *shape, owner, "filename is missing", "name the mesh file");
    out.mesh_uri = *uri;
  }
  if (*kind == ShapeKind::capsule && reading.version_minor < 1) {
    reading.report.add(
        Outcome::applied, "capsule-version", reading.place(*shape, owner),
        fmt::format("capsules belong to URDF 1.1; the file says 1.{} and the capsule is applied", reading.version_minor));
    reading.odd(owner, "it does not know a <capsule> in URDF 1.0 and drops all later shapes of the link");
  }
  out.pose = read_origin(reading, node, owner);
  return out;
}

/// The colour of a <material> that gives one.
std::optional<Eigen::Vector4d> read_colour(Reading& reading, const XmlNode& material, const Owner& owner) {
  const XmlNode* colour = material.one("color");
  if (!colour) return std::nullopt;
  try {
    const std::vector<double> c = read_numbers(reading, *colour, owner, "rgba", 4);
    if (c.empty()) return std::nullopt;
    return Eigen::Vector4d(c[0], c[1], c[2], c[3]);
  } catch (const Error& error) {  // a colour has no part in the physics
    reading.report.add(Outcome::ignored, error.code(), error.place(), error.reason() + ": the default colour is taken");
    return std::nullopt;
  }
}

void read_shape_material(Reading& reading, const XmlNode& node, const Owner& owner, ShapeSpec& shape) {
  const XmlNode* material = node.one("material");
  if (!material) return;
  shape.material = material->name();
  if (shape.material.empty()) reading.odd(owner, "it refuses a <material> without a name and drops all shapes of the link");
  if (const auto colour = read_colour(reading, *material, owner)) {
    shape.rgba = *colour;
    if (!shape.material.empty()) reading.colours.emplace(shape.material, *colour);
  } else if (shape.material.empty() || material->one("texture")) {
    shape.material.clear();
  }
}

const XmlNode& shape_node(const XmlNode& node) {
  const XmlNode* geometry = node.one("geometry");
  if (geometry)
    for (const XmlNode& child : geometry->children)
      if (kind_of(child.tag)) return child;
  return node;
}

void read_shape(Reading& reading, const XmlNode& node, const Owner& owner, int link) {
  ShapeSpec shape;
  shape.link = link;
  shape.role = node.tag == "visual" ? ShapeRole::visual : ShapeRole::collision;
  shape.name = node.name();
  try {
    shape.shape = read_geometry(reading, node, owner);
  } catch (const Error& error) {
    if (shape.role == ShapeRole::collision) throw;
    reading.report.add(Outcome::ignored, error.code(), error.place(), "this visual is left out: " + error.reason());
    reading.odd(owner, "it drops this visual and all later shapes of the link");
    return;
  }
  const XmlNode& at = shape_node(node);
  shape.place = place_of(reading.file, shape.shape.kind == ShapeKind::mesh ? at : node, owner.name);
  if (shape.role == ShapeRole::visual) read_shape_material(reading, node, owner, shape);
  reading.shapes.push_back(std::move(shape));
}

}  // namespace

void read_link(Reading& reading, const XmlNode& node) {
  LinkSpec link;
  link.name = node.name();
  const Owner owner{"link", link.name};
  link.place = reading.place(node, owner);
  if (link.name.empty()) reading.refuse("no-name", node, owner, "the link has no name", "give it a name of its own");
  check_grammar(node, "link", link.name, reading.file, reading.report);
  if (const XmlNode* inertial = node.one("inertial")) read_inertial(reading, *inertial, owner, link);
  if (!link.has_inertial && reading.options.default_inertia) {
    const auto& sphere = *reading.options.default_inertia;
    link.has_inertial = true;
    link.inertial.mass = sphere.mass;
    link.inertial.inertia = 0.4 * sphere.mass * sphere.radius * sphere.radius * Eigen::Matrix3d::Identity();
    reading.report.add(
        Outcome::assumed, "default-inertia", link.place,
        fmt::format("a solid sphere of {} kg and radius {} m is taken, as the option asks", sphere.mass, sphere.radius));
    reading.odd(owner, "the option default_inertia gave the link an inertia");
  }
  const int index = static_cast<int>(reading.links.size());
  for (const XmlNode& child : node.children)
    if (child.tag == "visual" || child.tag == "collision") read_shape(reading, child, owner, index);
  reading.links.push_back(std::move(link));
}

void read_material(Reading& reading, const XmlNode& node) {
  const Owner owner{"robot", reading.name};
  check_grammar(node, "material", node.name(), reading.file, reading.report);
  const std::string name = node.name();
  const Place place = reading.place(node, {"material", name});
  if (name.empty()) {
    reading.report.add(Outcome::ignored, "no-name", place, "a material without a name cannot be used");
    reading.odd(owner, "it refuses a <material> without a name");
    return;
  }
  const auto colour = read_colour(reading, node, owner);
  const Eigen::Vector4d taken = colour.value_or(ShapeSpec{}.rgba);
  if (!reading.colours.emplace(name, taken).second) {
    reading.report.add(Outcome::ignored, "repeated-element", place,
                       fmt::format("material '{}' is already defined: the first one holds", name));
    reading.odd(owner, "it refuses a file that defines a material twice");
  }
}

void resolve_materials(Reading& reading) {
  std::vector<std::string> names;
  for (const auto& [name, colour] : reading.colours) names.push_back(name);
  for (ShapeSpec& shape : reading.shapes) {
    if (shape.role != ShapeRole::visual || shape.material.empty()) continue;
    const auto found = reading.colours.find(shape.material);
    if (found == reading.colours.end())
      reading.report.add(Outcome::assumed, "unknown-material", shape.place,
                         fmt::format("material '{}' is not defined{}: the default colour is taken", shape.material,
                                     did_you_mean(shape.material, names)));
    else if (shape.rgba == ShapeSpec{}.rgba)
      shape.rgba = found->second;
  }
}

}  // namespace condyle::urdf
