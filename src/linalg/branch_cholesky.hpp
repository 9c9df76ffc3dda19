#pragma once
// H = Lᵀ L of a matrix with the sparsity of a kinematic tree: H(k, i) is there only where i is k or above it. Elimination
// from the leaves fills nothing (Featherstone), L and L⁻¹ have the same places. Row k is kept as its branch, from the root
// down to k; the branch of what is above k is the beginning of k's, so every inner loop runs over neighbours.
#include <cstddef>
#include <vector>

namespace condyle {

/// The branches of one tree.
class BranchPattern {
 public:
  /// parent[k] < k, -1: a root.
  void set(const int* parent, int n);
  /// Everything above each other: a dense matrix.
  void set_dense(int n);

  int size() const { return static_cast<int>(depth_.size()); }
  int depth(int k) const { return depth_[static_cast<std::size_t>(k)]; }  ///< places of row k
  std::size_t row(int k) const { return row_[static_cast<std::size_t>(k)]; }
  std::size_t values() const { return branch_.size(); }  ///< places of all rows
  /// Column of each place of row k, ascending; the last is k.
  const int* branch(int k) const { return branch_.data() + row(k); }

  /// H ← L. False: not positive definite.
  bool factor(double* H) const;
  /// W = L⁻¹, so that H⁻¹ = W Wᵀ.
  void invert(const double* L, double* W) const;
  /// x ← H⁻¹ x.
  void solve(const double* L, double* x) const;

 private:
  void lay_out();
  std::vector<int> depth_, parent_, branch_;
  std::vector<std::size_t> row_;
};

}  // namespace condyle
