#pragma once
// Reads values out of a YAML tree with their types and ranges checked; every complaint names file, line and element.
#include "scene/yaml_tree.hpp"

#include <condyle/error.hpp>
#include <condyle/pose.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace condyle {

/// Which numbers a value may take; `words` completes "must be ...".
struct NumberRange {
  double low, high;
  const char* words;
};
namespace range {
// Beyond these bounds products of a few values leave the range of a double.
inline constexpr NumberRange any{-1e20, 1e20, "between -1e20 and 1e20"};
inline constexpr NumberRange positive{1e-20, 1e20, "greater than zero (1e-20 to 1e20)"};
inline constexpr NumberRange not_negative{0, 1e20, "zero or greater (up to 1e20)"};
inline constexpr NumberRange fraction{0, 1, "between 0 and 1"};
}  // namespace range

/// One value of the tree and the way to it. Copies are cheap apart from the element's name.
class YamlView {
 public:
  YamlView(const YamlNode& node, const std::string& file, std::string element = {})
      : node_(&node), file_(&file), element_(std::move(element)) {}

  Place place() const { return {*file_, node_->line, element_}; }
  const std::string& element() const { return element_; }
  int line() const { return node_->line; }
  [[noreturn]] void fail(const char* code, const std::string& reason, const std::string& cure = {}) const;
  /// unknown-name with the nearest of the known ones.
  [[noreturn]] void fail_unknown(const char* what, const std::string& name, const std::vector<std::string>& known) const;

  bool is_map() const { return node_->kind == YamlNode::Kind::map; }
  bool is_sequence() const { return node_->kind == YamlNode::Kind::sequence; }
  bool is_scalar() const { return node_->kind == YamlNode::Kind::scalar; }

  /// The value must be a map with no other keys than these.
  void allow_keys(std::initializer_list<const char*> keys) const;
  std::vector<std::pair<std::string, YamlView>> entries() const;    ///< of a map whose keys are free
  std::optional<YamlView> find(const std::string& key) const;       ///< of a map
  YamlView at(const std::string& key, const char* why = "") const;  ///< of a map; missing: Error

  std::vector<YamlView> items() const;                     ///< of a sequence
  std::vector<YamlView> items(std::size_t exactly) const;  ///< of a sequence of so many

  double number(const NumberRange& allowed = range::any) const;
  int integer(int low, int high) const;
  bool boolean() const;
  std::string text() const;  ///< not empty
  /// Text that names something: at most 200 characters, none of them '/' or invisible, not "world".
  std::string name() const;
  /// One of the words; Error naming the nearest.
  std::string word(const std::vector<std::string>& words) const;
  Eigen::Vector3d vector3(const NumberRange& allowed = range::any) const;
  /// {xyz, rpy} or {xyz, quaternion}; both parts may be left out.
  Pose pose() const;
  /// {linear, angular}; both parts may be left out.
  Eigen::Matrix<double, 6, 1> velocity() const;

 private:
  std::string kind_words() const;

  const YamlNode* node_;
  const std::string* file_;
  std::string element_;
};

/// For messages: the text in quotes, cut when long.
std::string in_quotes(const std::string& text);

}  // namespace condyle
