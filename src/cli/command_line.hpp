#pragma once
// The options of one command. Hides CLI11 and turns its complaints into Condyle's own words: what, where, and the cure.
#include <condyle/error.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace condyle::cli {

using Text = std::optional<std::string>;  ///< an option that may be left out

class CommandLine {
 public:
  CommandLine(const std::string& command, const std::string& about);
  ~CommandLine();

  /// An argument by its place. `required`: an error without it says `cure`.
  void argument(const std::string& name, std::string& target, const std::string& about, bool required = true,
                const std::string& cure = {});
  /// One argument or more.
  void arguments(const std::string& name, std::vector<std::string>& targets, const std::string& about,
                 const std::string& cure);
  void option(const std::string& name, Text& target, const std::string& value, const std::string& about);
  /// An option whose value may be left out: then it is `usual`.
  void option_with_default(const std::string& name, Text& target, const std::string& value, const std::string& usual,
                           const std::string& about);
  /// May be given more than once.
  void list(const std::string& name, std::vector<std::string>& target, const std::string& value, const std::string& about);
  void flag(const std::string& name, bool& target, const std::string& about);
  /// Heading in the help for the options that follow.
  void group(const std::string& heading);
  void example(const std::string& line, const std::string& about);

  /// Fills the targets. Returns false if the help was asked for and has been printed. Throws Error.
  bool parse(const std::vector<std::string>& arguments);
  const std::string& command() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace condyle::cli
