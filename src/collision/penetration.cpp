#include "collision/penetration.hpp"

#include <algorithm>
#include <limits>

namespace condyle {
namespace {

using Eigen::Vector3d;
constexpr int most_points = 160;
constexpr double infinity = std::numeric_limits<double>::infinity();

class Polytope {
 public:
  Polytope(const ConvexPair& pair, PolytopeWork& work) : pair_(pair), work_(work), noise_(1e-15 * pair.size) {
    work_.w.clear(), work_.a.clear(), work_.facets.clear(), work_.key.clear(), work_.free.clear();
  }

  CoreGap run(const Simplex& start, double tolerance, bool& converged) {
    converged = true;
    if (!take(start) && !build()) return best_;
    while (true) {
      if (static_cast<int>(work_.w.size()) == most_points) {
        converged = false;
        break;
      }
      const int near = nearest_facet();
      if (near < 0) break;
      const PolytopeWork::Facet& facet = work_.facets[index(near)];
      if (-facet.d - best_.gap <= tolerance) break;  // no direction can be better than that
      const int point = add(facet.n);
      const double gap = -facet.n.dot(work_.w[index(point)]);
      if (gap > best_.gap) best_ = {gap, facet.n, work_.a[index(facet.v[0])]};
      if (-gap - facet.d <= tolerance + 4 * noise_ || !expand(near, point)) {  // on the boundary, or lost in round-off
        work_.key[index(near)] = infinity;
        work_.w.pop_back(), work_.a.pop_back();
      }
    }
    find_witness();
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
    if (const double gap = -n.dot(work_.w[index(i)]); gap > best_.gap) best_ = {gap, n, work_.a[index(i)]};
    work_.w.pop_back(), work_.a.pop_back();
  }

  /// The origin's foot on the best plane: in that one of the facets in the plane which holds it.
  void find_witness() {
    double most = -infinity;
    for (const PolytopeWork::Facet& f : work_.facets) {
      if (!f.alive || f.n.dot(best_.normal) < 1 - 1e-10 || std::abs(f.d + best_.gap) > 1e-8 * pair_.size) continue;
      const Vector3d &p = work_.w[index(f.v[0])], &q = work_.w[index(f.v[1])], &r = work_.w[index(f.v[2])];
      const Vector3d n = (q - p).cross(r - p);
      const double nn = n.squaredNorm();
      if (!(nn > 0)) continue;
      const double wq = -n.dot(p.cross(r - p)) / nn, wr = -n.dot((q - p).cross(p)) / nn, wp = 1 - wq - wr;
      if (const double least = std::min({wp, wq, wr}); least > most) {
        most = least;
        const double cq = std::clamp(wq, 0.0, 1.0), cr = std::clamp(wr, 0.0, 1 - cq);
        best_.on_a = (1 - cq - cr) * work_.a[index(f.v[0])] + cq * work_.a[index(f.v[1])] + cr * work_.a[index(f.v[2])];
      }
    }
  }

  int add_facet(int i, int j, int k) {
    PolytopeWork::Facet f{{i, j, k}, {-1, -1, -1}, Vector3d::Zero(), 0, true, 0};
    double key = infinity;
    const Vector3d &p = work_.w[index(i)], &q = work_.w[index(j)], &r = work_.w[index(k)];
    const Vector3d n = (q - p).cross(r - p);
    const double nn = n.squaredNorm();
    if (nn > 1e-26 * (q - p).squaredNorm() * (r - p).squaredNorm() && nn > 0) {
      f.n = n / std::sqrt(nn);
      f.d = f.n.dot(p);
      key = f.d;
    }
    if (work_.free.empty()) {
      work_.facets.push_back(f);
      work_.key.push_back(key);
      return static_cast<int>(work_.facets.size()) - 1;
    }
    const int place = work_.free.back();
    work_.free.pop_back();
    work_.facets[index(place)] = f;
    work_.key[index(place)] = key;
    return place;
  }

  bool close_tetrahedron() {
    const Vector3d e1 = work_.w[1] - work_.w[0], e2 = work_.w[2] - work_.w[0], e3 = work_.w[3] - work_.w[0];
    if (e1.cross(e2).dot(e3) > 0) std::swap(work_.w[1], work_.w[2]), std::swap(work_.a[1], work_.a[2]);
    static constexpr int face[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    static constexpr int across[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {1, 2, 0}};
    for (int f = 0; f < 4; ++f) {
      PolytopeWork::Facet& made = work_.facets[index(add_facet(face[f][0], face[f][1], face[f][2]))];
      for (int k = 0; k < 3; ++k) made.across[k] = across[f][k];
    }
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
    for (std::size_t i = 0; i < work_.key.size(); ++i)
      if (work_.key[i] < least) least = work_.key[i], best = static_cast<int>(i);
    return best;
  }

  /// Takes away what sees the new point and closes the hole. False: the hole has no simple rim, nothing was changed.
  bool expand(int near, int point) {
    const Vector3d w = work_.w[index(point)];
    ++search_;
    work_.rim.clear();
    work_.visible.assign(1, near);
    work_.facets[index(near)].seen = search_;
    for (std::size_t i = 0; i < work_.visible.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const PolytopeWork::Facet& f = work_.facets[index(work_.visible[i])];
        const int other = f.across[k];
        PolytopeWork::Facet& o = work_.facets[index(other)];
        if (o.seen == search_) continue;
        const bool thin = o.n.squaredNorm() == 0;  // has no side of its own
        if (thin || o.n.dot(w - work_.w[index(o.v[0])]) > noise_) {
          o.seen = search_;
          work_.visible.push_back(other);
        }
      }
    for (const int i : work_.visible)
      for (int k = 0; k < 3; ++k) {
        const PolytopeWork::Facet& f = work_.facets[index(i)];
        const PolytopeWork::Facet& o = work_.facets[index(f.across[k])];
        if (o.seen == search_) continue;
        int edge = 0;
        while (edge < 3 && !(o.v[edge] == f.v[(k + 1) % 3] && o.v[(edge + 1) % 3] == f.v[k])) ++edge;
        if (edge == 3) return false;
        work_.rim.push_back({f.v[k], f.v[(k + 1) % 3], f.across[k], edge});
      }
    if (!order_rim()) return false;
    for (const int i : work_.visible) {
      work_.facets[index(i)].alive = false;
      work_.key[index(i)] = infinity;
      work_.free.push_back(i);
    }
    int first = -1, last = -1;
    for (const PolytopeWork::RimEdge& e : work_.rim) {
      const int made = add_facet(e.from, e.to, point);
      work_.facets[index(made)].across[0] = e.outer;
      work_.facets[index(e.outer)].across[e.outer_edge] = made;
      if (last >= 0) link(last, made);
      if (first < 0) first = made;
      last = made;
    }
    link(last, first);
    return true;
  }

  /// `after` begins where the outer edge of `before` ends.
  void link(int before, int after) {
    work_.facets[index(before)].across[1] = after;
    work_.facets[index(after)].across[2] = before;
  }

  bool order_rim() {
    const std::size_t count = work_.rim.size();
    if (count < 3) return false;
    work_.next.assign(most_points + 8, -1);
    for (std::size_t i = 0; i < count; ++i) {
      int& at = work_.next[index(work_.rim[i].from)];
      if (at >= 0) return false;
      at = static_cast<int>(i);
    }
    for (std::size_t i = 1; i < count; ++i) {
      const int at = work_.next[index(work_.rim[i - 1].to)];
      if (at < static_cast<int>(i)) return false;
      work_.next[index(work_.rim[i].from)] = at;
      work_.next[index(work_.rim[index(at)].from)] = static_cast<int>(i);
      std::swap(work_.rim[i], work_.rim[index(at)]);
    }
    return work_.rim[count - 1].to == work_.rim[0].from;
  }

  const ConvexPair& pair_;
  PolytopeWork& work_;
  double noise_;
  int search_ = 0;
  CoreGap best_{-infinity, Vector3d::UnitZ(), Vector3d::Zero()};
};

}  // namespace

PolytopeWork::PolytopeWork() {
  w.reserve(most_points + 8);
  a.reserve(most_points + 8);
  facets.reserve(4 * most_points);
  key.reserve(4 * most_points);
  rim.reserve(4 * most_points);
  free.reserve(4 * most_points);
  visible.reserve(4 * most_points);
  next.reserve(most_points + 8);
}

CoreGap penetration(const ConvexPair& pair, const Simplex& start, double tolerance, PolytopeWork& work, bool& converged) {
  return Polytope(pair, work).run(start, tolerance, converged);
}

}  // namespace condyle
