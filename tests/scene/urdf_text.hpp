#pragma once
// Small URDF texts for the tests of the reader, and questions to its report.
#include <condyle/model.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace condyle::test {

/// A file name in a folder that does not exist, so that no sidecar or mesh of the machine is found by accident.
inline const std::string nowhere = "nowhere/robot_under_test.urdf";

inline ModelDescription read(const std::string& text, const ReadOptions& options = {}) {
  return read_urdf_text(text, nowhere, options);
}

inline std::string robot(const std::string& inside, const std::string& attributes = "") {
  return "<robot name=\"r\" " + attributes + ">\n" + inside + "\n</robot>\n";
}

/// Two links and one joint whose inner elements are given.
inline std::string one_joint(const std::string& type, const std::string& inside, const std::string& attributes = "") {
  return robot("<link name=\"a\"/>\n<link name=\"b\"/>\n<joint name=\"j\" type=\"" + type +
                   "\"><parent link=\"a\"/><child link=\"b\"/>" + inside + "</joint>",
               attributes);
}

inline std::string one_link(const std::string& inside, const std::string& attributes = "") {
  return robot("<link name=\"a\">" + inside + "</link>", attributes);
}

inline const std::string limit = "<limit lower=\"-1\" upper=\"2\" effort=\"3\" velocity=\"4\"/>";
inline const std::string unit_inertia = "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/>";

/// The error of a refused text; none: it loads.
inline std::optional<Error> refusal(const std::string& text, const ReadOptions& options = {}) {
  try {
    read(text, options);
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

inline std::string refusal_code(const std::string& text, const ReadOptions& options = {}) {
  const auto error = refusal(text, options);
  return error ? error->code() : "loads";
}

inline const ReportEntry* entry(const LoadReport& report, const std::string& code, const std::string& words = "") {
  const auto found = std::find_if(report.entries.begin(), report.entries.end(), [&](const ReportEntry& e) {
    return e.code == code && e.reason.find(words) != std::string::npos;
  });
  return found == report.entries.end() ? nullptr : &*found;
}

/// Every entry as one line, for messages of failed tests and for comparing reports.
inline std::string line_of(const ReportEntry& e) {
  return std::string(to_string(e.outcome)) + " " + e.code + " " + e.place.element + ": " + e.reason;
}
inline std::string all_entries(const LoadReport& report) {
  std::string out;
  for (const ReportEntry& e : report.entries)
    out += e.place.text() + " [" + to_string(e.outcome) + " " + e.code + "] " + e.reason + "\n";
  return out;
}

}  // namespace condyle::test
