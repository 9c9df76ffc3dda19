#pragma once
#include "scene/builtin_texts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>

namespace condyle {

/// Numbers that are the same on every machine: the library's distributions differ between vendors, its generator does not.
class Draw {
 public:
  explicit Draw(double seed) : random_(static_cast<std::uint64_t>(seed)) {}
  double uniform(double low, double high) { return low + (high - low) * (static_cast<double>(random_() >> 11) * 0x1p-53); }
  /// Every rotation alike: a point on the unit sphere in four dimensions.
  std::string quaternion() {
    const double u = uniform(0, 1), a = uniform(0, 2 * pi), b = uniform(0, 2 * pi);
    const double s = std::sqrt(1 - u), c = std::sqrt(u);
    return fmt::format("[{:.15g}, {:.15g}, {:.15g}, {:.15g}]", s * std::sin(a), s * std::cos(a), c * std::sin(b),
                       c * std::cos(b));
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace condyle
