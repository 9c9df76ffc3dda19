// All pairs of kinds at random and at exactly degenerate poses. CONDYLE_CAMPAIGN sets the number of random pairs.
#include "collision/convex_oracle.hpp"
#include "collision/narrow_phase.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace condyle {
namespace {

using test::Random;
using test::Solid;

constexpr ShapeKind kinds[] = {ShapeKind::sphere,   ShapeKind::box,       ShapeKind::capsule,
                               ShapeKind::cylinder, ShapeKind::cone,      ShapeKind::ellipsoid,
                               ShapeKind::mesh,     ShapeKind::halfspace, ShapeKind::plane};
constexpr int bounded = 7;

Piece make(ShapeKind kind, const Eigen::Vector3d& size) {
  Shape shape;
  shape.kind = kind;
  shape.size = size;
  return make_piece(shape);
}

Piece hull_piece(const std::vector<Eigen::Vector3d>& points) {
  Piece piece;
  piece.kind = ShapeKind::mesh;
  piece.hull = make_hull(points);
  piece.radius = piece.hull->radius;
  return piece;
}

/// Many pieces of a kind, made once: hulls of few and of many corners, triangles, segments, points.
std::vector<Piece> stock(ShapeKind kind, Random& random) {
  std::vector<Piece> out;
  for (int i = 0; i < 24; ++i) {
    const bool extreme = i % 4 == 3;
    const auto length = [&] { return extreme ? std::pow(10, random.uniform(-4, 4)) : random.uniform(0.2, 1); };
    if (kind != ShapeKind::mesh) {
      out.push_back(make(kind, {length(), length(), length()}));
      continue;
    }
    const int corners[] = {1, 2, 3, 3, 4, 6, 12, 50};
    const double scale = length();
    std::vector<Eigen::Vector3d> points;
    for (int k = 0; k < corners[i % 8]; ++k) points.push_back(scale * random.vector3());
    out.push_back(hull_piece(points));
  }
  return out;
}

/// What is demanded of one answer; empty: nothing wrong.
struct Judge {
  double worst_bound = 0, worst_witness = 0;
  int searched = 0;

  std::string judge(NarrowPhase& phase, const Piece& a, const Pose& pa, const Piece& b, const Pose& pb, double margin) {
    const Separation ab = phase.separation(a, pa, b, pb), ba = phase.separation(b, pb, a, pa);
    if (!std::isfinite(ab.distance) || !ab.normal.allFinite() || !ab.on_a.allFinite() || !ab.on_b.allFinite())
      return "not finite";
    if (std::abs(ab.normal.norm() - 1) > 1e-12) return fmt::format("|n| - 1 = {:.2e}", ab.normal.norm() - 1);
    const bool unbounded = std::isinf(a.radius) || std::isinf(b.radius);
    const double size = unbounded ? std::min(a.radius, b.radius) : a.radius + b.radius;
    const double place = pa.p.norm() + pb.p.norm();
    if (!unbounded && ab.distance < -size * (1 + 1e-12)) return fmt::format("depth {} of size {}", -ab.distance, size);
    const bool twins = a.kind == b.kind && a.size == b.size && (!a.hull || a.hull->vertices == b.hull->vertices) &&
                       pa.p == pb.p && pa.R == pb.R;
    if (ab.distance != ba.distance || (!twins && (ab.normal != -ba.normal || ab.on_a != ba.on_b)))
      return fmt::format("not symmetric: {} {}", ab.distance, ba.distance);
    const Solid sa(a, pa), sb(b, pb);
    if (!unbounded) {
      const double bound = test::gap_along(sa, sb, {ab.normal[0], ab.normal[1], ab.normal[2]});
      worst_bound = std::max(worst_bound, std::abs(bound - ab.distance) / size);
      if (std::abs(bound - ab.distance) > 1e-9 * size + 1e-14 * place)
        return fmt::format("the normal gives {}, said {}", bound, ab.distance);
    }
    const double off = std::max(sa.outside(ab.on_a), sb.outside(ab.on_b));
    worst_witness = std::max(worst_witness, off / size);
    if (off > 1e-7 * size + 1e-14 * place) {
      // Where many ways out are equally short to round-off, nearest points do not settle it: then search.
      if (ab.distance > 0 || unbounded)
        return fmt::format("nearest points {:.2e} of the size outside, distance {}", off / size, ab.distance);
      ++searched;
      Random random(5);
      const double best = test::search_gap(sa, sb, 2000, 20, 400, random);
      if (best > ab.distance + 1e-8 * size)
        return fmt::format("distance {}, but a search finds {}; nearest points {:.2e} of the size outside", ab.distance,
                           best, off / size);
    }
    return manifolds(phase, a, pa, b, pb, margin, ab, size, twins);
  }

  static std::string manifolds(NarrowPhase& phase, const Piece& a, const Pose& pa, const Piece& b, const Pose& pb,
                               double margin, const Separation& ab, double size, bool twins) {
    static Manifold m, w;
    phase.collide(a, pa, b, pb, margin, m);
    phase.collide(b, pb, a, pa, margin, w);
    if (m.size != w.size) return "another count when swapped";
    const double slack = 1e-8 * size;
    if (m.size == 0) return ab.distance > margin - slack ? "" : fmt::format("no points at distance {}", ab.distance);
    if (ab.distance > margin + slack) return fmt::format("points at distance {}", ab.distance);
    double least = 1e300;
    for (int i = 0; i < m.size; ++i) {
      const ContactPoint &p = m.points[static_cast<std::size_t>(i)], &q = w.points[static_cast<std::size_t>(i)];
      if (!p.point.allFinite() || !std::isfinite(p.gap)) return "point not finite";
      if (std::abs(p.normal.norm() - 1) > 1e-12) return "contact normal not of unit length";
      if (p.gap > margin) return "gap beyond the margin";
      least = std::min(least, p.gap);
      if (!twins && (p.point != q.point || p.normal != -q.normal || p.gap != q.gap ||
                     p.feature != (q.feature << 32 | q.feature >> 32)))
        return "points not mirrored when swapped";
      for (int k = 0; k < i; ++k)
        if (m.points[static_cast<std::size_t>(k)].feature == p.feature) return "one feature twice";
    }
    if (std::abs(least - ab.distance) > 1e-7 * size) return fmt::format("deepest gap {} at distance {}", least, ab.distance);
    return {};
  }
};

struct Failures {
  std::map<std::string, std::pair<int, std::string>> list;
  int count = 0;
  void add(const Piece& a, const Piece& b, const std::string& what) {
    if (what.empty()) return;
    ++count;
    auto& [n, text] = list[fmt::format("{}-{}", to_string(a.kind), to_string(b.kind))];
    if (n++ < 3) text += "\n    " + what;
  }
  std::string text() const {
    std::string out;
    for (const auto& [name, entry] : list) out += fmt::format("\n  {}: {}{}", name, entry.first, entry.second);
    return out;
  }
};

TEST(NarrowPhaseCampaign, RandomPairsHaveFiniteSymmetricCertifiedAnswers) {
  const char* wish = std::getenv("CONDYLE_CAMPAIGN");
  const int count = wish ? std::atoi(wish) : 60000;
  Random random(11);
  std::vector<std::vector<Piece>> pieces;
  for (const ShapeKind kind : kinds) pieces.push_back(stock(kind, random));
  NarrowPhase phase;
  Judge judge;
  Failures failures;
  for (int i = 0; i < count; ++i) {
    const auto pick = [&](int n) { return static_cast<std::size_t>(random.uniform(0, n) * 0.999999); };
    const std::vector<Piece>& of_a = pieces[pick(bounded)];
    const std::vector<Piece>& of_b = pieces[pick(9)];
    const Piece &a = of_a[pick(24)], &b = of_b[pick(24)];
    const double size = std::isinf(b.radius) ? a.radius : a.radius + b.radius;
    Pose pa = random.pose(), pb = random.pose();
    pa.p = pb.p + random.uniform(0, 1.2) * size * random.vector3().normalized();
    failures.add(a, b, judge.judge(phase, a, pa, b, pb, 1e-3 * size));
  }
  fmt::print("{} pairs, {} wrong; normal's bound off by {:.1e}, nearest points outside by {:.1e} of the size; {} searched\n",
             count, failures.count, judge.worst_bound, judge.worst_witness, judge.searched);
  EXPECT_LE(judge.searched, count / 1000);
  EXPECT_EQ(failures.count, 0) << failures.text();
}

TEST(NarrowPhaseCampaign, ExactlyDegeneratePosesHaveFiniteSymmetricCertifiedAnswers) {
  Random random(12);
  NarrowPhase phase;
  Judge judge;
  Failures failures;
  int count = 0;
  const double scales[] = {1, 1e4, 1e-4};
  std::vector<Eigen::Vector3d> cube, octahedron;
  for (int i = 0; i < 8; ++i) cube.push_back({i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5});
  for (int i = 0; i < 6; ++i) octahedron.push_back((i % 2 ? 0.5 : -0.5) * Eigen::Vector3d::Unit(i / 2));
  for (const double sa : scales)
    for (const double sb : scales) {
      std::vector<Piece> of_a, of_b;
      for (auto* list : {&of_a, &of_b}) {
        const double s = list == &of_a ? sa : sb;
        for (int k = 0; k < 6; ++k) list->push_back(make(kinds[k], s * Eigen::Vector3d(0.5, 1, 0.5)));
        list->push_back(make(ShapeKind::box, s * Eigen::Vector3d(1, 1, 1)));
        list->push_back(make(ShapeKind::box, s * Eigen::Vector3d(1, 1, 1e-4)));
        list->push_back(make(ShapeKind::cylinder, s * Eigen::Vector3d(1e-3, 1, 0)));
        std::vector<Eigen::Vector3d> scaled;
        for (const auto& x : cube) scaled.push_back(s * x);
        list->push_back(hull_piece(scaled));
        scaled.clear();
        for (const auto& x : octahedron) scaled.push_back(s * x);
        list->push_back(hull_piece(scaled));
        list->push_back(hull_piece({s * cube[0], s * cube[1], s * cube[2]}));
      }
      of_b.push_back(make(ShapeKind::halfspace, {1, 1, 1}));
      of_b.push_back(make(ShapeKind::plane, {1, 1, 1}));
      for (const Piece& a : of_a)
        for (const Piece& b : of_b)
          for (int turn = 0; turn < 6; ++turn)
            for (const double offset : {0.0, 0.5, 1.0}) {
              Pose pa, pb;
              const double noise = turn % 2 ? 1e-12 : 0;
              if (turn >= 4) pb.R = Pose::from_xyz_rpy({}, {0, 0, std::numbers::pi / 4}).R;
              if (turn == 2 || turn == 3) pb.R = Pose::from_xyz_rpy({}, {std::numbers::pi / 2, 0, 0}).R;
              if (noise > 0) pb.R = pb.R * Pose::from_xyz_rpy({}, noise * random.vector3()).R;
              const double half_a = 0.5 * sa, half_b = std::isinf(b.radius) ? 0 : 0.5 * sb;
              pb.p = offset * (half_a + half_b) * Eigen::Vector3d::UnitZ();  // contained, half in, touching
              const double size = std::isinf(b.radius) ? a.radius : a.radius + b.radius;
              std::string wrong = judge.judge(phase, a, pa, b, pb, 1e-3 * size);
              if (!wrong.empty())
                wrong += fmt::format(" (sizes {} {}, turn {}, offset {}, pieces {} {})", sa, sb, turn, offset,
                                     &a - of_a.data(), &b - of_b.data());
              failures.add(a, b, wrong);
              ++count;
            }
    }
  fmt::print(
      "{} degenerate pairs, {} wrong; normal's bound off by {:.1e}, nearest points outside by {:.1e} of the size; {} "
      "searched\n",
      count, failures.count, judge.worst_bound, judge.worst_witness, judge.searched);
  EXPECT_LE(judge.searched, count / 1000);
  EXPECT_GE(count, 10000);
  EXPECT_EQ(failures.count, 0) << failures.text();
}

}  // namespace
}  // namespace condyle
