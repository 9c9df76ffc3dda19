#include "problem/jacobian_writer.hpp"

#include <algorithm>

namespace condyle {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
using Vector6 = Eigen::Matrix<double, 6, 1>;
}  // namespace

void JacobianWriter::begin(const Kinematics& kinematics, BlockJacobian& J) {
  kinematics_ = &kinematics;
  J_ = &J;
  J.clear();
  J.columns = kinematics.velocities();
  for (const int body : touched_bodies_) head_[at(body)] = -1;
  for (const int velocity : touched_joints_) joint_carrier_[at(velocity)] = -1;
  touched_bodies_.clear();
  touched_joints_.clear();
  head_.resize(at(kinematics.bodies()), -1);
  joint_carrier_.resize(at(kinematics.velocities()), -1);
  next_.clear();
  low_.clear();
  from_.clear();
  reference_.clear();
}

/// Relative twist of body B minus body A at the point, over the velocities that move one of them and not the other: what
/// moves both moves neither relative to the other. Columns of different trees or free bodies come in the order of the bodies
/// as given, not of their numbers: the bits of a sum over them do not depend on who was added to the scene first. Two links
/// of one tree: what is above both comes first in both supports; then the branch that begins higher, see the header.
int JacobianWriter::pair_carrier(int body_a, int body_b, const Eigen::Vector3d& point) {
  const int low = std::min(body_a, body_b), high = std::max(body_a, body_b);
  for (int c = head_[at(high)]; c >= 0; c = next_[at(c)])
    if (low_[at(c)] == low) return c;
  BlockJacobian& J = *J_;
  const int carrier = static_cast<int>(J.carriers.size());
  const int first_run = static_cast<int>(J.runs.size());
  const auto minus = kinematics_->support(body_a), plus = kinematics_->support(body_b);
  const bool together = kinematics_->tree_of(body_a) >= 0 && kinematics_->tree_of(body_a) == kinematics_->tree_of(body_b);
  int last = -2, block = -1;
  const auto append = [&](int k, double sign) {
    const double* c = kinematics_->column(k);
    const Eigen::Map<const Eigen::Vector3d> linear(c), angular(c + 3);
    const int b = kinematics_->block_of(k);
    if (k != last + 1 || b != block) J.runs.push_back({k, 0, static_cast<int>(J.values.size())});
    ++J.runs.back().columns;
    last = k, block = b;
    const std::size_t n = J.values.size();
    J.values.resize(n + 6);
    Eigen::Map<Vector6> out(J.values.data() + n);
    out.head<3>() = sign * (linear + angular.cross(point));
    out.tail<3>() = sign * angular;
  };
  std::size_t common = 0;
  while (together && common < minus.size() && common < plus.size() && minus[common] == plus[common]) ++common;
  const bool plus_first = together && common < plus.size() && (common == minus.size() || plus[common] > minus[common]);
  for (const bool second : {false, true}) {
    const bool positive = plus_first != second;
    const auto& branch = positive ? plus : minus;
    for (std::size_t k = common; k < branch.size(); ++k) append(branch[k], positive ? 1 : -1);
  }
  J.carriers.push_back({6, first_run, static_cast<int>(J.runs.size())});
  if (head_[at(high)] < 0) touched_bodies_.push_back(high);
  next_.push_back(head_[at(high)]);
  head_[at(high)] = carrier;
  low_.push_back(low);
  from_.push_back(body_a);
  reference_.push_back(point);
  return carrier;
}

int JacobianWriter::joint_carrier(int velocity) {
  int& known = joint_carrier_[at(velocity)];
  if (known >= 0) return known;
  BlockJacobian& J = *J_;
  known = static_cast<int>(J.carriers.size());
  touched_joints_.push_back(velocity);
  J.runs.push_back({velocity, 1, static_cast<int>(J.values.size())});
  J.values.push_back(1);
  const int run = static_cast<int>(J.runs.size());
  J.carriers.push_back({1, run - 1, run});
  next_.push_back(-1);
  low_.push_back(-1);
  from_.push_back(-1);
  reference_.push_back(Eigen::Vector3d::Zero());
  return known;
}

void JacobianWriter::add_part(int carrier, int rows, int x) {
  J_->parts.push_back({carrier, J_->rows, rows, x});
  J_->rows += rows;
}

void JacobianWriter::add(const PairRows& rows, int body_a, int body_b) {
  const int carrier = pair_carrier(body_a, body_b, rows.point);
  const bool turned = from_[at(carrier)] != body_a;
  std::vector<double>& values = J_->values;
  const int x = static_cast<int>(values.size());
  values.resize(at(x + 6 * rows.rows));
  for (int i = 0; i < rows.rows; ++i) {
    const Vector6 row = rows.row_at(i, reference_[at(carrier)]);
    for (int k = 0; k < 6; ++k) values[at(x + i + rows.rows * k)] = turned ? -row[k] : row[k];
  }
  add_part(carrier, rows.rows, x);
}

void JacobianWriter::add(const JointRow& row) {
  if (row.velocity[1] < 0) {
    const int carrier = joint_carrier(row.velocity[0]);
    if (row.coefficient[0] == 1) {
      add_part(carrier, 1, -1);
      return;
    }
    J_->values.push_back(row.coefficient[0]);
    add_part(carrier, 1, static_cast<int>(J_->values.size()) - 1);
    return;
  }
  BlockJacobian& J = *J_;
  const int first_run = static_cast<int>(J.runs.size());
  const bool together = kinematics_->block_of(row.velocity[0]) == kinematics_->block_of(row.velocity[1]);
  const int first = together && row.velocity[1] > row.velocity[0] ? 1 : 0;
  for (const int i : {first, 1 - first}) {
    J.runs.push_back({row.velocity[i], 1, static_cast<int>(J.values.size())});
    J.values.push_back(row.coefficient[i]);
  }
  J.carriers.push_back({1, first_run, first_run + 2});
  next_.push_back(-1);
  low_.push_back(-1);
  from_.push_back(-1);
  reference_.push_back(Eigen::Vector3d::Zero());
  add_part(static_cast<int>(J.carriers.size()) - 1, 1, -1);
}

/// W of a carrier: the sum over blocks of A of Y Yᵀ, Y = C L⁻ᵀ.
template <int Rows>
void JacobianWriter::weigh_carrier(const BlockJacobian::Carrier& carrier, const BlockDiagonal& A, const BlockFactor& factor,
                                   bool factored, Eigen::Matrix<double, 6, 6>& out) {
  using Column = Eigen::Matrix<double, Rows, 1>;
  const BlockJacobian& J = *J_;
  Eigen::Matrix<double, Rows, Rows> W = Eigen::Matrix<double, Rows, Rows>::Zero();
  for (int r = carrier.run_begin; r < carrier.run_end;) {
    const int block = kinematics_->block_of(J.runs[at(r)].column), first = A.begin[at(block)], n = A.block_size(block);
    scratch_.assign(at(n * Rows), 0.0);
    for (; r < carrier.run_end && kinematics_->block_of(J.runs[at(r)].column) == block; ++r) {
      const BlockJacobian::Run& run = J.runs[at(r)];
      std::copy_n(J.values.data() + run.value, Rows * run.columns, scratch_.data() + Rows * (run.column - first));
    }
    if (factored)
      factor.solve_right(block, scratch_.data(), Rows);
    else
      for (int k = 0; k < n; ++k)
        Eigen::Map<Column>(scratch_.data() + Rows * k) /= std::sqrt(std::abs(A.block(block)(k, k)) + 1e-300);
    for (int k = 0; k < n; ++k) {
      const Column y = Eigen::Map<const Column>(scratch_.data() + Rows * k);
      for (int j = 0; j < Rows; ++j) W.col(j) += y[j] * y;
    }
  }
  out.topLeftCorner<Rows, Rows>() = W;
}

void JacobianWriter::weigh(const BlockDiagonal& A, const BlockFactor& factor, bool factored) {
  W_.resize(J_->carriers.size());
  for (std::size_t c = 0; c < W_.size(); ++c) {
    const BlockJacobian::Carrier& carrier = J_->carriers[c];
    if (carrier.rows == 6)
      weigh_carrier<6>(carrier, A, factor, factored, W_[c]);
    else
      weigh_carrier<1>(carrier, A, factor, factored, W_[c]);
  }
}

Eigen::Matrix3d JacobianWriter::delassus(int p) const {
  const BlockJacobian::Part& part = J_->parts[at(p)];
  const int width = J_->carriers[at(part.carrier)].rows;
  const Eigen::Matrix<double, 6, 6>& W = W_[at(part.carrier)];
  Eigen::Matrix3d G = Eigen::Matrix3d::Zero();
  if (part.x < 0) {
    G(0, 0) = W(0, 0);
    return G;
  }
  const double* x = J_->values.data() + part.x;
  if (width == 1) {
    G(0, 0) = x[0] * W(0, 0) * x[0];
    return G;
  }
  using Rows = Eigen::Matrix<double, 3, 6>;
  Rows X = Rows::Zero();
  if (part.rows == 3)
    X = Eigen::Map<const Rows>(x);
  else
    for (int k = 0; k < 6; ++k)
      for (int i = 0; i < part.rows; ++i) X(i, k) = *x++;
  const Rows XW = X.lazyProduct(W);
  return XW.lazyProduct(X.transpose());
}

}  // namespace condyle
