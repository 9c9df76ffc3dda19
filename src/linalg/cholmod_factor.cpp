// The only file that sees CHOLMOD. The matrix is ordered once (AMD) and handed over in that order, so that CHOLMOD makes no
// copy of its own in each factorization: lower triangle for the supernodal method, upper one for the simplicial one, as each
// wants.
#include "linalg/symmetric_factor.hpp"

#include <cholmod.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

class CholmodFactor : public SymmetricFactor {
 public:
  explicit CholmodFactor(bool supernodal) : supernodal_(supernodal) {
    cholmod_start(&common_);
    common_.print = 0;
    common_.nmethods = 1;
    common_.final_ll = 1;  // L Lᵀ: the simplicial L D Lᵀ accepts indefinite matrices
    common_.final_asis = 0;
    common_.final_super = supernodal;
    common_.final_pack = common_.final_monotonic = common_.final_resymbol = 0;
  }
  ~CholmodFactor() override {
    cholmod_free_factor(&L_, &common_);
    for (cholmod_dense** x : {&X_, &Y_, &E_}) cholmod_free_dense(x, &common_);
    cholmod_finish(&common_);
  }
  CholmodFactor(const CholmodFactor&) = delete;
  CholmodFactor& operator=(const CholmodFactor&) = delete;

  void analyse(const BlockPattern& pattern) override;
  Factored factor(const BlockMatrix& M) override;
  void solve(double* x) override;
  const char* name() const override { return supernodal_ ? "CHOLMOD supernodal" : "CHOLMOD simplicial"; }
  double entries() const override { return L_ ? static_cast<double>(L_->is_super ? L_->xsize : L_->nzmax) : 0; }
  double analysis_seconds() const override { return seconds_; }

 private:
  cholmod_sparse sparse(int stype);
  void order();
  void permute(const std::vector<int>& outer, const std::vector<int>& inner, const std::vector<std::size_t>& source);

  bool supernodal_;
  cholmod_common common_;
  cholmod_sparse M_{};
  cholmod_factor* L_ = nullptr;
  cholmod_dense *X_ = nullptr, *Y_ = nullptr, *E_ = nullptr;
  int n_ = 0;
  double seconds_ = 0;
  std::vector<int> outer_, inner_, permutation_;
  std::vector<std::size_t> source_;  // of each number in the block matrix
  std::vector<double> values_, right_;
};

cholmod_sparse CholmodFactor::sparse(int stype) {
  cholmod_sparse out{};
  out.nrow = out.ncol = at(n_);
  out.nzmax = inner_.size();
  out.p = outer_.data();
  out.i = inner_.data();
  out.x = values_.data();
  out.stype = stype;
  out.itype = CHOLMOD_INT;
  out.xtype = CHOLMOD_REAL;
  out.dtype = CHOLMOD_DOUBLE;
  out.sorted = out.packed = 1;
  return out;
}

void CholmodFactor::analyse(const BlockPattern& pattern) {
  n_ = pattern.size();
  outer_.assign(1, 0);
  inner_.clear();
  source_.clear();
  for (int c = 0; c < pattern.bodies(); ++c)
    for (int j = 0; j < pattern.body_size(c); ++j) {
      for (int k = pattern.column_begin[at(c)]; k < pattern.column_begin[at(c) + 1]; ++k) {
        const int r = pattern.row[at(k)], rows = pattern.body_size(r);
        for (int i = r == c ? j : 0; i < rows; ++i) {
          inner_.push_back(pattern.begin[at(r)] + i);
          source_.push_back(pattern.value[at(k)] + at(j) * at(rows) + at(i));
        }
      }
      outer_.push_back(static_cast<int>(inner_.size()));
    }
  values_.resize(inner_.size());
  right_.resize(at(n_));
  order();
  permute(std::vector<int>(outer_), std::vector<int>(inner_), std::vector<std::size_t>(source_));
  M_ = sparse(supernodal_ ? -1 : 1);
  common_.method[0].ordering = CHOLMOD_NATURAL;
  common_.postorder = 0;
  cholmod_free_factor(&L_, &common_);
  L_ = cholmod_analyze(&M_, &common_);
}

/// The order, by the call that any user of CHOLMOD makes for a new pattern: its time is what is compared.
void CholmodFactor::order() {
  cholmod_sparse lower = sparse(-1);
  common_.method[0].ordering = CHOLMOD_AMD;
  common_.postorder = 1;
  common_.supernodal = supernodal_ ? CHOLMOD_SUPERNODAL : CHOLMOD_SIMPLICIAL;
  const auto begin = std::chrono::steady_clock::now();
  cholmod_factor* ordered = cholmod_analyze(&lower, &common_);
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const int* first = static_cast<const int*>(ordered->Perm);
  permutation_.assign(first, first + n_);
  cholmod_free_factor(&ordered, &common_);
}

void CholmodFactor::permute(const std::vector<int>& outer, const std::vector<int>& inner,
                            const std::vector<std::size_t>& source) {
  std::vector<int> place(at(n_));
  for (int k = 0; k < n_; ++k) place[at(permutation_[at(k)])] = k;
  struct Entry {
    int column, row;
    std::size_t source;
  };
  std::vector<Entry> entries;
  for (int j = 0; j < n_; ++j)
    for (int k = outer[at(j)]; k < outer[at(j) + 1]; ++k) {
      const auto [low, high] = std::minmax({place[at(j)], place[at(inner[at(k)])]});
      entries.push_back(supernodal_ ? Entry{low, high, source[at(k)]} : Entry{high, low, source[at(k)]});
    }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.column != b.column ? a.column < b.column : a.row < b.row; });
  std::fill(outer_.begin(), outer_.end(), 0);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    ++outer_[at(entries[k].column) + 1];
    inner_[k] = entries[k].row;
    source_[k] = entries[k].source;
  }
  for (int j = 0; j < n_; ++j) outer_[at(j) + 1] += outer_[at(j)];
}

Factored CholmodFactor::factor(const BlockMatrix& M) {
  for (std::size_t k = 0; k < source_.size(); ++k) {
    values_[k] = M.lower[source_[k]];
    if (!std::isfinite(values_[k])) return Factored::not_finite;  // the simplicial method takes it for success
  }
  cholmod_factorize(&M_, L_, &common_);
  return common_.status == CHOLMOD_OK && L_->minor == L_->n ? Factored::done : Factored::bad_pivot;
}

void CholmodFactor::solve(double* x) {
  for (int k = 0; k < n_; ++k) right_[at(k)] = x[permutation_[at(k)]];
  cholmod_dense b{};
  b.nrow = b.d = b.nzmax = at(n_);
  b.ncol = 1;
  b.x = right_.data();
  b.xtype = CHOLMOD_REAL;
  b.dtype = CHOLMOD_DOUBLE;
  cholmod_solve2(CHOLMOD_A, L_, &b, nullptr, &X_, nullptr, &Y_, &E_, &common_);
  const double* out = static_cast<const double*>(X_->x);
  for (int k = 0; k < n_; ++k) x[permutation_[at(k)]] = out[k];
}
}  // namespace

std::unique_ptr<SymmetricFactor> make_cholmod_factor(bool supernodal) {
#ifndef CONDYLE_CHOLMOD_SUPERNODAL
  if (supernodal) return nullptr;
#endif
  return std::make_unique<CholmodFactor>(supernodal);
}

}  // namespace condyle
