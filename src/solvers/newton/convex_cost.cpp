#include "solvers/newton/convex_cost.hpp"

#include <limits>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double unbounded = std::numeric_limits<double>::infinity();
}  // namespace

void ConvexCost::start(const ScaledIsland& island) {
  const std::size_t m = at(island.rows());
  R.resize(m);
  offset.resize(m);
  lower.resize(m);
  upper.resize(m);
  for (const ConstraintBlock& block : island.blocks)
    for (int k = block.row; k < block.row + block.rows; ++k) {
      const bool box = block.set == SetKind::box, joint = block.set == SetKind::bilateral;
      lower[at(k)] = joint ? -unbounded : box ? island.lower[at(k)] : 0;
      upper[at(k)] = block.set == SetKind::friction_box ? 0 : box ? island.upper[at(k)] : unbounded;
    }
}

void ConvexCost::open_friction_boxes(const ScaledIsland& island, const double* impulse) {
  if (!island.has_friction_boxes()) return;
  for (const ConstraintBlock& block : island.blocks) {
    if (block.set != SetKind::friction_box) continue;
    const double reach = std::max(0.0, impulse[block.normal_row]);
    for (int k = block.row; k < block.row + block.rows; ++k) {
      lower[at(k)] = island.lower[at(k)] * reach;
      upper[at(k)] = island.upper[at(k)] * reach;
    }
  }
}

/// One cone, at its own rows.
ProjectionMode ConvexCost::project(const ConstraintBlock& block, const double* w, double* y, double* gamma,
                                   double* dP) const {
  const std::size_t first = at(block.row);
  for (int k = 0; k < block.rows; ++k) y[k] = -(w[k] + offset[first + at(k)]) / R[first + at(k)];
  return project_cone_in_metric(y, block.rows, block.friction, R[first], R[first + at(block.rows) - 1], gamma, dP);
}

double ConvexCost::evaluate(const ScaledIsland& island, const double* w, double* gamma) const {
  double sum = 0, y[3], derivative = 0;
  for (const ConstraintBlock& block : island.blocks) {
    if (block.set == SetKind::cone) {
      project(block, w + block.row, y, gamma + block.row, nullptr);
      for (int k = 0; k < block.rows; ++k) {
        const double g = gamma[block.row + k];
        sum += 0.5 * R[at(block.row + k)] * g * g;
      }
      continue;
    }
    for (int k = block.row; k < block.row + block.rows; ++k) {
      const double yk = -(w[k] + offset[at(k)]) / R[at(k)];
      project_interval(yk, lower[at(k)], upper[at(k)], gamma[k], derivative);
      sum += R[at(k)] * gamma[k] * (yk - 0.5 * gamma[k]);
    }
  }
  return sum;
}

void ConvexCost::differentiate(const ScaledIsland& island, const double* w, double* gamma, double* G,
                               std::vector<ProjectionMode>& modes) const {
  double y[3], derivative = 0;
  for (const ConstraintBlock& block : island.blocks) {
    double* Gi = G + 3 * block.row;
    if (block.set == SetKind::cone) {
      const int r = block.rows;
      const ProjectionMode mode = project(block, w + block.row, y, gamma + block.row, Gi);
      for (int k = 0; k < r; ++k) {
        modes[at(block.row + k)] = mode;
        for (int l = 0; l < r; ++l) Gi[l * r + k] /= R[at(block.row + l)];
      }
      continue;
    }
    for (int k = block.row; k < block.row + block.rows; ++k, Gi += 3) {
      const double yk = -(w[k] + offset[at(k)]) / R[at(k)];
      modes[at(k)] = project_interval(yk, lower[at(k)], upper[at(k)], gamma[k], derivative);
      Gi[0] = derivative / R[at(k)];
    }
  }
}

ConvexCost::Slope ConvexCost::slope(const ScaledIsland& island, const double* w, const double* dw) const {
  Slope out;
  double y[3], gamma[3], dP[9], derivative = 0;
  for (const ConstraintBlock& block : island.blocks) {
    const double* d = dw + block.row;
    if (block.set == SetKind::cone) {
      const int r = block.rows;
      if (project(block, w + block.row, y, gamma, dP) == ProjectionMode::open) continue;
      for (int k = 0; k < r; ++k) {
        out.along += d[k] * gamma[k];
        for (int l = 0; l < r; ++l) out.curvature += d[k] * dP[l * r + k] * d[l] / R[at(block.row + l)];
      }
      continue;
    }
    for (int k = 0; k < block.rows; ++k) {
      const std::size_t row = at(block.row + k);
      const double yk = -(w[row] + offset[row]) / R[row];
      project_interval(yk, lower[row], upper[row], gamma[0], derivative);
      out.along += d[k] * gamma[0];
      out.curvature += derivative * d[k] * d[k] / R[row];
    }
  }
  return out;
}

}  // namespace condyle
