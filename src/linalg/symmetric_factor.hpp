#pragma once
// Cholesky factorizations of a block matrix behind one small interface: analyse once, factor many, solve many. Solvers use
// DenseCholesky and BlockCholesky, the winners by size (bench/factor_bench.cpp), without it; CHOLMOD is what they are
// measured and tested against.
#include "linalg/block_matrix.hpp"
#include "linalg/factored.hpp"

#include <memory>

namespace condyle {

class SymmetricFactor {
 public:
  virtual ~SymmetricFactor() = default;
  /// Needed once for a pattern; its numbers may change afterwards as they like.
  virtual void analyse(const BlockPattern& pattern) = 0;
  /// Of the pattern analysed last.
  virtual Factored factor(const BlockMatrix& M) = 0;
  /// x ← M⁻¹ x.
  virtual void solve(double* x) = 0;
  virtual const char* name() const = 0;
  /// Numbers in the factor.
  virtual double entries() const = 0;
  /// Of the ordering and symbolic factorization alone, without laying out numbers: what a new contact costs.
  virtual double analysis_seconds() const = 0;
};

enum class FactorKind { dense, blocks, cholmod_simplicial, cholmod_supernodal };
/// Null: Condyle was built without it (CONDYLE_CHOLMOD_SUPERNODAL).
std::unique_ptr<SymmetricFactor> make_symmetric_factor(FactorKind kind);
std::unique_ptr<SymmetricFactor> make_cholmod_factor(bool supernodal);

}  // namespace condyle
