#include <condyle/contact_laws.hpp>
#include <condyle/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace condyle {

void LawOptions::check() const {
  const auto bad = [](const char* field, double value, const char* range) {
    throw Error("bad-option", {"", 0, std::string("option ") + field}, fmt::format("{} is {}", field, value),
                std::string("it must be ") + range);
  };
  const auto positive = [&](const char* field, double value, const char* range) {
    if (!(value > 0) || std::isinf(value)) bad(field, value, range);
  };
  const auto not_negative = [&](const char* field, double value, const char* range) {
    if (!(value >= 0) || std::isinf(value)) bad(field, value, range);
  };
  const auto between = [&](const char* field, double value, const char* range) {
    if (!(value > 0 && value < 1)) bad(field, value, range);
  };
  if (!(gain > 0 && gain <= 1)) bad("gain", gain, "above 0 and at most 1");
  positive("depenetration_speed", depenetration_speed, "a positive speed in m/s");
  not_negative("slop", slop, "0 m or above");
  not_negative("restitution_threshold", restitution_threshold, "0 m/s or above");
  positive("sigma_slip", sigma_slip, "a positive number");
  positive("near_rigid_beta", near_rigid_beta, "a positive number");
  positive("time_constant", time_constant, "a positive number of seconds");
  positive("damping_ratio", damping_ratio, "a positive number");
  between("impedance_0", impedance_0, "between 0 and 1");
  between("impedance_width", impedance_width, "between 0 and 1");
  if (!std::isfinite(width)) bad("width", width, "a finite length in m");
  between("midpoint", midpoint, "between 0 and 1");
  if (!(power >= 1) || std::isinf(power)) bad("power", power, "1 or above");
}

}  // namespace condyle
