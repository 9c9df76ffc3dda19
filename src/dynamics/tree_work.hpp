#pragma once
#include "dynamics/tree_dynamics.hpp"

#include <pinocchio/multibody.hpp>

#include <Eigen/LU>

namespace condyle {

struct TreeDynamics::Work {
  explicit Work(const Tree& t)
      : tree(t),
        model(*t.model->model),
        data(model),
        q(model.nq),
        q_theta(model.nq),
        q_next(model.nq),
        v0(model.nv),
        v(model.nv),
        v_theta(model.nv),
        a(model.nv),
        dq(model.nv),
        spring(model.nv),
        extra(model.nv),
        rhs(model.nv),
        diagonal(model.nv),
        implicit_stiffness(Eigen::VectorXd::Zero(model.nv)),
        column(model.nv, 1),
        jacobian(model.nv, model.nv),
        A(model.nv, model.nv),
        lu(model.nv) {
    has_springs = (t.stiffness.array() != 0).any();
  }

  const Tree& tree;
  const pinocchio::Model& model;
  pinocchio::Data data;

  bool updated = false;  ///< data.M, oMi and J belong to q
  bool has_springs = false;
  Eigen::VectorXd q;  ///< of the last update
  Eigen::VectorXd q_theta, q_next;
  Eigen::VectorXd v0, v, v_theta, a, dq;
  Eigen::VectorXd spring;  ///< nv, displacement of the springs
  Eigen::VectorXd extra;   ///< nv, what A has on its diagonal beyond M
  Eigen::VectorXd rhs, diagonal, implicit_stiffness;
  Eigen::MatrixXd column;    ///< nv × 1: the shape for which the wheel has a solve
  Eigen::MatrixXd jacobian;  ///< of the implicit schemes' equation
  Eigen::MatrixXd A;         ///< of the last factor(), upper triangle
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
};

/// The one argument type for which the wheel holds crba and aba.
using ConstRef = Eigen::Ref<const Eigen::VectorXd>;

}  // namespace condyle
