#include "collision/narrow_phase.hpp"

#include "collision/box_edges.hpp"
#include "collision/coal_shapes.hpp"
#include "collision/face_contact.hpp"
#include "collision/penetration.hpp"
#include "collision/plane_contacts.hpp"
#include "collision/refine_normal.hpp"
#include "collision/sphere_like.hpp"

#include <algorithm>
#include <limits>

namespace condyle {
namespace {

using Eigen::Vector3d;

/// A face normal is taken where it loses no more than this of the size, so that noise does not turn a face contact into one
/// of edges. Pieces that are apart have one nearest normal: there only what is within the round-off of its direction is the
/// same.
constexpr double face_bias = 1e-9;

int compare(const double* a, const double* b, int count) {
  for (int i = 0; i < count; ++i)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

int compare(const Hull& a, const Hull& b) {
  if (&a == &b) return 0;
  if (a.vertices.size() != b.vertices.size()) return a.vertices.size() < b.vertices.size() ? -1 : 1;
  for (std::size_t i = 0; i < a.vertices.size(); ++i)
    if (const int c = compare(a.vertices[i].data(), b.vertices[i].data(), 3); c != 0) return c;
  return 0;
}

/// Whether the pair is worked on in the other order, by what the pieces are and where, never by their order as arguments.
/// Places are compared along a direction that is no one's axis: noise does not turn the order of what is stacked or in a
/// row.
bool in_other_order(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b) {
  if (a.kind != b.kind) return a.kind > b.kind;
  if (const int c = compare(a.size.data(), b.size.data(), 3); c != 0) return c > 0;
  if (a.hull && b.hull)
    if (const int c = compare(*a.hull, *b.hull); c != 0) return c > 0;
  const double apart = Vector3d(0.5377, 0.3319, 0.7751).dot(pose_a.p - pose_b.p);
  if (apart != 0) return apart > 0;
  if (const int c = compare(pose_a.p.data(), pose_b.p.data(), 3); c != 0) return c > 0;
  return compare(pose_a.R.data(), pose_b.R.data(), 9) > 0;
}

void prefer_faces(const ConvexPair& pair, bool overlapping, CoreGap& at) {
  const double turn = overlapping ? 0.2 : std::clamp(1e-14 * pair.size / at.gap, 1e-9, 1e-6);  // rad
  const auto consider = [&](const Vector3d& f, bool of_a) {
    if ((f - at.normal).squaredNorm() > turn * turn) return false;
    const double gap = pair.gap(f);
    if (gap < at.gap - face_bias * pair.size) return false;
    if ((f - at.normal).squaredNorm() > 1e-12) at.on_a = of_a ? Vector3d(pair.support_b(f) - gap * f) : pair.support_a(f);
    at.normal = f, at.gap = gap;
    return true;
  };
  Vector3d f;
  if (nearest_face_normal(pair.a, at.normal, f) && consider(f, true)) return;
  if (nearest_face_normal(pair.b, -(pair.R.transpose() * at.normal), f)) consider(-(pair.R * f), false);
}

}  // namespace

struct NarrowPhase::Work {
  Simplex simplex;
  PolytopeWork polytope;
  ContactFeature feature_a, feature_b;
  Candidates candidates;
  bool features_known = false;  // the features are those of the normal that was found

  /// False: the cores are farther apart than `enough`.
  bool core_gap(const ConvexPair& pair, double enough, CoreGap& out) {
    features_known = false;
    if (closed_form_gap(pair, out)) return out.gap <= enough;
    switch (face_contact(pair, enough, face_bias * pair.size, out, feature_a, feature_b)) {
      case FaceAnswer::apart: return false;
      case FaceAnswer::found: features_known = true; return out.gap <= enough;
      case FaceAnswer::unknown: break;
    }
    if (pair.a.core == Core::box && pair.b.core == Core::box) {
      const FaceAnswer by_edges = box_edges(pair, enough, face_bias * pair.size, out);
      if (by_edges == FaceAnswer::apart) return false;
      if (by_edges == FaceAnswer::found) return out.gap <= enough;
    }
    const bool curved = pair.curved();
    GjkResult found = gjk(pair, enough, curved ? 1e-9 : 0, simplex);
    if (found.status == GjkResult::Status::beyond) return false;
    if (found.status == GjkResult::Status::apart) {
      out = {found.lower, found.normal, found.on_a};
      if (curved) {
        const CoreGap start = out;
        out = refine_normal(pair, start, 1e-3);
        if (found.upper - out.gap > 1e-11 * pair.size) {
          found = gjk(pair, enough, 0, simplex);
          if (found.status == GjkResult::Status::apart) {
            const CoreGap again = refine_normal(pair, {found.lower, found.normal, found.on_a}, 2e-2);
            if (again.gap > out.gap) out = again;
          }
        }
      }
      prefer_faces(pair, out.gap <= 1e-9 * pair.size, out);
    } else {
      bool converged = true;
      out = penetration(pair, simplex, (curved ? 1e-9 : 1e-14) * pair.size, polytope, converged);
      // where many directions are nearly as good, the start is rough: climb on from the best
      for (int round = 0; round < 5 && curved; ++round) {
        const CoreGap next = refine_normal(pair, out, converged ? 2e-2 : 0.2);
        const bool settled = round > 0 ? next.gap <= out.gap + 1e-14 * pair.size : converged;
        out = next;
        if (settled) break;
      }
      prefer_faces(pair, true, out);
    }
    return out.gap <= enough;
  }

  /// Points where faces and lines lie over each other; none where one of the two touches with a point.
  void match(const ConvexPair& pair, const Vector3d& n) {
    candidates.count = 0;
    if (pair.a.core == Core::segment && pair.b.core == Core::segment && std::abs(pair.R(2, 2)) < 0.99) return;  // one point
    if (!features_known) {
      find_feature(pair.a, n, feature_a);
      if (feature_a.count < 2) return;
      find_feature(pair.b, -(pair.R.transpose() * n), feature_b);
      for (int i = 0; i < feature_b.count; ++i) feature_b.p[i] = pair.R * feature_b.p[i] + pair.t;
      feature_b.normal = pair.R * feature_b.normal;
    }
    if (feature_a.count < 2 || feature_b.count < 2) return;
    match_features(feature_a, feature_b, n, candidates);
  }

  /// Where more than a point touches, the middle of it.
  void centre_witness(const ConvexPair& pair, CoreGap& core) {
    match(pair, core.normal);
    const double gap = core.gap - pair.a.round - pair.b.round;
    Vector3d sum = Vector3d::Zero();
    int count = 0;
    for (int i = 0; i < candidates.count; ++i)
      if (std::abs(candidates.list[i].gap - gap) <= 1e-9 * pair.size) sum += candidates.list[i].on_a, ++count;
    if (count > 0) core.on_a = sum / count - pair.a.round * core.normal;
  }

  void collide(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b, double margin, Manifold& out);
};

namespace {

ConvexPair make_pair(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b) {
  return {Convex(a), Convex(b), pose_a.R.transpose() * pose_b.R, pose_a.R.transpose() * (pose_b.p - pose_a.p),
          a.radius + b.radius};
}

/// False: the centres are in one place.
bool spheres(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b, double margin, Manifold& out) {
  const Vector3d d = pose_b.p - pose_a.p;
  const double reach = a.radius + b.radius, squared = d.squaredNorm();
  if (!(squared <= (reach + margin) * (reach + margin)) || reach + margin < 0) return true;
  const double length = std::sqrt(squared), gap = length - reach;
  if (!(length > 1e-12 * reach)) return false;
  const Vector3d n = d / length;
  out.points[0] = {pose_a.p + (a.radius + 0.5 * gap) * n, n, gap,
                   std::uint64_t{ContactFeature::nearest} << 32 | ContactFeature::nearest};
  out.size = 1;
  return true;
}

}  // namespace

void NarrowPhase::Work::collide(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b, double margin,
                                Manifold& out) {
  if (a.kind == ShapeKind::sphere && b.kind == ShapeKind::sphere && spheres(a, pose_a, b, pose_b, margin, out)) return;
  const ConvexPair pair = make_pair(a, pose_a, b, pose_b);
  const double reach = pair.size + std::max(0.0, margin);
  if (!(pair.t.squaredNorm() <= reach * reach * (1 + 1e-12))) return;
  const double round = pair.a.round + pair.b.round;
  CoreGap core;
  if (!core_gap(pair, margin + round, core)) return;
  const Vector3d n = core.normal;
  const double gap = core.gap - round;

  Candidates& found = candidates;
  match(pair, n);
  double least = std::numeric_limits<double>::infinity();
  int kept = 0;
  for (int i = 0; i < found.count; ++i)
    if (found.list[i].gap <= margin) {
      least = std::min(least, found.list[i].gap);
      found.list[kept++] = found.list[i];
    }
  found.count = std::min(kept, Candidates::most - 1);
  if (least > gap + 5e-8 * pair.size) {
    const Vector3d u = n.unitOrthogonal(), v = n.cross(u), on_a = core.on_a + pair.a.round * n;
    found.list[found.count++] = {on_a, gap, {u.dot(on_a), v.dot(on_a)}, ContactFeature::nearest, ContactFeature::nearest};
  }
  reduce(found, pair.size);
  const Vector3d normal = (pose_a.R * n).normalized();
  for (int i = 0; i < found.count; ++i) {
    const Candidate& c = found.list[i];
    out.points[static_cast<std::size_t>(i)] = {pose_a * Vector3d(c.on_a + 0.5 * c.gap * n), normal, c.gap,
                                               std::uint64_t{c.feature_a} << 32 | c.feature_b};
  }
  out.size = found.count;
}

NarrowPhase::NarrowPhase() : work_(std::make_unique<Work>()) {}
NarrowPhase::~NarrowPhase() = default;
NarrowPhase::NarrowPhase(NarrowPhase&&) noexcept = default;
NarrowPhase& NarrowPhase::operator=(NarrowPhase&&) noexcept = default;

Separation NarrowPhase::separation(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b) {
  const bool other = is_unbounded(b.kind) || (!is_unbounded(a.kind) && in_other_order(a, pose_a, b, pose_b));
  if (other) {
    Separation out = is_unbounded(b.kind) ? plane_separation(b, pose_b, a, pose_a) : Separation{};
    if (!is_unbounded(b.kind)) out = separation(b, pose_b, a, pose_a);
    out.normal = -out.normal;
    std::swap(out.on_a, out.on_b);
    return out;
  }
  if (is_unbounded(a.kind)) return plane_separation(a, pose_a, b, pose_b);
  const ConvexPair pair = make_pair(a, pose_a, b, pose_b);
  Separation out;
  out.distance = std::numeric_limits<double>::infinity();
  if (!pair.t.allFinite() || !pair.R.allFinite()) return out;
  CoreGap core;
  work_->core_gap(pair, std::numeric_limits<double>::infinity(), core);
  work_->centre_witness(pair, core);
  out.distance = core.gap - pair.a.round - pair.b.round;
  out.normal = (pose_a.R * core.normal).normalized();
  out.on_a = pose_a * Vector3d(core.on_a + pair.a.round * core.normal);
  out.on_b = out.on_a + out.distance * out.normal;
  return out;
}

void NarrowPhase::collide(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b, double margin,
                          Manifold& out) {
  out.size = 0;
  const bool unbounded = is_unbounded(a.kind) || is_unbounded(b.kind);
  const bool other = unbounded ? is_unbounded(b.kind) : in_other_order(a, pose_a, b, pose_b);
  const Piece &first = other ? b : a, &second = other ? a : b;
  const Pose &pose_first = other ? pose_b : pose_a, &pose_second = other ? pose_a : pose_b;
  if (unbounded)
    plane_contacts(first, pose_first, second, pose_second, margin, work_->candidates, out);
  else
    work_->collide(first, pose_first, second, pose_second, margin, out);
  if (!other) return;
  for (int i = 0; i < out.size; ++i) {
    ContactPoint& p = out.points[static_cast<std::size_t>(i)];
    p.normal = -p.normal;
    p.feature = p.feature << 32 | p.feature >> 32;
  }
}

}  // namespace condyle
