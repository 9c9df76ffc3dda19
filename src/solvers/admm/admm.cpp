#include "solvers/admm/admm.hpp"

#include "cones/sets.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
/// Adds factor Γ(z) to the normal rows; the convex model has none.
void add_de_saxce(const ScaledIsland& island, double factor, const std::vector<double>& z, std::vector<double>& to) {
  if (island.convex()) return;
  for (const ConstraintBlock& block : island.blocks)
    if (block.set == SetKind::cone)
      to[static_cast<std::size_t>(block.row + block.rows) - 1] += factor * de_saxce(block, z.data() + block.row);
}
}  // namespace

Admm::Count Admm::run(ScaledIsland& island, const AdmmOptions& options, double target, const double* start,
                      BestIterate& best) {
  Count count;
  penalty_.start(island, options);
  begin(island, options, start);
  if (!factor(island, options, count)) return count;
  const bool as_the_paper = options.eps_abs > 0, needs_norms = options.rule != PenaltyRule::fixed;
  while (count.iterations < options.max_iterations) {
    ++count.iterations;
    last_f_.swap(f_);
    std::copy(y_.begin(), y_.end(), last_y_.begin());
    solve_for_f(island, options);
    for (std::size_t k = 0; k < Tx_.size(); ++k) Tx_[k] = f_[k] - z_[k] / penalty_.rho();
    anderson_.advance(x_, Tx_);
    split(island);

    const bool last = count.iterations == options.max_iterations || best.out_of_time();
    if (as_the_paper) {
      if (passes_the_papers_test(island, options) || last) {
        best.offer(island, y_.data());
        break;
      }
    } else if (count.iterations % options.check == 0 || last) {
      if (best.offer(island, y_.data()) <= target && target > 0) break;
    }
    if (last) break;
    if (!needs_norms) continue;
    const Norms r = norms(options);
    if (!penalty_.moves(r.primal, r.dual)) continue;
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = y_[k] - z_[k] / penalty_.rho();  // y and z stay what they are
    anderson_.clear();                                                                   // the map is another one
    if (!factor(island, options, count)) break;
  }
  return count;
}

void Admm::begin(ScaledIsland& island, const AdmmOptions& options, const double* start) {
  const std::size_t m = static_cast<std::size_t>(island.rows());
  anderson_.start(island.rows(), options.memory);
  for (std::vector<double>* v : {&f_, &y_, &z_, &x_, &Tx_, &right_, &transposed_, &last_f_, &last_y_}) v->assign(m, 0.0);
  if (start) {  // y and z of a solution: x = y - z/ρ
    std::copy(start, start + m, f_.begin());
    island.sigma(start, z_.data());
    std::copy(z_.begin(), z_.end(), right_.begin());
    add_de_saxce(island, 1, z_, right_);
    for (std::size_t k = 0; k < m; ++k) x_[k] = start[k] - right_[k] / penalty_.rho();
  }
  split(island);
}

bool Admm::factor(ScaledIsland& island, const AdmmOptions& options, Count& count) {
  ++count.factorizations;
  shift_.assign(static_cast<std::size_t>(island.rows()), penalty_.rho() + options.eta);
  return system_.factor(island, shift_);
}

/// (37) from last_f_, y_ and z_, with Γ(z) of Alg. 1 line 2, and over-relaxed.
void Admm::solve_for_f(ScaledIsland& island, const AdmmOptions& options) {
  const std::size_t m = y_.size();
  const double rho = penalty_.rho(), eta = options.eta, omega = options.omega;
  for (std::size_t k = 0; k < m; ++k) right_[k] = -(island.g[k] - eta * last_f_[k] - rho * y_[k] - z_[k]);
  add_de_saxce(island, -1, z_, right_);
  if (!island.symmetric()) {  // the factor is of the symmetric part; the rest acts on the last f
    island.multiply(last_f_.data(), Tx_.data());
    island.multiply_transposed(last_f_.data(), transposed_.data());
    for (std::size_t k = 0; k < m; ++k) right_[k] -= 0.5 * (Tx_[k] - transposed_[k]);
  }
  system_.solve(island, right_.data(), f_.data());
  if (omega != 1)
    for (std::size_t k = 0; k < m; ++k) f_[k] = omega * f_[k] + (1 - omega) * y_[k];
}

/// (39) and (36c) in one vector: y = P_K(x), z = ρ (y - x).
void Admm::split(const ScaledIsland& island) {
  island.project(x_.data(), y_.data());
  for (std::size_t k = 0; k < x_.size(); ++k) z_[k] = penalty_.rho() * (y_[k] - x_[k]);
}

Admm::Norms Admm::norms(const AdmmOptions& options) const {
  Norms r;
  for (std::size_t k = 0; k < y_.size(); ++k) {
    r.primal = std::max(r.primal, std::abs(f_[k] - y_[k]));
    r.dual = std::max(r.dual, std::abs(options.eta * (f_[k] - last_f_[k]) + penalty_.rho() * (y_[k] - last_y_[k])));
  }
  return r;
}

/// (40-43) in true units: impulses are c d times the scaled ones, velocities c / d.
bool Admm::passes_the_papers_test(const ScaledIsland& island, const AdmmOptions& options) const {
  const double eps = options.eps_abs;
  for (std::size_t k = 0; k < y_.size(); ++k) {
    const double dual = options.eta * (f_[k] - last_f_[k]) + penalty_.rho() * (y_[k] - last_y_[k]);
    if (!(std::abs(f_[k] - y_[k]) * island.c * island.d[k] <= eps && std::abs(dual) * island.c / island.d[k] <= eps))
      return false;
  }
  for (const ConstraintBlock& block : island.blocks) {
    double work = 0;
    for (int k = block.row; k < block.row + block.rows; ++k)
      work += f_[static_cast<std::size_t>(k)] * z_[static_cast<std::size_t>(k)];
    if (!(std::abs(work) * island.c * island.c <= eps)) return false;
  }
  return true;
}

}  // namespace condyle
