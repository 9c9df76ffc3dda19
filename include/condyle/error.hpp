#pragma once
#include <stdexcept>
#include <string>

namespace condyle {

/// Where in the user's input something stands. Line 0 means "the file as a whole".
struct Place {
  std::string file;
  int line = 0;
  std::string element;  ///< as a person would point at it: "<joint knee>", "bodies[2].mass"

  /// "file:line element", leaving out what is unknown.
  std::string text() const;
};

/// Bad input: a file, an option, a size, a NaN. Thrown while loading and building, never from Simulator::step.
class Error : public std::runtime_error {
 public:
  /// `code` is the reason class ("bad-number", "unknown-link", ...), stable for scripts; `cure` says what to do.
  Error(std::string code, Place place, const std::string& reason, std::string cure = {});

  const std::string& code() const { return code_; }
  const Place& place() const { return place_; }
  const std::string& reason() const { return reason_; }
  const std::string& cure() const { return cure_; }

 private:
  std::string code_;
  Place place_;
  std::string reason_;
  std::string cure_;
};

}  // namespace condyle
