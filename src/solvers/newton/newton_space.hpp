#pragma once
// Where the core iterates. Primal forms: u with v - v* = c L⁻ᵀ u, so that A is I and rows have w = Ĵ u. Dual forms, for
// problems that only have G: u = Ĵᵀ x is kept as x, and products of u become products with G. Where G is not symmetric its
// symmetric part stands here; the caller lags the rest.
#include "solvers/scaled_island.hpp"

namespace condyle {

class NewtonSpace {
 public:
  void start(ScaledIsland& island);
  bool primal() const { return primal_; }
  std::size_t size() const { return size_; }
  /// w = Ĵ u.
  void to_rows(const std::vector<double>& u, std::vector<double>& w);
  /// u = Ĵᵀ γ.
  void from_rows(const std::vector<double>& gamma, std::vector<double>& u) const;
  /// a·b, where `rows_b` are b's rows.
  double inner(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& rows_b) const;

 private:
  ScaledIsland* island_ = nullptr;
  bool primal_ = false;
  std::size_t size_ = 0;
  std::vector<double> transposed_;
};

}  // namespace condyle
