#include "linalg/sparse_factor.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <algorithm>

namespace condyle {

namespace {

/// Remembers the pattern of the last analysis.
class Pattern {
 public:
  bool is_new(const Eigen::SparseMatrix<double>& M) {
    const int *outer = M.outerIndexPtr(), *inner = M.innerIndexPtr();
    const std::size_t columns = static_cast<std::size_t>(M.cols()) + 1, count = static_cast<std::size_t>(M.nonZeros());
    if (outer_.size() == columns && inner_.size() == count && std::equal(outer_.begin(), outer_.end(), outer) &&
        std::equal(inner_.begin(), inner_.end(), inner))
      return false;
    outer_.assign(outer, outer + columns);
    inner_.assign(inner, inner + count);
    return true;
  }

 private:
  std::vector<int> outer_, inner_;
};

class EigenCholesky : public SparseFactor {
 public:
  bool factor(const Eigen::SparseMatrix<double>& M) override {
    if (pattern_.is_new(M)) llt_.analyzePattern(M);
    if (!M.coeffs().allFinite()) return false;
    llt_.factorize(M);
    return llt_.info() == Eigen::Success;
  }
  void solve(double* x) override {
    Eigen::Map<Eigen::VectorXd> v(x, llt_.rows());
    v = llt_.solve(v).eval();
  }
  long entries() const override { return llt_.matrixL().nestedExpression().nonZeros(); }

 private:
  Pattern pattern_;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> llt_;
};

template <class Ordering>
class EigenLu : public SparseFactor {
 public:
  explicit EigenLu(double pivot_threshold) { lu_.setPivotThreshold(pivot_threshold); }
  bool factor(const Eigen::SparseMatrix<double>& M) override {
    if (pattern_.is_new(M)) lu_.analyzePattern(M);
    if (!M.coeffs().allFinite()) return false;
    lu_.factorize(M);
    return lu_.info() == Eigen::Success;
  }
  void solve(double* x) override {
    Eigen::Map<Eigen::VectorXd> v(x, lu_.rows());
    v = lu_.solve(v).eval();
  }
  long entries() const override { return lu_.nnzL() + lu_.nnzU(); }

 private:
  Pattern pattern_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Ordering> lu_;
};

}  // namespace

std::unique_ptr<SparseFactor> make_sparse_cholesky() { return std::make_unique<EigenCholesky>(); }
std::unique_ptr<SparseFactor> make_sparse_lu() { return std::make_unique<EigenLu<Eigen::COLAMDOrdering<int>>>(1); }
std::unique_ptr<SparseFactor> make_sparse_lu_of_symmetric_pattern() {
  return std::make_unique<EigenLu<Eigen::AMDOrdering<int>>>(1e-3);
}

}  // namespace condyle
