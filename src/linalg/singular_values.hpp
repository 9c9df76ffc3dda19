#pragma once
#include <Eigen/Core>

namespace condyle {

/// Descending; below about 1e-15 of the largest they are round-off. For ranks and condition numbers of small matrices.
Eigen::VectorXd singular_values(const Eigen::Ref<const Eigen::MatrixXd>& X);

}  // namespace condyle
