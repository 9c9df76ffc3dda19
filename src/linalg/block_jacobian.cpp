#include "linalg/block_jacobian.hpp"

namespace condyle {

namespace {
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Contacts are three rows on the twist of two bodies: their loops have fixed lengths.
using Twist = Eigen::Matrix<double, 6, 1>;
using ConstTwist = Eigen::Map<const Twist>;
using ContactRows = Eigen::Map<const Eigen::Matrix<double, 3, 6>>;
bool is_contact(const BlockJacobian::Part& part, int width) { return part.rows == 3 && width == 6 && part.x >= 0; }
}  // namespace

void JacobianProduct::lay_out(const BlockJacobian& J) {
  first_.resize(J.carriers.size());
  int rows = 0;
  for (std::size_t c = 0; c < J.carriers.size(); ++c) {
    first_[c] = rows;
    rows += J.carriers[c].rows;
  }
  twist_.assign(at(rows), 0.0);
}

void JacobianProduct::multiply(const BlockJacobian& J, const double* v, double* out) {
  lay_out(J);
  for (std::size_t c = 0; c < J.carriers.size(); ++c) {
    const BlockJacobian::Carrier& carrier = J.carriers[c];
    double* twist = twist_.data() + first_[c];
    if (carrier.rows == 6) {
      Twist sum = Twist::Zero();
      for (int r = carrier.run_begin; r < carrier.run_end; ++r) {
        const BlockJacobian::Run& run = J.runs[at(r)];
        for (int k = 0; k < run.columns; ++k)
          sum += v[run.column + k] * ConstTwist(J.values.data() + run.value + 6 * k);
      }
      Twist::Map(twist) = sum;
      continue;
    }
    for (int r = carrier.run_begin; r < carrier.run_end; ++r) {
      const BlockJacobian::Run& run = J.runs[at(r)];
      const double* value = J.values.data() + run.value;
      for (int k = 0; k < run.columns; ++k, value += carrier.rows)
        for (int i = 0; i < carrier.rows; ++i) twist[i] += value[i] * v[run.column + k];
    }
  }
  std::fill(out, out + J.rows, 0.0);
  for (const BlockJacobian::Part& part : J.parts) {
    const double* twist = twist_.data() + first_[at(part.carrier)];
    double* rows = out + part.row;
    if (part.x < 0) {
      for (int i = 0; i < part.rows; ++i) rows[i] += twist[i];
      continue;
    }
    const int width = J.carriers[at(part.carrier)].rows;
    const double* x = J.values.data() + part.x;
    if (is_contact(part, width)) {
      Eigen::Vector3d::Map(rows) += ContactRows(x).lazyProduct(ConstTwist(twist));
      continue;
    }
    for (int k = 0; k < width; ++k, x += part.rows)
      for (int i = 0; i < part.rows; ++i) rows[i] += x[i] * twist[k];
  }
}

void JacobianProduct::add_transposed(const BlockJacobian& J, const double* impulse, double* out) {
  lay_out(J);
  for (const BlockJacobian::Part& part : J.parts) {
    double* wrench = twist_.data() + first_[at(part.carrier)];
    const double* rows = impulse + part.row;
    if (part.x < 0) {
      for (int i = 0; i < part.rows; ++i) wrench[i] += rows[i];
      continue;
    }
    const int width = J.carriers[at(part.carrier)].rows;
    const double* x = J.values.data() + part.x;
    if (is_contact(part, width)) {
      Twist::Map(wrench) += ContactRows(x).transpose().lazyProduct(Eigen::Map<const Eigen::Vector3d>(rows));
      continue;
    }
    for (int k = 0; k < width; ++k, x += part.rows)
      for (int i = 0; i < part.rows; ++i) wrench[k] += x[i] * rows[i];
  }
  for (std::size_t c = 0; c < J.carriers.size(); ++c) {
    const BlockJacobian::Carrier& carrier = J.carriers[c];
    const double* wrench = twist_.data() + first_[c];
    const bool six = carrier.rows == 6;
    const Twist whole = six ? Twist(ConstTwist(wrench)) : Twist::Zero();
    for (int r = carrier.run_begin; r < carrier.run_end; ++r) {
      const BlockJacobian::Run& run = J.runs[at(r)];
      const double* value = J.values.data() + run.value;
      for (int k = 0; k < run.columns; ++k, value += carrier.rows) {
        if (six) {
          out[run.column + k] += whole.dot(ConstTwist(value));
          continue;
        }
        double sum = 0;
        for (int i = 0; i < carrier.rows; ++i) sum += value[i] * wrench[i];
        out[run.column + k] += sum;
      }
    }
  }
}

Eigen::MatrixXd dense(const BlockJacobian& J) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(J.rows, J.columns);
  for (const BlockJacobian::Part& part : J.parts) {
    const BlockJacobian::Carrier& carrier = J.carriers[at(part.carrier)];
    for (int r = carrier.run_begin; r < carrier.run_end; ++r) {
      const BlockJacobian::Run& run = J.runs[at(r)];
      const ConstMatrix C(J.values.data() + run.value, carrier.rows, run.columns);
      auto where = out.block(part.row, run.column, part.rows, run.columns);
      if (part.x < 0)
        where += C.topRows(part.rows);
      else
        where += ConstMatrix(J.values.data() + part.x, part.rows, carrier.rows) * C;
    }
  }
  return out;
}

Eigen::MatrixXd dense(const BlockDiagonal& A) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(A.size(), A.size());
  for (int b = 0; b < A.blocks(); ++b)
    out.block(A.begin[at(b)], A.begin[at(b)], A.block_size(b), A.block_size(b)) = A.block(b);
  return out;
}

}  // namespace condyle
