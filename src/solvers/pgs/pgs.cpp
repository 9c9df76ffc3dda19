#include "solvers/pgs/pgs.hpp"

#include "cones/sets.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using Matrix = Eigen::Map<Eigen::MatrixXd>;
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
bool is_primal(Form form) { return form == Form::primal_dense || form == Form::primal_sparse; }
}  // namespace

void Pgs::add_change(const ScaledIsland& island, int i, const double* change) {
  const ConstraintBlock& block = island.blocks[at(i)];
  const int m = island.rows();
  if (is_primal(island.form())) {
    for (auto span = island.spans_begin(i); span != island.spans_end(i); ++span) {
      const double* value = island.values(*span);
      for (int k = span->column; k < span->column + span->columns; ++k)
        for (int l = 0; l < block.rows; ++l) u_[at(k)] += *value++ * change[l];
    }
    return;
  }
  for (int l = 0; l < block.rows; ++l) {
    if (change[l] == 0) continue;
    const int column = block.row + l;
    if (island.form() == Form::dual_dense) {
      view(sigma_) += change[l] * ConstVector(island.G().data() + at(column) * at(m), m);
    } else {
      for (Eigen::SparseMatrix<double>::InnerIterator entry(island.sparse_G(), column); entry; ++entry)
        sigma_[static_cast<std::size_t>(entry.row())] += change[l] * entry.value();
    }
    sigma_[at(column)] += island.R[at(column)] * change[l];
  }
}

void Pgs::take_sigma(const ScaledIsland& island, int i) {
  if (!is_primal(island.form())) return;
  const ConstraintBlock& block = island.blocks[at(i)];
  for (int r = block.row; r < block.row + block.rows; ++r)
    sigma_[at(r)] = island.g[at(r)] + island.R[at(r)] * impulse_[at(r)];
  for (auto span = island.spans_begin(i); span != island.spans_end(i); ++span) {
    const double* value = island.values(*span);
    for (int k = span->column; k < span->column + span->columns; ++k)
      for (int l = 0; l < block.rows; ++l) sigma_[at(block.row + l)] += *value++ * u_[at(k)];
  }
}

/// Against round-off of the running sums.
void Pgs::refresh(ScaledIsland& island) {
  if (is_primal(island.form()))
    island.to_velocities(impulse_.data(), u_.data());
  else
    island.sigma(impulse_.data(), sigma_.data());
}

void Pgs::take_diagonal(const ScaledIsland& island) {
  const int m = island.rows(), blocks = static_cast<int>(island.blocks.size());
  begin_.assign(1, 0);
  for (const ConstraintBlock& block : island.blocks) begin_.push_back(begin_.back() + block.rows * block.rows);
  diagonal_.assign(at(begin_.back()), 0.0);
  for (int i = 0; i < blocks; ++i) {
    const ConstraintBlock& block = island.blocks[at(i)];
    Matrix D(diagonal_.data() + begin_[at(i)], block.rows, block.rows);
    for (int l = 0; l < block.rows; ++l)
      for (int k = 0; k < block.rows; ++k) {
        const int row = block.row + k, column = block.row + l;
        if (island.form() == Form::dual_dense) D(k, l) = island.G()[at(row) + at(column) * at(m)];
        if (island.form() == Form::dual_sparse) D(k, l) = island.sparse_G().coeff(row, column);
      }
    if (is_primal(island.form()))
      for (auto span = island.spans_begin(i); span != island.spans_end(i); ++span) {
        const ConstMatrix J(island.values(*span), block.rows, span->columns);
        for (int k = 0; k < span->columns; ++k)
          for (int l = 0; l < block.rows; ++l) D.col(l) += J(l, k) * J.col(k);
      }
    for (int k = 0; k < block.rows; ++k) D(k, k) += island.R[at(block.row + k)];
  }
}

void Pgs::solve_block(const ScaledIsland& island, const PgsOptions& options, int i, double* x) {
  const ConstraintBlock& block = island.blocks[at(i)];
  const int r = block.rows, n = r - 1;
  const ConstMatrix D(diagonal_.data() + begin_[at(i)], r, r);
  const double* sigma = sigma_.data() + block.row;
  const double* old = impulse_.data() + block.row;
  if (block.set != SetKind::cone) {
    // row after row; σ of a row sees the rows of its own block that went before
    double own[64];
    for (int k = 0; k < r; ++k) {
      double s = sigma[k];
      for (int l = 0; l < k && l < 64; ++l) s += D(k, l) * own[l];
      double next = D(k, k) > 0 ? old[k] - s / D(k, k) : old[k];
      if (block.set == SetKind::nonnegative) next = std::max(0.0, next);
      if (block.set == SetKind::box || block.set == SetKind::friction_box) {
        const double reach = block.set == SetKind::box ? 1 : std::max(0.0, impulse_[at(block.normal_row)]);
        next = std::min(std::max(next, island.lower[at(block.row + k)] * reach), island.upper[at(block.row + k)] * reach);
      }
      x[k] = next;
      if (k < 64) own[k] = next - old[k];
    }
    return;
  }
  if (!options.ncp) {
    const double step = 1 / D.norm(), gamma = options.de_saxce ? de_saxce(block, sigma) : 0.0;
    double y[3] = {0, 0, 0};
    for (int k = 0; k < r; ++k) y[k] = old[k] - step * (sigma[k] + (k == n ? gamma : 0.0));
    project_cone(y, r, block.friction, x);
    return;
  }
  x[n] = D(n, n) > 0 ? std::max(0.0, old[n] - sigma[n] / D(n, n)) : old[n];
  double largest = 0, cross = 0;
  for (int k = 0; k < n; ++k) largest = std::max(largest, D(k, k));
  if (n == 2) cross = std::abs(D(0, 1));
  const double step = largest + cross > 0 ? 1 / (largest + cross) : 0, radius = block.friction * x[n];
  for (int k = 0; k < n; ++k) x[k] = old[k] - step * (sigma[k] + D(k, n) * (x[n] - old[n]));
  const double s = tangent_norm(x, r);
  if (s > radius)
    for (int k = 0; k < n; ++k) x[k] *= radius / s;
}

int Pgs::run(ScaledIsland& island, const PgsOptions& options, double target, const double* start, BestIterate& best) {
  const int m = island.rows(), blocks = static_cast<int>(island.blocks.size());
  impulse_.assign(at(m), 0.0);
  if (start) std::copy(start, start + m, impulse_.begin());
  sigma_.resize(at(m));
  u_.resize(at(island.velocities()));
  take_diagonal(island);
  int sweep = 0;
  while (sweep < options.max_iterations) {
    ++sweep;
    if (sweep % 20 == 1) refresh(island);
    for (int i = 0; i < blocks; ++i) {
      const ConstraintBlock& block = island.blocks[at(i)];
      next_.resize(at(block.rows));
      change_.resize(at(block.rows));
      take_sigma(island, i);
      solve_block(island, options, i, next_.data());
      for (int k = 0; k < block.rows; ++k) {
        double& x = impulse_[at(block.row + k)];
        change_[at(k)] = options.omega * (next_[at(k)] - x);
        x += change_[at(k)];
      }
      add_change(island, i, change_.data());
    }
    const bool late = best.out_of_time();
    if (sweep % options.check == 0 || sweep == options.max_iterations || late)
      if ((best.offer(island, impulse_.data()) <= target && target > 0) || late) break;
  }
  return sweep;
}

}  // namespace condyle
