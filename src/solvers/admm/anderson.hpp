#pragma once
// Anderson acceleration of a fixed-point map x -> T(x), on one vector.
#include <condyle/eigen_abi.hpp>

#include <vector>

namespace condyle {

class Anderson {
 public:
  void start(int size, int memory);
  void clear() {
    used_ = next_ = 0;
    have_last_ = false;
  }
  /// x <- T(x) corrected by what the last maps taught; clears itself when the residual has grown to more than twice its
  /// smallest value since the last reset. Where it has not halved for `patience` times it only goes round: then as many
  /// plain maps follow, and twice as many the next time.
  void advance(std::vector<double>& x, const std::vector<double>& Tx);

 private:
  static constexpr int patience = 500;
  bool goes_round(double residual);

  int size_ = 0, memory_ = 0, used_ = 0, next_ = 0;
  bool have_last_ = false;
  double smallest_ = 0;
  double halved_ = 0;                           ///< residual, when it had last halved
  int since_ = 0, plain_ = 0, next_plain_ = 0;  ///< advances since then; plain ones to come, now and the next time
  std::vector<double> F_, last_F_, last_Tx_;
  std::vector<double> dF_, dT_;    // size × memory
  Eigen::MatrixXd gram_, system_;  // memory × memory
  Eigen::VectorXd right_;
};

}  // namespace condyle
