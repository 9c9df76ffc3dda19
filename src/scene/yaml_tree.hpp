#pragma once
// A YAML text as a plain tree in which every value knows its line. yaml-cpp's own Node keeps duplicate keys silently,
// follows alias cycles and grows without limit; its event interface does none of this.
#include <string>
#include <vector>

namespace condyle {

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  Kind kind = Kind::null;
  bool quoted = false;            ///< scalar in quotes or as a block: never a number or a boolean
  int line = 0;                   ///< counted from 1
  std::string text;               ///< of a scalar
  std::vector<std::string> keys;  ///< of a map, one for each item
  std::vector<int> key_lines;
  std::vector<YamlNode> items;  ///< of a sequence or a map
};

/// Throws Error: malformed, more than one document, a key given twice, nested too deep, an alias inside its own anchor,
/// or more text or nodes than a scene can sensibly have.
YamlNode parse_yaml(const std::string& text, const std::string& file);

}  // namespace condyle
