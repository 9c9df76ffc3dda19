#pragma once
// The strict operator T (CANAL 18): x_n onto R+, then x_t onto the disc of radius μ max(0, x_n). Its fixed points
// λ = T(λ - ρσ) are the exact friction law without any De Saxcé term: the Newton function of SOLVER_RECIPES section 4.
#include "cones/sets.hpp"

#include <algorithm>

namespace condyle {

/// out = T(x) of a contact's rows (one or two tangents, normal).
inline void strict_cone(const double* x, int rows, double mu, double* out) {
  const int n = rows - 1;
  const double normal = std::max(0.0, x[n]), radius = mu * normal;
  double s2 = 0;
  for (int k = 0; k < n; ++k) s2 += x[k] * x[k];
  const double share = s2 <= radius * radius ? 1 : radius / std::sqrt(s2);
  for (int k = 0; k < n; ++k) out[k] = share * x[k];
  out[n] = normal;
}

/// The same with its derivative: Q = dT/dx, rows × rows, column by column. On the border of
/// the disc the form of a sticking contact, at x_n = 0 that of an open one.
inline void strict_cone(const double* x, int rows, double mu, double* out, double* Q) {
  const int n = rows - 1;
  std::fill(Q, Q + rows * rows, 0.0);
  std::fill(out, out + rows, 0.0);
  if (x[n] <= 0) return;
  const double radius = mu * x[n], s = tangent_norm(x, rows);
  out[n] = x[n];
  Q[n * rows + n] = 1;
  if (s <= radius) {
    for (int k = 0; k < n; ++k) {
      out[k] = x[k];
      Q[k * rows + k] = 1;
    }
    return;
  }
  const double ratio = radius / s;
  for (int k = 0; k < n; ++k) {
    out[k] = ratio * x[k];
    Q[n * rows + k] = mu * x[k] / s;
    for (int l = 0; l < n; ++l) Q[l * rows + k] = ratio * ((k == l ? 1.0 : 0.0) - x[k] / s * (x[l] / s));
  }
}

}  // namespace condyle
