#pragma once
// G = J A⁻¹ Jᵀ without forming it, its blocks, and its dense form. With A = L Lᵀ the rows Ĵ = J L⁻ᵀ are kept block by block
// (they have the block sparsity of J), so G = Ĵ Ĵᵀ and the primal matrix is I + Ĵᵀ R̃⁻¹ Ĵ: eigenvalues from 1 upwards
// whatever the masses. Blocks of files where A is not symmetric: G = Ĵ K̂ᵀ with Ĵ = J, K̂ = J A⁻ᵀ.
#include "linalg/block_factor.hpp"
#include "problem/islands.hpp"

#include <condyle/contact_problem.hpp>

#include <vector>

namespace condyle {

class Delassus {
 public:
  struct Span {  ///< one constraint block's columns in one block of A
    int body = 0;
    int value = 0;  ///< rows × velocities of the body, column by column
  };

  /// -1: done; else the block of A that cannot be factored.
  int build(const ContactProblem& problem, const Islands& islands);
  bool symmetric() const { return factor_.symmetric(); }
  const BlockFactor& factor() const { return factor_; }
  const Span* spans_begin(int block) const { return spans_.data() + begin_[static_cast<std::size_t>(block)]; }
  const Span* spans_end(int block) const { return spans_.data() + begin_[static_cast<std::size_t>(block) + 1]; }
  const double* left(const Span& span) const { return left_.data() + span.value; }
  const double* right(const Span& span) const { return (symmetric() ? left_ : right_).data() + span.value; }

 private:
  BlockFactor factor_;
  std::vector<Span> spans_;
  std::vector<int> begin_, part_begin_, part_order_, next_;
  std::vector<double> left_, right_, columns_;
};

/// out = G_ii of every constraint block, rows² numbers each, one after the other, column by column; from J and A through
/// the carriers. `factor` is A's. Dual-only problems: from G.
class DelassusDiagonal {
 public:
  void compute(const ContactProblem& problem, const BlockFactor& factor, std::vector<double>& out, std::vector<int>& begin);

 private:
  void carrier_product(const ContactProblem& problem, const BlockFactor& factor, int c, int d);
  std::vector<int> block_of_row_, body_of_column_, part_begin_, part_order_, next_;
  std::vector<double> columns_, W_, XW_;
};

/// Dense twins, for tests and descriptors.
Eigen::MatrixXd dense_delassus(const ContactProblem& problem);
/// A + Jᵀ D J, D diagonal: the primal Hessian.
Eigen::MatrixXd dense_hessian(const ContactProblem& problem, const Eigen::VectorXd& D);

}  // namespace condyle
