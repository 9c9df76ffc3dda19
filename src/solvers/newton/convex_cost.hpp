#pragma once
// The contact part of ℓ (ALGORITHMS 6) as a function of the rows' velocities w = Ĵ u, in scaled variables:
//   y = -R̄⁻¹ (w + offset),   γ = P^R̄_K(y),   ½‖y‖² - ½‖y - γ‖² in the metric R̄,   𝒢 = -∂γ/∂w.
// R̄ and offset are the caller's: SAP has R and g, CANAL R + 1/β and g + s - λ_prev/β. Valid for every set.
#include "cones/metric_projection.hpp"
#include "solvers/scaled_island.hpp"

#include <vector>

namespace condyle {

class ConvexCost {
 public:
  std::vector<double> R, offset;     ///< R̄ > 0; both tangents of a contact alike
  std::vector<double> lower, upper;  ///< of rows that are no cone's; friction boxes: of the caller's normal impulse

  /// Bounds of the island's sets; friction boxes begin closed.
  void start(const ScaledIsland& island);
  /// Bounds of friction boxes from normal impulses.
  void open_friction_boxes(const ScaledIsland& island, const double* impulse);

  /// γ and the cost.
  double evaluate(const ScaledIsland& island, const double* w, double* gamma) const;
  /// γ, 𝒢 (blocks at 3 × first row; cones rows × rows, others one number at each third place) and modes.
  void differentiate(const ScaledIsland& island, const double* w, double* gamma, double* G,
                     std::vector<ProjectionMode>& modes) const;
  struct Slope {
    double along = 0, curvature = 0;  ///< Δw·γ and Δw·𝒢 Δw at w
  };
  Slope slope(const ScaledIsland& island, const double* w, const double* dw) const;

 private:
  ProjectionMode project(const ConstraintBlock& block, const double* w, double* y, double* gamma, double* dP) const;
};

/// out = 𝒢_i x of one block, or 𝒢_iᵀ x.
inline void times_derivative(const ConstraintBlock& block, const double* G, const double* x, double* out,
                             bool transposed = false) {
  if (block.set != SetKind::cone) {
    for (int k = 0; k < block.rows; ++k) out[k] = G[3 * k] * x[k];
    return;
  }
  double sum[3];
  for (int k = 0; k < block.rows; ++k) {
    sum[k] = 0;
    for (int l = 0; l < block.rows; ++l) sum[k] += (transposed ? G[k * block.rows + l] : G[l * block.rows + k]) * x[l];
  }
  std::copy(sum, sum + block.rows, out);
}

}  // namespace condyle
