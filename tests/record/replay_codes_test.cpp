// The roundings and codes of the replay page, and the reduction of meshes.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <limits>

#include "record/mesh_reduction.hpp"
#include "record/replay_arrays.hpp"

namespace condyle::record {
namespace {

TEST(ReplayCodes, KeptBitsBoundTheRelativeErrorAndSpareWhatIsNoNumber) {
  for (const double x : {1.0, -3.14159, 1e-30, 6.5e37, 12345.678}) {
    EXPECT_LE(std::abs(keep_bits(x, 8) - x), std::abs(x) * std::pow(2.0, -9) * 1.0001) << x;
    EXPECT_LE(std::abs(keep_bits(x, 11) - x), std::abs(x) * std::pow(2.0, -12) * 1.0001) << x;
  }
  EXPECT_TRUE(std::isnan(keep_bits(std::numeric_limits<double>::quiet_NaN(), 8)));
  EXPECT_EQ(keep_bits(-std::numeric_limits<double>::infinity(), 8), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isfinite(keep_bits(std::numeric_limits<float>::max(), 8))) << "rounding up must not reach infinity";
}

TEST(ReplayCodes, WhatDoesNotFitAnIntegerIsNoNumber) {
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(quantized(0.123456, 1e-5), 12346);
  EXPECT_EQ(quantized(-0.000015, 1e-5), -2);
  for (const double x : {1e30, -1e30, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(quantized(x, 1e-5), none) << x;
}

TEST(ReplayCodes, TheBytesAreTheDocumentedOnes) {
  // 1, -1 and 256 as little-endian, sign in the last bit: 2, 1, 512
  EXPECT_EQ(zigzag({1, -1, 256}), std::string("\x02\x01\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00", 12));
  // two rows of two channels: (5, 10), (7, 9) -> 5 +2, 10 -1 -> 10, 4, 20, 1
  EXPECT_EQ(delta({5, 10, 7, 9}, 2), std::string("\x0a\x04\x14\x01", 4) + std::string(12, '\0'));
  EXPECT_EQ(delta({std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}, 1).size(), 8u);
}

Mesh sphere(int n) {
  Mesh mesh;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const double a = M_PI * i / n, b = M_PI * j / n;
      mesh.vertices.emplace_back(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), 2 * std::cos(a));
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const int p = 2 * n * i + j, q = 2 * n * i + (j + 1) % (2 * n);
      mesh.triangles.emplace_back(p, p + 2 * n, q);
      mesh.triangles.emplace_back(q, p + 2 * n, q + 2 * n);
    }
  return mesh;
}

TEST(MeshReduction, GivesAtMostWhatIsAllowedAndKeepsTheShape) {
  const Mesh mesh = sphere(80);
  ASSERT_EQ(mesh.triangles.size(), 25600u);
  for (const std::size_t most : {20000u, 5000u, 1000u, 100u}) {
    const Mesh small = reduced(mesh, most);
    EXPECT_LE(small.triangles.size(), most);
    EXPECT_GE(small.triangles.size(), most / 4) << "no more is taken than must be";
    double worst = 0;
    for (const Eigen::Vector3d& x : small.vertices)
      worst = std::max(worst, std::abs(Eigen::Vector3d(x.x(), x.y(), x.z() / 2).norm() - 1));
    EXPECT_LE(worst, most >= 1000 ? 0.05 : 0.35) << most << " triangles";
    for (const Eigen::Vector3i& t : small.triangles) {
      ASSERT_TRUE(t.minCoeff() >= 0 && t.maxCoeff() < static_cast<int>(small.vertices.size()));
      ASSERT_TRUE(t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
    }
  }
  EXPECT_EQ(reduced(mesh, 25600).triangles.size(), 25600u) << "what is small enough stays as it is";
}

}  // namespace
}  // namespace condyle::record
