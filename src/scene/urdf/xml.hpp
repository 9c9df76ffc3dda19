#pragma once
// XML as a plain tree with lines. tinyxml2 builds it; what tinyxml2 lets pass although it is no XML is refused before,
// because a file that other readers see differently must not be simulated as if it were clear.
#include <condyle/load_report.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace condyle::urdf {

struct XmlAttribute {
  std::string name, value;
};

struct XmlNode {
  std::string tag;
  int line = 0;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlNode> children;
  std::string text;  ///< character data, outer white space removed
  int text_line = 0;

  const std::string* find(std::string_view attribute) const;  ///< null: not there
  const XmlNode* one(std::string_view child) const;           ///< the first of that name, or null
  std::string name() const;                                   ///< attribute `name`, or empty
};

/// The text as UTF-8 XML that tinyxml2 and expat read alike: refuses other encodings, bad nesting, several roots, text
/// outside the root, unknown entities and control characters; takes out processing instructions and reports them.
/// `declaration_moved` tells that an XML declaration stood after the start.
std::string prepare_xml(const std::string& text, const std::string& file, LoadReport& report, bool& declaration_moved);

/// The root element. Throws Error `xml-malformed` with the line.
XmlNode parse_xml(const std::string& prepared, const std::string& file);

/// Name of the first element, without checking anything; empty: none. Tells one format from another.
std::string root_name(std::string_view text);

}  // namespace condyle::urdf
