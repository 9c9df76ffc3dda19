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

bool same_bits(const std::vector<WarmImpulse>& a, const std::vector<WarmImpulse>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(WarmImpulse)) == 0);
}
static_assert(sizeof(WarmImpulse) == 4 * sizeof(double), "compared and hashed as it lies in memory");

}  // namespace

bool State::operator==(const State& other) const {
  return step == other.step && std::bit_cast<std::uint64_t>(t) == std::bit_cast<std::uint64_t>(other.t) &&
         same_bits(q, other.q) && same_bits(v, other.v) && same_bits(warm, other.warm);
}

bool State::finite() const {
  if (!q.allFinite() || !v.allFinite() || !std::isfinite(t)) return false;
  for (const WarmImpulse& w : warm)
    for (const double x : w.impulse)
      if (!std::isfinite(x)) return false;
  return true;
}

std::uint64_t hash(const State& state) {
  Mixer mixer;
  mixer.vector(state.q);
  mixer.vector(state.v);
  mixer.word(std::bit_cast<std::uint64_t>(state.t));
  mixer.word(state.step);
  for (const WarmImpulse& w : state.warm) {
    mixer.word(w.id);
    for (const double x : w.impulse) mixer.word(std::bit_cast<std::uint64_t>(x));
  }
  return mixer.value();
}

}  // namespace condyle
