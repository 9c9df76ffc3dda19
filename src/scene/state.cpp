#include <condyle/state.hpp>

#include <bit>
#include <cstring>

namespace condyle {

namespace {
bool same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0);
}

// Multiply-xorshift over 64-bit words; the constants are those of the splitmix64 generator.
struct Mixer {
  std::uint64_t h = 0x9E3779B97F4A7C15ull;
  void word(std::uint64_t x) {
    h ^= x;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
    h ^= h >> 31;
  }
  void vector(const Eigen::VectorXd& x) {
    word(static_cast<std::uint64_t>(x.size()));
    for (Eigen::Index i = 0; i < x.size(); ++i) word(std::bit_cast<std::uint64_t>(x[i]));
  }
};
}  // namespace

bool State::operator==(const State& other) const {
  return step == other.step && std::bit_cast<std::uint64_t>(t) == std::bit_cast<std::uint64_t>(other.t) &&
         same_bits(q, other.q) && same_bits(v, other.v);
}

bool State::finite() const { return q.allFinite() && v.allFinite() && std::isfinite(t); }

std::uint64_t hash(const State& state) {
  Mixer mixer;
  mixer.vector(state.q);
  mixer.vector(state.v);
  mixer.word(std::bit_cast<std::uint64_t>(state.t));
  mixer.word(state.step);
  return mixer.h;
}

}  // namespace condyle
