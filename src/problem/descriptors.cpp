#include <condyle/solver.hpp>

#include "linalg/block_factor.hpp"
#include "linalg/block_jacobian.hpp"
#include "linalg/singular_values.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {

constexpr int most_rows = 2000;  // dense singular values beyond that take minutes
constexpr double rank_tolerance = 1e-10;

/// G without compliance, column by column: A may have tens of thousands of velocities. Empty if A cannot be factored.
Eigen::MatrixXd delassus(const ContactProblem& problem) {
  if (problem.dual_only) return Eigen::MatrixXd(problem.G);
  BlockFactor factor;
  if (factor.factor(problem.A) >= 0) return {};
  JacobianProduct product;
  const int m = problem.rows();
  Eigen::MatrixXd G(m, m);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(m), v(problem.velocities());
  for (int j = 0; j < m; ++j) {
    unit[j] = 1;
    v.setZero();
    product.add_transposed(problem.J, unit.data(), v.data());
    factor.solve(v.data());
    product.multiply(problem.J, v.data(), G.col(j).data());
    unit[j] = 0;
  }
  return G;
}

/// Descending: the eigenvalues of a G of mechanics, symmetric and positive semi-definite but for the digits it was printed
/// with, where those below zero are such noise and count as zero; the singular values of any other.
Eigen::VectorXd spectrum(const Eigen::MatrixXd& G) {
  if (G.size() == 0) return {};
  constexpr double printed = 1e-2, noise = 1e-6;
  if ((G - G.transpose()).cwiseAbs().maxCoeff() <= printed * G.cwiseAbs().maxCoeff()) {
    const Eigen::MatrixXd symmetric = 0.5 * (G + G.transpose());
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
    if (values[0] >= -noise * values[values.size() - 1]) return values.cwiseMax(0.0).reverse();
  }
  return singular_values(G);
}

int rank_of(const Eigen::VectorXd& values) {
  int rank = 0;
  while (rank < values.size() && values[rank] > rank_tolerance * values[0]) ++rank;
  return rank;
}

Eigen::MatrixXd bilateral_part(const ContactProblem& problem, const Eigen::MatrixXd& G) {
  std::vector<int> rows;
  for (const ConstraintBlock& block : problem.blocks)
    if (block.set == SetKind::bilateral)
      for (int k = 0; k < block.rows; ++k) rows.push_back(block.row + k);
  return G(rows, rows);
}

double mass_ratio_of(const BlockDiagonal& A) {
  double least = 0, most = 0;
  for (int b = 0; b < A.blocks(); ++b) {
    const double mass = A.block(b).diagonal().maxCoeff();
    least = b == 0 ? mass : std::min(least, mass);
    most = std::max(most, mass);
  }
  return least > 0 ? most / least : 0;
}

/// CRBD VII-C with n_v in place of 6 n_b.
std::string category_of(const ProblemDescriptors& d, int joint_rank, bool dense_known) {
  if (d.rows == 0) return "Unconstrained";
  if (d.contacts == 0) {
    if (d.bilateral_rows == 0) return "Limits";
    if (joint_rank < 0) return "Joints";
    if (joint_rank == d.bilateral_rows) return "Independent Joints";
    return d.density_joints < 1 ? "Redundant Joints" : "Dense Joints";
  }
  if (d.bilateral_rows > 0 && dense_known && d.density_all > 1) return "Dense Constraints";
  if (d.contacts == 1) return "Single Contact";
  if (!dense_known) return "Contacts";
  return d.density_contacts > 1 ? "Dense Contacts" : "Sparse Contacts";
}

}  // namespace

ProblemDescriptors describe(const ContactProblem& problem) {
  ProblemDescriptors out;
  out.rows = problem.rows();
  out.contacts = problem.contacts();
  out.velocities = problem.velocities();
  out.bodies = problem.A.blocks();
  int contact_rows = 0;
  for (const ConstraintBlock& block : problem.blocks) {
    if (block.kind == ConstraintKind::contact || block.set == SetKind::friction_box)
      contact_rows += block.rows;
    else if (block.set == SetKind::bilateral)
      out.bilateral_rows += block.rows;
    else
      out.limits += block.rows;
  }
  out.mass_ratio = mass_ratio_of(problem.A);

  int joint_rank = -1;
  out.rank = out.rows == 0 ? 0 : -1;
  if (out.rows > 0 && out.rows <= most_rows) {
    const Eigen::MatrixXd G = delassus(problem);
    const Eigen::VectorXd values = spectrum(G);
    if (values.size() > 0) {
      out.rank = rank_of(values);
      if (out.rank > 0) out.condition = values[0] / values[out.rank - 1];
      if (out.contacts == 0 && out.bilateral_rows > 0) {
        const Eigen::MatrixXd joints = bilateral_part(problem, G);
        joint_rank = out.bilateral_rows == out.rows ? out.rank : rank_of(spectrum(joints));
      }
    }
  }
  // a dual-only problem does not say how many velocities it came from; there are at least as many as its rank
  const int n = problem.dual_only ? out.rank : out.velocities;
  if (n > 0) {
    out.density_joints = static_cast<double>(out.bilateral_rows) / n;
    out.density_contacts = static_cast<double>(contact_rows) / n;
    out.density_all = static_cast<double>(out.rows) / n;
  }
  out.category = category_of(out, joint_rank, n > 0);
  return out;
}

}  // namespace condyle
