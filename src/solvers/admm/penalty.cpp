#include "solvers/admm/penalty.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
constexpr int lanczos_steps = 12;                         // L within a few per cent; it enters ρ as L^(½+p)
constexpr double smallest_rho = 1e-8, largest_rho = 1e8;  // scaled: beyond this G̃ or ρ is round-off in their sum
}  // namespace

void Penalty::start(ScaledIsland& island, const AdmmOptions& options) {
  options_ = options;
  rho_ = options.rho;
  p_ = options.exponent;
  since_change_ = 0;
  if (options.rule != PenaltyRule::spectral) return;
  estimate_spectrum(island);
  rho_ = std::clamp(std::sqrt(m_ * L_) * std::pow(L_ / m_, p_), smallest_rho, largest_rho);
}

/// m and L are those of Gs + R + η (ADMM III-F writes ρ into them, too). G has no full rank as a rule, so η and the least
/// compliance are all that is sure of m. The vector begins anew for each island: a result depends on no earlier solve.
void Penalty::estimate_spectrum(ScaledIsland& island) {
  const std::size_t rows = static_cast<std::size_t>(island.rows());
  vector_.assign(rows, 0.0);
  transposed_.resize(rows);
  const auto product = [&](const double* x, double* y) {
    island.multiply(x, y);
    if (island.symmetric()) return;
    island.multiply_transposed(x, transposed_.data());
    for (std::size_t k = 0; k < rows; ++k) y[k] = 0.5 * (y[k] + transposed_[k]);
  };
  m_ = options_.eta + *std::min_element(island.R.begin(), island.R.end());
  if (!(m_ > 0)) m_ = 1e-12;  // η = 0 and rigid: the condition number stays a number
  L_ = std::max(m_, options_.eta + lanczos_.largest(product, vector_, lanczos_steps).value);
}

double Penalty::wanted(bool up) {
  if (options_.rule == PenaltyRule::linear) return up ? rho_ * options_.tau : rho_ / options_.tau;
  p_ += up ? options_.exponent_step : -options_.exponent_step;
  return std::sqrt(m_ * L_) * std::pow(L_ / m_, p_);
}

bool Penalty::moves(double primal, double dual) {
  ++since_change_;
  if (options_.rule == PenaltyRule::fixed || since_change_ < options_.hold) return false;
  const bool up = primal > 0 && primal >= options_.alpha * dual, down = dual > 0 && dual >= options_.alpha * primal;
  if (up == down) return false;
  const double p = p_, next = wanted(up);
  if (!(next >= smallest_rho && next <= largest_rho) || next == rho_) {
    p_ = p;
    return false;
  }
  rho_ = next;
  since_change_ = 0;
  return true;
}

}  // namespace condyle
