#pragma once
// Random numbers and small scenes that several tests share.
#include <condyle/condyle.hpp>

#include <random>

namespace condyle::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double a = -1, double b = 1) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  Eigen::VectorXd vector(Eigen::Index n, double size = 1) {
    return Eigen::VectorXd::NullaryExpr(n, [&] { return uniform(-size, size); });
  }
  Eigen::Vector3d vector3(double size = 1) { return vector(3, size); }
  Pose pose(double size = 1) {
    const Eigen::Vector4d quaternion = vector(4);
    return Pose::from_xyz_quaternion(vector3(size), quaternion);
  }
  /// A body like an irregular stone: principal moments of a random box, turned, with its centre off the origin.
  Inertial inertial(double mass) {
    const Eigen::Vector3d side(uniform(0.1, 1), uniform(0.1, 1), uniform(0.1, 1));
    const Eigen::Vector3d s = side.cwiseAbs2();
    const Eigen::Matrix3d R = pose().R;
    const Eigen::Vector3d moments = mass / 12 * Eigen::Vector3d(s[1] + s[2], s[0] + s[2], s[0] + s[1]);
    return {mass, vector3(0.3), R * moments.asDiagonal() * R.transpose()};
  }

 private:
  std::mt19937_64 engine_;
};

/// max |a - b| / max(1, |a|, |b|)
inline double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.size() == 0 && b.size() == 0) return 0;
  const double scale = std::max({1.0, a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()});
  return (a - b).cwiseAbs().maxCoeff() / scale;
}

}  // namespace condyle::test
