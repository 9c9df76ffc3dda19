#include <condyle/error.hpp>

namespace condyle {

std::string Place::text() const {
  std::string out = file;
  if (line > 0) out += (out.empty() ? "line " : ":") + std::to_string(line);
  if (!element.empty()) out += (out.empty() ? "" : " ") + element;
  return out;
}

namespace {
std::string sentence(const Place& place, const std::string& reason, const std::string& cure) {
  std::string out = place.text();
  if (!out.empty()) out += ": ";
  out += reason;
  if (!cure.empty()) out += "; " + cure;
  return out;
}
}  // namespace

Error::Error(std::string code, Place place, const std::string& reason, std::string cure)
    : std::runtime_error(sentence(place, reason, cure)),
      code_(std::move(code)),
      place_(std::move(place)),
      reason_(reason),
      cure_(std::move(cure)) {}

}  // namespace condyle
