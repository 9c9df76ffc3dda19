// Cost of collide with its manifold for each pair of kinds, beside Coal's collide and Coal's collide with contact patch in
// the same run, interleaved, least time of each. The last columns are the difference of the two depths in metres (a
// residual: both measure the same poses) and how many points each gives.
#include "collision/coal_shapes.hpp"
#include "collision/narrow_phase.hpp"
#include "support/random_state.hpp"

#include <coal/collision.h>
#include <coal/contact_patch.h>
#include <coal/shape/convex.h>
#include <fmt/format.h>

#include <chrono>
#include <functional>

namespace {

using namespace condyle;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Shape shape(ShapeKind kind, double x, double y = 1, double z = 1) {
  Shape out;
  out.kind = kind;
  out.size = {x, y, z};
  return out;
}

/// Fifty points of a ball of radius 0.5.
Shape stone(std::uint64_t seed) {
  test::Random random(seed);
  Mesh mesh;
  for (int i = 0; i < 50; ++i) mesh.vertices.push_back(0.5 * random.vector3().normalized());
  mesh.triangles.emplace_back(0, 1, 2);
  Shape out;
  out.kind = ShapeKind::mesh;
  out.mesh = std::make_shared<const Mesh>(std::move(mesh));
  return out;
}

Pose at(double x, double y, double z, double roll = 0, double pitch = 0, double yaw = 0) {
  return Pose::from_xyz_rpy({x, y, z}, {roll, pitch, yaw});
}

void race(const char* name, const Shape& a, const Pose& pa, const Shape& b, const Pose& pb) {
  const Piece piece_a = make_piece(a), piece_b = make_piece(b);
  NarrowPhase phase;
  Manifold manifold;
  CoalShapes shapes;
  const CoalShape coal_a = shapes.make(a), coal_b = shapes.make(b);
  const coal::ComputeCollision collide(coal_a.parts[0].get(), coal_b.parts[0].get());
  const coal::ComputeContactPatch patch(coal_a.parts[0].get(), coal_b.parts[0].get());
  const coal::Transform3s ta(pa.R, pa.p), tb(pb.R, pb.p);
  coal::CollisionRequest request;
  request.security_margin = 1e-3;
  coal::CollisionResult result;
  const coal::ContactPatchRequest patch_request(request);
  coal::ContactPatchResult patches(patch_request);
  const auto ours = [&] { phase.collide(piece_a, pa, piece_b, pb, 1e-3, manifold); };
  const auto theirs = [&] {
    result.clear();
    collide(ta, tb, request, result);
  };
  const auto with_patch = [&] {
    theirs();
    patches.clear();
    patch(ta, tb, result, patch_request, patches);
  };
  double t[3] = {1e9, 1e9, 1e9};
  const int calls = 500;
  for (int round = 0; round < 30; ++round) {
    const auto measure = [&](int k, const auto& job) {
      t[k] = std::min(t[k], seconds([&] {
                              for (int i = 0; i < calls; ++i) job();
                            }) / calls);
    };
    measure(0, ours);
    measure(1, theirs);
    measure(2, with_patch);
  }
  double deepest = 1e9;
  for (int i = 0; i < manifold.size; ++i) deepest = std::min(deepest, manifold.points[static_cast<std::size_t>(i)].gap);
  const double depth = result.numContacts() > 0 ? result.getContact(0).penetration_depth : 1e9;
  const std::size_t points = patches.numContactPatches() > 0 ? patches.getContactPatch(0).size() : 0;
  fmt::print(
      "{:<26} {:8.0f} ns   Coal {:8.0f} ns ({:5.2f})   with patch {:8.0f} ns ({:5.2f})   depth off {:8.1e} m   points {} / "
      "{}\n",
      name, t[0] * 1e9, t[1] * 1e9, t[0] / t[1], t[2] * 1e9, t[0] / t[2], deepest - depth, manifold.size, points);
}

}  // namespace

int main() {
  const Shape ball = shape(ShapeKind::sphere, 0.5), box = shape(ShapeKind::box, 1, 1, 1),
              floor = shape(ShapeKind::halfspace, 1);
  const Shape capsule = shape(ShapeKind::capsule, 0.5, 1), can = shape(ShapeKind::cylinder, 0.5, 1),
              cone = shape(ShapeKind::cone, 0.5, 1);
  const Shape egg = shape(ShapeKind::ellipsoid, 0.5, 0.4, 0.3), hull = stone(1), other = stone(2);
  const Pose origin;
  fmt::print("time of ours, of Coal, (ratio ours / Coal)\n");
  race("sphere-sphere", ball, origin, ball, at(0.1, 0.2, 0.95));
  race("sphere-capsule", ball, origin, capsule, at(0.1, 0.2, 0.9, 1.5, 0.2));
  race("capsule-capsule", capsule, origin, capsule, at(0.95, 0.1, 0, 1.2, 0.3, 0));
  race("capsule-capsule parallel", capsule, origin, capsule, at(0.99, 0, 0.2));
  race("half-space-sphere", floor, origin, ball, at(0, 0, 0.49));
  race("half-space-box", floor, origin, box, at(0, 0, 0.49));
  race("half-space-capsule", floor, origin, capsule, at(0, 0, 0.49, 1.5707963));
  race("half-space-cylinder", floor, origin, can, at(0, 0, 0.49));
  race("half-space-cylinder lying", floor, origin, can, at(0, 0, 0.49, 1.5707963));
  race("half-space-cone", floor, origin, cone, at(0, 0, 0.49));
  race("half-space-ellipsoid", floor, origin, egg, at(0, 0, 0.3));
  race("half-space-hull50", floor, origin, hull, at(0, 0, 0.47));
  race("sphere-box", ball, origin, box, at(0.1, 0.2, 0.99));
  race("sphere-cylinder", ball, origin, can, at(0.1, 0.2, 0.99));
  race("sphere-cone", ball, origin, cone, at(0.1, 0.2, 0.99));
  race("sphere-ellipsoid", ball, origin, egg, at(0.1, 0.2, 0.75));
  race("sphere-hull50", ball, origin, hull, at(0.1, 0.2, 0.93));
  race("box-box face", box, origin, box, at(0.1, 0.2, 0.99, 0, 0, 0.3));
  race("box-box face aligned", box, origin, box, at(0, 0, 0.999));
  race("box-box edge", box, origin, box, at(0, 0, 1.2, 0.785398, 0, 0.3));
  race("box-box apart", box, origin, box, at(0, 0.4, 1.4));
  race("capsule-box lying", capsule, origin, box, at(0.99, 0.1, 0.1));
  race("capsule-box", capsule, at(0, 0, 1.45, 0.3, 0.2), box, origin);
  race("cylinder-box standing", can, at(0, 0, 0.999), box, origin);
  race("cylinder-box lying", can, at(0, 0, 0.999, 1.5707963), shape(ShapeKind::box, 3, 3, 1), origin);
  race("cylinder-box lying, ends", can, at(0, 0, 0.999, 1.5707963), box, origin);
  race("cylinder-cylinder", can, at(0, 0.1, 0.999), can, origin);
  race("cylinder-cylinder turned", can, at(0, 0.1, 0.97, 1.2, 0.3), can, origin);
  race("cone-box", cone, at(0, 0.1, 0.999), box, origin);
  race("ellipsoid-ellipsoid", egg, at(0, 0.1, 0.59, 0.1, 0.2), egg, origin);
  race("ellipsoid-box", egg, at(0, 0.1, 0.79, 0.1, 0.2), box, origin);
  race("hull50-hull50", hull, at(0, 0.1, 0.9, 0.1, 0.2), other, origin);
  race("hull50-hull50 near", hull, at(0, 0.1, 0.954, 0.1, 0.2), other, origin);
  race("hull50-hull50 deep", hull, at(0, 0.1, 0.3, 0.1, 0.2), other, origin);
  race("hull50-box", hull, at(0, 0.1, 0.97, 0.1, 0.2), box, origin);
}
