#pragma once
// P M = L U for a block matrix with a symmetric pattern and numbers that are not symmetric; pivots are sought within a
// supernode only. For I + Ĵᵀ Y Ĵ, whose diagonal blocks are never small. Takes no memory while the analysis stays the same
// or shrinks.
#include "linalg/block_analysis.hpp"
#include "linalg/factored.hpp"
#include "linalg/kernels.hpp"

namespace condyle {

class BlockLu {
 public:
  explicit BlockLu(const Kernels& chosen = kernels()) : kernels_(&chosen) {}
  /// `analysis` has placed M's pattern and stays in use until the next call. M is not symmetric by name (`upper` is there).
  Factored factor(const BlockAnalysis& analysis, const BlockMatrix& M);
  /// x ← M⁻¹ x.
  void solve(double* x);

 private:
  const Kernels* kernels_;
  const BlockAnalysis* analysis_ = nullptr;
  std::vector<double> L_, Ut_;  // panels; the diagonal blocks of L and U are both in L_
  std::vector<int> pivot_;
  std::vector<double> x_, panel_, inverse_, ones_;
};

}  // namespace condyle
