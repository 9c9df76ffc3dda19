#pragma once
// The strict operator T (CANAL 18): x_n onto R+, then x_t onto the disc of radius μ max(0, x_n). Its fixed points are the
// exact friction law without any De Saxcé term, and it is the Newton function of SOLVER_RECIPES section 4.
#include "cones/sets.hpp"

#include <Eigen/Core>

namespace condyle {

/// out = T(x), Q = dT/dx (rows × rows). Blocks other than cones: their projection.
inline void strict_projection(const ConstraintBlock& block, const double* x, double* out,
                              Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>> Q,
                              double normal = 0) {
  const int rows = block.rows, n = rows - 1;
  Q.setZero();
  if (block.set != SetKind::cone) {
    project(block, x, out, normal);
    for (int k = 0; k < rows; ++k) Q(k, k) = block.set == SetKind::bilateral || out[k] == x[k] ? 1 : 0;
    return;
  }
  const double radius = block.friction * std::max(0.0, x[n]), s = tangent_norm(x, rows);
  if (x[n] <= 0) {
    std::fill(out, out + rows, 0.0);
    return;
  }
  out[n] = x[n];
  Q(n, n) = 1;
  if (s <= radius) {
    for (int k = 0; k < n; ++k) out[k] = x[k], Q(k, k) = 1;
    return;
  }
  const double ratio = radius / s;
  for (int k = 0; k < n; ++k) {
    out[k] = ratio * x[k];
    Q(k, n) = block.friction * x[k] / s;
    for (int l = 0; l < n; ++l) Q(k, l) = ratio * ((k == l ? 1.0 : 0.0) - x[k] * x[l] / (s * s));
  }
}

}  // namespace condyle
