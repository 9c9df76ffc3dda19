#pragma once
// A = L Lᵀ block by block; blocks of files that are not symmetric go through LU. Memory is kept between factorizations.
#include <condyle/contact_problem.hpp>

#include <Eigen/LU>

namespace condyle {

class BlockFactor {
 public:
  /// -1: done; else the first block that is neither symmetric positive definite nor invertible.
  int factor(const BlockDiagonal& A);
  /// x ← A⁻¹ x.
  void solve(double* x) const;
  /// Columns X (block size × columns, column by column) of block b: X ← A_b⁻¹ X.
  void solve_block(int b, double* X, int columns) const;
  bool symmetric() const { return general_.empty(); }
  /// X ← L⁻¹ X, symmetric blocks only: A_b⁻¹ = L⁻ᵀ L⁻¹.
  void solve_lower(int b, double* X, int columns) const;

 private:
  std::vector<int> begin_, value_;
  std::vector<double> L_;
  struct General {
    int block = 0;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  };
  std::vector<General> general_;
  const General* find_general(int b) const;
};

}  // namespace condyle
