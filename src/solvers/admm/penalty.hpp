#pragma once
// The penalty ρ of ADMM and the three rules that change it (ADMM III-F), in scaled variables.
#include "linalg/extreme_eigenvalues.hpp"
#include "solvers/admm/options.hpp"
#include "solvers/scaled_island.hpp"

#include <vector>

namespace condyle {

class Penalty {
 public:
  void start(ScaledIsland& island, const AdmmOptions& options);
  double rho() const { return rho_; }
  /// After an iteration that ended with these residuals (max norms): true if ρ is another one now.
  bool moves(double primal, double dual);

  double exponent() const { return p_; }  ///< p of the spectral rule
  double largest_eigenvalue() const { return L_; }

 private:
  void estimate_spectrum(ScaledIsland& island);
  double wanted(bool up);

  AdmmOptions options_;
  double rho_ = 0, p_ = 0, m_ = 0, L_ = 0;
  int since_change_ = 0;
  Lanczos lanczos_;
  std::vector<double> vector_, transposed_;
};

}  // namespace condyle
