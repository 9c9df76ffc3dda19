#include "solvers/shifted_system.hpp"

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

ShiftedSystem::ShiftedSystem() : sparse_(make_sparse_cholesky()) {}

bool ShiftedSystem::factor(const ScaledIsland& island, const std::vector<double>& shift) {
  const int m = island.rows();
  if (island.form() == Form::dual_dense) {
    matrix_.resize(at(m) * at(m));
    const std::vector<double>& G = island.G();
    for (int j = 0; j < m; ++j) {
      if (island.symmetric())
        std::copy(G.begin() + j * m + j, G.begin() + j * m + m, matrix_.begin() + j * m + j);
      else
        for (int i = j; i < m; ++i)
          matrix_[at(i) + at(j) * at(m)] = 0.5 * (G[at(i) + at(j) * at(m)] + G[at(j) + at(i) * at(m)]);
      matrix_[at(j) * at(m) + at(j)] += island.R[at(j)] + shift[at(j)];
    }
    return dense_.factor(matrix_.data(), m);
  }
  if (island.form() == Form::dual_sparse) {
    Eigen::SparseMatrix<double> S(m, m);
    S.setIdentity();
    for (int k = 0; k < m; ++k) S.valuePtr()[k] = island.R[at(k)] + shift[at(k)];
    const Eigen::SparseMatrix<double>& G = island.sparse_G();
    return sparse_->factor(S + (island.symmetric()
                                    ? Eigen::SparseMatrix<double>(G)
                                    : Eigen::SparseMatrix<double>(0.5 * (G + Eigen::SparseMatrix<double>(G.transpose())))));
  }
  inverse_.resize(at(m));
  scaled_.resize(at(m));
  back_.resize(at(m));
  u_.resize(at(island.velocities()));
  for (int k = 0; k < m; ++k) inverse_[at(k)] = 1 / (island.R[at(k)] + shift[at(k)]);
  primal_.start(island, true);
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i)
    primal_.add_diagonal(island, i, inverse_.data() + island.blocks[at(i)].row);
  return island.form() == Form::primal_dense
             ? dense_.factor(primal_.dense(), island.velocities())
             : blocks_.factor(island.structure().analysis(), primal_.sparse()) == Factored::done;
}

void ShiftedSystem::solve(const ScaledIsland& island, const double* r, double* x) {
  const int m = island.rows();
  if (island.form() == Form::dual_dense || island.form() == Form::dual_sparse) {
    if (x != r) std::copy(r, r + m, x);
    island.form() == Form::dual_dense ? dense_.solve(x) : sparse_->solve(x);
    return;
  }
  for (int k = 0; k < m; ++k) scaled_[at(k)] = inverse_[at(k)] * r[k];
  island.to_velocities(scaled_.data(), u_.data());
  island.form() == Form::primal_dense ? dense_.solve(u_.data()) : blocks_.solve(u_.data());
  island.to_rows(u_.data(), back_.data());
  for (int k = 0; k < m; ++k) x[k] = scaled_[at(k)] - inverse_[at(k)] * back_[at(k)];
}

}  // namespace condyle
