#include "scene/urdf/xml.hpp"

#include <tinyxml2.h>

namespace condyle::urdf {

const std::string* XmlNode::find(std::string_view attribute) const {
  for (const XmlAttribute& a : attributes)
    if (a.name == attribute) return &a.value;
  return nullptr;
}

const XmlNode* XmlNode::one(std::string_view child) const {
  for (const XmlNode& node : children)
    if (node.tag == child) return &node;
  return nullptr;
}

std::string XmlNode::name() const {
  const std::string* found = find("name");
  return found ? *found : std::string();
}

namespace {

std::string trimmed(std::string_view text) {
  const char* blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blank) - first + 1));
}

// The nesting depth is bounded before, so that recursion is safe here.
XmlNode convert(const tinyxml2::XMLElement& element) {
  XmlNode node;
  node.tag = element.Name();
  node.line = element.GetLineNum();
  for (const tinyxml2::XMLAttribute* a = element.FirstAttribute(); a; a = a->Next())
    node.attributes.push_back({a->Name(), a->Value()});
  for (const tinyxml2::XMLNode* child = element.FirstChild(); child; child = child->NextSibling()) {
    if (const tinyxml2::XMLElement* below = child->ToElement()) {
      node.children.push_back(convert(*below));
    } else if (child->ToText()) {
      const std::string piece = trimmed(child->Value());
      if (piece.empty()) continue;
      if (node.text.empty()) node.text_line = child->GetLineNum();
      node.text += (node.text.empty() ? "" : " ") + piece;
    }
  }
  return node;
}

const char* words(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE: return "an attribute is malformed or given twice";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return "an element is malformed";
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT: return "an element is closed by another name or not at all";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "a comment is not closed";
    case tinyxml2::XML_ERROR_PARSING_CDATA: return "a CDATA section is not closed";
    case tinyxml2::XML_ERROR_PARSING_TEXT: return "text is malformed";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION: return "the XML declaration is malformed";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: return "the file holds no element";
    default: return "this is not well-formed XML";
  }
}

}  // namespace

XmlNode parse_xml(const std::string& prepared, const std::string& file) {
  tinyxml2::XMLDocument document;
  const tinyxml2::XMLError error = document.Parse(prepared.data(), prepared.size());
  if (error != tinyxml2::XML_SUCCESS)
    throw Error("xml-malformed", {file, document.ErrorLineNum(), ""}, words(error), "correct the XML at this line");
  const tinyxml2::XMLElement* root = document.RootElement();
  if (!root) throw Error("xml-malformed", {file, 1, ""}, "the file holds no element", "a URDF file holds one <robot>");
  return convert(*root);
}

std::string root_name(std::string_view text) {
  std::size_t at = 0;
  while ((at = text.find('<', at)) != std::string_view::npos) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      const std::size_t end = rest.find("-->");
      if (end == std::string_view::npos) return {};
      at += end + 3;
    } else if (rest.starts_with("<?") || rest.starts_with("<!")) {
      const std::size_t end = rest.find('>');
      if (end == std::string_view::npos) return {};
      at += end + 1;
    } else {
      const std::size_t end = rest.find_first_of(" \t\r\n/>", 1);
      return std::string(rest.substr(1, end == std::string_view::npos ? end : end - 1));
    }
  }
  return {};
}

}  // namespace condyle::urdf
