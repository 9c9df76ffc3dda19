#include "collision/point_reduction.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace condyle {
namespace {

constexpr double same_normal = 1e-6;  // 1 - cosine: 1.4e-3 rad
constexpr double near_normal = 1e-3;  // 1 - cosine: 2.6 degrees, for two points at one place

bool before(const SurfacePoint& a, const SurfacePoint& b) {
  const auto key = [](const SurfacePoint& p) { return std::tuple(p.rank, p.cut, p.at.feature, p.at.gap); };
  return key(a) < key(b);
}

}  // namespace

void PointReduction::reduce(std::vector<SurfacePoint>& points, double scale) {
  using Rank = SurfacePoint::Rank;
  if (std::any_of(points.begin(), points.end(), [](const auto& p) { return p.rank != Rank::behind; }))
    std::erase_if(points, [](const auto& p) { return p.rank == Rank::behind; });
  std::sort(points.begin(), points.end(), before);
  points.erase(std::unique(points.begin(), points.end(),
                           [](const auto& a, const auto& b) { return a.at.feature == b.at.feature && a.rank == b.rank; }),
               points.end());
  kept_.clear();
  while (!points.empty()) {
    const Eigen::Vector3d normal = points.front().at.normal;
    group_.clear();
    rest_.clear();
    for (const SurfacePoint& p : points) (normal.dot(p.at.normal) > 1 - same_normal ? group_ : rest_).push_back(p);
    points.swap(rest_);
    span_of_group(group_, scale);
    for (const SurfacePoint& p : group_) {
      const bool known = std::any_of(kept_.begin(), kept_.end(), [&](const SurfacePoint& q) {
        return q.at.normal.dot(p.at.normal) > 1 - near_normal && (q.at.point - p.at.point).norm() < 1e-5 * scale;
      });
      if (!known) kept_.push_back(p);
    }
  }
  points.swap(kept_);
  limit(points, scale);
}

/// What lies within the span of the others, or on a line between two, carries nothing that they do not. A point that is
/// deeper than all of them does.
void PointReduction::span_of_group(std::vector<SurfacePoint>& points, double scale) {
  if (points.size() < 2) return;
  const Eigen::Vector3d n = points.front().at.normal;
  const Eigen::Vector3d u = n.unitOrthogonal(), v = n.cross(u);
  flat_.clear();
  for (std::size_t i = 0; i < points.size(); ++i)
    flat_.push_back({u.dot(points[i].at.point), v.dot(points[i].at.point), static_cast<int>(i)});
  std::sort(flat_.begin(), flat_.end(),
            [](const Flat& a, const Flat& b) { return std::tie(a.x, a.y, a.index) < std::tie(b.x, b.y, b.index); });
  const auto turn = [](const Flat& a, const Flat& b, const Flat& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  };
  hull_.clear();
  for (const int pass : {0, 1}) {  // below from left to right, above from right to left
    const std::size_t start = hull_.size();
    for (const Flat& p : flat_) {
      while (hull_.size() >= start + 2 && turn(hull_[hull_.size() - 2], hull_.back(), p) <= 0) hull_.pop_back();
      hull_.push_back(p);
    }
    hull_.pop_back();
    if (pass == 0) std::reverse(flat_.begin(), flat_.end());
  }
  // Of two corners at one place the one with the better name stays; then whatever is nearly on the line of its neighbours
  // goes, the nearest first.
  const auto worse = [&](std::size_t a, std::size_t b) {
    return before(points[static_cast<std::size_t>(hull_[b].index)], points[static_cast<std::size_t>(hull_[a].index)]);
  };
  for (std::size_t i = 0; hull_.size() > 1 && i < hull_.size();) {
    const std::size_t j = (i + 1) % hull_.size();
    if (std::hypot(hull_[i].x - hull_[j].x, hull_[i].y - hull_[j].y) < 1e-5 * scale) {
      hull_.erase(hull_.begin() + static_cast<std::ptrdiff_t>(worse(i, j) ? i : j));
      i = i > 0 ? i - 1 : 0;
    } else {
      ++i;
    }
  }
  while (hull_.size() > 2) {
    std::size_t least = 0;
    double distance = 1e300;
    for (std::size_t i = 0; i < hull_.size(); ++i) {
      const Flat &a = hull_[(i + hull_.size() - 1) % hull_.size()], &b = hull_[(i + 1) % hull_.size()];
      const double d = std::abs(turn(a, hull_[i], b)) / std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-300);
      if (d < distance) least = i, distance = d;
    }
    if (distance > 1e-4 * scale) break;
    hull_.erase(hull_.begin() + static_cast<std::ptrdiff_t>(least));
  }
  std::size_t deepest = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].at.gap < points[deepest].at.gap) deepest = i;
  double least_gap = 1e300;
  for (const Flat& p : hull_) least_gap = std::min(least_gap, points[static_cast<std::size_t>(p.index)].at.gap);
  if (points[deepest].at.gap < least_gap - 1e-5 * scale) hull_.push_back({0, 0, static_cast<int>(deepest)});
  std::sort(hull_.begin(), hull_.end(), [](const Flat& a, const Flat& b) { return a.index < b.index; });
  for (std::size_t k = 0; k < hull_.size(); ++k) points[k] = points[static_cast<std::size_t>(hull_[k].index)];
  points.resize(hull_.size());
}

/// The deepest, then again and again the one that is farthest from those chosen, in place and in direction. A tie goes to
/// the first in order of features, so that noise does not change the choice.
void PointReduction::limit(std::vector<SurfacePoint>& points, double scale) {
  if (points.size() <= static_cast<std::size_t>(capacity)) return;
  std::sort(points.begin(), points.end(), before);
  std::size_t next = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (points[i].at.gap < points[next].at.gap - 1e-6 * scale) next = i;
  chosen_.assign(points.size(), 0);
  distance_.assign(points.size(), 1e300);
  for (int k = 0;; ++k) {
    chosen_[next] = 1;
    if (k + 1 == capacity) break;
    const ContactPoint& c = points[next].at;
    std::size_t best = points.size();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double d =
          (points[i].at.point - c.point).squaredNorm() + scale * scale * (points[i].at.normal - c.normal).squaredNorm();
      distance_[i] = std::min(distance_[i], d);
      if (!chosen_[i] && (best == points.size() || distance_[i] > distance_[best] * (1 + 1e-6))) best = i;
    }
    next = best;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (chosen_[i]) points[kept++] = points[i];
  points.resize(kept);
}

}  // namespace condyle
