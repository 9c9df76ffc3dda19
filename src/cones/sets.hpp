#pragma once
// Projections on the sets of ALGORITHMS section 1, and the De Saxcé correction: pure functions of one block's vector. A
// contact's rows are (tangents, normal), two tangents or, in the plane, one.
#include <condyle/contact_problem.hpp>

#include <algorithm>
#include <cmath>

namespace condyle {

/// Solvers spend their time here: hypot only where squares leave the range of numbers.
inline double tangent_norm(const double* x, int rows) {
  if (rows != 3) return rows == 2 ? std::abs(x[0]) : 0.0;
  const double squared = x[0] * x[0] + x[1] * x[1];
  return squared > 1e-280 && squared < 1e280 ? std::sqrt(squared) : std::hypot(x[0], x[1]);
}

/// Euclidean projection on {‖x_t‖ ≤ μ x_n} (CRBD 150); exact for μ = 0 (a ray) and x_t = 0. May be in place.
inline void project_cone(const double* x, int rows, double mu, double* out) {
  const int n = rows - 1;
  const double s = tangent_norm(x, rows), normal = x[n];
  if (s <= mu * normal) {
    for (int k = 0; k < rows; ++k) out[k] = x[k];
  } else if (mu * s <= -normal) {
    for (int k = 0; k < rows; ++k) out[k] = 0;
  } else {
    const double projected = (mu * s + normal) / (1 + mu * mu);
    const double scale = s > 0 ? mu * projected / s : 0;
    for (int k = 0; k < n; ++k) out[k] = scale * x[k];
    out[n] = projected;
  }
}

/// Onto the dual cone {x_n ≥ μ ‖x_t‖} (CRBD 151).
inline void project_dual_cone(const double* x, int rows, double mu, double* out) {
  double minus[3] = {0, 0, 0}, p[3];
  for (int k = 0; k < rows; ++k) minus[k] = -x[k];
  project_cone(minus, rows, mu, p);
  for (int k = 0; k < rows; ++k) out[k] = x[k] + p[k];
}

/// P_K of one block. `normal` is λ at the block's normal_row, for friction boxes.
inline void project(const ConstraintBlock& block, const double* x, double* out, double normal = 0) {
  switch (block.set) {
    case SetKind::bilateral: std::copy(x, x + block.rows, out); break;
    case SetKind::nonnegative:
      for (int k = 0; k < block.rows; ++k) out[k] = std::max(0.0, x[k]);
      break;
    case SetKind::box:
      for (int k = 0; k < block.rows; ++k) out[k] = std::min(std::max(x[k], block.lower), block.upper);
      break;
    case SetKind::friction_box: {
      const double reach = std::max(0.0, normal);
      for (int k = 0; k < block.rows; ++k) out[k] = std::min(std::max(x[k], block.lower * reach), block.upper * reach);
      break;
    }
    case SetKind::cone: project_cone(x, block.rows, block.friction, out); break;
  }
}

/// Γ(σ): what De Saxcé's correction adds to the normal row; zero for all other blocks.
inline double de_saxce(const ConstraintBlock& block, const double* sigma) {
  return block.set == SetKind::cone ? block.friction * tangent_norm(sigma, block.rows) : 0.0;
}

}  // namespace condyle
