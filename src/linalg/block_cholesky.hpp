#pragma once
// M = L Lᵀ for a symmetric positive definite block matrix, supernode by supernode, in place. Takes no memory while the
// analysis stays the same or shrinks.
#include "linalg/block_analysis.hpp"
#include "linalg/factored.hpp"
#include "linalg/kernels.hpp"

namespace condyle {

class BlockCholesky {
 public:
  explicit BlockCholesky(const Kernels& chosen = kernels()) : kernels_(&chosen) {}
  /// `analysis` has placed M's pattern and stays in use until the next call.
  Factored factor(const BlockAnalysis& analysis, const BlockMatrix& M);
  /// x ← M⁻¹ x.
  void solve(double* x);

 private:
  const Kernels* kernels_;
  const BlockAnalysis* analysis_ = nullptr;
  std::vector<double> values_, x_, panel_;
};

}  // namespace condyle
