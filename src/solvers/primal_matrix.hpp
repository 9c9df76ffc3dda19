#pragma once
// I + Ĵᵀ B Ĵ with one small B_i for each constraint block: dense, or by blocks of bodies.
#include "linalg/block_matrix.hpp"
#include "solvers/scaled_island.hpp"

#include <vector>

namespace condyle {

class PrimalMatrix {
 public:
  /// Identity; `lower`: the matrix will be symmetric, only its lower triangle (and whole diagonal blocks) is kept.
  void start(const ScaledIsland& island, bool lower);
  /// += Ĵ_iᵀ B Ĵ_i; B: rows × rows, column by column.
  void add(const ScaledIsland& island, int block, const double* B);
  /// The same for a diagonal B.
  void add_diagonal(const ScaledIsland& island, int block, const double* B);

  /// All that was added is in them.
  double* dense();
  const BlockMatrix& sparse();

 private:
  /// Of one body: Ĵᵀ, -(B Ĵ)ᵀ and, where it is asked for, -(Bᵀ Ĵ)ᵀ of some contacts side by side.
  struct Stack {
    std::vector<double> J, BJ, BtJ;
  };
  template <class Times>
  void add_spans(const ScaledIsland& island, int block, Times times_b);
  bool fits_batch(const ScaledIsland& island, int block) const;
  void add_to_batch(int block, const double* B);
  void flush();

  bool is_sparse_ = false, lower_ = false;
  int n_ = 0;
  std::vector<double> dense_, BJ_;
  BlockMatrix sparse_;
  // Contacts of the same bodies follow each other; their share goes in by one product for each pair of bodies.
  const ScaledIsland* island_ = nullptr;
  int first_ = -1;  ///< block with which the batch began; -1: empty
  int height_ = 0;  ///< rows of the batch
  std::vector<Stack> stacks_;
};

}  // namespace condyle
