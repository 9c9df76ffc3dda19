#include "linalg/symmetric_factor.hpp"

#include "linalg/block_cholesky.hpp"
#include "linalg/dense_factor.hpp"

#include <chrono>
#include <cmath>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

class DenseBlocks : public SymmetricFactor {
 public:
  void analyse(const BlockPattern& pattern) override { values_.resize(at(pattern.size()) * at(pattern.size())); }
  Factored factor(const BlockMatrix& M) override {
    const BlockPattern& pattern = *M.pattern;
    const std::size_t n = at(pattern.size());
    std::fill(values_.begin(), values_.end(), 0.0);
    for (int c = 0; c < pattern.bodies(); ++c)
      for (int k = pattern.column_begin[at(c)]; k < pattern.column_begin[at(c) + 1]; ++k) {
        const int r = pattern.row[at(k)], rows = pattern.body_size(r);
        const double* from = M.lower.data() + pattern.value[at(k)];
        for (int j = pattern.begin[at(c)]; j < pattern.begin[at(c) + 1]; ++j, from += rows)
          std::copy(from, from + rows, values_.data() + at(j) * n + at(pattern.begin[at(r)]));
      }
    if (cholesky_.factor(values_.data(), pattern.size())) return Factored::done;
    for (const double x : M.lower)
      if (!std::isfinite(x)) return Factored::not_finite;
    return Factored::bad_pivot;
  }
  void solve(double* x) override { cholesky_.solve(x); }
  const char* name() const override { return "dense"; }
  double entries() const override { return 0.5 * cholesky_.size() * (cholesky_.size() + 1.0); }
  double analysis_seconds() const override { return 0; }

 private:
  DenseCholesky cholesky_;
  std::vector<double> values_;
};

class OwnBlocks : public SymmetricFactor {
 public:
  void analyse(const BlockPattern& pattern) override {
    const auto begin = std::chrono::steady_clock::now();
    analysis_.analyse(pattern);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  Factored factor(const BlockMatrix& M) override { return cholesky_.factor(analysis_, M); }
  void solve(double* x) override { cholesky_.solve(x); }
  const char* name() const override { return "own blocks"; }
  double entries() const override { return static_cast<double>(analysis_.values()); }
  double analysis_seconds() const override { return seconds_; }

 private:
  BlockAnalysis analysis_;
  BlockCholesky cholesky_;
  double seconds_ = 0;
};
}  // namespace

std::unique_ptr<SymmetricFactor> make_symmetric_factor(FactorKind kind) {
  switch (kind) {
    case FactorKind::dense: return std::make_unique<DenseBlocks>();
    case FactorKind::blocks: return std::make_unique<OwnBlocks>();
    case FactorKind::cholmod_simplicial: return make_cholmod_factor(false);
    case FactorKind::cholmod_supernodal: return make_cholmod_factor(true);
  }
  return nullptr;
}

}  // namespace condyle
