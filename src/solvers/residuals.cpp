#include "solvers/residuals.hpp"

#include "cones/sets.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double slides = 1e-4;  ///< m/s: of what is slower, what a step may be off by (1e-7) is too large a part

/// ‖λ - P_K(λ - step v̂)‖² of the rows k..k+count of a block. Inside K the difference is step v̂ itself, without cancellation;
/// and no difference below the round-off of λ is claimed: impulses of 1e17 would swallow any velocity.
struct NaturalMap {
  const ConstraintBlock& block;
  double normal;  ///< λ at normal_row

  double squared(const double* impulse, const double* v_hat, double step, int k, int count) const {
    double sum = 0;
    if (block.set == SetKind::cone) {
      double x[3] = {0, 0, 0}, p[3];
      for (int l = 0; l < block.rows; ++l) x[l] = impulse[l] - step * v_hat[l];
      project_cone(x, block.rows, block.friction, p);
      const bool inside = std::equal(x, x + block.rows, p);
      double size = 0;
      for (int l = 0; l < block.rows; ++l) {
        const double gap = inside ? step * v_hat[l] : impulse[l] - p[l];
        sum += gap * gap;
        size += impulse[l] * impulse[l];
      }
      return std::max(sum, round_off * round_off * size);
    }
    ConstraintBlock row = block;
    row.rows = 1;
    for (int l = k; l < k + count; ++l) {
      const double x = impulse[l] - step * v_hat[l];
      double p = 0;
      project(row, &x, &p, normal);
      const double gap =
          std::max(std::abs(p == x ? step * v_hat[l] : impulse[l] - p), p == x ? round_off * std::abs(impulse[l]) : 0);
      sum += gap * gap;
    }
    return sum;
  }
  static constexpr double round_off = std::numeric_limits<double>::epsilon() / 2;
};

double distance_to_dual(const ConstraintBlock& block, const double* v_hat) {
  if (block.set == SetKind::cone) {
    double p[3], sum = 0;
    project_dual_cone(v_hat, block.rows, block.friction, p);
    for (int l = 0; l < block.rows; ++l) sum += (v_hat[l] - p[l]) * (v_hat[l] - p[l]);
    return std::sqrt(sum);
  }
  double sum = 0;
  for (int l = 0; l < block.rows; ++l) {
    const double distance = block.set == SetKind::nonnegative ? std::min(0.0, v_hat[l]) : v_hat[l];
    sum += distance * distance;
  }
  return std::sqrt(sum);
}

/// |λ·v̂|; for bounds the distance of λ from the bound that σ presses against.
double complementarity(const ConstraintBlock& block, const double* impulse, const double* v_hat, double normal) {
  double sum = 0;
  for (int l = 0; l < block.rows; ++l) {
    double from = impulse[l];
    if (block.set == SetKind::box || block.set == SetKind::friction_box) {
      const double reach = block.set == SetKind::box ? 1 : std::max(0.0, normal);
      const double bound = (v_hat[l] > 0 ? block.lower : block.upper) * reach;
      if (std::isfinite(bound)) from -= bound;
    }
    sum += from * v_hat[l];
  }
  return std::abs(sum);
}
}  // namespace

void Judge::refuse() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  out_.certificate = out_.natural = out_.scaled = out_.primal = out_.dual = infinity;
  out_.complementarity = out_.momentum = out_.impulse_growth = infinity;
}

bool Judge::recompute_motion(const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  g_.resize(problem.rows());
  sigma_.resize(problem.rows());
  if (problem.dual_only) {
    velocity_.resize(0);
    row_velocity_.resize(0);
    g_ = problem.g;
    sigma_ = g_;
    for (int j = 0; j < problem.G.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(problem.G, j); entry; ++entry)
        sigma_[entry.row()] += entry.value() * impulse[j];
  } else {
    if (factor_.factor(problem.A) >= 0) return false;
    if (everything_) {
      product_.multiply(problem.J, problem.v_free.data(), g_.data());
      g_ += problem.bias;
    }
    velocity_.setZero(problem.velocities());
    product_.add_transposed(problem.J, impulse.data(), velocity_.data());
    factor_.solve(velocity_.data());
    velocity_ += problem.v_free;
    row_velocity_.resize(problem.rows());
    product_.multiply(problem.J, velocity_.data(), row_velocity_.data());
    sigma_ = row_velocity_ + problem.bias;
  }
  sigma_ += problem.compliance.cwiseProduct(impulse);
  return sigma_.allFinite();
}

/// Slip is what the bodies do: σ_t has also what compliance gives back. Dual-only problems do not know their bias.
void Judge::watch_sliding(const ContactProblem& problem, const ConstraintBlock& block, const Eigen::VectorXd& impulse) {
  const int last = block.row + block.rows - 1;
  const double load = impulse[last];
  if (!(load > 0)) return;
  double slip2 = 0, sigma2 = 0;
  for (int k = block.row; k < last; ++k) {
    const double slip = problem.dual_only ? sigma_[k] - problem.compliance[k] * impulse[k] : row_velocity_[k];
    slip2 += slip * slip;
    sigma2 += sigma_[k] * sigma_[k];
  }
  out_.slip = std::max(out_.slip, std::sqrt(slip2));
  if (!(sigma2 > slides * slides)) return;
  slid_ += load * block.friction * std::sqrt(sigma2);
  lifted_ += load * sigma_[last];
}

void Judge::judge_block(const ContactProblem& problem, std::size_t i, const Eigen::VectorXd& impulse, bool convex) {
  const ConstraintBlock& block = problem.blocks[i];
  const double* lambda = impulse.data() + block.row;
  const double* sigma = sigma_.data() + block.row;
  const double normal = block.set == SetKind::friction_box ? impulse[block.normal_row] : 0.0;
  const double gamma = convex ? 0.0 : de_saxce(block, sigma);
  double sigma_max = 0;
  for (int k = 0; k < block.rows; ++k) sigma_max = std::max(sigma_max, std::abs(sigma[k]));
  const bool bilateral = block.set == SetKind::bilateral;
  double w = block.weight;
  if (!(w > 0) && !bilateral) {
    double frobenius2 = 0;
    for (int k = Gii_begin_[i]; k < Gii_begin_[i + 1]; ++k) frobenius2 += Gii_[at(k)] * Gii_[at(k)];
    w = std::max(std::sqrt(frobenius2) / block.rows, weight_floor_);
  }
  const NaturalMap map{block, normal};

  std::array<double, 3> corrected{};
  const double* v_hat = sigma;
  if (block.set == SetKind::cone) {
    watch_sliding(problem, block, impulse);
    for (int k = 0; k < block.rows; ++k) corrected[at(k)] = sigma[k];
    corrected[at(block.rows) - 1] += gamma;
    v_hat = corrected.data();
  }
  const double share = bilateral ? sigma_max : w * std::sqrt(map.squared(lambda, v_hat, 1 / w, 0, block.rows));
  shares_[i] = share;
  if (out_.worst < 0 || share > out_.certificate) {
    out_.certificate = share;
    out_.worst = static_cast<int>(i);
  }
  if (!everything_) return;

  const double* Gii = Gii_.data() + Gii_begin_[i];
  double trace = 0, sigma2 = 0;
  for (int k = 0; k < block.rows; ++k) {
    trace += Gii[k * (block.rows + 1)] + problem.compliance[block.row + k];
    sigma2 += sigma[k] * sigma[k];
  }
  natural2_ += bilateral ? sigma2 : map.squared(lambda, v_hat, 1, 0, block.rows);

  // one factor for the rows of a set that ties them together, one for each row otherwise
  const bool together = block.set == SetKind::cone;
  for (int k = 0; k < block.rows; ++k) {
    const double own = Gii[k * (block.rows + 1)] + problem.compliance[block.row + k];
    const double d2 = 1 / std::max(together ? trace / block.rows : own, diagonal_floor_);
    scaled_g2_ += d2 * g_[block.row + k] * g_[block.row + k];
    scaled_sigma2_ += d2 * sigma[k] * sigma[k];
    scaled_impulse2_ += lambda[k] * lambda[k] / d2;
    if (bilateral)
      scaled2_ += d2 * sigma[k] * sigma[k];
    else if (!together)
      scaled2_ += map.squared(lambda, v_hat, d2, k, 1) / d2;
    else if (k == 0)
      scaled2_ += map.squared(lambda, v_hat, d2, 0, block.rows) / d2;
  }

  std::array<double, 3> projected{};
  double outside2 = 0;
  if (block.set == SetKind::cone) {
    project_cone(lambda, block.rows == 2 ? 2 : 3, block.friction, projected.data());
    for (int k = 0; k < block.rows; ++k) outside2 += (lambda[k] - projected[at(k)]) * (lambda[k] - projected[at(k)]);
  } else {
    ConstraintBlock row = block;
    row.rows = 1;
    for (int k = 0; k < block.rows; ++k) {
      project(row, lambda + k, projected.data(), normal);
      outside2 += (lambda[k] - projected[0]) * (lambda[k] - projected[0]);
    }
  }
  out_.primal = std::max(out_.primal, std::sqrt(outside2));
  const bool bounded = block.set == SetKind::box || block.set == SetKind::friction_box;
  out_.dual = std::max(out_.dual, bounded ? share : distance_to_dual(block, v_hat));
  out_.complementarity = std::max(out_.complementarity, complementarity(block, lambda, v_hat, normal));
  out_.objective_de_saxce += lambda[block.rows - 1] * gamma;
}

void Judge::weigh(const ContactProblem& problem) {
  diagonal_.compute(problem, factor_, Gii_, Gii_begin_);
  double largest = 0, largest_weight = 0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    const ConstraintBlock& block = problem.blocks[i];
    double frobenius2 = 0;
    for (int k = Gii_begin_[i]; k < Gii_begin_[i + 1]; ++k) frobenius2 += Gii_[at(k)] * Gii_[at(k)];
    largest_weight = std::max(largest_weight, std::sqrt(frobenius2) / block.rows);
    for (int k = 0; k < block.rows; ++k)
      largest = std::max(largest, Gii_[at(Gii_begin_[i] + k * (block.rows + 1))] + problem.compliance[block.row + k]);
  }
  diagonal_floor_ = largest > 0 ? 1e-12 * largest : 1;
  weight_floor_ = largest_weight > 0 ? 1e-12 * largest_weight : 1;
}

const Residuals& Judge::judge(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity,
                              bool convex, Depth depth) {
  out_ = Residuals();
  shares_.assign(problem.blocks.size(), 0.0);
  sigma_.setZero(problem.rows());
  everything_ = depth == Depth::everything;
  if (!impulse.allFinite() || !recompute_motion(problem, impulse)) {
    refuse();
    return out_;
  }
  bool weighed = true;
  for (const ConstraintBlock& block : problem.blocks)
    weighed = weighed && (block.weight > 0 || block.set == SetKind::bilateral);
  if (everything_ || !weighed) weigh(problem);
  slid_ = lifted_ = 0;
  natural2_ = scaled2_ = scaled_impulse2_ = scaled_g2_ = scaled_sigma2_ = 0;
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) judge_block(problem, i, impulse, convex);
  out_.gliding = slid_ > 0 ? lifted_ / slid_ : 0;

  if (velocity.size() == velocity_.size() && velocity.size() > 0)
    out_.momentum = (velocity - velocity_).cwiseAbs().maxCoeff();
  if (!everything_) return out_;
  const double size = std::max({g_.norm(), impulse.norm(), sigma_.norm()});
  out_.natural = std::sqrt(natural2_) / (size > 0 ? size : 1);
  const double scaled_size = std::sqrt(std::max(scaled_g2_, scaled_sigma2_));
  out_.scaled = std::sqrt(scaled2_) / (scaled_size > 0 ? scaled_size : 1);
  out_.impulse_growth = scaled_g2_ > 0 ? std::sqrt(scaled_impulse2_ / scaled_g2_) : 0;
  out_.objective = 0.5 * impulse.dot(sigma_ + g_);
  return out_;
}

bool suspects_no_solution(const Residuals& r, double growth) {
  return r.scaled >= 1e-2 && (std::max(growth, r.impulse_growth) > 1e6 || r.natural < 1e-3 * r.scaled);
}

Residuals judge(const ContactProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity,
                bool convex) {
  Judge one;
  return one.judge(problem, impulse, velocity, convex);
}

}  // namespace condyle
