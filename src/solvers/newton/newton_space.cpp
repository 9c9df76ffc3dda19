#include "solvers/newton/newton_space.hpp"

namespace condyle {

void NewtonSpace::start(ScaledIsland& island) {
  island_ = &island;
  primal_ = island.form() == Form::primal_dense || island.form() == Form::primal_sparse;
  size_ = static_cast<std::size_t>(primal_ ? island.velocities() : island.rows());
  if (!island.symmetric()) transposed_.resize(size_);
}

void NewtonSpace::to_rows(const std::vector<double>& u, std::vector<double>& w) {
  if (primal_) return island_->to_rows(u.data(), w.data());
  island_->multiply(u.data(), w.data());
  if (!island_->symmetric()) {
    island_->multiply_transposed(u.data(), transposed_.data());
    for (std::size_t k = 0; k < size_; ++k) w[k] = 0.5 * (w[k] + transposed_[k]);
  }
  for (std::size_t k = 0; k < size_; ++k) w[k] -= island_->R[k] * u[k];
}

void NewtonSpace::from_rows(const std::vector<double>& gamma, std::vector<double>& u) const {
  if (primal_)
    island_->to_velocities(gamma.data(), u.data());
  else
    std::copy(gamma.begin(), gamma.end(), u.begin());
}

double NewtonSpace::inner(const std::vector<double>& a, const std::vector<double>& b,
                          const std::vector<double>& rows_b) const {
  return primal_ ? view(a).dot(view(b)) : view(a).dot(view(rows_b));
}

}  // namespace condyle
