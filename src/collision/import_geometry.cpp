#include "collision/shape_from_coal.hpp"
#include "scene/scene_data.hpp"

#include <pinocchio/geometry.hpp>
#include <pinocchio/multibody.hpp>

namespace condyle {
namespace {

Pose pose_of(const pinocchio::SE3& m) { return {m.rotation(), m.translation()}; }

struct Anchor {
  std::string body;  ///< in the scene
  Pose placement;    ///< of the body in its joint; of the model's world in the scene's for "world"
};

/// The link that carries a geometry. The scene names links by the model's body frames and a joint without one by the
/// joint's own name; what stands in the world without a body frame belongs to the world.
Anchor anchor_of(const pinocchio::GeometryObject& object, const PinocchioModel& model, const std::string& name,
                 const Pose& base) {
  const auto is_body = [&](std::size_t frame) {
    return frame < model.frames.size() && model.frames[frame].type == pinocchio::BODY &&
           model.frames[frame].parentJoint == object.parentJoint;
  };
  std::size_t frame = object.parentFrame;
  if (!is_body(frame))
    for (frame = 0; frame < model.frames.size() && !is_body(frame);) ++frame;
  if (is_body(frame)) return {name + "/" + model.frames[frame].name, pose_of(model.frames[frame].placement)};
  if (object.parentJoint == 0) return {"world", base.inverse()};
  return {name + "/" + model.names[object.parentJoint], Pose()};
}

}  // namespace

SceneBuilder& SceneBuilder::add_model(const PinocchioModel& model, const pinocchio::GeometryModel& collision,
                                      const ModelOptions& options) {
  add_model(model, options);
  const std::string name = options.name.empty() ? "model" : options.name;
  std::map<const coal::CollisionGeometry*, Shape> known;  // links that share geometry share the mesh
  for (const pinocchio::GeometryObject& object : collision.geometryObjects) {
    const Place place{"", 0, "geometry '" + object.name + "' of model '" + name + "'"};
    if (object.disableCollision) {
      report().add(Outcome::ignored, "collision-disabled", place, "the geometry says that it collides with nothing");
      continue;
    }
    if (!object.geometry) throw Error("bad-shape", place, "the geometry object is empty", "give it a geometry");
    if (object.parentJoint >= static_cast<std::size_t>(model.njoints))
      throw Error("unknown-joint", place, "its parent joint " + std::to_string(object.parentJoint) + " is not in the model",
                  "make the geometry for this model");
    auto found = known.find(object.geometry.get());
    if (found == known.end())
      found = known.emplace(object.geometry.get(), shape_from_coal(*object.geometry, options.read.mesh_policy, place)).first;
    Shape shape = found->second;
    shape.mesh_uri = object.meshPath;
    const Anchor anchor = anchor_of(object, model, name, options.pose);
    shape.pose = anchor.placement.inverse() * pose_of(object.placement) * shape.pose;
    add_shape(anchor.body, ShapeRole::collision, shape, options.material, place);
  }
  return *this;
}

}  // namespace condyle
