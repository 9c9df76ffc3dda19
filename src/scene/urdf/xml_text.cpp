// Checks of the raw text, before tinyxml2 sees it.
#include "scene/urdf/xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace condyle::urdf {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::size_t most_elements = 2'000'000;  // bounds the memory of the tree, whatever the text holds
constexpr std::size_t most_depth = 100;

int line_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size())), '\n'));
}

/// Length of the UTF-8 sequence at `at`, or 0 if there is none (overlong forms and surrogates are none).
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0u) != 0x80) return 0;
  const unsigned second = byte(at + 1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
      (first == 0xF4 && second > 0x8F))
    return 0;
  return length;
}

std::string declared_encoding(std::string_view text) {
  const std::size_t start = text.find("<?xml");
  if (start == std::string_view::npos) return {};
  const std::string_view declaration = text.substr(start, text.find("?>", start) - start);
  std::size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  at = declaration.find_first_of("\"'", at);
  if (at == std::string_view::npos) return {};
  const std::size_t end = declaration.find(declaration[at], at + 1);
  if (end == std::string_view::npos) return {};
  std::string name(declaration.substr(at + 1, end - at - 1));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

void check_encoding(std::string_view text, const std::string& file) {
  const char* cure = "save the file as UTF-8";
  const auto starts = [&](std::string_view mark) { return text.starts_with(mark); };
  using namespace std::string_view_literals;
  if (starts("\xFF\xFE"sv) || starts("\xFE\xFF"sv) || starts("\0\0\xFE\xFF"sv) || starts("<\0"sv) || starts("\0<"sv))
    throw Error("wrong-encoding", {file, 1, ""}, "the file is UTF-16 or UTF-32", cure);
  const std::string encoding = declared_encoding(text);
  const bool other =
      !encoding.empty() && encoding != "utf-8" && encoding != "utf8" && encoding != "us-ascii" && encoding != "ascii";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (other && static_cast<unsigned char>(text[at]) >= 0x80)
      throw Error("wrong-encoding", {file, line_of(text, at), ""},
                  fmt::format("the file says that it is {} and holds characters outside ASCII", encoding), cure);
    if (length == 0)
      throw Error("wrong-encoding", {file, line_of(text, at), ""},
                  fmt::format("byte 0x{:02X} is not UTF-8", static_cast<unsigned>(static_cast<unsigned char>(text[at]))),
                  cure);
    at += length;
  }
}

/// Walks over the markup once. What it accepts, tinyxml2 nests in the same way.
class Scan {
 public:
  Scan(std::string text, const std::string& file, LoadReport& report)
      : text_(std::move(text)), file_(file), report_(report) {}

  std::string run(bool& declaration_moved) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < text_.size()) {
      if (text_[at_] != '<') {
        character();
      } else if (starts("<!--")) {
        skip_past("-->", "a comment is not closed");
      } else if (starts("<![CDATA[")) {
        if (open_.empty()) refuse(line_, "", "text stands outside the root element");
        skip_past("]]>", "a CDATA section is not closed");
      } else if (starts("<?")) {
        instruction(declaration_moved);
      } else if (starts("<!")) {
        report_.add(Outcome::ignored, "doctype", {file_, line_, "<!DOCTYPE>"},
                    "a document type has no meaning in a robot file");
        skip_past(">", "a declaration is not closed");
      } else {
        tag();
      }
    }
    if (!open_.empty())
      refuse(open_.back().line, "<" + open_.back().name + ">", "this element is never closed: the file is cut off");
    if (!root_seen_) refuse(line_, "", "the file holds no element");
    return std::move(text_);
  }

 private:
  struct Open {
    std::string name;
    int line;
  };

  [[noreturn]] void refuse(int line, std::string element, const std::string& reason) const {
    throw Error("xml-malformed", {file_, line, std::move(element)}, reason, "correct the XML at this line");
  }
  std::string innermost() const { return open_.empty() ? std::string() : "<" + open_.back().name + ">"; }
  bool starts(std::string_view mark) const { return std::string_view(text_).substr(at_).starts_with(mark); }
  void advance(std::size_t to) {
    line_ += static_cast<int>(
        std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }
  void skip_past(std::string_view mark, const char* reason) {
    const std::size_t end = text_.find(mark, at_);
    if (end == std::string::npos) refuse(line_, innermost(), reason);
    advance(end + mark.size());
  }

  /// One character of text or of an attribute value.
  void character() {
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (c < 0x20 && c != '\t' && c != '\n' && c != '\r')
      refuse(line_, innermost(), fmt::format("byte 0x{:02X} is not allowed in XML", static_cast<unsigned>(c)));
    if (open_.empty() && !in_tag_ && c > 0x20) refuse(line_, "", "text stands outside the root element");
    if (c == '&') entity();
    advance(at_ + 1);
  }

  void entity() const {
    const std::size_t end = text_.find(';', at_);
    const std::string_view name = end == std::string::npos || end - at_ > 12
                                      ? std::string_view()
                                      : std::string_view(text_).substr(at_ + 1, end - at_ - 1);
    constexpr std::array<std::string_view, 5> known = {"lt", "gt", "amp", "quot", "apos"};
    const bool number = name.size() > 1 && name[0] == '#' && std::all_of(name.begin() + 1, name.end(), [](unsigned char c) {
                          return std::isxdigit(c) || c == 'x';
                        });
    if (!number && std::find(known.begin(), known.end(), name) == known.end())
      refuse(line_, innermost(), "'&' starts no entity that XML knows; write &amp; for the sign itself");
  }

  void instruction(bool& declaration_moved) {
    const bool declaration = starts("<?xml ") || starts("<?xml\t") || starts("<?xml\n") || starts("<?xml\r");
    const std::size_t end = text_.find("?>", at_);
    if (end == std::string::npos) refuse(line_, innermost(), "a processing instruction is not closed");
    const bool first = at_ == 0 || (at_ == 3 && static_cast<unsigned char>(text_[0]) == 0xEF);
    if (declaration && root_seen_) refuse(line_, innermost(), "an XML declaration stands inside the document");
    if (declaration && !first) {
      declaration_moved = true;
      report_.add(Outcome::applied, "declaration-not-first", {file_, line_, "<?xml?>"},
                  "the XML declaration is not at the start of the file; it is read as if it were");
    } else if (!declaration) {
      report_.add(Outcome::ignored, "processing-instruction", {file_, line_, "<?...?>"},
                  "a processing instruction has no meaning in a robot file");
    }
    if (!(declaration && first))
      for (std::size_t i = at_; i < end + 2; ++i)
        if (text_[i] != '\n') text_[i] = ' ';  // blanks keep every later line where it is
    advance(end + 2);
  }

  void tag() {
    const std::size_t start = at_;
    const int start_line = line_;
    if (++elements_ > most_elements)
      throw Error("too-large", {file_, line_, ""}, "the file holds more than two million tags");
    const bool closes = start + 1 < text_.size() && text_[start + 1] == '/';
    const std::size_t name_start = start + (closes ? 2 : 1);
    const std::size_t name_end = std::min(text_.find_first_of(" \t\r\n/>", name_start), text_.size());
    const std::string name = text_.substr(name_start, name_end - name_start);
    const std::string element = "<" + name.substr(0, 60) + ">";
    in_tag_ = true;
    char quote = 0;
    for (advance(name_end); at_ < text_.size() && (quote || text_[at_] != '>');) {
      const char c = text_[at_];
      if (c == '<')
        refuse(quote ? line_ : start_line, element,
               quote ? "'<' stands in an attribute; write &lt;" : "the tag is not closed before the next one starts");
      if (quote ? c == quote : (c == '"' || c == '\'')) quote = quote ? '\0' : c;
      character();
    }
    in_tag_ = false;
    if (at_ >= text_.size()) refuse(start_line, element, "the tag is not closed: the file is cut off");
    const bool empty = !closes && text_[at_ - 1] == '/' && at_ > name_start;
    advance(at_ + 1);
    if (closes)
      close(name, start_line);
    else
      open(name, start_line, empty);
  }

  void open(const std::string& name, int line, bool empty) {
    if (name.empty()) refuse(line, innermost(), "a tag has no name");
    if (open_.empty() && root_seen_) refuse(line, "<" + name + ">", "a second root element follows the first");
    root_seen_ = true;
    if (open_.size() >= most_depth)
      refuse(line, "<" + name + ">", fmt::format("elements are nested more than {} deep", most_depth));
    if (!empty) open_.push_back({name, line});
  }

  void close(const std::string& name, int line) {
    if (open_.empty()) refuse(line, "</" + name + ">", "nothing is open that this tag could close");
    if (open_.back().name != name)
      refuse(
          line, "</" + name + ">",
          fmt::format("<{}> of line {} is open here and is closed by another name", open_.back().name, open_.back().line));
    open_.pop_back();
  }

  std::string text_;
  const std::string& file_;
  LoadReport& report_;
  std::size_t at_ = 0, elements_ = 0;
  int line_ = 1;
  bool root_seen_ = false, in_tag_ = false;
  std::vector<Open> open_;
};

}  // namespace

std::string prepare_xml(const std::string& text, const std::string& file, LoadReport& report, bool& declaration_moved) {
  if (text.size() > most_bytes) throw Error("too-large", {file, 0, ""}, "the file is larger than 64 MiB");
  check_encoding(text, file);
  return Scan(text, file, report).run(declaration_moved);
}

}  // namespace condyle::urdf
