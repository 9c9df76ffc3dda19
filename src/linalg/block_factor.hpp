#pragma once
// A = L Lᵀ block by block; blocks of files that are not symmetric go through LU. Memory is kept between factorizations. Free
// bodies have loops of fixed length: a pile has hundreds of them, factored and solved in every step.
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
  /// Y ← Y L⁻ᵀ for rows × block size numbers, column by column; symmetric blocks only: Y A_b⁻¹ Yᵀ = (Y L⁻ᵀ)(Y L⁻ᵀ)ᵀ.
  void solve_right(int b, double* Y, int rows) const;

 private:
  std::vector<int> begin_, value_;
  std::vector<double> L_, inverse_diagonal_;  ///< of L
  struct General {
    int block = 0;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  };
  std::vector<General> general_;
  const General* find_general(int b) const;
};

}  // namespace condyle
