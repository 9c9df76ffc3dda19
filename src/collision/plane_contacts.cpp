#include "collision/plane_contacts.hpp"

#include <algorithm>

namespace condyle {
namespace {

using Eigen::Vector3d;

struct Side {
  Vector3d normal, local;  // world and in the piece's frame, towards the piece
  double height;           // m, of the piece's origin over the plane
  double gap;
  Vector3d lowest;  // in the piece's frame
};

Side side_of(const Pose& plane, const Convex& convex, const Pose& pose, double sign) {
  Side side;
  side.normal = sign * plane.R.col(2).normalized();
  side.local = pose.R.transpose() * side.normal;
  side.height = side.normal.dot(pose.p - plane.p);
  side.lowest = convex.support(-side.local) - convex.round * side.local;
  side.gap = side.height + side.local.dot(side.lowest);
  return side;
}

Side nearer_side(const Piece& plane, const Pose& pose_plane, const Convex& convex, const Pose& pose) {
  const Side up = side_of(pose_plane, convex, pose, 1);
  if (plane.kind == ShapeKind::halfspace || up.gap > 0) return up;
  const Side down = side_of(pose_plane, convex, pose, -1);
  return down.gap > up.gap ? down : up;
}

/// Of a hull all corners near the plane, not those of one face: the underside of a real mesh is seldom one face.
void lowest_corners(const Hull& hull, const Side& side, double margin, Candidates& out) {
  const Vector3d u = side.local.unitOrthogonal(), v = side.local.cross(u);
  const double most = std::min(margin, side.gap + 0.1 * hull.radius);
  for (std::size_t i = 0; i < hull.vertices.size() && out.count < Candidates::most; ++i) {
    const Vector3d& x = hull.vertices[i];
    const double gap = side.height + side.local.dot(x);
    if (gap > most) continue;
    out.list[out.count++] = {x, gap, {u.dot(x), v.dot(x)}, 0, static_cast<std::uint32_t>(i)};
  }
}

/// The commonest pair of all, straight away: the four corners of the lowest face.
void box_on_plane(const Convex& box, const Side& side, const Pose& pose, double margin, Manifold& out) {
  int axis = 0;
  side.local.cwiseAbs().maxCoeff(&axis);
  const int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;  // rising, so that corners come in the order of their ids
  const double down = side.local[axis] < 0 ? 1 : -1;
  const Vector3d middle = pose.p + down * box.h[axis] * pose.R.col(axis), du = box.h[u] * pose.R.col(u),
                 dv = box.h[v] * pose.R.col(v);
  const double height = side.height + down * box.h[axis] * side.local[axis];
  const double hu = box.h[u] * side.local[u], hv = box.h[v] * side.local[v];
  for (int k = 0; k < 4; ++k) {
    const double su = k & 1 ? 1 : -1, sv = k & 2 ? 1 : -1;
    const double gap = height + su * hu + sv * hv;
    if (gap > margin) continue;
    ContactPoint& p = out.points[static_cast<std::size_t>(out.size++)];
    p.point = middle + su * du + sv * dv - 0.5 * gap * side.normal;
    p.normal = side.normal;
    p.gap = gap;
    p.feature = static_cast<std::uint64_t>(((down > 0 ? 1 : 0) << axis) | ((k & 1) << u) | ((k >> 1) << v));
  }
}

}  // namespace

Separation plane_separation(const Piece& plane, const Pose& pose_plane, const Piece& piece, const Pose& pose) {
  const Side side = nearer_side(plane, pose_plane, Convex(piece), pose);
  Separation out;
  out.distance = side.gap;
  out.normal = side.normal;
  out.on_b = pose * side.lowest;
  out.on_a = out.on_b - out.distance * out.normal;
  return out;
}

void plane_contacts(const Piece& plane, const Pose& pose_plane, const Piece& piece, const Pose& pose, double margin,
                    Candidates& work, Manifold& out) {
  const Convex convex(piece);
  const Side side = nearer_side(plane, pose_plane, convex, pose);
  if (!(side.gap <= margin)) return;
  if (convex.core == Core::box) return box_on_plane(convex, side, pose, margin, out);
  work.count = 0;
  if (convex.core == Core::hull) {
    lowest_corners(*convex.hull, side, margin, work);
  } else {
    const Vector3d u = side.local.unitOrthogonal(), v = side.local.cross(u);
    ContactFeature feature;
    find_feature(convex, -side.local, feature);
    for (int i = 0; i < feature.count; ++i) {
      const Vector3d& x = feature.p[i];
      const double gap = side.height + side.local.dot(x);
      if (gap <= margin) work.list[work.count++] = {x, gap, {u.dot(x), v.dot(x)}, 0, feature.vertex_id[i]};
    }
  }
  reduce(work, piece.radius);
  for (int i = 0; i < work.count; ++i) {
    const Candidate& c = work.list[i];
    out.points[static_cast<std::size_t>(i)] = {pose * c.on_a - 0.5 * c.gap * side.normal, side.normal, c.gap, c.feature_b};
  }
  out.size = work.count;
}

}  // namespace condyle
