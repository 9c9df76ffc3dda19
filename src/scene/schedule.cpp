#include <condyle/model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace condyle {

namespace {

/// Where t lies: between two values, `share` of the way, `length` s apart; length 0: at rest on `from`.
struct Piece {
  double from = 0, to = 0, share = 0, length = 0;
};

Piece piece_at(const Schedule& s, double t) {
  const bool repeats = s.period > 0;
  if (repeats) t -= s.period * std::floor(t / s.period);
  const std::size_t n = s.times.size();
  const auto next = static_cast<std::size_t>(std::upper_bound(s.times.begin(), s.times.end(), t) - s.times.begin());
  if (!repeats && (next == 0 || next == n)) {
    const double value = next == 0 ? s.values.front() : s.values.back();
    return {value, value, 0, 0};
  }
  const std::size_t last = next == 0 ? n - 1 : next - 1;
  const double begin = s.times[last] - (next == 0 ? s.period : 0);
  const double end = next == n ? s.times.front() + s.period : s.times[next];
  const double length = end - begin;
  if (!(length > 0)) return {s.values[last], s.values[last], 0, 0};
  return {s.values[last], s.values[next == n ? 0 : next], (t - begin) / length, length};
}

}  // namespace

const char* to_string(Schedule::Interpolation interpolation) {
  switch (interpolation) {
    case Schedule::Interpolation::linear: return "linear";
    case Schedule::Interpolation::hold: return "hold";
    case Schedule::Interpolation::smooth: return "smooth";
  }
  return "";
}

double Schedule::value(double t) const {
  const Piece p = piece_at(*this, t);
  switch (interpolation) {
    case Interpolation::hold: return p.from;
    case Interpolation::linear: return p.from + (p.to - p.from) * p.share;
    case Interpolation::smooth: return p.from + (p.to - p.from) * p.share * p.share * (3 - 2 * p.share);
  }
  return p.from;
}

double Schedule::rate(double t) const {
  const Piece p = piece_at(*this, t);
  if (interpolation == Interpolation::hold || p.length == 0) return 0;
  const double mean = (p.to - p.from) / p.length;
  return interpolation == Interpolation::linear ? mean : mean * 6 * p.share * (1 - p.share);
}

std::optional<ScheduleFault> find_fault(const Schedule& s) {
  if (s.times.empty()) return ScheduleFault{"times", 0, "there is no keyframe", "give at least one time and its value"};
  if (s.times.size() != s.values.size())
    return ScheduleFault{"values", 0, fmt::format("there are {} values for {} times", s.values.size(), s.times.size()),
                         "give one value for each time"};
  for (std::size_t i = 0; i < s.times.size(); ++i) {
    if (!std::isfinite(s.times[i]) || s.times[i] < 0)
      return ScheduleFault{"times", i, fmt::format("a keyframe is at {} s", s.times[i]),
                           "times are finite and 0 s or later"};
    if (!std::isfinite(s.values[i]))
      return ScheduleFault{"values", i, fmt::format("the value at {} s is {}", s.times[i], s.values[i]),
                           "values are finite"};
    if (i > 0 && !(s.times[i] > s.times[i - 1]))
      return ScheduleFault{"times", i, fmt::format("{} s comes after {} s", s.times[i], s.times[i - 1]),
                           "every time must be later than the one before it"};
  }
  if (s.period == 0) return std::nullopt;
  if (!std::isfinite(s.period) || !(s.period > 0) || s.period < s.times.back())
    return ScheduleFault{"period", 0, fmt::format("the period is {} s, the last keyframe at {} s", s.period, s.times.back()),
                         "the period must not end before the last keyframe; leave it out to play the schedule once"};
  if (s.times.front() == 0 && s.times.back() == s.period && s.values.front() != s.values.back())
    return ScheduleFault{
        "period", 0, fmt::format("a round ends at {} where the next one begins at {}", s.values.back(), s.values.front()),
        "let both be equal, or let the period end later than the last keyframe"};
  return std::nullopt;
}

ActuatorAim actuator_aim(const ActuatorSpec& spec, double t, double dt) {
  const double middle = t + 0.5 * dt;
  const Schedule &target = spec.target_schedule, &velocity = spec.velocity_schedule, &value = spec.value_schedule;
  const auto at_end = [&](const Schedule& s) {
    return s.value(s.interpolation == Schedule::Interpolation::hold ? middle : t + dt);
  };
  ActuatorAim out{spec.target, spec.target_velocity, value.empty() ? spec.value : value.value(middle)};
  if (!target.empty()) {
    out.target = at_end(target);
    out.velocity = target.rate(middle);
  }
  if (!velocity.empty()) out.velocity = at_end(velocity);
  out.value = std::clamp(out.value, -spec.effort, spec.effort);
  return out;
}

}  // namespace condyle
