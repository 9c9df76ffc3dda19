#pragma once
// Exponentials on SO(3) and SE(3) for raw quaternions (x, y, z, w).
#include <condyle/eigen_abi.hpp>

#include <Eigen/Geometry>

#include <cmath>

namespace condyle {

inline Eigen::Matrix3d rotation_of(const double* xyzw) {
  const double x = xyzw[0], y = xyzw[1], z = xyzw[2], w = xyzw[3];
  const double x2 = x + x, y2 = y + y, z2 = z + z;
  const double xx = x * x2, xy = x * y2, xz = x * z2, yy = y * y2, yz = y * z2, zz = z * z2, wx = w * x2, wy = w * y2,
               wz = w * z2;
  Eigen::Matrix3d R;
  R << 1 - (yy + zz), xy - wz, xz + wy, xy + wz, 1 - (xx + zz), yz - wx, xz - wy, yz + wx, 1 - (xx + yy);
  return R;
}

/// Coefficients of the exponential of a rotation vector of squared length s: with θ = √s,
/// half = sin(θ/2)/θ, cosine = cos(θ/2), b = (1 - cos θ)/θ², c = (θ - sin θ)/θ³.
struct ExpCoefficients {
  double half, cosine, b, c;
  explicit ExpCoefficients(double s) {
    // Below half a radian, where every sensible step lies, the Taylor series are exact to the last digit, need neither root
    // nor sine, and do not suffer from the cancellation in θ - sin θ.
    if (s < 0.25) {
      const double y = 0.25 * s;
      half = 0.5 * (1 - y * (1.0 / 6) *
                            (1 - y * (1.0 / 20) * (1 - y * (1.0 / 42) * (1 - y * (1.0 / 72) * (1 - y * (1.0 / 110))))));
      cosine = 1 - y * (1.0 / 2) *
                       (1 - y * (1.0 / 12) *
                                (1 - y * (1.0 / 30) * (1 - y * (1.0 / 56) * (1 - y * (1.0 / 90) * (1 - y * (1.0 / 132))))));
      c = 1.0 / 6 *
          (1 - s * (1.0 / 20) *
                   (1 - s * (1.0 / 42) *
                            (1 - s * (1.0 / 72) * (1 - s * (1.0 / 110) * (1 - s * (1.0 / 156) * (1 - s * (1.0 / 210)))))));
    } else {
      const double theta = std::sqrt(s);
      half = std::sin(0.5 * theta) / theta;
      cosine = std::cos(0.5 * theta);
      c = (1 - 2 * half * cosine) / s;  // sin θ = 2 sin(θ/2) cos(θ/2)
    }
    b = 2 * half * half;  // 1 - cos θ = 2 sin²(θ/2)
  }
};

/// quaternion_out = quaternion · exp(w), normalized; may be in place.
inline void rotate(const double* quaternion, const Eigen::Vector3d& w, const ExpCoefficients& e, double* quaternion_out) {
  const double bx = e.half * w[0], by = e.half * w[1], bz = e.half * w[2], bw = e.cosine;
  const double ax = quaternion[0], ay = quaternion[1], az = quaternion[2], aw = quaternion[3];
  const double x = aw * bx + ax * bw + ay * bz - az * by;
  const double y = aw * by - ax * bz + ay * bw + az * bx;
  const double z = aw * bz + ax * by - ay * bx + az * bw;
  const double w4 = aw * bw - ax * bx - ay * by - az * bz;
  const double scale = 1 / std::sqrt(x * x + y * y + z * z + w4 * w4);
  quaternion_out[0] = x * scale;
  quaternion_out[1] = y * scale;
  quaternion_out[2] = z * scale;
  quaternion_out[3] = w4 * scale;
}

/// exp(w) x, Rodrigues' formula.
inline Eigen::Vector3d turned(const Eigen::Vector3d& w, const Eigen::Vector3d& x) {
  const ExpCoefficients e(w.squaredNorm());
  const Eigen::Vector3d wx = w.cross(x);
  return x + 2 * e.half * e.cosine * wx + e.b * w.cross(wx);  // sin θ/θ = 2 sin(θ/2) cos(θ/2)/θ
}

}  // namespace condyle
