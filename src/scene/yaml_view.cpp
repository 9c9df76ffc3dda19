#include "scene/yaml_view.hpp"

#include "scene/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace condyle {

std::string in_quotes(const std::string& text) {
  constexpr std::size_t most = 60;
  return "'" + (text.size() > most ? text.substr(0, most) + "..." : text) + "'";
}

void YamlView::fail(const char* code, const std::string& reason, const std::string& cure) const {
  throw Error(code, place(), reason, cure);
}

void YamlView::fail_unknown(const char* what, const std::string& name, const std::vector<std::string>& known) const {
  // Edit distance is quadratic in the length, and nobody mistypes a word of hundreds of letters.
  const std::string hint = name.size() <= 200 ? did_you_mean(name, known) : std::string();
  fail("unknown-name", fmt::format("there is no {} {}{}", what, in_quotes(name), hint),
       known.empty() ? fmt::format("the scene has no {} at all", what) : "");
}

std::string YamlView::kind_words() const {
  switch (node_->kind) {
    case YamlNode::Kind::null: return "nothing";
    case YamlNode::Kind::scalar: return in_quotes(node_->text);
    case YamlNode::Kind::sequence: return "a list";
    case YamlNode::Kind::map: return "a map";
  }
  return "";
}

void YamlView::allow_keys(std::initializer_list<const char*> allowed) const {
  if (!is_map()) fail("wrong-type", fmt::format("needs a map of keys and values, here is {}", kind_words()));
  const std::vector<std::string> known(allowed.begin(), allowed.end());
  for (std::size_t i = 0; i < node_->keys.size(); ++i) {
    const std::string& key = node_->keys[i];
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string element = (element_.empty() ? "" : element_ + ".") + key.substr(0, 60);
    throw Error("unknown-key", Place{*file_, node_->key_lines[i], element},
                fmt::format("unknown key {}{}", in_quotes(key), did_you_mean(key, known)),
                fmt::format("keys here are: {}", fmt::join(known, ", ")));
  }
}

std::vector<std::pair<std::string, YamlView>> YamlView::entries() const {
  if (!is_map()) fail("wrong-type", fmt::format("needs a map of keys and values, here is {}", kind_words()));
  std::vector<std::pair<std::string, YamlView>> out;
  out.reserve(node_->keys.size());
  for (std::size_t i = 0; i < node_->keys.size(); ++i)
    out.emplace_back(node_->keys[i], YamlView(node_->items[i], *file_,
                                              (element_.empty() ? "" : element_ + ".") + node_->keys[i].substr(0, 200)));
  return out;
}

std::optional<YamlView> YamlView::find(const std::string& key) const {
  const auto found = std::find(node_->keys.begin(), node_->keys.end(), key);
  if (found == node_->keys.end()) return std::nullopt;
  const auto i = static_cast<std::size_t>(found - node_->keys.begin());
  return YamlView(node_->items[i], *file_, (element_.empty() ? "" : element_ + ".") + key.substr(0, 200));
}

YamlView YamlView::at(const std::string& key, const char* why) const {
  if (auto value = find(key)) return *value;
  fail("missing-value", fmt::format("'{}' is missing", key), why);
}

std::vector<YamlView> YamlView::items() const {
  if (!is_sequence()) fail("wrong-type", fmt::format("needs a list, here is {}", kind_words()));
  std::vector<YamlView> out;
  out.reserve(node_->items.size());
  for (std::size_t i = 0; i < node_->items.size(); ++i)
    out.emplace_back(node_->items[i], *file_, fmt::format("{}[{}]", element_, i));
  return out;
}

std::vector<YamlView> YamlView::items(std::size_t exactly) const {
  if (is_sequence() && node_->items.size() != exactly)
    fail("wrong-type", fmt::format("needs a list of {}, here are {}", exactly, node_->items.size()));
  return items();
}

double YamlView::number(const NumberRange& allowed) const {
  if (!is_scalar()) fail("wrong-type", fmt::format("needs a number, here is {}", kind_words()));
  const char* begin = node_->text.data();
  const char* end = begin + node_->text.size();
  if (begin != end && *begin == '+') ++begin;
  double value = 0;
  const auto [stop, problem] = std::from_chars(begin, end, value);
  if (node_->quoted || stop != end || problem == std::errc::invalid_argument)
    fail("bad-number", fmt::format("needs a number, here is {}", in_quotes(node_->text)),
         node_->quoted ? "write it without quotes" : "write it in the unit of the key, without a unit sign");
  if (problem != std::errc() || !std::isfinite(value) || value < allowed.low || value > allowed.high)
    fail("bad-number", fmt::format("is {}, must be {}", node_->text.substr(0, 60), allowed.words));
  return value;
}

int YamlView::integer(int low, int high) const {
  const std::string words = fmt::format("a whole number between {} and {}", low, high);
  const double value = number({static_cast<double>(low), static_cast<double>(high), words.c_str()});
  if (value != std::floor(value)) fail("bad-number", fmt::format("is {}, must be {}", node_->text, words));
  return static_cast<int>(value);
}

bool YamlView::boolean() const {
  if (is_scalar() && !node_->quoted) {
    if (node_->text == "true" || node_->text == "True") return true;
    if (node_->text == "false" || node_->text == "False") return false;
  }
  fail("wrong-type", fmt::format("needs true or false, here is {}", kind_words()));
}

std::string YamlView::text() const {
  if (!is_scalar()) fail("wrong-type", fmt::format("needs a text, here is {}", kind_words()));
  if (node_->text.empty()) fail("missing-value", "the text is empty");
  return node_->text;
}

std::string YamlView::name() const {
  const std::string out = text();
  if (out.size() > 200) fail("bad-name", fmt::format("a name of {} characters", out.size()), "use at most 200");
  for (const char c : out)
    if (c == '/' || static_cast<unsigned char>(c) < 0x20)
      fail("bad-name", fmt::format("the name {} has a '/' or an invisible character in it", in_quotes(out)),
           "'/' separates a model from its links and joints");
  if (out == "world") fail("bad-name", "'world' is the name of the fixed world", "choose another name");
  return out;
}

std::string YamlView::word(const std::vector<std::string>& words) const {
  const std::string out = text();
  if (std::find(words.begin(), words.end(), out) == words.end())
    fail("unknown-word",
         fmt::format("{} is not known here{}", in_quotes(out), out.size() <= 200 ? did_you_mean(out, words) : ""),
         fmt::format("one of: {}", fmt::join(words, ", ")));
  return out;
}

Eigen::Vector3d YamlView::vector3(const NumberRange& allowed) const {
  const std::vector<YamlView> parts = items(3);
  return {parts[0].number(allowed), parts[1].number(allowed), parts[2].number(allowed)};
}

Pose YamlView::pose() const {
  allow_keys({"xyz", "rpy", "quaternion"});
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();
  if (const auto value = find("xyz")) xyz = value->vector3();
  const auto rpy = find("rpy"), quaternion = find("quaternion");
  if (rpy && quaternion)
    quaternion->fail("duplicate-key", "the rotation is given twice, as rpy and as quaternion", "remove one");
  if (!quaternion) return Pose::from_xyz_rpy(xyz, rpy ? rpy->vector3() : Eigen::Vector3d(0, 0, 0));
  Eigen::Vector4d xyzw;
  const std::vector<YamlView> parts = quaternion->items(4);
  for (int i = 0; i < 4; ++i) xyzw[i] = parts[static_cast<std::size_t>(i)].number();
  if (std::abs(xyzw.norm() - 1) > 1e-3)
    quaternion->fail("bad-number", fmt::format("the quaternion has length {:.6g}, must be 1", xyzw.norm()),
                     "the order is x, y, z, w");
  return Pose::from_xyz_quaternion(xyz, xyzw);
}

Eigen::Matrix<double, 6, 1> YamlView::velocity() const {
  allow_keys({"linear", "angular"});
  Eigen::Matrix<double, 6, 1> out = Eigen::Matrix<double, 6, 1>::Zero();
  if (const auto value = find("linear")) out.head<3>() = value->vector3();
  if (const auto value = find("angular")) out.tail<3>() = value->vector3();
  return out;
}

}  // namespace condyle
