#pragma once
// Dense factorizations in the caller's memory. Eigen's own ones take heap memory for packing above some size; products in
// tiles that fit its stack limit do not, so a step that has run once never allocates here.
#include <condyle/eigen_abi.hpp>

#include <vector>

namespace condyle {

/// M = L Lᵀ; reads and overwrites the lower triangle.
class DenseCholesky {
 public:
  /// `M`: n × n, column by column; stays in use until the next call. False: not positive definite, or not finite.
  bool factor(double* M, int n);
  void solve(double* x) const;
  int size() const { return n_; }

 private:
  double* L_ = nullptr;
  int n_ = 0;
};

/// P M = L U with partial pivoting, for Newton matrices that are not symmetric.
class DenseLu {
 public:
  /// `M`: n × n, column by column; stays in use until the next call. False: a pivot is zero or not finite.
  bool factor(double* M, int n);
  void solve(double* x) const;
  int size() const { return n_; }

 private:
  double* M_ = nullptr;
  int n_ = 0;
  std::vector<int> pivot_;
};

/// C ← C + s A B, or C + s A Bᵀ, all column by column with the leading dimensions given; in tiles, never on the heap.
void add_product(double* C, int ldc, const double* A, int lda, const double* B, int ldb, int rows, int columns, int inner,
                 double s, bool transpose_b, bool lower_only = false);

}  // namespace condyle
