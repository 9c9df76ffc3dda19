#include "solvers/proximal/newton_function.hpp"

#include "cones/alart_curnier.hpp"

#include <cmath>
#include <limits>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
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
      strict_cone(x, block.rows, block.friction, T, derivative ? Q.data() + 3 * at(row) : scratch);
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
        const bool below = xk<low * reach, above = xk> high * reach;
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
