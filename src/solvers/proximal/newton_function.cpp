#include "solvers/proximal/newton_function.hpp"

#include "cones/sets.hpp"

#include <cmath>
#include <limits>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// T and dT/dx of a cone block of two or three rows; Q column by column.
void strict_cone(int rows, double mu, const double* x, double* out, double* Q) {
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
}  // namespace

void NewtonFunction::start(const ScaledIsland& island) {
  const std::size_t m = at(island.rows());
  phi.resize(m);
  Q.resize(3 * m);
  coupled.assign(m, 0.0);
}

double NewtonFunction::evaluate(const ScaledIsland& island, const double* impulse, const double* sigma, bool derivative) {
  double sum = 0, x[3], T[3], scratch[9];
  for (const ConstraintBlock& block : island.blocks) {
    const int row = block.row;
    if (block.set == SetKind::cone) {
      for (int k = 0; k < block.rows; ++k) x[k] = impulse[row + k] - rho * sigma[row + k];
      strict_cone(block.rows, block.friction, x, T, derivative ? Q.data() + 3 * at(row) : scratch);
      for (int k = 0; k < block.rows; ++k) phi[at(row + k)] = impulse[row + k] - T[k];
    } else {
      for (int k = row; k < row + block.rows; ++k) {
        const double xk = impulse[k] - rho * sigma[k];
        double low = island.lower[at(k)], high = island.upper[at(k)], reach = 1;
        if (block.set == SetKind::bilateral) {
          phi[at(k)] = rho * sigma[k];
          if (derivative) Q[3 * at(k)] = 1;
          continue;
        }
        if (block.set == SetKind::nonnegative) {
          low = 0;
          high = std::numeric_limits<double>::infinity();
        } else if (block.set == SetKind::friction_box) {
          reach = std::max(0.0, impulse[block.normal_row]);
        }
        const bool below = xk < low * reach, above = xk > high * reach;
        phi[at(k)] = impulse[k] - (below ? low * reach : above ? high * reach : xk);
        if (!derivative) continue;
        Q[3 * at(k)] = below || above ? 0 : 1;
        if (block.set == SetKind::friction_box) coupled[at(k)] = reach > 0 ? (below ? -low : above ? -high : 0.0) : 0.0;
      }
    }
    for (int k = row; k < row + block.rows; ++k) sum += phi[at(k)] * phi[at(k)];
  }
  return std::sqrt(sum);
}

}  // namespace condyle
