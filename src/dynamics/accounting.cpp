#include "dynamics/tree_work.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

namespace condyle {

namespace pin = pinocchio;

double TreeDynamics::kinetic_energy(const Eigen::Ref<const Eigen::VectorXd>& v) const {
  const auto& M = work_->data.M;
  double twice = 0;
  for (Eigen::Index j = 0; j < v.size(); ++j)  // upper triangle, column by column
    twice += v[j] * (2 * M.col(j).head(j).dot(v.head(j)) + M(j, j) * v[j]);
  return 0.5 * twice;
}

double TreeDynamics::potential_energy() const {
  const Work& w = *work_;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  // Σ m x
  for (std::size_t j = 1; j < w.data.oMi.size(); ++j) {
    const pin::Inertia& body = w.model.inertias[j];
    moment += body.mass() * w.data.oMi[j].act(body.lever());
  }
  return -w.model.gravity.linear().dot(moment);
}

void TreeDynamics::add_momentum(const Eigen::Ref<const Eigen::VectorXd>& q, const Eigen::Ref<const Eigen::VectorXd>& v,
                                Momentum& out) {
  Work& w = *work_;
  update(q);
  for (std::size_t j = 1; j < w.data.oMi.size(); ++j) {
    pin::Motion twist = pin::Motion::Zero();  // of body j, at the world's origin: the joints above it add up
    for (const Eigen::Index k : w.model.span_indexes_vector[j]) twist += pin::Motion(w.data.J.col(k) * v[k]);
    const pin::Inertia body = w.data.oMi[j].act(w.model.inertias[j]);
    const pin::Force h = body * twist;
    out.linear += h.linear();
    out.angular += h.angular();
    out.com += body.mass() * body.lever();  // divided by the total mass by the caller
    out.mass += body.mass();
  }
}

// The first six rows of M belong to the free base: row k of M v is the k-th component of the tree's spatial momentum in
// the base frame, and the leading 6×6 block is the composite inertia [m 1, -m[c]; m[c], I_o].
namespace {

struct Composite {
  double mass;
  Eigen::Vector3d com;      ///< base axes
  Eigen::Matrix3d inertia;  ///< about com
};

Composite composite(const Eigen::MatrixXd& M) {
  Composite c;
  c.mass = M(0, 0);
  c.com = Eigen::Vector3d(M(1, 5), -M(0, 5), M(0, 4)) / c.mass;
  const Eigen::Matrix3d about_origin = M.block<3, 3>(3, 3).selfadjointView<Eigen::Upper>();
  c.inertia = about_origin - c.mass * (c.com.squaredNorm() * Eigen::Matrix3d::Identity() - c.com * c.com.transpose());
  return c;
}

Eigen::Matrix<double, 6, 1> base_rows(const Eigen::MatrixXd& M, const Eigen::Ref<const Eigen::VectorXd>& v) {
  const Eigen::Matrix<double, 6, 6> base = M.topLeftCorner<6, 6>().selfadjointView<Eigen::Upper>();
  Eigen::Matrix<double, 6, 1> h = base * v.head<6>();
  const Eigen::Index rest = v.size() - 6;
  if (rest > 0) h.noalias() += M.topRightCorner(6, rest) * v.tail(rest);
  return h;
}

}  // namespace

double TreeDynamics::base_mass() const { return work_->data.M(0, 0); }

BaseMomentum TreeDynamics::base_momentum(const Eigen::Ref<const Eigen::VectorXd>& v) const {
  return impulse_on_base(base_rows(work_->data.M, v));  // momentum is the impulse that stops it
}

BaseMomentum TreeDynamics::impulse_on_base(const Eigen::Matrix<double, 6, 1>& impulse) const {
  const Composite c = composite(work_->data.M);
  const auto& R = work_->data.oMi[1].rotation();
  return {R * impulse.head<3>(), R * (impulse.tail<3>() - c.com.cross(impulse.head<3>()))};
}

void TreeDynamics::set_base_momentum(const BaseMomentum& wanted, Eigen::Ref<Eigen::VectorXd> v) const {
  const Composite c = composite(work_->data.M);
  const auto& R = work_->data.oMi[1].rotation();
  const BaseMomentum now = base_momentum(v);
  const Eigen::Vector3d dP = R.transpose() * (wanted.linear - now.linear),
                        dL = R.transpose() * (wanted.angular - now.angular);
  const Eigen::Vector3d dw = c.inertia.llt().solve(dL);
  v.head<3>() += dP / c.mass - dw.cross(c.com);
  v.segment<3>(3) += dw;
}

}  // namespace condyle
