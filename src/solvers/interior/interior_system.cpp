#include "solvers/interior/interior_system.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// out = Y x, for one block's rows.
void times(const ConstraintBlock& block, const double* Y, const double* x, double* out) {
  if (block.set != SetKind::cone) {
    for (int k = 0; k < block.rows; ++k) out[k] = Y[3 * k] * x[k];
    return;
  }
  for (int k = 0; k < block.rows; ++k) {
    double sum = 0;
    for (int l = 0; l < block.rows; ++l) sum += Y[l * block.rows + k] * x[l];
    out[k] = sum;
  }
}
}  // namespace

InteriorSystem::InteriorSystem() : dual_lu_(make_sparse_lu()) {}

bool InteriorSystem::factor(const ScaledIsland& island, const std::vector<double>& T, const std::vector<double>& Y) {
  const int m = island.rows();
  Y_ = Y.data();
  if (island.form() == Form::dual_dense) {
    matrix_.assign(island.G().begin(), island.G().end());
    for (int k = 0; k < m; ++k) matrix_[at(k) * (at(m) + 1)] += island.R[at(k)];
    for (const ConstraintBlock& block : island.blocks) {
      const double* t = T.data() + 3 * at(block.row);
      for (int l = 0; l < block.rows; ++l) {
        double* column = matrix_.data() + at(block.row + l) * at(m) + at(block.row);
        if (block.set != SetKind::cone)
          column[l] += t[3 * l];
        else
          for (int k = 0; k < block.rows; ++k) column[k] += t[l * block.rows + k];
      }
    }
    return dense_.factor(matrix_.data(), m);
  }
  if (island.form() == Form::dual_sparse) {
    std::vector<Eigen::Triplet<double>> entries;
    for (const ConstraintBlock& block : island.blocks) {
      const double* t = T.data() + 3 * at(block.row);
      for (int l = 0; l < block.rows; ++l) {
        entries.emplace_back(block.row + l, block.row + l, island.R[at(block.row + l)]);
        if (block.set != SetKind::cone)
          entries.emplace_back(block.row + l, block.row + l, t[3 * l]);
        else
          for (int k = 0; k < block.rows; ++k) entries.emplace_back(block.row + k, block.row + l, t[l * block.rows + k]);
      }
    }
    Eigen::SparseMatrix<double> shift(m, m);
    shift.setFromTriplets(entries.begin(), entries.end());
    return dual_lu_->factor(island.sparse_G() + shift);
  }
  u_.resize(at(island.velocities()));
  scaled_.resize(at(m));
  back_.resize(at(m));
  primal_.start(island, false);
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i) {
    const ConstraintBlock& block = island.blocks[at(i)];
    const double* y = Y_ + 3 * at(block.row);
    if (block.set == SetKind::cone) {
      primal_.add(island, i, y);
    } else {
      for (int k = 0; k < block.rows; ++k) scaled_[at(k)] = y[3 * k];
      primal_.add_diagonal(island, i, scaled_.data());
    }
  }
  return island.form() == Form::primal_dense
             ? dense_.factor(primal_.dense(), island.velocities())
             : primal_lu_.factor(island.structure().analysis(), primal_.sparse()) == Factored::done;
}

void InteriorSystem::solve(const ScaledIsland& island, const double* r, double* x) {
  const int m = island.rows();
  if (island.form() == Form::dual_dense || island.form() == Form::dual_sparse) {
    if (x != r) std::copy(r, r + m, x);
    island.form() == Form::dual_dense ? dense_.solve(x) : dual_lu_->solve(x);
    return;
  }
  for (const ConstraintBlock& block : island.blocks)
    times(block, Y_ + 3 * at(block.row), r + block.row, scaled_.data() + block.row);
  island.to_velocities(scaled_.data(), u_.data());
  island.form() == Form::primal_dense ? dense_.solve(u_.data()) : primal_lu_.solve(u_.data());
  island.to_rows(u_.data(), back_.data());
  for (int k = 0; k < m; ++k) back_[at(k)] = r[k] - back_[at(k)];
  for (const ConstraintBlock& block : island.blocks)
    times(block, Y_ + 3 * at(block.row), back_.data() + block.row, x + block.row);
}

}  // namespace condyle
