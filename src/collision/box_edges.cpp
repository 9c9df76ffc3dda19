#include "collision/box_edges.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double parallel = 1e-10;  ///< squared sine of two edges that have no direction square to both
constexpr int next[3] = {1, 2, 0}, after[3] = {2, 0, 1};

/// Largest gap along a face normal of either box.
double gap_of_faces(const ConvexPair& pair, const Matrix3d& size_of_R, const Vector3d& t_in_b) {
  const Vector3d of_a = pair.t.cwiseAbs() - pair.a.h - size_of_R * pair.b.h;
  const Vector3d of_b = t_in_b.cwiseAbs() - pair.b.h - size_of_R.transpose() * pair.a.h;
  return std::max(of_a.maxCoeff(), of_b.maxCoeff());
}

}  // namespace

FaceAnswer box_edges(const ConvexPair& pair, double enough, double bias, CoreGap& out) {
  const Matrix3d& R = pair.R;
  const Matrix3d size_of_R = R.cwiseAbs();
  const Vector3d &ha = pair.a.h, &hb = pair.b.h, t_in_b = R.transpose() * pair.t;
  const double faces = gap_of_faces(pair, size_of_R, t_in_b);
  if (faces > enough) return FaceAnswer::apart;
  double most = faces + bias;
  int edge_a = -1, edge_b = -1;
  for (int i = 0; i < 3; ++i) {
    const int i1 = next[i], i2 = after[i];
    for (int j = 0; j < 3; ++j) {
      const double squared = 1 - R(i, j) * R(i, j);
      if (!(squared > parallel)) continue;
      const int j1 = next[j], j2 = after[j];
      // e_i × R_j has the components 0, -R(i2, j), R(i1, j); its products with B's other axes are entries of R's row i
      const double across = pair.t[i2] * R(i1, j) - pair.t[i1] * R(i2, j);
      const double reach =
          ha[i1] * size_of_R(i2, j) + ha[i2] * size_of_R(i1, j) + hb[j1] * size_of_R(i, j2) + hb[j2] * size_of_R(i, j1);
      const double gap = (std::abs(across) - reach) / std::sqrt(squared);
      if (gap <= most) continue;
      if (gap > enough) return FaceAnswer::apart;
      most = gap;
      edge_a = i;
      edge_b = j;
    }
  }
  if (edge_a < 0) return FaceAnswer::unknown;

  Vector3d n = Vector3d::Unit(edge_a).cross(R.col(edge_b)).normalized();
  if (n.dot(pair.t) < 0) n = -n;
  const Vector3d n_in_b = R.transpose() * n;
  Vector3d on_a, on_b;  // the middles of the edges
  for (int k = 0; k < 3; ++k) {
    on_a[k] = k == edge_a ? 0 : n[k] < 0 ? -ha[k] : ha[k];
    on_b[k] = k == edge_b ? 0 : n_in_b[k] < 0 ? hb[k] : -hb[k];
  }
  const Vector3d between = R * on_b + pair.t - on_a, along = R.col(edge_b);
  const double cosine = R(edge_a, edge_b), squared = 1 - cosine * cosine;
  const double u = (between[edge_a] - cosine * along.dot(between)) / squared;
  const double w = (cosine * between[edge_a] - along.dot(between)) / squared;
  if (std::abs(u) > ha[edge_a] || std::abs(w) > hb[edge_b]) return FaceAnswer::unknown;
  on_a[edge_a] = u;
  out = {n.dot(between), n, on_a};
  return FaceAnswer::found;
}

}  // namespace condyle
