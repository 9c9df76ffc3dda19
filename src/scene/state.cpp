#include <condyle/state.hpp>

#include "scene/mixer.hpp"

#include <bit>
#include <cstring>

namespace condyle {

namespace {
bool same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0);
}

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
  return mixer.value();
}

}  // namespace condyle
