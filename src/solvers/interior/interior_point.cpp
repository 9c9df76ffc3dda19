#include "solvers/interior/interior_point.hpp"

#include "cones/sets.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr double infinity = std::numeric_limits<double>::infinity();
// what is held fast anyway: 1 / this is the largest number in the matrix
constexpr double held = 1e12, proximal = 1e-9;

bool has_interior(const ConstraintBlock& block) { return block.set == SetKind::cone && block.friction > 0; }

double tangent_size(const double* x, int rows) {
  double sum = 0;
  for (int k = 0; k + 1 < rows; ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}
/// (x_n - ‖x_t‖)(x_n + ‖x_t‖): the determinant without cancellation of squares.
double determinant(const double* x, int rows) {
  const double t = tangent_size(x, rows);
  return (x[rows - 1] - t) * (x[rows - 1] + t);
}
/// Largest t with x + t d in {f x_n >= ‖x_t‖}, x inside.
double to_cone(const double* x, const double* d, int rows, double f) {
  const double xn = f * x[rows - 1], dn = f * d[rows - 1], xt = tangent_size(x, rows);
  double a = dn * dn, b = xn * dn;
  for (int k = 0; k + 1 < rows; ++k) {
    a -= d[k] * d[k];
    b -= x[k] * d[k];
  }
  const double c = (xn - xt) * (xn + xt), root = b * b - a * c;
  double t = dn < 0 ? -xn / dn : infinity;
  if (root >= 0) {
    const double q = -(b + (b > 0 ? std::sqrt(root) : -std::sqrt(root)));
    if (a != 0 && q / a > 0) t = std::min(t, q / a);
    if (q != 0 && c / q > 0) t = std::min(t, c / q);
  }
  return t;
}
double to_bound(double x, double d) { return d < 0 ? -x / d : infinity; }
}  // namespace

void InteriorPoint::begin(const ScaledIsland& island) {
  const std::size_t m = at(island.rows());
  for (std::vector<double>* v : {&l_, &s_, &z_, &dl_, &ds_, &dz_, &sigma_, &error_, &right_, &q_, &p_}) v->assign(m, 0.0);
  for (std::vector<double>* v : {&T_, &Y_, &Binv_}) v->assign(3 * m, 0.0);
  scaling_.resize(island.blocks.size());
  double size = 0;
  for (const double g : island.g) size = std::max(size, std::abs(g));
  if (!(size > 0)) size = 1;
  for (const ConstraintBlock& block : island.blocks) {
    const int last = block.row + block.rows - 1;
    if (block.set == SetKind::cone) {
      l_[at(last)] = block.friction > 0 ? size / block.friction : size;
      s_[at(last)] = size;
      continue;
    }
    for (int k = block.row; k <= last; ++k) {
      if (block.set == SetKind::bilateral) continue;
      const bool box = block.set == SetKind::box;
      const double low = box ? island.lower[at(k)] : 0.0, high = box ? island.upper[at(k)] : infinity;
      if (!(low < high)) {
        l_[at(k)] = low;
        continue;
      }
      const double inside = std::min(size, 0.5 * (high - low));
      if (std::isfinite(low) && std::isfinite(high))
        l_[at(k)] = std::min(std::max(0.0, low + inside), high - inside);
      else
        l_[at(k)] = std::isfinite(low)    ? std::max(0.0, low + inside)
                    : std::isfinite(high) ? std::min(0.0, high - inside)
                                          : 0.0;
      if (std::isfinite(low)) s_[at(k)] = size;
      if (std::isfinite(high)) z_[at(k)] = size;
    }
  }
}

/// The impulse that is given and its velocities, both pushed inside. Cones alone are moved: they are what has kinks.
void InteriorPoint::begin_at(ScaledIsland& island, const double* start, double push) {
  island.sigma(start, sigma_.data());
  for (const ConstraintBlock& block : island.blocks) {
    const int row = block.row, r = block.rows, n = row + r - 1;
    if (block.set == SetKind::bilateral) std::copy(start + row, start + row + r, l_.begin() + row);
    if (!has_interior(block)) continue;
    const double mu = block.friction, size = s_[at(n)];
    project_cone(start + row, r, mu, l_.data() + row);
    std::copy(sigma_.begin() + row, sigma_.begin() + row + r, s_.begin() + row);
    s_[at(n)] += mu * tangent_size(s_.data() + row, r);
    project_dual_cone(s_.data() + row, r, mu, s_.data() + row);
    l_[at(n)] += push * size / mu;
    s_[at(n)] += push * size;
  }
}

void InteriorPoint::residual(ScaledIsland& island) {
  island.sigma(l_.data(), sigma_.data());
  double sum = 0;
  int count = 0;
  infeasible_ = 0;
  for (const ConstraintBlock& block : island.blocks) {
    const int row = block.row, r = block.rows;
    if (has_interior(block)) {
      for (int k = 0; k < r; ++k) sum += block.friction * l_[at(row + k)] * s_[at(row + k)];
      ++count;
      for (int k = 0; k < r; ++k) error_[at(row + k)] = sigma_[at(row + k)] - s_[at(row + k)];
      error_[at(row + r - 1)] += block.friction * tangent_size(s_.data() + row, r);
    } else {
      for (int k = row; k < row + r; ++k) {
        error_[at(k)] = sigma_[at(k)] - (s_[at(k)] - z_[at(k)]);
        if (block.set == SetKind::bilateral) continue;
        if (block.set == SetKind::cone && k + 1 < row + r) {
          error_[at(k)] = 0;
          continue;
        }
        const bool box = block.set == SetKind::box;
        const double low = box ? island.lower[at(k)] : 0.0, high = box ? island.upper[at(k)] : infinity;
        if (!(low < high)) {
          error_[at(k)] = 0;
          continue;
        }
        if (std::isfinite(low)) sum += s_[at(k)] * (l_[at(k)] - low), ++count;
        if (std::isfinite(high)) sum += z_[at(k)] * (high - l_[at(k)]), ++count;
      }
    }
    for (int k = row; k < row + r; ++k) infeasible_ = std::max(infeasible_, std::abs(error_[at(k)]));
  }
  gap_ = count > 0 ? sum / count : 0;
}

void InteriorPoint::linearize(const ScaledIsland& island) {
  for (std::size_t i = 0; i < island.blocks.size(); ++i) {
    const ConstraintBlock& block = island.blocks[i];
    const int row = block.row, r = block.rows, n = r - 1;
    if (has_interior(block)) {
      const double mu = block.friction;
      Scaling& scaling = scaling_[i];
      double x[3], y[3];
      for (int k = 0; k < r; ++k) {
        x[k] = l_[at(row + k)] * (k == n ? mu : 1);
        y[k] = s_[at(row + k)] * (k == n ? 1 : mu);
      }
      const double dx = std::sqrt(determinant(x, r)), dy = std::sqrt(determinant(y, r));
      double dot = 0;
      for (int k = 0; k < r; ++k) dot += x[k] * y[k];
      const double gamma = std::sqrt((1 + dot / (dx * dy)) / 2);
      for (int k = 0; k < r; ++k) scaling.w[k] = (x[k] / dx + (k == n ? 1 : -1) * y[k] / dy) / (2 * gamma);
      // w has determinant one; made so again where round-off has broken it
      const double wt = tangent_size(scaling.w, r);
      scaling.w[n] = std::sqrt(1 + wt * wt);
      scaling.eta2 = dx / dy;
      // B = C W² C / μ, C = diag(μ, μ, 1); W² = η² (2 w wᵀ - J)
      Eigen::Matrix3d B = Eigen::Matrix3d::Zero(), Binv = Eigen::Matrix3d::Zero(), S = Eigen::Matrix3d::Identity();
      const double norm = tangent_size(s_.data() + row, r);
      for (int a = 0; a < r; ++a)
        for (int b = 0; b < r; ++b) {
          const double J = a == b ? (a == n ? 1 : -1) : 0, sign = (a == n) == (b == n) ? 1 : -1;
          const double ca = a == n ? 1 : mu, cb = b == n ? 1 : mu, ww = 2 * scaling.w[a] * scaling.w[b];
          B(a, b) = ca * cb / mu * scaling.eta2 * (ww - J);
          Binv(a, b) = mu / (ca * cb) / scaling.eta2 * (sign * ww - J);
        }
      if (norm > 0)
        for (int k = 0; k < n; ++k) S(n, k) = -theta_ * mu * s_[at(row + k)] / norm;
      const Eigen::Matrix3d T = S * Binv;
      Eigen::Matrix3d E = S;
      for (int a = 0; a < r; ++a)
        for (int b = 0; b < r; ++b) E(a, b) += island.R[at(row + a)] * B(a, b);
      const Eigen::Matrix3d Y = B * E.inverse();
      for (int b = 0; b < r; ++b)
        for (int a = 0; a < r; ++a) {
          T_[at(3 * row + b * r + a)] = T(a, b);
          Y_[at(3 * row + b * r + a)] = Y(a, b);
          Binv_[at(3 * row + b * r + a)] = Binv(a, b);
        }
      continue;
    }
    const bool cone = block.set == SetKind::cone;
    if (cone) {
      std::fill_n(T_.begin() + 3 * row, r * r, 0.0);
      std::fill_n(Y_.begin() + 3 * row, r * r, 0.0);
    }
    for (int k = row; k < row + r; ++k) {
      const bool box = block.set == SetKind::box;
      const double low = box ? island.lower[at(k)] : 0.0, high = box ? island.upper[at(k)] : infinity;
      double t = 0;
      if (block.set == SetKind::bilateral)
        t = proximal;
      else if ((cone && k + 1 < row + r) || !(low < high))
        t = held;
      else {
        if (std::isfinite(low)) t += s_[at(k)] / (l_[at(k)] - low);
        if (std::isfinite(high)) t += z_[at(k)] / (high - l_[at(k)]);
        t = std::max(t, 1e-16);
      }
      const int where = cone ? 3 * row + (k - row) * (r + 1) : 3 * k;
      T_[at(where)] = t;
      Y_[at(where)] = t == held ? 0.0 : 1 / (island.R[at(k)] + t);
    }
  }
}

void InteriorPoint::direction(ScaledIsland& island, double centre) {
  const double aim = centre * gap_;
  for (std::size_t i = 0; i < island.blocks.size(); ++i) {
    const ConstraintBlock& block = island.blocks[i];
    const int row = block.row, r = block.rows, n = r - 1;
    if (has_interior(block)) {
      const double mu = block.friction;
      const Scaling& scaling = scaling_[i];
      const double* w = scaling.w;
      const double eta = std::sqrt(scaling.eta2);
      // W = η [w_n wᵀ; w I + w wᵀ / (1 + w_n)], its inverse with -w
      const auto W = [&](const double* x, double* out, double sign, double size) {
        double wx = 0;
        for (int k = 0; k < n; ++k) wx += w[k] * x[k];
        out[n] = size * (w[n] * x[n] + sign * wx);
        const double along = sign * x[n] + wx / (1 + w[n]);
        for (int k = 0; k < n; ++k) out[k] = size * (x[k] + along * w[k]);
      };
      double y[3], point[3], rc[3], x[3];
      for (int k = 0; k < r; ++k) y[k] = s_[at(row + k)] * (k == n ? 1 : mu);
      W(y, point, 1, eta);
      double square = 0;
      for (int k = 0; k < r; ++k) square += point[k] * point[k];
      for (int k = 0; k < n; ++k) rc[k] = -2 * point[n] * point[k];
      rc[n] = aim - square;
      // point \ rc, then W of it
      double pr = 0;
      for (int k = 0; k < n; ++k) pr += point[k] * rc[k];
      const double zn = (point[n] * rc[n] - pr) / determinant(point, r);
      double z[3];
      for (int k = 0; k < n; ++k) z[k] = (rc[k] - zn * point[k]) / point[n];
      z[n] = zn;
      W(z, x, 1, eta);
      for (int k = 0; k < r; ++k) q_[at(row + k)] = x[k] / (k == n ? mu : 1);
      for (int k = 0; k < r; ++k) {
        double sum = -error_[at(row + k)];
        for (int l = 0; l < r; ++l) sum += T_[at(3 * row + l * r + k)] * q_[at(row + l)];
        right_[at(row + k)] = sum;
      }
      continue;
    }
    for (int k = row; k < row + r; ++k) {
      const bool box = block.set == SetKind::box;
      const double low = box ? island.lower[at(k)] : 0.0, high = box ? island.upper[at(k)] : infinity;
      q_[at(k)] = p_[at(k)] = 0;
      if (block.set != SetKind::bilateral && low < high && !(block.set == SetKind::cone && k < row + n)) {
        if (std::isfinite(low)) q_[at(k)] = aim / (l_[at(k)] - low) - s_[at(k)];
        if (std::isfinite(high)) p_[at(k)] = aim / (high - l_[at(k)]) - z_[at(k)];
      }
      right_[at(k)] = q_[at(k)] - p_[at(k)] - error_[at(k)];
    }
  }
  system_.solve(island, right_.data(), dl_.data());
  // δs = B⁻¹ (q - δλ) = S'⁻¹ (G δλ + error): the first has its digits where s is small, the second where λ is
  island.multiply(dl_.data(), right_.data());
  for (const ConstraintBlock& block : island.blocks) {
    const int row = block.row, r = block.rows;
    if (has_interior(block)) {
      const double* Binv = Binv_.data() + 3 * row;
      double largest = 0;
      for (int k = 0; k < r; ++k) largest = std::max(largest, Binv[k * (r + 1)]);
      if (largest < 1) {
        for (int k = 0; k < r; ++k) {
          ds_[at(row + k)] = 0;
          for (int l = 0; l < r; ++l) ds_[at(row + k)] += Binv[l * r + k] * (q_[at(row + l)] - dl_[at(row + l)]);
        }
        continue;
      }
      const double norm = tangent_size(s_.data() + row, r);
      for (int k = 0; k < r; ++k) ds_[at(row + k)] = right_[at(row + k)] + error_[at(row + k)];
      for (int k = 0; k + 1 < r && norm > 0; ++k)
        ds_[at(row + r - 1)] += theta_ * block.friction * s_[at(row + k)] / norm * ds_[at(row + k)];
      continue;
    }
    for (int k = row; k < row + r; ++k) {
      const bool box = block.set == SetKind::box;
      const double low = box ? island.lower[at(k)] : 0.0, high = box ? island.upper[at(k)] : infinity;
      ds_[at(k)] = dz_[at(k)] = 0;
      if (block.set == SetKind::bilateral) continue;
      if (!(low < high) || (block.set == SetKind::cone && k + 1 < row + r)) {
        dl_[at(k)] = 0;
        continue;
      }
      if (std::isfinite(low)) ds_[at(k)] = q_[at(k)] - s_[at(k)] / (l_[at(k)] - low) * dl_[at(k)];
      if (std::isfinite(high)) dz_[at(k)] = p_[at(k)] + z_[at(k)] / (high - l_[at(k)]) * dl_[at(k)];
    }
  }
}

double InteriorPoint::longest(const ScaledIsland& island) const {
  double t = infinity;
  for (const ConstraintBlock& block : island.blocks) {
    const int row = block.row, r = block.rows;
    if (has_interior(block)) {
      t = std::min(t, to_cone(l_.data() + row, dl_.data() + row, r, block.friction));
      t = std::min(t, to_cone(s_.data() + row, ds_.data() + row, r, 1 / block.friction));
      continue;
    }
    if (block.set == SetKind::bilateral) continue;
    for (int k = block.set == SetKind::cone ? row + r - 1 : row; k < row + r; ++k) {
      const bool box = block.set == SetKind::box;
      const double low = box ? island.lower[at(k)] : 0.0, high = box ? island.upper[at(k)] : infinity;
      if (!(low < high)) continue;
      if (std::isfinite(low)) t = std::min({t, to_bound(l_[at(k)] - low, dl_[at(k)]), to_bound(s_[at(k)], ds_[at(k)])});
      if (std::isfinite(high)) t = std::min({t, to_bound(high - l_[at(k)], -dl_[at(k)]), to_bound(z_[at(k)], dz_[at(k)])});
    }
  }
  return t;
}

int InteriorPoint::run(ScaledIsland& island, const InteriorOptions& options, double target, const double* start,
                       BestIterate& best) {
  theta_ = options.theta;
  begin(island);
  if (start) begin_at(island, start, options.push);
  const std::size_t m = l_.size();
  int factorizations = 0, small_steps = 0;
  int since = 0;
  double last = 1, lowest = infinity;
  while (true) {
    residual(island);
    const double value = best.offer_with(island, l_.data(), sigma_.data());
    if (value < 0.9 * lowest) {
      lowest = value;
      since = 0;
    } else if (++since > options.patience) {
      break;
    }
    if (value <= target || factorizations >= options.max_iterations || !std::isfinite(gap_) || best.out_of_time()) break;
    linearize(island);
    ++factorizations;
    if (!system_.factor(island, T_, Y_)) break;
    // short steps say that the path bends: then towards it rather than along it
    const double centre = last > 0.9 ? options.centre : last > 0.4 ? 0.5 : 0.9;
    direction(island, centre);
    double t = std::min(1.0, options.boundary * longest(island));
    if (!(t > 0)) break;
    for (std::size_t k = 0; k < m; ++k) {
      l_[k] += t * dl_[k];
      s_[k] += t * ds_[k];
      z_[k] += t * dz_[k];
    }
    last = t;
    small_steps = t < 1e-3 ? small_steps + 1 : 0;
    if (small_steps >= 4) break;
  }
  return factorizations;
}

}  // namespace condyle
