#pragma once
// A number that changes with time as it was laid down beforehand: keyframes, and how to go from one to the next. It has no
// memory: its value depends on t alone, so a state that is saved and restored goes on as if nothing had happened.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace condyle {

struct Schedule {
  enum class Interpolation {
    linear,
    hold,   ///< the value of the last keyframe
    smooth  ///< cubic, at rest at every keyframe
  };
  std::vector<double> times{};   ///< s, ascending, the first 0 or later
  std::vector<double> values{};  ///< one for each time, in the unit of what follows it
  /// s: everything repeats after it, and the last keyframe leads on to the first of the next round. 0: once; before the
  /// first keyframe its value stands, after the last one that one's.
  double period = 0;
  Interpolation interpolation = Interpolation::linear;

  static Schedule constant(double value) { return {{0}, {value}}; }
  bool empty() const { return times.empty(); }
  double value(double t) const;
  /// Per second; 0 where it is held. At a keyframe itself: of the piece that begins there.
  double rate(double t) const;
  bool operator==(const Schedule&) const = default;
};
const char* to_string(Schedule::Interpolation interpolation);

/// What is wrong with a schedule, for a message.
struct ScheduleFault {
  std::string field;       ///< "times", "values" or "period"
  std::size_t keyframe{};  ///< of times and values
  std::string reason, cure;
};
std::optional<ScheduleFault> find_fault(const Schedule& schedule);

}  // namespace condyle
