#include "scene/urdf/grammar.hpp"
#include "scene/urdf/reading.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace condyle::urdf {

namespace {

constexpr double largest = 1e100;  // sums and products of larger numbers would not stay finite
constexpr std::string_view blank = " \t\r\n\v\f";

/// One number, independent of the locale; nothing may follow it.
std::optional<double> to_number(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || word.empty()) return std::nullopt;
  // Out of range is too small for a double, which is zero, or too large, which is no number.
  if (error == std::errc::result_out_of_range)
    return word.find("e-") != word.npos || word.find("E-") != word.npos ? std::optional(0.0) : std::nullopt;
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::string cure_for(std::string_view text) {
  if (text.find("$(") != text.npos || text.find("${") != text.npos) return "expand the file with xacro first";
  if (text.find(',') != text.npos) return "separate numbers by blanks and write a point, not a comma";
  return "write plain numbers separated by blanks";
}

/// urdfdom splits at blanks only and reads a single number to its last character.
bool odd_for_urdfdom(std::string_view text, std::size_t count) {
  if (text.find_first_of("\t\r\n\v\f") != text.npos) return true;
  return count == 1 && !text.empty() && blank.find(text.back()) != blank.npos;
}

}  // namespace

std::vector<double> read_numbers(Reading& reading, const XmlNode& node, const Owner& owner, std::string_view attribute,
                                 std::size_t count, Range range) {
  const std::string* text = node.find(attribute);
  std::vector<double> out;
  if (!text) return out;
  const std::string_view all = *text;
  for (std::size_t at = all.find_first_not_of(blank); at != all.npos; at = all.find_first_not_of(blank, at)) {
    const std::size_t end = std::min(all.find_first_of(blank, at), all.size());
    const std::string_view word = all.substr(at, end - at);
    const std::optional<double> value = to_number(word);
    const auto complain = [&](const std::string& why) {
      reading.refuse("bad-number", node, owner, fmt::format("{}=\"{}\" {}", attribute, all.substr(0, 80), why),
                     cure_for(all));
    };
    if (!value) complain(count == 1 ? "is not a number" : "is not a list of numbers");
    if (std::isnan(*value) || (range == Range::finite && !std::isfinite(*value))) complain("is not finite");
    if (range == Range::finite && std::abs(*value) > largest) complain("is beyond anything physical");
    if (!std::isfinite(*value)) reading.odd(owner, fmt::format("it refuses {}=\"{}\"", attribute, all));
    out.push_back(*value);
    if (out.size() > count) break;
    at = end;
    if (at >= all.size()) break;
  }
  if (out.size() != count)
    reading.refuse("bad-number", node, owner,
                   fmt::format("{}=\"{}\" holds {}{} numbers, {} expected", attribute, all.substr(0, 80),
                               out.size() > count ? "more than " : "", std::min(out.size(), count), count),
                   cure_for(all));
  if (odd_for_urdfdom(all, count))
    reading.odd(owner, fmt::format("it refuses the white space in {} of <{}>", attribute, node.tag));
  return out;
}

double read_number(Reading& reading, const XmlNode& node, const Owner& owner, std::string_view attribute, double absent,
                   Range range) {
  const std::vector<double> values = read_numbers(reading, node, owner, attribute, 1, range);
  return values.empty() ? absent : values[0];
}

Eigen::Vector3d read_vector(Reading& reading, const XmlNode& node, const Owner& owner, std::string_view attribute,
                            const Eigen::Vector3d& absent) {
  const std::vector<double> values = read_numbers(reading, node, owner, attribute, 3);
  return values.empty() ? absent : Eigen::Vector3d(values[0], values[1], values[2]);
}

Pose read_origin(Reading& reading, const XmlNode& node, const Owner& owner) {
  const XmlNode* origin = node.one("origin");
  if (!origin) return {};
  const Eigen::Vector3d xyz = read_vector(reading, *origin, owner, "xyz", Eigen::Vector3d::Zero());
  const Eigen::Vector3d rpy = read_vector(reading, *origin, owner, "rpy", Eigen::Vector3d::Zero());
  const std::vector<double> q = read_numbers(reading, *origin, owner, "quat_xyzw", 4);
  if (q.empty()) return Pose::from_xyz_rpy(xyz, rpy);
  const Eigen::Vector4d xyzw(q[0], q[1], q[2], q[3]);
  const Place place = reading.place(*origin, owner);
  const double norm = xyzw.stableNorm();
  if (norm == 0) reading.refuse("bad-number", *origin, owner, "quat_xyzw is zero", "give a unit quaternion x y z w");
  if (std::abs(norm - 1) > 1e-6)
    reading.report.add(Outcome::applied, "normalized", place,
                       fmt::format("quat_xyzw has length {:.6g} and is normalized", norm));
  if (origin->find("rpy")) {
    reading.report.add(Outcome::ignored, "repeated-rotation", place,
                       "rpy and quat_xyzw are both given: the quaternion holds");
    reading.odd(owner, "it refuses rpy beside quat_xyzw");
  }
  if (reading.version_minor < 1) {
    reading.report.add(
        Outcome::applied, "quaternion-version", place,
        fmt::format("quat_xyzw belongs to URDF 1.1; the file says 1.{} and it is applied", reading.version_minor));
    reading.odd(owner, "it ignores quat_xyzw in URDF 1.0 and loses the rotation");
  }
  return Pose::from_xyz_quaternion(xyz, xyzw / norm);
}

Place Reading::place(const XmlNode& node, const Owner& owner) const { return place_of(file, node, owner.name); }

void Reading::refuse(const std::string& code, const XmlNode& node, const Owner& owner, const std::string& reason,
                     const std::string& cure) const {
  throw Error(code, place(node, owner), reason, cure);
}

}  // namespace condyle::urdf
