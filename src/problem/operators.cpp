#include "problem/operators.hpp"

#include "linalg/block_jacobian.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <numeric>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using Matrix = Eigen::Map<Eigen::MatrixXd>;
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;

/// parts of each constraint block, in order: begin and list.
template <class BlockOfRow>
void parts_by_block(const ContactProblem& problem, BlockOfRow block_of_row, std::vector<int>& begin, std::vector<int>& order,
                    std::vector<int>& next) {
  begin.assign(problem.blocks.size() + 1, 0);
  for (const BlockJacobian::Part& part : problem.J.parts) ++begin[at(block_of_row(part.row)) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  next.assign(begin.begin(), begin.end() - 1);
  order.resize(problem.J.parts.size());
  for (std::size_t p = 0; p < problem.J.parts.size(); ++p)
    order[at(next[at(block_of_row(problem.J.parts[p].row))]++)] = static_cast<int>(p);
}
}  // namespace

int Delassus::build(const ContactProblem& problem, const Islands& islands) {
  if (const int bad = factor_.factor(problem.A); bad >= 0) return bad;
  const BlockJacobian& J = problem.J;
  parts_by_block(
      problem, [&](int row) { return islands.block_of_row(row); }, part_begin_, part_order_, next_);
  spans_.clear();
  begin_.assign(1, 0);
  left_.clear();
  right_.clear();
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const ConstraintBlock& block = problem.blocks[i];
    const std::size_t first = spans_.size();
    for (int o = part_begin_[i]; o < part_begin_[i + 1]; ++o) {
      const BlockJacobian::Part& part = J.parts[at(part_order_[at(o)])];
      const BlockJacobian::Carrier& carrier = J.carriers[at(part.carrier)];
      for (int r = carrier.run_begin; r < carrier.run_end; ++r) {
        const BlockJacobian::Run& run = J.runs[at(r)];
        if (run.columns == 0) continue;
        const int body = islands.body_of_column(run.column);
        std::size_t s = first;
        while (s < spans_.size() && spans_[s].body != body) ++s;
        if (s == spans_.size()) {
          spans_.push_back({body, static_cast<int>(left_.size())});
          left_.resize(left_.size() + at(block.rows) * at(problem.A.block_size(body)), 0.0);
        }
        Matrix Ji(left_.data() + spans_[s].value, block.rows, problem.A.block_size(body));
        const double* C = J.values.data() + run.value;
        for (int k = 0; k < run.columns; ++k, C += carrier.rows) {
          auto column = Ji.col(run.column - problem.A.begin[at(body)] + k).segment(part.row - block.row, part.rows);
          if (part.x < 0) {
            for (int l = 0; l < part.rows; ++l) column[l] += C[l];
            continue;
          }
          const double* X = J.values.data() + part.x;
          for (int a = 0; a < carrier.rows; ++a, X += part.rows)
            for (int l = 0; l < part.rows; ++l) column[l] += X[l] * C[a];
        }
      }
    }
    begin_.push_back(static_cast<int>(spans_.size()));
  }
  const bool general = !symmetric();
  if (general) right_ = left_;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i)
    for (int s = begin_[i]; s < begin_[i + 1]; ++s) {
      const int rows = problem.blocks[i].rows, n = problem.A.block_size(spans_[at(s)].body);
      if (!general) {
        factor_.solve_right(spans_[at(s)].body, left_.data() + spans_[at(s)].value, rows);
        continue;
      }
      Matrix Ji(right_.data() + spans_[at(s)].value, rows, n);
      columns_.resize(at(rows) * at(n));
      Matrix transposed(columns_.data(), n, rows);
      transposed = Ji.transpose();
      factor_.solve_block(spans_[at(s)].body, columns_.data(), rows);
      Ji = transposed.transpose();
    }
  return -1;
}

void DelassusDiagonal::carrier_product(const ContactProblem& problem, const BlockFactor& factor, int c, int d) {
  const BlockJacobian& J = problem.J;
  const BlockJacobian::Carrier &cc = J.carriers[at(c)], &cd = J.carriers[at(d)];
  W_.assign(at(cc.rows) * at(cd.rows), 0.0);
  Matrix W(W_.data(), cc.rows, cd.rows);
  for (int s = cd.run_begin; s < cd.run_end; ++s) {
    const BlockJacobian::Run& run_d = J.runs[at(s)];
    if (run_d.columns == 0) continue;
    const int body = body_of_column_[at(run_d.column)], first = problem.A.begin[at(body)], n = problem.A.block_size(body);
    columns_.assign(at(n) * at(cd.rows), 0.0);
    Matrix Y(columns_.data(), n, cd.rows);
    Y.middleRows(run_d.column - first, run_d.columns) =
        ConstMatrix(J.values.data() + run_d.value, cd.rows, run_d.columns).transpose();
    factor.solve_block(body, columns_.data(), cd.rows);
    for (int r = cc.run_begin; r < cc.run_end; ++r) {
      const BlockJacobian::Run& run_c = J.runs[at(r)];
      if (run_c.columns == 0 || body_of_column_[at(run_c.column)] != body) continue;
      W.noalias() += ConstMatrix(J.values.data() + run_c.value, cc.rows, run_c.columns)
                         .lazyProduct(Y.middleRows(run_c.column - first, run_c.columns));
    }
  }
}

void DelassusDiagonal::compute(const ContactProblem& problem, const BlockFactor& factor, std::vector<double>& out,
                               std::vector<int>& begin) {
  begin.assign(1, 0);
  block_of_row_.resize(at(problem.rows()));
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const ConstraintBlock& block = problem.blocks[i];
    for (int k = 0; k < block.rows; ++k) block_of_row_[at(block.row + k)] = static_cast<int>(i);
    begin.push_back(begin.back() + block.rows * block.rows);
  }
  out.assign(at(begin.back()), 0.0);
  if (problem.dual_only) {
    for (int j = 0; j < problem.G.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(problem.G, j); entry; ++entry) {
        const int i = block_of_row_[at(static_cast<int>(entry.row()))];
        if (block_of_row_[at(j)] != i) continue;
        const ConstraintBlock& block = problem.blocks[at(i)];
        out[at(begin[at(i)] + static_cast<int>(entry.row()) - block.row + block.rows * (j - block.row))] += entry.value();
      }
    return;
  }
  const BlockJacobian& J = problem.J;
  body_of_column_.resize(at(problem.velocities()));
  for (int b = 0; b < problem.A.blocks(); ++b)
    std::fill(body_of_column_.begin() + problem.A.begin[at(b)], body_of_column_.begin() + problem.A.begin[at(b) + 1], b);
  parts_by_block(
      problem, [&](int row) { return block_of_row_[at(row)]; }, part_begin_, part_order_, next_);
  int last_c = -1, last_d = -1;  // points between the same two bodies follow each other: one product for all of them
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const ConstraintBlock& block = problem.blocks[i];
    Matrix Gii(out.data() + begin[i], block.rows, block.rows);
    for (int o = part_begin_[i]; o < part_begin_[i + 1]; ++o)
      for (int p = part_begin_[i]; p < part_begin_[i + 1]; ++p) {
        const BlockJacobian::Part &a = J.parts[at(part_order_[at(o)])], &b = J.parts[at(part_order_[at(p)])];
        const int rows_c = J.carriers[at(a.carrier)].rows, rows_d = J.carriers[at(b.carrier)].rows;
        if (a.carrier != last_c || b.carrier != last_d) carrier_product(problem, factor, a.carrier, b.carrier);
        last_c = a.carrier;
        last_d = b.carrier;
        const ConstMatrix W(W_.data(), rows_c, rows_d);
        auto where = Gii.block(a.row - block.row, b.row - block.row, a.rows, b.rows);
        XW_.resize(at(a.rows) * at(rows_d));
        Matrix XW(XW_.data(), a.rows, rows_d);
        if (a.x < 0)
          XW = W.topRows(a.rows);
        else
          XW.noalias() = ConstMatrix(J.values.data() + a.x, a.rows, rows_c).lazyProduct(W);
        if (b.x < 0)
          where += XW.leftCols(b.rows);
        else
          where.noalias() += XW.lazyProduct(ConstMatrix(J.values.data() + b.x, b.rows, rows_d).transpose());
      }
  }
}

Eigen::MatrixXd dense_delassus(const ContactProblem& problem) {
  if (problem.dual_only) return Eigen::MatrixXd(problem.G);
  const Eigen::MatrixXd J = dense(problem.J);
  return J * dense(problem.A).partialPivLu().solve(J.transpose());
}

Eigen::MatrixXd dense_hessian(const ContactProblem& problem, const Eigen::VectorXd& D) {
  const Eigen::MatrixXd J = dense(problem.J);
  return dense(problem.A) + J.transpose() * D.asDiagonal() * J;
}

}  // namespace condyle
