#pragma once
// Products with the block-sparse J of a contact problem, and its dense twin for tests and small systems.
#include <condyle/contact_problem.hpp>

namespace condyle {

/// Work memory: one entry for each carrier row.
class JacobianProduct {
 public:
  /// out = J v.
  void multiply(const BlockJacobian& J, const double* v, double* out);
  /// out += Jᵀ λ.
  void add_transposed(const BlockJacobian& J, const double* impulse, double* out);

 private:
  std::vector<int> first_;     // of each carrier in twist_
  std::vector<double> twist_;  // C v, or Σ Xᵀ λ
  void lay_out(const BlockJacobian& J);
};

Eigen::MatrixXd dense(const BlockJacobian& J);
Eigen::MatrixXd dense(const BlockDiagonal& A);

}  // namespace condyle
