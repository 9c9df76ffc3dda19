#pragma once
// Projections in the norm of a diagonal metric, with their derivatives and the mode they are in: what the convex Newton
// core needs of one block (ALGORITHMS 4; SAP 27 and appendices C, D; CANAL 24).
#include "cones/sets.hpp"

namespace condyle {

/// Where a point lies: rows that do not move, rows that follow, and a contact that slides.
enum class ProjectionMode : signed char { open, inside, slip };

/// γ = argmin over the cone of ‖γ - y‖ in the metric diag(D_t, D_t, D_n): D^-½ P_μ̃(D^½ y) with μ̃ = μ √(D_t / D_n). `dP`, if
/// given, is ∂γ/∂y (rows × rows, column by column; D^½ dP D^-½ is symmetric). Borders: of K the sticking form, of the
/// polar cone the sliding one (SAP D).
inline ProjectionMode project_cone_in_metric(const double* y, int rows, double mu, double D_t, double D_n, double* gamma,
                                             double* dP = nullptr) {
  const int n = rows - 1;
  const double s = tangent_norm(y, rows), normal = y[n];
  if (dP) std::fill(dP, dP + rows * rows, 0.0);
  if (s <= mu * normal) {
    std::copy(y, y + rows, gamma);
    for (int k = 0; dP && k < rows; ++k) dP[k * rows + k] = 1;
    return ProjectionMode::inside;
  }
  const double ratio = D_t / D_n, hat = mu * ratio, share = 1 / (1 + mu * hat);  // μ̂ and 1 / (1 + μ̃²)
  if (normal < -hat * s || (s == 0 && normal <= 0) || (mu == 0 && normal <= 0)) {
    std::fill(gamma, gamma + rows, 0.0);
    return ProjectionMode::open;
  }
  const double projected = share * (normal + hat * s), scale = s > 0 ? mu * projected / s : 0;
  for (int k = 0; k < n; ++k) gamma[k] = scale * y[k];
  gamma[n] = projected;
  if (!dP) return ProjectionMode::slip;
  dP[n * rows + n] = share;
  for (int k = 0; k < n; ++k) {
    const double direction = s > 0 ? y[k] / s : 0;
    dP[n * rows + k] = mu * share * direction;
    dP[k * rows + n] = hat * share * direction;
    for (int l = 0; l < n; ++l) {
      const double along = s > 0 ? direction * (y[l] / s) : 0;
      dP[l * rows + k] = mu * hat * share * along + scale * ((k == l ? 1.0 : 0.0) - along);
    }
  }
  return ProjectionMode::slip;
}

/// One row of the other sets; `derivative` is 0 or 1.
inline ProjectionMode project_interval(double y, double lower, double upper, double& gamma, double& derivative) {
  const bool free = y > lower && y < upper;
  gamma = free ? y : std::min(std::max(y, lower), upper);
  derivative = free ? 1 : 0;
  return free ? ProjectionMode::inside : ProjectionMode::open;
}

}  // namespace condyle
