#pragma once
// Extreme eigenvalues of a symmetric operator by a few Lanczos steps. The vector that comes back is the next call's start:
// as an operator changes slowly (a penalty, a step of time), two or three steps keep its largest eigenvalue known.
#include <condyle/eigen_abi.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace condyle {

struct ExtremeEigenvalue {
  double value = 0;  ///< Ritz value: never above the largest eigenvalue (never below the smallest one) but for round-off
  double error = 0;  ///< ‖H y - value y‖ of the unit Ritz vector y: some eigenvalue is within this of `value`
  int steps = 0;     ///< products with H
};

/// Keeps its memory. An `Operator` is called as H(const double* x, double* y) and leaves y = H x.
class Lanczos {
 public:
  static constexpr int max_steps = 32;

  /// `start`: any vector of H's size; one that is zero or not finite is replaced by a fixed one. Holds the unit Ritz vector
  /// afterwards. `steps`: 1 (a Rayleigh quotient) to max_steps.
  template <class Operator>
  ExtremeEigenvalue largest(const Operator& H, std::vector<double>& start, int steps) {
    build(H, start, steps);
    return take(true, start);
  }
  template <class Operator>
  ExtremeEigenvalue smallest(const Operator& H, std::vector<double>& start, int steps) {
    build(H, start, steps);
    return take(false, start);
  }

 private:
  template <class Operator>
  void build(const Operator& H, const std::vector<double>& start, int steps) {
    begin(start, steps);
    for (int k = 0; k < wanted_; ++k) {
      H(basis_.data() + static_cast<std::ptrdiff_t>(k) * n_, basis_.data() + static_cast<std::ptrdiff_t>(k + 1) * n_);
      if (!extend(k)) break;
    }
  }
  void begin(const std::vector<double>& start, int steps);
  /// False: the next direction is nothing but round-off, so the basis already holds its eigenvectors.
  bool extend(int k);
  ExtremeEigenvalue take(bool largest, std::vector<double>& vector);

  int n_ = 0, wanted_ = 0, steps_ = 0;
  std::vector<double> basis_;                       // orthonormal columns, one more than steps
  double diagonal_[max_steps], beside_[max_steps];  // of H in that basis, tridiagonal
};

/// The same with memory of its own.
template <class Operator>
double largest_eigenvalue(const Operator& H, std::vector<double>& start, int steps) {
  Lanczos lanczos;
  return lanczos.largest(H, start, steps).value;
}

}  // namespace condyle
