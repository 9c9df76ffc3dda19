#include "solvers/scaled_island.hpp"

#include "linalg/dense_factor.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
using Matrix = Eigen::Map<Eigen::MatrixXd>;

// Measured by bench/factor_bench.cpp ("factor_bench thresholds"): block factorizations win from some 40 velocities on, and
// over a dense dual matrix from some 50 rows on where bodies are free. A dual matrix that is all there is wins as a sparse
// one from 150 to 200 rows on, but only by a fifth there, and takes memory each time.
constexpr int dense_velocities = 40, dual_rows = 60, dense_rows = 300;
constexpr double inert_row = 1e-18;  ///< squared length, as a part of the longest row's
}  // namespace

const char* to_string(Form form) {
  switch (form) {
    case Form::automatic: return "automatic";
    case Form::dual_dense: return "dense dual";
    case Form::primal_dense: return "dense primal";
    case Form::dual_sparse: return "sparse dual";
    case Form::primal_sparse: return "sparse primal";
  }
  return "?";
}

void ScaledIsland::set(const ContactProblem& problem, const Islands& islands, int island, const Delassus& delassus,
                       const Eigen::VectorXd& all_g, bool convex, SolverOptions::Criterion criterion, Form form,
                       bool scaled) {
  static std::atomic<std::uint64_t> stamps{0};
  stamp_ = ++stamps;
  scaled_ = scaled;
  convex_ = convex;
  criterion_ = criterion;
  symmetric_ = problem.dual_only || delassus.symmetric();
  take_blocks(problem, islands, island);
  velocities_ = 0;
  momentum.clear();
  guess.clear();
  if (!problem.dual_only) take_jacobian(problem, islands, island, delassus);
  form_ = form;
  const int m = static_cast<int>(global_row.size());
  if (form_ == Form::automatic) {
    const bool primal = !problem.dual_only && symmetric_ && !has_friction_boxes_;
    if (primal && (velocities_ < m || m > dual_rows))
      form_ = velocities_ <= dense_velocities ? Form::primal_dense : Form::primal_sparse;
    else
      form_ = m <= dense_rows ? Form::dual_dense : Form::dual_sparse;
  }
  if (problem.dual_only) {
    take_dual(problem);
  } else {
    diagonal_.assign(at(m), 0.0);
    frobenius_.assign(blocks.size(), 0.0);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const int r = blocks[i].rows;
      W_.assign(at(r) * at(r), 0.0);
      Matrix Gii(W_.data(), r, r);
      for (int s = span_begin_[i]; s < span_begin_[i + 1]; ++s) {
        const Span& span = spans_[at(s)];
        const std::vector<double>& right = symmetric_ ? J_ : K_;
        Gii.noalias() += ConstMatrix(J_.data() + span.value, r, span.columns)
                             .lazyProduct(ConstMatrix(right.data() + span.value, r, span.columns).transpose());
      }
      for (int k = 0; k < r; ++k) diagonal_[at(blocks[i].row + k)] = Gii(k, k);
      frobenius_[i] = Gii.norm();
    }
  }
  scale(problem, all_g);
  if (form_ == Form::primal_sparse) structure_ = &structures_.find(*this);
  if (!problem.dual_only && form_ == Form::dual_dense) form_delassus();
  if (!problem.dual_only && form_ == Form::dual_sparse) form_sparse_delassus();
  if (problem.dual_only && form_ == Form::dual_dense) {
    const ConstMatrix G(G_.data(), m, m);
    for (int j = 0; j < m && symmetric_; ++j)
      for (int i = 0; i < j; ++i) symmetric_ = symmetric_ && std::abs(G(i, j) - G(j, i)) <= 1e-14;
  } else if (problem.dual_only) {
    const Eigen::SparseMatrix<double> difference = sparse_G_ - Eigen::SparseMatrix<double>(sparse_G_.transpose());
    for (int j = 0; j < difference.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(difference, j); entry; ++entry)
        symmetric_ = symmetric_ && std::abs(entry.value()) <= 1e-14;
  }
  u_.resize(at(velocities_));
}

void ScaledIsland::take_free_motion(const Eigen::VectorXd& all_g) {
  for (std::size_t k = 0; k < g.size(); ++k) g[k] = d[k] * all_g[global_row[k]] / c;
}

void ScaledIsland::take_blocks(const ContactProblem& problem, const Islands& islands, int island) {
  blocks.clear();
  source_block_.clear();
  global_row.clear();
  lower.clear();
  upper.clear();
  has_friction_boxes_ = false;
  local_row_.assign(at(problem.rows()), -1);
  for (const int* i = islands.blocks_begin(island); i != islands.blocks_end(island); ++i) {
    ConstraintBlock block = problem.blocks[at(*i)];
    const int row = static_cast<int>(global_row.size());
    for (int k = 0; k < block.rows; ++k) {
      local_row_[at(block.row + k)] = row + k;
      global_row.push_back(block.row + k);
      lower.push_back(block.lower);
      upper.push_back(block.upper);
    }
    block.row = row;
    has_friction_boxes_ = has_friction_boxes_ || block.set == SetKind::friction_box;
    blocks.push_back(block);
    source_block_.push_back(*i);
  }
  for (ConstraintBlock& block : blocks)
    if (block.set == SetKind::friction_box) block.normal_row = local_row_[at(block.normal_row)];
}

void ScaledIsland::take_jacobian(const ContactProblem& problem, const Islands& islands, int island,
                                 const Delassus& delassus) {
  body_column_.resize(at(problem.A.blocks()));
  bodies.clear();
  source_body_.clear();
  // in the order in which the rows meet them, so that an island's numbers do not depend on who was added first
  for (const int* b = islands.bodies_begin(island); b != islands.bodies_end(island); ++b) body_column_[at(*b)] = -1;
  const auto place = [&](int body) {
    if (body_column_[at(body)] >= 0) return;
    body_column_[at(body)] = velocities_;
    bodies.push_back(velocities_);
    source_body_.push_back(body);
    velocities_ += problem.A.block_size(body);
  };
  for (const int source : source_block_)
    for (auto s = delassus.spans_begin(source); s != delassus.spans_end(source); ++s) place(s->body);
  for (const int* b = islands.bodies_begin(island); b != islands.bodies_end(island); ++b) place(*b);
  bodies.push_back(velocities_);
  spans_.clear();
  J_.clear();
  K_.clear();
  span_begin_.assign(1, 0);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    for (auto s = delassus.spans_begin(source_block_[i]); s != delassus.spans_end(source_block_[i]); ++s) {
      const int n = problem.A.block_size(s->body), count = n * blocks[i].rows;
      spans_.push_back({body_column_[at(s->body)], n, static_cast<int>(J_.size())});
      J_.insert(J_.end(), delassus.left(*s), delassus.left(*s) + count);
      if (!symmetric_) K_.insert(K_.end(), delassus.right(*s), delassus.right(*s) + count);
    }
    span_begin_.push_back(static_cast<int>(spans_.size()));
  }
}

void ScaledIsland::take_motion(const ContactProblem& problem, const Delassus& delassus, const Eigen::VectorXd& velocity) {
  if (problem.dual_only || !symmetric_) return;
  const bool guessed = velocity.size() == problem.velocities() && velocity.allFinite();
  momentum.resize(at(velocities_));
  if (guessed) guess.resize(at(velocities_));
  for (std::size_t b = 0; b < source_body_.size(); ++b) {
    const int body = source_body_[b], n = problem.A.block_size(body), first = problem.A.begin[at(body)];
    const auto take = [&](auto&& v, std::vector<double>& to) {
      Vector p(to.data() + bodies[b], n);
      p.noalias() = problem.A.block(body).lazyProduct(v) / c;
      delassus.factor().solve_right(body, p.data(), 1);
    };
    take(problem.v_free.segment(first, n), momentum);
    if (guessed) take(velocity.segment(first, n) - problem.v_free.segment(first, n), guess);
  }
}

void ScaledIsland::take_dual(const ContactProblem& problem) {
  const int m = static_cast<int>(global_row.size());
  diagonal_.assign(at(m), 0.0);
  frobenius_.assign(blocks.size(), 0.0);
  const bool dense = form_ == Form::dual_dense;
  std::vector<Eigen::Triplet<double>> entries;
  if (dense) G_.assign(at(m) * at(m), 0.0);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (int k = 0; k < blocks[i].rows; ++k) {
      const int column = blocks[i].row + k;
      for (Eigen::SparseMatrix<double>::InnerIterator entry(problem.G, global_row[at(column)]); entry; ++entry) {
        const int row = local_row_[at(static_cast<int>(entry.row()))];
        if (row < 0) continue;
        if (dense)
          G_[at(row) + at(column) * at(m)] += entry.value();
        else
          entries.emplace_back(row, column, entry.value());
        if (row == column) diagonal_[at(row)] += entry.value();
        if (row >= blocks[i].row && row < blocks[i].row + blocks[i].rows) frobenius_[i] += entry.value() * entry.value();
      }
    }
  for (double& f : frobenius_) f = std::sqrt(f);
  if (dense) return;
  sparse_G_.resize(m, m);
  sparse_G_.setFromTriplets(entries.begin(), entries.end());
}

void ScaledIsland::scale(const ContactProblem& problem, const Eigen::VectorXd& all_g) {
  const std::size_t m = global_row.size();
  R.resize(m);
  g.resize(m);
  d.resize(m);
  double largest = 0, largest_weight = 0;
  for (std::size_t k = 0; k < m; ++k) {
    R[k] = problem.compliance[global_row[k]];
    largest = std::max(largest, diagonal_[k] + R[k]);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) largest_weight = std::max(largest_weight, frobenius_[i] / blocks[i].rows);
  const double floor = largest > 0 ? 1e-12 * largest : 1, weight_floor = largest_weight > 0 ? 1e-12 * largest_weight : 1;
  // A rigid closure's row that is round-off (out of a planar loop's plane) moves nothing. Brought towards unit length it
  // would carry impulses of any size, and the others would have to undo the round-off of those.
  const auto is_inert = [&](const ConstraintBlock& block, std::size_t row) {
    return scaled_ && !problem.dual_only && block.set == SetKind::bilateral && R[row] == 0 &&
           diagonal_[row] < inert_row * largest;
  };
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    ConstraintBlock& block = blocks[i];
    if (!(block.weight > 0)) block.weight = std::max(frobenius_[i] / block.rows, weight_floor);
    double mean = 0;
    for (int k = 0; k < block.rows; ++k) mean += (diagonal_[at(block.row + k)] + R[at(block.row + k)]) / block.rows;
    for (int k = 0; k < block.rows; ++k) {
      const std::size_t row = at(block.row + k);
      d[row] = !scaled_ ? 1 : 1 / std::sqrt(std::max(block.set == SetKind::cone ? mean : diagonal_[row] + R[row], floor));
      if (is_inert(block, row)) d[row] = 1 / std::sqrt(largest);
    }
  }
  double size2 = 0;
  for (std::size_t k = 0; k < m; ++k) {
    g[k] = d[k] * all_g[global_row[k]];
    R[k] *= d[k] * d[k];
    size2 += g[k] * g[k];
  }
  c = scaled_ && size2 > 0 && std::isfinite(size2) ? std::sqrt(size2) : 1;
  for (double& x : g) x /= c;
  for (const ConstraintBlock& block : blocks)
    for (int k = block.row; k < block.row + block.rows; ++k) {
      const double unit = block.set == SetKind::friction_box ? d[at(block.normal_row)] / d[at(k)] : 1 / (c * d[at(k)]);
      lower[at(k)] *= unit;
      upper[at(k)] *= unit;
    }
  if (problem.dual_only) {
    if (form_ == Form::dual_dense)
      Matrix(G_.data(), rows(), rows()) = view(d).asDiagonal() * Matrix(G_.data(), rows(), rows()) * view(d).asDiagonal();
    else
      sparse_G_ = view(d).asDiagonal() * sparse_G_ * view(d).asDiagonal();
    return;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (int k = 0; k < blocks[i].rows; ++k) {
      const std::size_t row = at(blocks[i].row + k);
      const double factor = is_inert(blocks[i], row) ? 0 : d[row];
      for (int s = span_begin_[i]; s < span_begin_[i + 1]; ++s) {
        std::size_t value = at(spans_[at(s)].value + k);
        for (int column = 0; column < spans_[at(s)].columns; ++column, value += at(blocks[i].rows)) {
          J_[value] *= factor;
          if (!symmetric_) K_[value] *= factor;
        }
      }
    }
}

void ScaledIsland::form_delassus() {
  const int m = rows();
  G_.assign(at(m) * at(m), 0.0);
  // blocks that touch each body: their rows of Ĵ stacked give that body's share of G in one product
  const auto each_body = [&](auto&& use) {
    for (std::size_t i = 0; i < blocks.size(); ++i)
      for (int s = span_begin_[i]; s < span_begin_[i + 1]; ++s) use(static_cast<int>(i), s);
  };
  touching_begin_.assign(at(velocities_) + 1, 0);
  each_body([&](int, int s) { ++touching_begin_[at(spans_[at(s)].column) + 1]; });
  std::partial_sum(touching_begin_.begin(), touching_begin_.end(), touching_begin_.begin());
  next_.assign(touching_begin_.begin(), touching_begin_.end());
  touching_.resize(2 * spans_.size());
  each_body([&](int i, int s) {
    const int where = next_[at(spans_[at(s)].column)]++;
    touching_[2 * at(where)] = i;
    touching_[2 * at(where) + 1] = s;
  });
  for (int column = 0; column < velocities_; ++column) {
    const int begin = touching_begin_[at(column)], end = touching_begin_[at(column) + 1];
    if (begin == end) continue;
    int height = 0;
    const int width = spans_[at(touching_[2 * at(begin) + 1])].columns;
    for (int t = begin; t < end; ++t) height += blocks[at(touching_[2 * at(t)])].rows;
    stack_.resize(at(height) * at(width));
    if (!symmetric_) stack_right_.resize(stack_.size());
    for (int t = begin, row = 0; t < end; ++t) {
      const int r = blocks[at(touching_[2 * at(t)])].rows;
      const Span& span = spans_[at(touching_[2 * at(t) + 1])];
      Matrix(stack_.data(), height, width).middleRows(row, r) = ConstMatrix(J_.data() + span.value, r, width);
      if (!symmetric_)
        Matrix(stack_right_.data(), height, width).middleRows(row, r) = ConstMatrix(K_.data() + span.value, r, width);
      row += r;
    }
    W_.assign(at(height) * at(height), 0.0);
    add_product(W_.data(), height, stack_.data(), height, (symmetric_ ? stack_ : stack_right_).data(), height, height,
                height, width, 1, true, symmetric_);
    for (int t = begin, column_j = 0; t < end; ++t) {
      const ConstraintBlock& J = blocks[at(touching_[2 * at(t)])];
      for (int l = 0; l < J.rows; ++l, ++column_j) {
        double* to = G_.data() + at(J.row + l) * at(m);
        const double* from = W_.data() + at(column_j) * at(height);
        for (int s = symmetric_ ? t : begin, row_i = symmetric_ ? column_j - l : 0; s < end; ++s) {
          const ConstraintBlock& I = blocks[at(touching_[2 * at(s)])];
          for (int k = 0; k < I.rows; ++k, ++row_i) {
            if (symmetric_ && row_i < column_j) continue;
            to[I.row + k] += from[row_i];
          }
        }
      }
    }
  }
  if (!symmetric_) return;
  for (int j = 0; j < m; ++j)
    for (int i = j + 1; i < m; ++i) G_[at(j) + at(i) * at(m)] = G_[at(i) + at(j) * at(m)];
}

void ScaledIsland::form_sparse_delassus() {
  const auto rows_of = [&](const std::vector<double>& values) {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < blocks.size(); ++i)
      for (int s = span_begin_[i]; s < span_begin_[i + 1]; ++s) {
        const double* value = values.data() + spans_[at(s)].value;
        for (int column = 0; column < spans_[at(s)].columns; ++column)
          for (int k = 0; k < blocks[i].rows; ++k)
            entries.emplace_back(blocks[i].row + k, spans_[at(s)].column + column, *value++);
      }
    Eigen::SparseMatrix<double> out(rows(), velocities_);
    out.setFromTriplets(entries.begin(), entries.end());
    return out;
  };
  sparse_G_ = rows_of(J_) * Eigen::SparseMatrix<double>(rows_of(symmetric_ ? J_ : K_).transpose());
}

}  // namespace condyle
