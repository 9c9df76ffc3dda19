#include "solvers/subadmm/subadmm.hpp"

#include "cones/alart_curnier.hpp"
#include "cones/metric_projection.hpp"
#include "solvers/subadmm/pseudo_density.hpp"

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int rows_worth_a_thread = 300;
constexpr double smallest_beta = 1e-8, largest_beta = 1e8, largest_change = 10;
}  // namespace

Subadmm::Count Subadmm::run(ScaledIsland& island, const SubadmmOptions& options, double target, const double* start,
                            BestIterate& best, WorkerPool* pool) {
  count_ = Count();
  beta_ = options.beta > 0 ? options.beta : options.density * pseudo_density(island, on_tree_);
  share_out(island, pool);
  begin(island, start);
  anderson_.start(split_.slacks(), options.memory);
  next_ = Next::go_on;
  if (team_->workers() == 1)
    loop(island, options, target, best, 0);
  else
    pool->run([&](int worker) {
      if (worker < team_->workers()) loop(island, options, target, best, worker);
    });
  count_.beta = beta_;
  return count_;
}

/// Who does what changes no number: each tree's and each constraint's are computed by one worker in one order.
void Subadmm::share_out(const ScaledIsland& island, WorkerPool* pool) {
  const int most = island.rows() / rows_worth_a_thread;
  // friction boxes look at the impulse of another constraint: these are few, and one after the other
  const int workers = pool && split_.trees() > 0 && !island.has_friction_boxes() ? std::clamp(most, 1, pool->workers()) : 1;
  team_->start(workers);
  shares_.assign(at(workers), Share());
  const int blocks = static_cast<int>(island.blocks.size());
  int tree = 0;
  for (int w = 0; w < workers; ++w) {
    Share& share = shares_[at(w)];
    share.block_begin = static_cast<int>(static_cast<long>(blocks) * w / workers);
    share.block_end = static_cast<int>(static_cast<long>(blocks) * (w + 1) / workers);
    share.tree_begin = tree;
    const long end = static_cast<long>(split_.slacks()) * (w + 1) / workers;
    while (tree < split_.trees() && (w + 1 == workers || split_.first_slack(tree) < end)) ++tree;
    share.tree_end = tree;
  }
}

/// y = β z - λ of the start: z = J_ib A⁻¹ Jᵀ λ, relative to the free motion.
void Subadmm::begin(ScaledIsland& island, const double* start) {
  const std::size_t slacks = at(split_.slacks()), rows = at(island.rows());
  for (std::vector<double>* v : {&y_, &Ty_, &f_, &w_, &side_impulse_}) v->assign(slacks, 0.0);
  impulse_.assign(rows, 0.0);
  next_impulse_.resize(rows);
  for (std::vector<double>* v : {&shift_, &h_, &lag_, &transposed_}) v->assign(split_.trees() > 0 ? 0 : rows, 0.0);
  if (!start) return;
  std::copy(start, start + rows, impulse_.begin());
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i)
    for (auto side = split_.sides_begin(i); side != split_.sides_end(i); ++side)
      std::copy_n(start + island.blocks[at(i)].row, island.blocks[at(i)].rows, side_impulse_.begin() + side->begin);
  for (int t = 0; t < split_.trees(); ++t) split_.step_of_inertia(t, side_impulse_.data(), w_.data());
  if (split_.trees() == 0) {
    island.multiply(start, w_.data());
    for (std::size_t k = 0; k < rows; ++k) w_[k] -= island.R[k] * start[k];
    std::copy(start, start + rows, h_.begin());
  }
  for (std::size_t k = 0; k < slacks; ++k) y_[k] = beta_ * w_[k] - side_impulse_[k];
}

void Subadmm::loop(ScaledIsland& island, const SubadmmOptions& options, double target, BestIterate& best, int worker) {
  factor(island, worker);
  for (;;) {
    update_constraints(island, worker);
    team_->meet();
    update_velocities(island, worker);
    team_->meet();
    if (worker == 0) next_ = decide(island, options, target, best);
    team_->meet();
    if (next_ == Next::end) return;
    if (next_ == Next::factor) factor(island, worker);
  }
}

void Subadmm::factor(ScaledIsland& island, int worker) {
  Share& share = shares_[at(worker)];
  share.factored = true;
  if (worker == 0) ++count_.factorizations;
  for (int t = share.tree_begin; t < share.tree_end; ++t) share.factored = split_.factor(t, beta_) && share.factored;
  if (split_.trees() > 0 || worker > 0) return;
  for (std::size_t k = 0; k < shift_.size(); ++k) shift_[k] = 1 / beta_ - island.R[k];  // R is in the constraints' step
  share.factored = system_.factor(island, shift_);
}

/// (37-39): the exact law of one constraint whose sides have y, and that sees nobody else.
/// σ = Σ y/β + g + (R + |Z|/β) λ is diagonal, so the strict operator solves it.
void Subadmm::solve_block(const ScaledIsland& island, int i, const std::vector<double>& y, double* impulse) const {
  const ConstraintBlock& block = island.blocks[at(i)];
  const auto first = split_.sides_begin(i), last = split_.sides_end(i);
  const double give = static_cast<double>(std::max<std::ptrdiff_t>(1, last - first)) / beta_;  // nothing moves: any number
  const auto q = [&](int k) {
    double sum = 0;
    for (auto side = first; side != last; ++side) sum += y[at(side->begin + k)];
    return sum / beta_ + island.g[at(block.row + k)];
  };
  double* const out = impulse + block.row;
  if (block.set == SetKind::cone) {
    const int n = block.rows - 1;
    const double *R = island.R.data() + block.row, *g = island.g.data() + block.row, *before = impulse_.data() + block.row;
    const double mean = n == 2 ? 0.5 * (R[0] + R[1]) : R[0], M_t = mean + give, M_n = R[n] + give;
    double x[3] = {0, 0, 0};
    for (auto side = first; side != last; ++side)
      for (int k = 0; k < block.rows; ++k) x[k] += y[at(side->begin + k)];
    // what the tangents' compliances differ by acts on the last impulse
    for (int k = 0; k < n; ++k) x[k] = -(x[k] / beta_ + g[k] + (R[k] - mean) * before[k]) / M_t;
    x[n] = -(x[n] / beta_ + g[n]) / M_n;
    if (island.convex())
      project_cone_in_metric(x, block.rows, block.friction, M_t, M_n, out);
    else
      strict_cone(x, block.rows, block.friction, out);
    return;
  }
  for (int k = 0; k < block.rows; ++k) {
    const std::size_t row = at(block.row + k);
    const double x = -q(k) / (island.R[row] + give);
    switch (block.set) {
      case SetKind::nonnegative: out[k] = std::max(0.0, x); break;
      case SetKind::box: out[k] = std::min(std::max(x, island.lower[row]), island.upper[row]); break;
      case SetKind::friction_box: {
        const double reach = std::max(0.0, impulse[block.normal_row]);
        out[k] = std::min(std::max(x, island.lower[row] * reach), island.upper[row] * reach);
        break;
      }
      default: out[k] = x;
    }
  }
}

/// λ, and what the next velocity step pulls with: f = β z + λ = y + 2 λ.
void Subadmm::update_constraints(const ScaledIsland& island, int worker) {
  const Share& share = shares_[at(worker)];
  for (const bool friction_boxes : {false, true}) {
    if (friction_boxes && !island.has_friction_boxes()) break;
    for (int i = share.block_begin; i < share.block_end; ++i) {
      const ConstraintBlock& block = island.blocks[at(i)];
      if ((block.set == SetKind::friction_box) != friction_boxes) continue;
      solve_block(island, i, y_, impulse_.data());
      for (auto side = split_.sides_begin(i); side != split_.sides_end(i); ++side)
        for (int k = 0; k < block.rows; ++k) {
          const std::size_t slack = at(side->begin + k);
          side_impulse_[slack] = impulse_[at(block.row + k)];
          f_[slack] = y_[slack] + 2 * side_impulse_[slack];
        }
    }
  }
}

/// (35), and y = β J v - λ of it.
void Subadmm::update_velocities(ScaledIsland& island, int worker) {
  const Share& share = shares_[at(worker)];
  for (int t = share.tree_begin; t < share.tree_end; ++t) {
    split_.step(t, f_.data(), w_.data());
    for (int k = split_.first_slack(t); k < split_.first_slack(t + 1); ++k)
      Ty_[at(k)] = beta_ * w_[at(k)] - side_impulse_[at(k)];
  }
  if (split_.trees() > 0 || worker > 0) return;
  // (29) through h = f - β w, the impulse that A (v - v*) = Jᵀ h asks for: (1 + β G) h = f
  if (!island.symmetric()) {
    island.multiply(h_.data(), lag_.data());
    island.multiply_transposed(h_.data(), transposed_.data());
    for (std::size_t k = 0; k < f_.size(); ++k) f_[k] -= 0.5 * beta_ * (lag_[k] - transposed_[k]);
  }
  system_.solve(island, f_.data(), h_.data());
  for (std::size_t k = 0; k < h_.size(); ++k) {
    h_[k] /= beta_;
    Ty_[k] = y_[k] + side_impulse_[k] - h_[k];
  }
}

Subadmm::Next Subadmm::decide(ScaledIsland& island, const SubadmmOptions& options, double target, BestIterate& best) {
  ++count_.iterations;
  for (const Share& share : shares_)
    if (!share.factored) return Next::end;
  const bool last = count_.iterations >= options.max_iterations || best.out_of_time();
  if (last || count_.iterations % options.check == 0) {
    const double measure = best.offer(island, impulse_.data());
    if (last || (measure <= target && target > 0)) return Next::end;
  }
  if (options.hold > 0 && count_.iterations % options.hold == 0 && change_penalty(island, options)) {
    anderson_.clear();  // the map is another one
    return Next::factor;
  }
  anderson_.advance(y_, Ty_);
  return Next::go_on;
}

/// (43) of the iteration from y to T(y): Jv - z is (λ - λ')/β on every side. θ_d without Jᵀ: in scaled variables G_ii is 1.
Subadmm::Norms Subadmm::norms(const ScaledIsland& island) {
  Norms out;
  std::copy(impulse_.begin(), impulse_.end(), next_impulse_.begin());
  for (const bool friction_boxes : {false, true})
    for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i)
      if ((island.blocks[at(i)].set == SetKind::friction_box) == friction_boxes)
        solve_block(island, i, Ty_, next_impulse_.data());
  for (int i = 0; i < static_cast<int>(island.blocks.size()); ++i) {
    const ConstraintBlock& block = island.blocks[at(i)];
    for (int k = 0; k < block.rows; ++k) {
      const double change = next_impulse_[at(block.row + k)] - impulse_[at(block.row + k)];
      out.primal = std::max(out.primal, std::abs(change) / beta_);
      for (auto side = split_.sides_begin(i); side != split_.sides_end(i); ++side)
        out.dual = std::max(out.dual, std::abs(Ty_[at(side->begin + k)] - y_[at(side->begin + k)] + change));
    }
  }
  return out;
}

/// (44); z and λ stay what they are.
bool Subadmm::change_penalty(const ScaledIsland& island, const SubadmmOptions& options) {
  const Norms r = norms(island);
  if (!(r.primal > options.gamma * r.dual || r.dual > options.gamma * r.primal)) return false;
  const double factor = std::clamp(std::sqrt(r.primal / r.dual), 1 / largest_change, largest_change);
  const double next = std::clamp(beta_ * factor, smallest_beta, largest_beta);
  if (next == beta_ || !std::isfinite(next)) return false;
  for (std::size_t k = 0; k < y_.size(); ++k) y_[k] = next / beta_ * (Ty_[k] + side_impulse_[k]) - side_impulse_[k];
  beta_ = next;
  return true;
}

}  // namespace condyle
