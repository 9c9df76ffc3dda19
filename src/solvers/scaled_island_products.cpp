#include "cones/sets.hpp"
#include "solvers/scaled_island.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
constexpr double round_off = std::numeric_limits<double>::epsilon() / 2;  // nothing below it is claimed of a difference
}  // namespace

bool ScaledIsland::finite() const {
  const auto all_finite = [](const std::vector<double>& x) {
    return std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); });
  };
  if (!all_finite(g) || !all_finite(d) || !all_finite(R)) return false;
  return form_ == Form::primal_dense || form_ == Form::primal_sparse ? all_finite(J_)
         : form_ == Form::dual_dense                                 ? all_finite(G_)
                                                                     : sparse_G_.coeffs().allFinite();
}

void ScaledIsland::to_velocities(const double* x, double* u) const {
  std::fill(u, u + velocities_, 0.0);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const int r = blocks[i].rows;
    const double* xi = x + blocks[i].row;
    for (int s = span_begin_[i]; s < span_begin_[i + 1]; ++s) {
      const Span& span = spans_[at(s)];
      const double* value = J_.data() + span.value;
      double* to = u + span.column;
      if (r == 3) {
        for (int k = 0; k < span.columns; ++k, value += 3) to[k] += value[0] * xi[0] + value[1] * xi[1] + value[2] * xi[2];
        continue;
      }
      for (int k = 0; k < span.columns; ++k)
        for (int l = 0; l < r; ++l) to[k] += *value++ * xi[l];
    }
  }
}

void ScaledIsland::to_rows(const double* u, double* out) const {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const int r = blocks[i].rows;
    double* to = out + blocks[i].row;
    if (r == 3) {
      double sum[3] = {0, 0, 0};  // in registers
      for (int s = span_begin_[i]; s < span_begin_[i + 1]; ++s) {
        const double* value = J_.data() + spans_[at(s)].value;
        const double* from = u + spans_[at(s)].column;
        for (int k = 0; k < spans_[at(s)].columns; ++k, value += 3)
          for (int l = 0; l < 3; ++l) sum[l] += value[l] * from[k];
      }
      std::copy_n(sum, 3, to);
      continue;
    }
    std::fill(to, to + r, 0.0);
    for (int s = span_begin_[i]; s < span_begin_[i + 1]; ++s) {
      const Span& span = spans_[at(s)];
      const double* value = J_.data() + span.value;
      for (int k = 0; k < span.columns; ++k)
        for (int l = 0; l < r; ++l) to[l] += *value++ * u[span.column + k];
    }
  }
}

void ScaledIsland::multiply(const double* x, double* out) {
  const int m = rows();
  const ConstVector from(x, m);
  Vector to(out, m);
  if (form_ == Form::dual_dense) {
    to.noalias() = ConstMatrix(G_.data(), m, m) * from;
  } else if (form_ == Form::dual_sparse) {
    to.noalias() = sparse_G_ * from;
  } else {
    to_velocities(x, u_.data());
    to_rows(u_.data(), out);
  }
  for (int k = 0; k < m; ++k) out[k] += R[at(k)] * x[k];
}

void ScaledIsland::multiply_transposed(const double* x, double* out) {
  if (symmetric_) return multiply(x, out);
  const int m = rows();
  const ConstVector from(x, m);
  Vector to(out, m);
  if (form_ == Form::dual_dense)
    to.noalias() = ConstMatrix(G_.data(), m, m).transpose() * from;
  else
    to.noalias() = sparse_G_.transpose() * from;
  for (int k = 0; k < m; ++k) out[k] += R[at(k)] * x[k];
}

void ScaledIsland::sigma(const double* x, double* out) {
  multiply(x, out);
  for (std::size_t k = 0; k < g.size(); ++k) out[k] += g[k];
}

Eigen::MatrixXd ScaledIsland::dense() {
  Eigen::MatrixXd out(rows(), rows());
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(rows());
  for (int k = 0; k < rows(); ++k) {
    unit[k] = 1;
    multiply(unit.data(), out.col(k).data());
    unit[k] = 0;
  }
  return out;
}

void ScaledIsland::project(const double* x, double* y) const {
  for (const ConstraintBlock& block : blocks) {
    const int begin = block.row, end = block.row + block.rows;
    switch (block.set) {
      case SetKind::bilateral: std::copy(x + begin, x + end, y + begin); break;
      case SetKind::cone: project_cone(x + begin, block.rows, block.friction, y + begin); break;
      case SetKind::nonnegative:
        for (int k = begin; k < end; ++k) y[k] = std::max(0.0, x[k]);
        break;
      case SetKind::box:
        for (int k = begin; k < end; ++k) y[k] = std::min(std::max(x[k], lower[at(k)]), upper[at(k)]);
        break;
      case SetKind::friction_box: break;
    }
  }
  if (!has_friction_boxes_) return;
  for (const ConstraintBlock& block : blocks)  // their normal impulses are there now
    if (block.set == SetKind::friction_box) {
      const double reach = std::max(0.0, y[block.normal_row]);
      for (int k = block.row; k < block.row + block.rows; ++k)
        y[k] = std::min(std::max(x[k], lower[at(k)] * reach), upper[at(k)] * reach);
    }
}

double ScaledIsland::measure(const double* impulse, const double* sigma) const {
  double speed = 0, natural2 = 0, scaled2 = 0, g2 = 0, lambda2 = 0, sigma2 = 0, scaled_sigma2 = 0;
  const bool as_speed = criterion_ == SolverOptions::Criterion::speed;
  for (const ConstraintBlock& block : blocks) {
    const double gamma = convex_ ? 0.0 : de_saxce(block, sigma + block.row);
    double share2 = 0, x[3], p[3];
    for (int k = 0; k < block.rows; ++k) {
      const std::size_t row = at(block.row + k);
      const double f = impulse[row], s = sigma[row] + (block.set == SetKind::cone && k + 1 == block.rows ? gamma : 0.0);
      if (!as_speed) {
        lambda2 += c * d[row] * f * c * d[row] * f;
        sigma2 += c * sigma[row] / d[row] * c * sigma[row] / d[row];
        g2 += c * g[row] / d[row] * c * g[row] / d[row];
        scaled_sigma2 += sigma[row] * sigma[row];
      }
      if (block.set == SetKind::cone) continue;
      // in scaled variables a step of τ in true ones is τ / d²
      const auto gap = [&](double step) {
        if (block.set == SetKind::bilateral) return step * s;
        double low = lower[row], high = upper[row];
        if (block.set == SetKind::nonnegative) {
          low = 0;
          high = std::numeric_limits<double>::infinity();
        } else if (block.set == SetKind::friction_box) {
          const double reach = std::max(0.0, impulse[block.normal_row]);
          low *= reach;
          high *= reach;
        }
        const double x0 = f - step * s, p0 = std::min(std::max(x0, low), high);
        return p0 == x0 ? std::max(std::abs(step * s), round_off * std::abs(f)) : f - p0;
      };
      if (as_speed) {
        if (block.set == SetKind::bilateral) {
          speed = std::max(speed, std::abs(c * s / d[row]));
        } else {
          const double e = block.weight * c * d[row] * gap(1 / (block.weight * d[row] * d[row]));
          share2 += e * e;
        }
      } else {
        const double one = c * d[row] * gap(1 / (d[row] * d[row])), other = gap(1);
        natural2 += one * one;
        scaled2 += other * other;
      }
    }
    if (block.set == SetKind::cone) {
      const double unit = d[at(block.row)];
      const auto gap2 = [&](double step) {
        const double *f = impulse + block.row, *s = sigma + block.row;
        for (int k = 0; k < block.rows; ++k) x[k] = f[k] - step * (s[k] + (k + 1 == block.rows ? gamma : 0.0));
        project_cone(x, block.rows, block.friction, p);
        const bool inside = std::equal(x, x + block.rows, p);
        double sum = 0, size = 0;
        for (int k = 0; k < block.rows; ++k) {
          const double gap = inside ? step * (s[k] + (k + 1 == block.rows ? gamma : 0.0)) : f[k] - p[k];
          sum += gap * gap;
          size += f[k] * f[k];
        }
        return std::max(sum, round_off * round_off * size);
      };
      if (as_speed) {
        const double scale = block.weight * c * unit;
        share2 = scale * scale * gap2(1 / (block.weight * unit * unit));
      } else {
        natural2 += c * unit * c * unit * gap2(1 / (unit * unit));
        scaled2 += gap2(1);
      }
    }
    speed = std::max(speed, std::sqrt(share2));
  }
  if (as_speed) return speed;
  double scaled_g2 = 0;
  for (const double x : g) scaled_g2 += x * x;
  const double size2 = std::max({g2, lambda2, sigma2}), scaled_size2 = std::max(scaled_g2, scaled_sigma2);
  return std::sqrt(std::max(natural2 / (size2 > 0 ? size2 : 1), scaled2 / (scaled_size2 > 0 ? scaled_size2 : 1)));
}

void ScaledIsland::gather(const Eigen::VectorXd& all, double* scaled) const {
  for (std::size_t k = 0; k < global_row.size(); ++k) scaled[k] = all[global_row[k]] / (c * d[k]);
}

void ScaledIsland::scatter(const double* scaled, Eigen::VectorXd& all) const {
  for (std::size_t k = 0; k < global_row.size(); ++k) all[global_row[k]] = c * d[k] * scaled[k];
}

}  // namespace condyle
