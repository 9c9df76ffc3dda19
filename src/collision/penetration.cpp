#include "collision/penetration.hpp"

#include <limits>

namespace condyle {
namespace {

using Eigen::Vector3d;
constexpr int most_points = 160;
constexpr double infinity = std::numeric_limits<double>::infinity();

class Polytope {
 public:
  Polytope(const ConvexPair& pair, PolytopeWork& work) : pair_(pair), work_(work), noise_(1e-15 * pair.size) {
    work_.w.clear(), work_.a.clear(), work_.facets.clear();
  }

  CoreGap run(const Simplex& start, double tolerance) {
    if (!take(start) && !build()) return best_;
    for (int k = 0; k < most_points && static_cast<int>(work_.w.size()) < most_points; ++k) {
      const int near = nearest_facet();
      if (near < 0) break;
      const PolytopeWork::Facet facet = work_.facets[index(near)];
      if (-facet.d - best_.gap <= tolerance) break;  // no direction can be better than that
      const int point = add(facet.n);
      const double gap = -facet.n.dot(work_.w[index(point)]);
      if (gap > best_.gap) accept(facet, gap);
      if (-gap - facet.d <= tolerance + 4 * noise_) {
        if (-facet.d - best_.gap <= tolerance + 4 * noise_) break;
        work_.facets[index(near)].d = infinity;  // on the boundary, and something else is better
        continue;
      }
      if (!expand(near, point)) break;
    }
    return best_;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  int add(const Vector3d& n) {
    work_.a.push_back(pair_.support_a(n));
    work_.w.push_back(work_.a.back() - pair_.support_b(n));
    return static_cast<int>(work_.w.size()) - 1;
  }

  /// A direction that was asked: its gap is a bound whatever becomes of the polytope.
  void consider(const Vector3d& n) {
    const int i = add(n);
    if (const double gap = -n.dot(work_.w[index(i)]); gap > best_.gap)
      best_ = {gap, n, work_.a[index(i)]};
    work_.w.pop_back(), work_.a.pop_back();
  }

  void accept(const PolytopeWork::Facet& f, double gap) {
    const Vector3d &p = work_.w[index(f.v[0])], &q = work_.w[index(f.v[1])], &r = work_.w[index(f.v[2])];
    const Vector3d n = (q - p).cross(r - p);
    const double nn = n.squaredNorm();
    double wq = -n.dot(p.cross(r - p)) / nn, wr = -n.dot((q - p).cross(p)) / nn;
    wq = std::clamp(wq, 0.0, 1.0), wr = std::clamp(wr, 0.0, 1.0 - wq);
    best_ = {gap, f.n,
             (1 - wq - wr) * work_.a[index(f.v[0])] + wq * work_.a[index(f.v[1])] + wr * work_.a[index(f.v[2])]};
  }

  void add_facet(int i, int j, int k) {
    PolytopeWork::Facet f{{i, j, k}, Vector3d::Zero(), infinity};
    const Vector3d &p = work_.w[index(i)], &q = work_.w[index(j)], &r = work_.w[index(k)];
    const Vector3d n = (q - p).cross(r - p);
    const double nn = n.squaredNorm();
    if (nn > 1e-26 * (q - p).squaredNorm() * (r - p).squaredNorm() && nn > 0) {
      f.n = n / std::sqrt(nn);
      f.d = f.n.dot(p);
    }
    work_.facets.push_back(f);
  }

  bool close_tetrahedron() {
    const Vector3d e1 = work_.w[1] - work_.w[0], e2 = work_.w[2] - work_.w[0], e3 = work_.w[3] - work_.w[0];
    const bool turned = e1.cross(e2).dot(e3) > 0;
    static constexpr int face[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    for (const auto& f : face) turned ? add_facet(f[0], f[2], f[1]) : add_facet(f[0], f[1], f[2]);
    return true;
  }

  bool take(const Simplex& s) {
    if (s.count != 4) return false;
    const Vector3d e1 = s.w[1] - s.w[0], e2 = s.w[2] - s.w[0], e3 = s.w[3] - s.w[0];
    const double longest = std::max({e1.norm(), e2.norm(), e3.norm()});
    if (std::abs(e1.cross(e2).dot(e3)) < 1e-6 * longest * longest * longest) return false;
    for (int i = 0; i < 4; ++i) work_.w.push_back(s.w[i]), work_.a.push_back(s.a[i]);
    return close_tetrahedron();
  }

  /// Four points as far apart as can be. Where the difference is flat its normal is the way out: depth nothing.
  bool build() {
    double most = -1;
    Vector3d u = Vector3d::UnitX();
    for (int i = 0; i < 3; ++i) {
      const Vector3d axis = Vector3d::Unit(i);
      const int p = add(axis), q = add(-axis);
      const double extent = (work_.w[index(p)] - work_.w[index(q)]).norm();
      if (extent > most) {
        most = extent;
        u = work_.w[index(p)] - work_.w[index(q)];
        std::swap(work_.w[0], work_.w[index(p)]), std::swap(work_.a[0], work_.a[index(p)]);
        if (work_.w.size() > 2) std::swap(work_.w[1], work_.w[index(q)]), std::swap(work_.a[1], work_.a[index(q)]);
      }
      work_.w.resize(2), work_.a.resize(2);
    }
    if (most <= noise_) return flat(Vector3d::UnitZ());
    u.normalize();
    const Vector3d side = u.unitOrthogonal(), other = u.cross(side);
    if (!farthest({side, -side, other, -other}, [&](const Vector3d& x) { return u.cross(x).norm(); })) return flat(side);
    const Vector3d n = u.cross(work_.w[2] - work_.w[0]).normalized();
    if (!farthest({n, -n}, [&](const Vector3d& x) { return std::abs(n.dot(x)); })) return flat(n);
    return close_tetrahedron();
  }

  template <std::size_t N, class Measure>
  bool farthest(const Vector3d (&directions)[N], Measure&& measure) {
    const std::size_t place = work_.w.size();
    double most = 16 * noise_;
    bool found = false;
    for (const Vector3d& n : directions) {
      const int i = add(n);
      if (const double m = measure(work_.w[index(i)] - work_.w[0]); m > most) {
        most = m, found = true;
        std::swap(work_.w[place], work_.w[index(i)]), std::swap(work_.a[place], work_.a[index(i)]);
        work_.w.resize(place + 1), work_.a.resize(place + 1);
      } else {
        work_.w.pop_back(), work_.a.pop_back();
      }
    }
    return found;
  }

  bool flat(const Vector3d& n) {
    consider(n);
    consider(-n);
    return false;
  }

  int nearest_facet() const {
    int best = -1;
    double least = infinity;
    for (std::size_t i = 0; i < work_.facets.size(); ++i)
      if (work_.facets[i].d < least) least = work_.facets[i].d, best = static_cast<int>(i);
    return best;
  }

  /// Takes away what sees the new point and closes the hole.
  bool expand(int near, int point) {
    const Vector3d w = work_.w[index(point)];
    work_.rim.clear();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < work_.facets.size(); ++i) {
      const PolytopeWork::Facet f = work_.facets[i];
      const Vector3d from = w - work_.w[index(f.v[0])];
      const bool sees = static_cast<int>(i) == near || f.n.dot(from) > noise_;
      if (!sees) {
        work_.facets[kept++] = f;
        continue;
      }
      for (int k = 0; k < 3; ++k) toggle(f.v[k], f.v[(k + 1) % 3]);
    }
    work_.facets.resize(kept);
    if (work_.rim.empty()) return false;
    for (const auto& [i, j] : work_.rim) add_facet(i, j, point);
    return true;
  }

  void toggle(int i, int j) {
    for (auto& edge : work_.rim)
      if (edge.first == j && edge.second == i) {
        edge = work_.rim.back();
        work_.rim.pop_back();
        return;
      }
    work_.rim.emplace_back(i, j);
  }

  const ConvexPair& pair_;
  PolytopeWork& work_;
  double noise_;
  CoreGap best_{-infinity, Vector3d::UnitZ(), Vector3d::Zero()};
};

}  // namespace

PolytopeWork::PolytopeWork() {
  w.reserve(most_points + 8);
  a.reserve(most_points + 8);
  facets.reserve(4 * most_points);
  rim.reserve(4 * most_points);
}

CoreGap penetration(const ConvexPair& pair, const Simplex& start, double tolerance, PolytopeWork& work) {
  return Polytope(pair, work).run(start, tolerance);
}

}  // namespace condyle
