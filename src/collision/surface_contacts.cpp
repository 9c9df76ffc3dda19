#include "collision/surface_contacts.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace condyle {
namespace {

constexpr double face_cosine = 1 - 5e-7;  // 1e-3 rad from a face's normal is that normal
constexpr double on_border = 1e-4;        // of a triangle, in its own coordinates

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::uint64_t name(std::uint64_t kind, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t h = kind;
  for (const std::uint64_t x : {a, b, c}) {
    h = (h + x + 1) * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
    h ^= h >> 27;
  }
  return h;
}

Eigen::Vector3d velocity(const ShapeMotion& motion, const Eigen::Vector3d& x) {
  return motion.linear + motion.angular.cross(x - motion.pose.p);
}

/// Where a box that rides on `rider` can be, seen from the frame of `from`, within dt.
Aabb swept(const ShapeMotion& from, const ShapeMotion& rider, const Aabb& local, double dt, double margin) {
  const Pose relative = from.pose.inverse() * rider.pose;
  const double radius = local.low.cwiseAbs().cwiseMax(local.high.cwiseAbs()).norm();
  const Eigen::Vector3d travel = dt * (from.pose.R.transpose() * (rider.linear - from.linear));
  const double reach = relative.p.norm() + radius + travel.norm();
  Aabb box = turned(local, relative);
  box.low += travel.cwiseMin(0.0);
  box.high += travel.cwiseMax(0.0);
  box.inflate(margin + std::min(dt * rider.angular.norm(), 2.0) * radius + std::min(dt * from.angular.norm(), 2.0) * reach);
  return box;
}

/// From a point to the nearest one of a triangle.
double distance_to(const std::array<Eigen::Vector3d, 3>& triangle, const Eigen::Vector3d& x) {
  const Eigen::Vector3d n = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).normalized();
  bool inside = true;
  double nearest = 1e300;
  for (std::size_t k = 0; k < 3; ++k) {
    const Eigen::Vector3d &p = triangle[k], edge = triangle[(k + 1) % 3] - p;
    inside = inside && n.dot(edge.cross(x - p)) >= 0;
    const double s = std::clamp(edge.dot(x - p) / edge.squaredNorm(), 0.0, 1.0);
    nearest = std::min(nearest, (p + s * edge - x).norm());
  }
  return inside ? std::abs(n.dot(x - triangle[0])) : nearest;
}

double farthest(const LabelledPolygon& polygon, const Eigen::Vector3d& direction) {
  double out = -1e300;
  for (int i = 0; i < polygon.size; ++i) out = std::max(out, direction.dot(polygon.points[at(i)]));
  return out;
}

}  // namespace

ContactPoint carried_back(const ContactPoint& at_impact, const PairSide& a, const PairSide& b, const Pose& pose_a,
                          const Pose& pose_b, double t) {
  ContactPoint out = at_impact;
  const Eigen::Vector3d with_a = a.motion->pose * (pose_a.inverse() * at_impact.point);
  const Eigen::Vector3d with_b = b.motion->pose * (pose_b.inverse() * at_impact.point);
  out.point = a.fixed ? with_b : b.fixed ? with_a : Eigen::Vector3d(0.5 * (with_a + with_b));
  out.gap -= t * out.normal.dot(velocity(*b.motion, out.point) - velocity(*a.motion, out.point));
  return out;
}

SurfaceContacts::Triangle::Triangle()
    : hull(std::make_shared<Hull>(
          *make_triangle(Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitY()))) {
  piece.kind = ShapeKind::mesh;
  piece.hull = hull;
}

void SurfaceContacts::Triangle::set(const Surface& of, int which) {
  surface = &of;
  number = which;
  corners = of.corners(which);
  normal = of.normal(which);
  for (std::size_t k = 0; k < 3; ++k) at[k] = of.vertex(corners[k]);
  middle = (at[0] + at[1] + at[2]) / 3;
  hull->radius = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    hull->vertices[k] = at[k] - middle;
    hull->radius = std::max(hull->radius, hull->vertices[k].norm());
  }
  hull->face_normals[0] = normal;
  hull->face_normals[1] = -normal;
  piece.radius = hull->radius;
}

ShapeMotion SurfaceContacts::Triangle::motion(const ShapeMotion& of_surface) const {
  const Pose pose{of_surface.pose.R, of_surface.pose * middle};
  return {pose, velocity(of_surface, pose.p), of_surface.angular};
}

SurfaceContacts::SurfaceContacts(const Nearness& near) : near_(near) {}

void SurfaceContacts::on_piece(NarrowPhase& narrow, const PairSide& surface, const PairSide& other, const Piece& piece,
                               const Aabb& box, int number, double dt, std::vector<SurfacePoint>& out) {
  candidates_.clear();
  surface.geometry->surface->query(swept(*surface.motion, *other.motion, box, dt, near_.margin), candidates_);
  const std::size_t before = out.size();
  const Eigen::Vector3d centre = surface.motion->pose.inverse() * (other.motion->pose * box.centre());
  int lost = -1;
  double nearest = 1e300;
  for (const int t : candidates_) {
    own_.set(*surface.geometry->surface, t);
    const bool touches = meet(narrow, surface, other, {&piece, *other.motion, number, nullptr}, dt, out);
    if (!touches || out.size() > before) continue;
    if (const double d = distance_to(own_.at, centre); d < nearest) lost = t, nearest = d;
  }
  if (out.size() > before || lost < 0) return;
  // Each triangle left it to a neighbour: what is so deep among small triangles goes out by the one nearest to its middle.
  own_.set(*surface.geometry->surface, lost);
  const Pose& pose = surface.motion->pose;
  Eigen::Vector3d direction = pose.R * own_.normal;
  if (!own_.surface->solid() && own_.normal.dot(centre - own_.middle) < 0) direction = -direction;
  support_polygon(piece, other.motion->pose, -direction, polygon_);
  const Eigen::Vector3d foot = pose * own_.middle;
  int deepest = 0;
  for (int i = 1; i < polygon_.size; ++i)
    if (direction.dot(polygon_.points[at(i)] - polygon_.points[at(deepest)]) < 0) deepest = i;
  const Eigen::Vector3d x = polygon_.points[at(deepest)];
  const double gap = direction.dot(x - foot);
  if (!(gap < near_.margin)) return;
  const std::uint64_t feature =
      name(7, static_cast<std::uint64_t>(own_.surface->region(lost)), static_cast<std::uint64_t>(number), 0);
  out.push_back({{x - 0.5 * gap * direction, direction, gap, feature}, SurfacePoint::Rank::behind, false});
}

void SurfaceContacts::on_surface(NarrowPhase& narrow, const PairSide& surface, const PairSide& other, double dt,
                                 std::vector<SurfacePoint>& out) {
  const Surface &a = *surface.geometry->surface, &b = *other.geometry->surface;
  candidates_.clear();
  a.query(swept(*surface.motion, *other.motion, b.box(), dt, near_.margin), candidates_);
  for (const int t : candidates_) {
    own_.set(a, t);
    Aabb box;
    for (const Eigen::Vector3d& x : own_.hull->vertices) box.add(x);
    opposites_.clear();
    b.query(swept(*other.motion, own_.motion(*surface.motion), box, dt, near_.margin), opposites_);
    for (const int u : opposites_) {
      opposite_.set(b, u);
      meet(narrow, surface, other, {&opposite_.piece, opposite_.motion(*other.motion), 0, &opposite_}, dt, out);
    }
  }
}

/// Now, or at the time of impact. Whether they are within the margin now.
bool SurfaceContacts::meet(NarrowPhase& narrow, const PairSide& surface, const PairSide& other, const Opponent& opponent,
                           double dt, std::vector<SurfacePoint>& out) {
  local_.clear();
  const Pose& pose = surface.motion->pose;
  const Pose relative = pose.inverse() * opponent.motion.pose;
  const Separation start = narrow.separation(own_.piece, own_.pose(), *opponent.piece, relative);
  if (!std::isfinite(start.distance)) return false;
  if (start.distance < near_.margin || own_.surface->endless()) {
    touch(narrow, start, opponent, relative, near_.margin);
    for (SurfacePoint& p : local_) {
      p.at.point = pose * p.at.point;
      p.at.normal = pose.R * p.at.normal;
      out.push_back(p);
    }
    if (start.distance < near_.margin || !local_.empty()) return start.distance < near_.margin;
  }
  const ShapeMotion own = own_.motion(*surface.motion);
  const double fastest = (own.linear - opponent.motion.linear).norm() + own.angular.norm() * own_.piece.radius +
                         opponent.motion.angular.norm() * opponent.piece->radius;
  if (!(dt * fastest > start.distance - near_.tolerance)) return false;
  const Impact impact = time_of_impact(narrow, own_.piece, own, *opponent.piece, opponent.motion, dt, near_.tolerance);
  if (!impact.meets) return false;
  const Pose then = moved(*surface.motion, impact.time), other_then = moved(*other.motion, impact.time);
  const Pose relative_then = then.inverse() * moved(opponent.motion, impact.time);
  touch(narrow, narrow.separation(own_.piece, own_.pose(), *opponent.piece, relative_then), opponent, relative_then,
        near_.impact_margin);
  for (SurfacePoint& p : local_) {
    p.at.point = then * p.at.point;
    p.at.normal = then.R * p.at.normal;
    p.at = carried_back(p.at, surface, other, then, other_then, impact.time);
    out.push_back(p);
  }
  return false;
}

/// What the surface has there is decided by all triangles at the edge or corner that is nearest: a direction belongs to it
/// if none of them rises above the plane across it.
SurfaceContacts::Claim SurfaceContacts::judge(const Triangle& triangle, const Eigen::Vector3d& on_triangle,
                                              const Eigen::Vector3d& normal, double distance) {
  const Surface& surface = *triangle.surface;
  const double along = normal.dot(triangle.normal);
  if ((surface.solid() ? along : std::abs(along)) > face_cosine) return Claim::face;

  std::array<int, 3> feature{};
  int count = 0;
  const Eigen::Vector3d u = triangle.at[1] - triangle.at[0], w = triangle.at[2] - triangle.at[0];
  const double area = u.cross(w).dot(triangle.normal);
  for (std::size_t k = 0; k < 3; ++k) {
    const Eigen::Vector3d &p = triangle.at[(k + 1) % 3], &q = triangle.at[(k + 2) % 3];
    if ((p - on_triangle).cross(q - on_triangle).dot(triangle.normal) > on_border * area)
      feature[at(count++)] = triangle.corners[k];
  }
  if (count == 1 || count == 2) {
    bool supports = true, of_neighbour = false, outward = !surface.solid();
    ring_.clear();
    surface.around(feature[0], ring_);
    const Eigen::Vector3d v = surface.vertex(feature[0]);
    for (const int t : ring_) {
      const std::array<int, 3> corners = surface.corners(t);
      const auto has = [](const auto& list, int n, int x) {
        return std::find(list.begin(), list.begin() + n, x) != list.begin() + n;
      };
      if (count == 2 && !has(corners, 3, feature[1])) continue;
      for (const int c : corners)
        if (!has(feature, count, c)) {
          const Eigen::Vector3d to = surface.vertex(c) - v;
          supports = supports && normal.dot(to) <= 1e-6 * to.norm();
        }
      const double other = normal.dot(surface.normal(t));
      outward = outward || other > 0;
      if (t != triangle.number) of_neighbour = of_neighbour || (surface.solid() ? other : std::abs(other)) > face_cosine;
    }
    supports = supports && outward;
    if (supports && of_neighbour) return Claim::neighbour;
    if (supports) return Claim::edge;
  }
  if (!surface.solid() || along >= 0) return Claim::ghost;
  return distance < 0 || surface.endless() ? Claim::behind : Claim::none;
}

void SurfaceContacts::touch(NarrowPhase& narrow, const Separation& found, const Opponent& opponent, const Pose& pose,
                            double margin) {
  using Rank = SurfacePoint::Rank;
  const Claim own = judge(own_, found.on_a, found.normal, found.distance);
  Eigen::Vector3d direction = own_.normal;
  if (!own_.surface->solid()) {  // a sheet: to the side that is nearer
    if (own == Claim::face && found.normal.dot(direction) < 0) direction = -direction;
    if (own == Claim::ghost) {
      support_polygon(*opponent.piece, pose, -direction, polygon_);
      const double below = farthest(polygon_, -direction) + direction.dot(own_.at[0]);
      support_polygon(*opponent.piece, pose, direction, polygon_);
      if (farthest(polygon_, direction) - direction.dot(own_.at[0]) < below) direction = -direction;
    }
  }
  if (!opponent.triangle) {
    switch (own) {
      case Claim::face:
      case Claim::ghost: face_points(direction, opponent, pose, margin, Rank::face); break;
      case Claim::behind: face_points(direction, opponent, pose, margin, Rank::behind); break;
      case Claim::edge:
        if (found.distance < margin) edge_points(narrow, found, opponent, pose, margin);
        break;
      case Claim::neighbour:
      case Claim::none: break;
    }
    return;
  }
  const Triangle& t = *opponent.triangle;
  // The pose of the opponent is that of its middle; its corners are in the frame of its surface, which is turned alike.
  const Eigen::Vector3d on_opposite = pose.R.transpose() * (found.on_b - pose.p) + t.middle;
  const Eigen::Vector3d toward = -(pose.R.transpose() * found.normal);
  const Claim opposite = judge(t, on_opposite, toward, found.distance);
  Eigen::Vector3d back = pose.R * t.normal;
  // Of a sheet and a solid the solid knows its outside, and the side of the sheet where it lies.
  if (const double facing = own_.normal.dot(back); own_.surface->solid() != t.surface->solid() && std::abs(facing) > 0.1) {
    const double sign = facing > 0 ? -1 : 1;
    const bool own_solid = own_.surface->solid();
    const Eigen::Vector3d centre =
        own_solid ? own_.surface->box().centre() : Eigen::Vector3d(pose.R * (t.surface->box().centre() - t.middle) + pose.p);
    Eigen::Vector3d& of_sheet = own_solid ? back : direction;
    of_sheet = sign * (own_solid ? back : own_.normal);
    if (of_sheet.dot(centre - (own_solid ? pose.p : own_.at[0])) < 0) return;
  } else if (!t.surface->solid()) {
    if (opposite == Claim::face && toward.dot(t.normal) < 0) back = -back;
    if (opposite == Claim::ghost) {
      double above = -1e300, below = -1e300;
      for (const Eigen::Vector3d& x : own_.at) {
        above = std::max(above, back.dot(x - pose.p));
        below = std::max(below, -back.dot(x - pose.p));
      }
      if (above < below) back = -back;
    }
  }
  if (own == Claim::face)
    face_points(direction, opponent, pose, margin, Rank::face);
  else if (opposite == Claim::face)
    opposite_face_points(back, opponent, pose, margin, Rank::face);
  else if (own == Claim::neighbour || opposite == Claim::neighbour || own == Claim::none || opposite == Claim::none)
    return;
  else if (own == Claim::ghost)
    face_points(direction, opponent, pose, margin, Rank::face);
  else if (opposite == Claim::ghost)
    opposite_face_points(back, opponent, pose, margin, Rank::face);
  else if (own == Claim::behind)
    face_points(direction, opponent, pose, margin, Rank::behind);
  else if (opposite == Claim::behind)
    opposite_face_points(back, opponent, pose, margin, Rank::behind);
  else if (found.distance < margin)
    edge_points(narrow, found, opponent, pose, margin);
}

/// The side that the opponent shows to the triangle, as far as it is above or below it.
void SurfaceContacts::face_points(const Eigen::Vector3d& direction, const Opponent& opponent, const Pose& pose,
                                  double margin, SurfacePoint::Rank rank) {
  const Triangle* other = opponent.triangle;
  if (other) {
    if (other->surface->solid() && direction.dot(pose.R * other->normal) > 0.1) return;  // its far side
    polygon_.size = 0;
    for (std::size_t k = 0; k < 3; ++k)
      polygon_.add(pose * other->hull->vertices[k], static_cast<std::uint32_t>(other->corners[k]));
  } else {
    support_polygon(*opponent.piece, pose, -direction, polygon_);
  }
  clip_to_column(own_.at, own_.normal, polygon_);
  const auto region = static_cast<std::uint64_t>(own_.surface->region(own_.number));
  const auto number = static_cast<std::uint64_t>(own_.number);
  for (int i = 0; i < polygon_.size; ++i) {
    const Eigen::Vector3d& x = polygon_.points[at(i)];
    const double gap = direction.dot(x - own_.at[0]);
    if (!(gap < margin)) continue;
    if (rank == SurfacePoint::Rank::behind && own_.surface->endless() && !own_.surface->holds(x)) continue;
    const std::uint32_t label = polygon_.labels[at(i)];
    const bool cut = label >> 31;
    const auto from = static_cast<std::uint64_t>(other ? (cut ? other->number : 0) : opponent.number);
    local_.push_back(
        {{x - 0.5 * gap * direction, direction, gap, cut ? name(1, number, from, label) : name(2, region, from, label)},
         rank,
         cut});
  }
}

/// As face_points, with the sides exchanged: this triangle lies on that of the other surface. `direction` looks out of that
/// one, in the frame of this surface.
void SurfaceContacts::opposite_face_points(const Eigen::Vector3d& direction, const Opponent& opponent, const Pose& pose,
                                           double margin, SurfacePoint::Rank rank) {
  const Triangle& other = *opponent.triangle;
  if (own_.surface->solid() && direction.dot(own_.normal) > 0.1) return;
  polygon_.size = 0;
  for (std::size_t k = 0; k < 3; ++k) polygon_.add(own_.at[k], static_cast<std::uint32_t>(own_.corners[k]));
  std::array<Eigen::Vector3d, 3> triangle;
  for (std::size_t k = 0; k < 3; ++k) triangle[k] = pose * other.hull->vertices[k];
  clip_to_column(triangle, pose.R * other.normal, polygon_);
  const auto region = static_cast<std::uint64_t>(other.surface->region(other.number));
  for (int i = 0; i < polygon_.size; ++i) {
    const Eigen::Vector3d& x = polygon_.points[at(i)];
    const double gap = direction.dot(x - triangle[0]);
    if (!(gap < margin)) continue;
    const std::uint32_t label = polygon_.labels[at(i)];
    const bool cut = label >> 31;
    const std::uint64_t feature =
        cut ? name(3, static_cast<std::uint64_t>(own_.number), static_cast<std::uint64_t>(other.number), label)
            : name(4, region, label, 0);
    local_.push_back({{x - 0.5 * gap * direction, -direction, gap, feature}, rank, cut});
  }
}

void SurfaceContacts::edge_points(NarrowPhase& narrow, const Separation& found, const Opponent& opponent, const Pose& pose,
                                  double margin) {
  const auto number = static_cast<std::uint64_t>(own_.number);
  const auto from = static_cast<std::uint64_t>(opponent.triangle ? opponent.triangle->number : opponent.number);
  narrow.collide(own_.piece, own_.pose(), *opponent.piece, pose, margin, manifold_);
  if (manifold_.size == 0) {
    manifold_.size = 1;
    manifold_.points[0] = {0.5 * (found.on_a + found.on_b), found.normal, found.distance, 0};
  }
  for (int k = 0; k < manifold_.size; ++k) {
    ContactPoint p = manifold_.points[at(k)];
    p.feature = name(5, number, from, p.feature);
    local_.push_back({p, SurfacePoint::Rank::edge, false});
  }
}

/// A plane is met by corners alone.
void SurfaceContacts::on_unbounded(const PairSide& surface, const PairSide& other, double dt,
                                   std::vector<SurfacePoint>& out) {
  const Surface& s = *surface.geometry->surface;
  const Pose &pose = surface.motion->pose, &plane = other.motion->pose;
  double side = 1;
  if (other.geometry->pieces[0].kind == ShapeKind::plane && plane.R.col(2).dot(pose * s.box().centre() - plane.p) < 0)
    side = -1;
  const auto height = [side](const Pose& of, const Eigen::Vector3d& x) { return side * of.R.col(2).dot(x - of.p); };
  const double radius = surface.geometry->radius, reach = (pose.p - plane.p).norm() + radius;
  const double motion = dt * ((surface.motion->linear - other.motion->linear).norm() +
                              surface.motion->angular.norm() * radius + other.motion->angular.norm() * reach);
  candidates_.clear();
  s.query_below(side * (pose.R.transpose() * plane.R.col(2)), near_.margin + motion - height(plane, pose.p), candidates_);
  const std::array<Pose, 2> later{moved(*surface.motion, 0.5 * dt), moved(*surface.motion, dt)};
  const std::array<Pose, 2> plane_later{moved(*other.motion, 0.5 * dt), moved(*other.motion, dt)};
  for (const int t : candidates_)
    for (const int v : s.corners(t)) {
      const Eigen::Vector3d x = s.vertex(v), now = pose * x;
      const double gap = height(plane, now);
      if (!(gap < near_.margin) && !(height(plane_later[0], later[0] * x) < near_.tolerance) &&
          !(height(plane_later[1], later[1] * x) < near_.tolerance))
        continue;
      const Eigen::Vector3d n = -side * plane.R.col(2);
      out.push_back(
          {{now + 0.5 * gap * n, n, gap, name(6, static_cast<std::uint64_t>(v), 0, 0)}, SurfacePoint::Rank::face, false});
    }
}

}  // namespace condyle
