#include "solvers/proximal/newton_system.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double same_B = 1e-7;  ///< of the largest entry
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
using Matrix = Eigen::Map<Eigen::MatrixXd>;

/// out = ρ Q column, for one block's rows.
void times_Q(const ConstraintBlock& block, const double* Q, double rho, const double* column, double* out) {
  if (block.set != SetKind::cone) {
    for (int k = 0; k < block.rows; ++k) out[k] = rho * Q[3 * k] * column[k];
    return;
  }
  for (int k = 0; k < block.rows; ++k) {
    double sum = 0;
    for (int l = 0; l < block.rows; ++l) sum += Q[l * block.rows + k] * column[l];
    out[k] = rho * sum;
  }
}
double Q_entry(const ConstraintBlock& block, const double* Q, int k, int l) {
  if (block.set == SetKind::cone) return Q[l * block.rows + k];
  return k == l ? Q[3 * k] : 0.0;
}
}  // namespace

NewtonSystem::NewtonSystem() : dual_lu_(make_sparse_lu()) {}

bool NewtonSystem::solve(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step) {
  step.resize(at(island.rows()));
  reused_ = false;
  switch (island.form()) {
    case Form::dual_dense: return solve_dual_dense(island, function, step);
    case Form::dual_sparse: return solve_dual_sparse(island, function, step);
    default: return solve_primal(island, function, step);
  }
}

void NewtonSystem::choose_rows(const ScaledIsland& island, const NewtonFunction& function) {
  place_.assign(at(island.rows()), -1);
  kept_blocks_.clear();
  kept_rows_.clear();
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i) {
    const ConstraintBlock& block = island.blocks[at(i)];
    const double* Q = function.Q.data() + 3 * at(block.row);
    bool keep = false;
    if (block.set == SetKind::cone)
      keep = Q[block.rows * block.rows - 1] != 0;
    else
      for (int k = 0; k < block.rows; ++k) keep = keep || Q[3 * k] != 0 || function.coupled[at(block.row + k)] != 0;
    if (!keep) continue;
    kept_blocks_.push_back(i);
    for (int k = block.row; k < block.row + block.rows; ++k) {
      place_[at(k)] = static_cast<int>(kept_rows_.size());
      kept_rows_.push_back(k);
    }
  }
}

/// Open rows have δ = -Φ at once; what that does to the others goes to their right side.
void NewtonSystem::right_side(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step) {
  bool moves = false;
  for (std::size_t k = 0; k < step.size(); ++k) {
    step[k] = place_[k] < 0 ? -function.phi[k] : 0.0;
    moves = moves || step[k] != 0;
  }
  right_.resize(kept_rows_.size());
  for (std::size_t a = 0; a < kept_rows_.size(); ++a) right_[a] = -function.phi[at(kept_rows_[a])];
  if (!moves) return;
  rows_.resize(step.size());
  island.multiply(step.data(), rows_.data());
  double out[64];
  std::vector<double> wide;
  std::size_t a = 0;
  for (const int i : kept_blocks_) {
    const ConstraintBlock& block = island.blocks[at(i)];
    double* to = out;
    if (block.rows > 64) {
      wide.resize(at(block.rows));
      to = wide.data();
    }
    times_Q(block, function.Q.data() + 3 * at(block.row), function.rho, rows_.data() + block.row, to);
    for (int k = 0; k < block.rows; ++k, ++a) {
      right_[a] -= to[k];
      const double coupled = function.coupled[at(block.row + k)];
      if (coupled != 0 && place_[at(block.normal_row)] < 0) right_[a] -= coupled * step[at(block.normal_row)];
    }
  }
}

bool NewtonSystem::solve_dual_dense(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step) {
  choose_rows(island, function);
  right_side(island, function, step);
  const int m = island.rows(), n = static_cast<int>(kept_rows_.size());
  matrix_.resize(at(n) * at(n));
  rows_.resize(at(m));
  for (int j = 0; j < n; ++j) {
    const int column = kept_rows_[at(j)];
    const double* G = island.G().data() + at(column) * at(m);
    double* to = matrix_.data() + at(j) * at(n);
    for (const int i : kept_blocks_) {
      const ConstraintBlock& block = island.blocks[at(i)];
      times_Q(block, function.Q.data() + 3 * at(block.row), function.rho, G + block.row, to);
      to += block.rows;
    }
  }
  for (const int i : kept_blocks_) {
    const ConstraintBlock& block = island.blocks[at(i)];
    const double* Q = function.Q.data() + 3 * at(block.row);
    const int first = place_[at(block.row)];
    for (int l = 0; l < block.rows; ++l) {
      const double own = function.rho * (island.R[at(block.row + l)] + function.alpha);
      for (int k = 0; k < block.rows; ++k) {
        const double q = Q_entry(block, Q, k, l);
        matrix_[at(first + k) + at(first + l) * at(n)] += (k == l ? 1.0 : 0.0) - q + own * q;
      }
      const double coupled = function.coupled[at(block.row + l)];
      if (coupled != 0 && place_[at(block.normal_row)] >= 0)
        matrix_[at(first + l) + at(place_[at(block.normal_row)]) * at(n)] += coupled;
    }
  }
  if (n > 0) {
    if (!dense_.factor(matrix_.data(), n)) return false;
    dense_.solve(right_.data());
  }
  for (int a = 0; a < n; ++a) step[at(kept_rows_[at(a)])] = right_[at(a)];
  return true;
}

bool NewtonSystem::solve_dual_sparse(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step) {
  choose_rows(island, function);
  right_side(island, function, step);
  const int n = static_cast<int>(kept_rows_.size());
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<int> block_of(at(island.rows()), -1);
  for (const int i : kept_blocks_)
    for (int k = 0; k < island.blocks[at(i)].rows; ++k) block_of[at(island.blocks[at(i)].row + k)] = i;
  for (int j = 0; j < n; ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(island.sparse_G(), kept_rows_[at(j)]); entry; ++entry) {
      const int row = static_cast<int>(entry.row()), i = block_of[at(row)];
      if (i < 0) continue;
      const ConstraintBlock& block = island.blocks[at(i)];
      const double* Q = function.Q.data() + 3 * at(block.row);
      for (int k = 0; k < block.rows; ++k) {
        const double q = Q_entry(block, Q, k, row - block.row);
        if (q != 0) entries.emplace_back(place_[at(block.row + k)], j, function.rho * q * entry.value());
      }
    }
  for (const int i : kept_blocks_) {
    const ConstraintBlock& block = island.blocks[at(i)];
    const double* Q = function.Q.data() + 3 * at(block.row);
    const int first = place_[at(block.row)];
    for (int l = 0; l < block.rows; ++l) {
      const double own = function.rho * (island.R[at(block.row + l)] + function.alpha);
      for (int k = 0; k < block.rows; ++k) {
        const double q = Q_entry(block, Q, k, l);
        entries.emplace_back(first + k, first + l, (k == l ? 1.0 : 0.0) - q + own * q);
      }
      const double coupled = function.coupled[at(block.row + l)];
      if (coupled != 0 && place_[at(block.normal_row)] >= 0)
        entries.emplace_back(first + l, place_[at(block.normal_row)], coupled);
    }
  }
  if (n > 0) {
    Eigen::SparseMatrix<double> M(n, n);
    M.setFromTriplets(entries.begin(), entries.end());
    if (!dual_lu_->factor(M)) return false;
    dual_lu_->solve(right_.data());
  }
  for (int a = 0; a < n; ++a) step[at(kept_rows_[at(a)])] = right_[at(a)];
  return true;
}

/// E⁻¹ and B = E⁻¹ρQ of every block; false: singular.
bool NewtonSystem::invert_blocks(const ScaledIsland& island, const NewtonFunction& function) {
  B_.assign(3 * at(island.rows()), 0.0);
  Einv_.assign(3 * at(island.rows()), 0.0);
  symmetric_ = true;
  const double rho = function.rho;
  for (const ConstraintBlock& block : island.blocks) {
    const double* Q = function.Q.data() + 3 * at(block.row);
    double *B = B_.data() + 3 * at(block.row), *Einv = Einv_.data() + 3 * at(block.row);
    if (block.set != SetKind::cone) {
      for (int k = 0; k < block.rows; ++k) {
        const double E = 1 - Q[3 * k] + rho * Q[3 * k] * (island.R[at(block.row + k)] + function.alpha);
        if (!(E != 0)) return false;
        Einv[3 * k] = 1 / E;
        B[3 * k] = rho * Q[3 * k] / E;
      }
      continue;
    }
    const int r = block.rows;
    Eigen::Matrix3d E = Eigen::Matrix3d::Identity();  // rows beyond the block's stay apart
    bool sticks_or_open = true;
    for (int l = 0; l < r; ++l)
      for (int k = 0; k < r; ++k) {
        const double q = Q[l * r + k];
        E(k, l) += -q + rho * q * (island.R[at(block.row + l)] + function.alpha);
        sticks_or_open = sticks_or_open && q == (k == l ? Q[0] : 0.0);
      }
    symmetric_ = symmetric_ && sticks_or_open;
    const Eigen::Matrix3d inverse = E.inverse();
    if (!inverse.allFinite()) return false;
    Matrix(Einv, r, r) = inverse.topLeftCorner(r, r);
    Matrix(B, r, r).noalias() = rho * inverse.topLeftCorner(r, r).lazyProduct(ConstMatrix(Q, r, r));
  }
  return true;
}

/// Newton's steps by it converge as fast as its B is near.
bool NewtonSystem::last_factor_serves(const ScaledIsland& island) const {
  if (factored_stamp_ != island.stamp() || factored_symmetric_ != symmetric_) return false;
  double most = 0, change = 0;
  for (std::size_t k = 0; k < B_.size(); ++k) {
    most = std::max(most, std::abs(B_[k]));
    change = std::max(change, std::abs(B_[k] - factored_B_[k]));
  }
  return change <= same_B * most;
}

bool NewtonSystem::factor_primal(ScaledIsland& island) {
  const bool sparse = island.form() == Form::primal_sparse;
  reused_ = sparse && last_factor_serves(island);
  if (reused_) return true;
  primal_.start(island, sparse && symmetric_);
  double diagonal[64];
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i) {
    const ConstraintBlock& block = island.blocks[at(i)];
    const double* B = B_.data() + 3 * at(block.row);
    if (block.set == SetKind::cone) {
      if (B[block.rows * block.rows - 1] != 0) primal_.add(island, i, B);
      continue;
    }
    double* of_block = diagonal;
    if (block.rows > 64) {
      rows_.resize(at(island.rows()));
      of_block = rows_.data();
    }
    for (int k = 0; k < block.rows; ++k) of_block[k] = B[3 * k];
    primal_.add_diagonal(island, i, of_block);
  }
  factored_stamp_ = 0;
  if (!sparse) return dense_.factor(primal_.dense(), island.velocities());
  const BlockAnalysis& analysis = island.structure().analysis();
  const Factored factored = symmetric_ ? primal_cholesky_.factor(analysis, primal_.sparse())
                                       : primal_lu_.factor(analysis, primal_.sparse());
  if (factored != Factored::done) return false;
  factored_stamp_ = island.stamp();
  factored_symmetric_ = symmetric_;
  factored_B_.assign(B_.begin(), B_.end());
  return true;
}

bool NewtonSystem::solve_primal(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step) {
  right_.resize(at(island.rows()));
  u_.resize(at(island.velocities()));
  if (!invert_blocks(island, function) || !factor_primal(island)) return false;
  for (const ConstraintBlock& block : island.blocks)
    times_Q(block, Einv_.data() + 3 * at(block.row), -1, function.phi.data() + block.row, right_.data() + block.row);
  island.to_velocities(right_.data(), u_.data());
  if (island.form() == Form::primal_dense)
    dense_.solve(u_.data());
  else if (symmetric_)
    primal_cholesky_.solve(u_.data());
  else
    primal_lu_.solve(u_.data());
  rows_.resize(at(island.rows()));
  island.to_rows(u_.data(), rows_.data());
  for (const ConstraintBlock& block : island.blocks) {
    times_Q(block, B_.data() + 3 * at(block.row), 1, rows_.data() + block.row, step.data() + block.row);
    for (int k = block.row; k < block.row + block.rows; ++k) step[at(k)] = right_[at(k)] - step[at(k)];
  }
  return true;
}

void NewtonSystem::solve_minimum_norm(ScaledIsland& island, const NewtonFunction& function, std::vector<double>& step) {
  const int m = island.rows();
  step.resize(at(m));
  Eigen::MatrixXd M = island.dense(), column(m, 1);
  M.diagonal().array() += function.alpha;
  for (int j = 0; j < m; ++j) {
    column = M.col(j);
    for (const ConstraintBlock& block : island.blocks)
      times_Q(block, function.Q.data() + 3 * at(block.row), function.rho, column.data() + block.row,
              M.col(j).data() + block.row);
  }
  for (const ConstraintBlock& block : island.blocks)
    for (int l = 0; l < block.rows; ++l) {
      for (int k = 0; k < block.rows; ++k)
        M(block.row + k, block.row + l) +=
            (k == l ? 1.0 : 0.0) - Q_entry(block, function.Q.data() + 3 * at(block.row), k, l);
      if (function.coupled[at(block.row + l)] != 0)
        M(block.row + l, block.normal_row) += function.coupled[at(block.row + l)];
    }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr;
  qr.setThreshold(1e-13);
  qr.compute(M);
  view(step) = qr.solve(-view(function.phi));
}

}  // namespace condyle
