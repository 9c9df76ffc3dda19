#include "dynamics/tree_work.hpp"

#include <pinocchio/algorithm/rnea.hpp>

namespace condyle {

const Eigen::VectorXd& TreeDynamics::bias(const Eigen::Ref<const Eigen::VectorXd>& v) {
  Work& w = *work_;
  return pinocchio::nonLinearEffects(w.model, w.data, ConstRef(w.q), ConstRef(v));
}

}  // namespace condyle
