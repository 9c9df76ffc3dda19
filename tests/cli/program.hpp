#pragma once
// Starts the program and keeps what it says.
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace condyle::test {

struct Outcome {
  int code = -1;  ///< exit code; -1: it was killed by a signal
  std::string out, err;
  bool said(const std::string& text) const { return err.find(text) != std::string::npos; }
};
std::ostream& operator<<(std::ostream& out, const Outcome& outcome);

/// Runs `condyle arguments...` to its end.
Outcome condyle(const std::vector<std::string>& arguments);
/// Runs it, waits until `ready` exists and sends the signal.
Outcome condyle_with_signal(const std::vector<std::string>& arguments, int signal, const std::string& ready);
/// Runs it for so many seconds, then interrupts it. `terminal`: its standard error is one; `err` is what it got.
Outcome condyle_for(double seconds, const std::vector<std::string>& arguments, bool terminal);
/// Runs any program.
Outcome start(const std::string& program, const std::vector<std::string>& arguments);

/// A file for this test alone, which does not exist yet.
std::string fresh_file(const std::string& ending);
std::string write_file(const std::string& ending, const std::string& text);
std::string read_file(const std::string& file);
bool exists(const std::string& file);

nlohmann::json json_of(const std::string& text);
std::vector<std::string> keys_of(const nlohmann::json& object);  ///< sorted

/// A pendulum that is always at hand, as the text of a URDF file.
std::string pendulum_urdf();

}  // namespace condyle::test
