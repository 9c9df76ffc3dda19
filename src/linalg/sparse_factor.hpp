#pragma once
// Sparse factorizations behind one small interface: analyse a pattern, factor numbers, solve. The analysis is kept while the
// pattern stays.
#include <condyle/eigen_abi.hpp>

#include <Eigen/SparseCore>

#include <memory>

namespace condyle {

class SparseFactor {
 public:
  virtual ~SparseFactor() = default;
  /// False: not positive definite (Cholesky), singular (LU), or not finite.
  virtual bool factor(const Eigen::SparseMatrix<double>& M) = 0;
  virtual void solve(double* x) = 0;
  /// Numbers in the factor, for reports.
  virtual long entries() const = 0;
};

/// M symmetric positive definite; reads the lower triangle.
std::unique_ptr<SparseFactor> make_sparse_cholesky();
/// M square.
std::unique_ptr<SparseFactor> make_sparse_lu();
/// M square with a symmetric pattern and a strong diagonal: an ordering for that pattern, kept by pivoting only where it
/// must. A quarter faster on piles; on rank-deficient dual matrices it fills without end.
std::unique_ptr<SparseFactor> make_sparse_lu_of_symmetric_pattern();

}  // namespace condyle
