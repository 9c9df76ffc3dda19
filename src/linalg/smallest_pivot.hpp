#pragma once
#include <vector>

namespace condyle {

/// Tells quickly whether rows are independent.
class SmallestPivot {
 public:
  /// Of the Cholesky factor of B Bᵀ, squared: what is left of a row, in squared length, without the directions of those
  /// before it. Below about 1e-12 of the rows' squared length it is round-off, and zero is returned. `B` column by column,
  /// most of it zero. Allocates nothing once the size has been reached before.
  double of_rows(const double* B, int rows, int columns);

 private:
  std::vector<double> L_;   ///< rows × rows, row after row: B Bᵀ and then its factor, where they can differ from zero
  std::vector<int> first_;  ///< of each row: its first place that can differ from zero, which the factor keeps
  std::vector<int> filled_;
};

}  // namespace condyle
