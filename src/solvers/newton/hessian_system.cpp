#include "solvers/newton/hessian_system.hpp"

#include "solvers/newton/convex_cost.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

double entry(const ConstraintBlock& block, const double* G, int k, int l) {
  return block.set == SetKind::cone ? G[l * block.rows + k] : k == l ? G[3 * k] : 0.0;
}
}  // namespace

HessianSystem::HessianSystem() : sparse_lu_(make_sparse_lu()) {}

void HessianSystem::start(ScaledIsland& island) {
  have_ = false;
  space_.start(island);
  rows_.resize(at(island.rows()));
  if (island.form() == Form::dual_sparse && !island.symmetric())
    symmetric_part_ = 0.5 * (island.sparse_G() + Eigen::SparseMatrix<double>(island.sparse_G().transpose()));
}

bool HessianSystem::same(const ScaledIsland& island, const std::vector<double>& G, double reuse) const {
  if (!have_ || G_.size() != G.size()) return false;
  for (const ConstraintBlock& block : island.blocks) {
    double largest = 0, change = 0;
    for (std::size_t k = 3 * at(block.row); k < 3 * at(block.row + block.rows); ++k) {
      largest = std::max(largest, std::abs(G_[k]));
      change = std::max(change, std::abs(G[k] - G_[k]));
    }
    if (change > reuse * largest) return false;
  }
  return true;
}

bool HessianSystem::factor(const ScaledIsland& island, const std::vector<double>& G, bool symmetric, double reuse) {
  reused_ = symmetric == symmetric_ && same(island, G, reuse);
  if (reused_) return true;
  G_ = G;
  symmetric_ = symmetric;
  const bool primal = island.form() == Form::primal_dense || island.form() == Form::primal_sparse;
  have_ = primal ? factor_primal(island, symmetric) : factor_dual(island);
  return have_;
}

bool HessianSystem::factor_primal(const ScaledIsland& island, bool symmetric) {
  primal_.start(island, symmetric);
  double diagonal[3];
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i) {
    const ConstraintBlock& block = island.blocks[at(i)];
    const double* G = G_.data() + 3 * at(block.row);
    if (block.set == SetKind::cone) {
      if (G[block.rows * block.rows - 1] != 0) primal_.add(island, i, G);
      continue;
    }
    if (block.rows > 3) {
      open_.resize(at(block.rows));
      for (int k = 0; k < block.rows; ++k) open_[at(k)] = G[3 * k];
      primal_.add_diagonal(island, i, open_.data());
      continue;
    }
    bool any = false;
    for (int k = 0; k < block.rows; ++k) any = (diagonal[k] = G[3 * k]) != 0 || any;
    if (any) primal_.add_diagonal(island, i, diagonal);
  }
  const int n = island.velocities();
  if (island.form() == Form::primal_dense)
    return symmetric ? cholesky_.factor(primal_.dense(), n) : lu_.factor(primal_.dense(), n);
  const auto& analysis = island.structure().analysis();
  return (symmetric ? block_cholesky_.factor(analysis, primal_.sparse()) : block_lu_.factor(analysis, primal_.sparse())) ==
         Factored::done;
}

bool HessianSystem::factor_dual(const ScaledIsland& island) {
  const int m = island.rows();
  place_.assign(at(m), -1);
  kept_.clear();
  for (const ConstraintBlock& block : island.blocks) {
    const double* G = G_.data() + 3 * at(block.row);
    if (block.set == SetKind::cone && G[block.rows * block.rows - 1] == 0) continue;
    for (int k = 0; k < block.rows; ++k) {
      if (block.set != SetKind::cone && G[3 * k] == 0) continue;
      place_[at(block.row + k)] = static_cast<int>(kept_.size());
      kept_.push_back(block.row + k);
    }
  }
  const int n = static_cast<int>(kept_.size());
  right_.resize(at(n));
  open_.resize(at(m));
  if (n == 0) return true;
  if (island.form() == Form::dual_dense) {
    matrix_.assign(at(n) * at(n), 0.0);
    const std::vector<double>& G = island.G();
    const auto value = [&](int i, int j) {
      const double here = G[at(i) + at(j) * at(m)];
      return island.symmetric() ? here : 0.5 * (here + G[at(j) + at(i) * at(m)]);
    };
    for (int j = 0; j < n; ++j) {
      double* column = matrix_.data() + at(j) * at(n);
      for (const ConstraintBlock& block : island.blocks)
        for (int k = 0; k < block.rows; ++k) {
          const int row = place_[at(block.row + k)];
          if (row < 0) continue;
          const double* Gi = G_.data() + 3 * at(block.row);
          for (int l = 0; l < block.rows; ++l)
            if (const double e = entry(block, Gi, k, l); e != 0) column[row] += e * value(block.row + l, kept_[at(j)]);
        }
      column[j] += 1;
    }
    return lu_.factor(matrix_.data(), n);
  }
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<const ConstraintBlock*> block_of(at(m));
  for (const ConstraintBlock& block : island.blocks)
    for (int k = 0; k < block.rows; ++k) block_of[at(block.row + k)] = &block;
  const Eigen::SparseMatrix<double>& G = island.symmetric() ? island.sparse_G() : symmetric_part_;
  for (int j = 0; j < n; ++j) {
    entries.emplace_back(j, j, 1.0);
    for (Eigen::SparseMatrix<double>::InnerIterator e(G, kept_[at(j)]); e; ++e) {
      const ConstraintBlock& block = *block_of[at(static_cast<int>(e.row()))];
      const int l = static_cast<int>(e.row()) - block.row;
      for (int k = 0; k < block.rows; ++k) {
        const double factor = entry(block, G_.data() + 3 * at(block.row), k, l);
        if (factor != 0) entries.emplace_back(place_[at(block.row + k)], j, factor * e.value());
      }
    }
  }
  Eigen::SparseMatrix<double> M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  return sparse_lu_->factor(M);
}

void HessianSystem::solve(ScaledIsland& island, const std::vector<double>& r, std::vector<double>& step) {
  if (&r != &step) step.assign(r.begin(), r.end());
  switch (island.form()) {
    case Form::primal_dense: return symmetric_ ? cholesky_.solve(step.data()) : lu_.solve(step.data());
    case Form::primal_sparse: return symmetric_ ? block_cholesky_.solve(step.data()) : block_lu_.solve(step.data());
    default: break;
  }
  // rows with 𝒢 = 0 move by r alone; what they do to the others goes to the right side
  const int m = island.rows(), n = static_cast<int>(kept_.size());
  if (n == 0) return;
  for (int k = 0; k < m; ++k) open_[at(k)] = place_[at(k)] < 0 ? step[at(k)] : 0;
  space_.to_rows(open_, rows_);
  for (const ConstraintBlock& block : island.blocks) {
    double change[3] = {0, 0, 0};
    if (block.set == SetKind::cone && place_[at(block.row)] >= 0)
      times_derivative(block, G_.data() + 3 * at(block.row), rows_.data() + block.row, change);
    for (int k = 0; k < block.rows; ++k) {
      const int row = block.row + k, to = place_[at(row)];
      if (to < 0) continue;
      const double c = block.set == SetKind::cone ? change[k] : G_[3 * at(row)] * rows_[at(row)];
      right_[at(to)] = step[at(row)] - c;
    }
  }
  island.form() == Form::dual_dense ? lu_.solve(right_.data()) : sparse_lu_->solve(right_.data());
  for (int a = 0; a < n; ++a) step[at(kept_[at(a)])] = right_[at(a)];
}

}  // namespace condyle
