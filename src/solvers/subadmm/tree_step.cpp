#include "solvers/subadmm/tree_split.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void TreeSplit::assemble(const Tree& tree, double beta) {
  const std::size_t end = tree.value + tree.pattern.values();
  for (std::size_t k = tree.value; k < end; ++k) L_[k] = A_[k] + beta * gram_[k];
}

bool TreeSplit::factor(int t, double beta) {
  const Tree& tree = tree_[at(t)];
  assemble(tree, beta);
  if (!tree.pattern.factor(L_.data() + tree.value)) return false;
  tree.pattern.invert(L_.data() + tree.value, W_.data() + tree.value);
  for (int b = tree.body_begin; b < tree.body_end; ++b) {
    const Body& body = bodies_[at(b)];
    const int* branch = tree.pattern.branch(body.last);
    const double* J = J_.data() + body.value;
    double* const hat = hat_.data() + body.value;
    std::fill(hat, hat + body.rows * body.width, 0.0);
    for (int p = 0; p < body.width; ++p, J += body.rows) {
      const double* W = W_.data() + tree.value + tree.pattern.row(branch[p]);
      for (int q = 0; q <= p; ++q)
        for (int r = 0; r < body.rows; ++r) hat[q * body.rows + r] += W[q] * J[r];
    }
  }
  return true;
}

/// With H⁻¹ = L⁻¹ L⁻ᵀ all that is left of the solve are products with Ĵ, twice with a minus.
void TreeSplit::step(int t, const double* f, double* w) {
  const Tree& tree = tree_[at(t)];
  double *const u = u_.data() + tree.begin, *const local = local_.data() + tree.begin;
  std::fill(u, u + tree.velocities, 0.0);
  for (int b = tree.body_begin; b < tree.body_end; ++b) {
    const Body& body = bodies_[at(b)];
    const double* hat = hat_.data() + body.value;
    if (body.in_one_run) {
      kernels_->subtract_transposed(u, hat, body.rows, f + body.begin, body.rows, body.width);
      continue;
    }
    const int* branch = tree.pattern.branch(body.last);
    std::fill(local, local + body.width, 0.0);
    kernels_->subtract_transposed(local, hat, body.rows, f + body.begin, body.rows, body.width);
    for (int p = 0; p < body.width; ++p) u[branch[p]] += local[p];
  }
  for (int b = tree.body_begin; b < tree.body_end; ++b) {
    const Body& body = bodies_[at(b)];
    const double* from = u;
    if (!body.in_one_run) {
      const int* branch = tree.pattern.branch(body.last);
      for (int p = 0; p < body.width; ++p) local[p] = u[branch[p]];
      from = local;
    }
    std::fill(w + body.begin, w + body.begin + body.rows, 0.0);
    kernels_->subtract_times(w + body.begin, hat_.data() + body.value, body.rows, from, body.rows, body.width);
  }
}

bool TreeSplit::step_of_inertia(int t, const double* f, double* w) {
  const Tree& tree = tree_[at(t)];
  assemble(tree, 0);
  if (!tree.pattern.factor(L_.data() + tree.value)) return false;
  double* const u = u_.data() + tree.begin;
  std::fill(u, u + tree.velocities, 0.0);
  for (int b = tree.body_begin; b < tree.body_end; ++b) {
    const Body& body = bodies_[at(b)];
    const int* branch = tree.pattern.branch(body.last);
    const double* J = J_.data() + body.value;
    for (int p = 0; p < body.width; ++p)
      for (int r = 0; r < body.rows; ++r) u[branch[p]] += *J++ * f[body.begin + r];
  }
  tree.pattern.solve(L_.data() + tree.value, u);
  for (int b = tree.body_begin; b < tree.body_end; ++b) {
    const Body& body = bodies_[at(b)];
    const int* branch = tree.pattern.branch(body.last);
    const double* J = J_.data() + body.value;
    std::fill(w + body.begin, w + body.begin + body.rows, 0.0);
    for (int p = 0; p < body.width; ++p)
      for (int r = 0; r < body.rows; ++r) w[body.begin + r] += *J++ * u[branch[p]];
  }
  return true;
}

Eigen::MatrixXd TreeSplit::matrix(int t, double beta) const {
  const Tree& tree = tree_[at(t)];
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(tree.velocities, tree.velocities);
  for (int k = 0; k < tree.velocities; ++k)
    for (int p = 0; p < tree.pattern.depth(k); ++p) {
      const std::size_t place = tree.value + tree.pattern.row(k) + at(p);
      const int column = tree.pattern.branch(k)[p];
      out(k, column) = out(column, k) = A_[place] + beta * gram_[place];
    }
  return out;
}

Eigen::MatrixXd TreeSplit::rows(int t) const {
  const Tree& tree = tree_[at(t)];
  if (tree.body_begin == tree.body_end) return Eigen::MatrixXd(0, tree.velocities);
  const int begin = bodies_[at(tree.body_begin)].begin;
  const Body& end = bodies_[at(tree.body_end) - 1];
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(end.begin + end.rows - begin, tree.velocities);
  for (int b = tree.body_begin; b < tree.body_end; ++b) {
    const Body& body = bodies_[at(b)];
    for (int p = 0; p < body.width; ++p)
      for (int r = 0; r < body.rows; ++r)
        out(body.begin - begin + r, tree.pattern.branch(body.last)[p]) = J_[body.value + at(p * body.rows + r)];
  }
  return out;
}

}  // namespace condyle
