#include "solvers/admm/admm.hpp"

#include "cones/sets.hpp"

#include <algorithm>

namespace condyle {

int Admm::run(ScaledIsland& island, const AdmmOptions& options, double target, const double* start, BestIterate& best) {
  const std::size_t m = static_cast<std::size_t>(island.rows());
  const double rho = options.rho, eta = options.eta;
  shift_.assign(m, rho + eta);
  if (!system_.factor(island, shift_)) return -1;
  anderson_.start(island.rows(), options.memory);
  for (std::vector<double>* v : {&f_, &y_, &z_, &x_, &Tx_, &right_, &transposed_}) v->assign(m, 0.0);
  const auto add_de_saxce = [&](const std::vector<double>& z, std::vector<double>& to) {
    if (island.convex()) return;
    for (const ConstraintBlock& block : island.blocks)
      if (block.set == SetKind::cone)
        to[static_cast<std::size_t>(block.row + block.rows) - 1] += de_saxce(block, z.data() + block.row);
  };
  if (start) {  // y and z of a solution: x = y - z/ρ
    std::copy(start, start + m, f_.begin());
    island.sigma(start, z_.data());
    std::copy(z_.begin(), z_.end(), right_.begin());
    add_de_saxce(z_, right_);
    for (std::size_t k = 0; k < m; ++k) x_[k] = start[k] - right_[k] / rho;
  }
  const auto split = [&] {
    island.project(x_.data(), y_.data());
    for (std::size_t k = 0; k < m; ++k) z_[k] = rho * (y_[k] - x_[k]);
  };
  split();
  int iteration = 0;
  while (iteration < options.max_iterations) {
    ++iteration;
    for (std::size_t k = 0; k < m; ++k) right_[k] = -(island.g[k] - eta * f_[k] - rho * y_[k] - z_[k]);
    if (!island.convex())
      for (const ConstraintBlock& block : island.blocks)
        if (block.set == SetKind::cone)
          right_[static_cast<std::size_t>(block.row + block.rows) - 1] -= de_saxce(block, z_.data() + block.row);
    if (!island.symmetric()) {  // the factor is of the symmetric part; the rest acts on the last f
      island.multiply(f_.data(), Tx_.data());
      island.multiply_transposed(f_.data(), transposed_.data());
      for (std::size_t k = 0; k < m; ++k) right_[k] -= 0.5 * (Tx_[k] - transposed_[k]);
    }
    system_.solve(island, right_.data(), f_.data());
    if (options.omega != 1)
      for (std::size_t k = 0; k < m; ++k) f_[k] = options.omega * f_[k] + (1 - options.omega) * y_[k];
    for (std::size_t k = 0; k < m; ++k) Tx_[k] = f_[k] - z_[k] / rho;
    anderson_.advance(x_, Tx_);
    split();
    const bool late = best.out_of_time();
    if (iteration % options.check == 0 || iteration == options.max_iterations || late)
      if ((best.offer(island, y_.data()) <= target && target > 0) || late) break;
  }
  return iteration;
}

}  // namespace condyle
