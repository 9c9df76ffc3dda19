#pragma once
#include <condyle/pose.hpp>

#include <bit>
#include <cstdint>
#include <string_view>

namespace condyle {

/// 64-bit hash of a sequence of words: multiply-xorshift with the constants of the splitmix64 generator.
class Mixer {
 public:
  void word(std::uint64_t x) {
    h_ ^= x;
    h_ = (h_ ^ (h_ >> 30)) * 0xBF58476D1CE4E5B9ull;
    h_ = (h_ ^ (h_ >> 27)) * 0x94D049BB133111EBull;
    h_ ^= h_ >> 31;
  }
  void number(double x) { word(std::bit_cast<std::uint64_t>(x)); }
  void text(std::string_view text) {
    word(text.size());
    for (const char c : text) word(static_cast<unsigned char>(c));
  }
  template <class Derived>
  void vector(const Eigen::DenseBase<Derived>& x) {
    word(static_cast<std::uint64_t>(x.size()));
    for (Eigen::Index j = 0; j < x.cols(); ++j)
      for (Eigen::Index i = 0; i < x.rows(); ++i) number(x.derived()(i, j));
  }
  void pose(const Pose& pose) {
    vector(pose.R);
    vector(pose.p);
  }
  std::uint64_t value() const { return h_; }

 private:
  std::uint64_t h_ = 0x9E3779B97F4A7C15ull;
};

}  // namespace condyle
