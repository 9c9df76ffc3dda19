#include "cli/command_line.hpp"

#include "scene/names.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace condyle::cli {

namespace {

/// CLI11's help with the words in one column and lines that are cut for a terminal of ordinary width.
class PlainHelp : public CLI::Formatter {
 public:
  PlainHelp() {
    column_width(34);
    label("Positionals", "Arguments");
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }
  std::string make_usage(const CLI::App* app, std::string) const override {
    std::string out = "\nUsage: " + app->get_name();
    for (const CLI::Option* o : app->get_options([](const CLI::Option* option) { return option->get_positional(); }))
      out += o->get_required() ? " " + o->get_name(true) : " [" + o->get_name(true) + "]";
    return out + " [options]\n\n";
  }
  std::string make_group(std::string heading, bool is_positional, std::vector<const CLI::Option*> options) const override {
    std::string out = heading + ":\n";
    for (const CLI::Option* option : options) out += make_option(option, is_positional);
    return is_positional ? out + "\n" : out;
  }
};

struct Required {
  CLI::Option* option;
  std::string cure;
};

}  // namespace

struct CommandLine::Work {
  std::string command;
  CLI::App app;
  std::string heading = "Options";
  std::string examples;
  std::vector<Required> required;
  CLI::Option* optional_value = nullptr;  ///< the option whose value may be left out
  Text* optional_target = nullptr;
  std::string optional_usual;

  CLI::Option* add(CLI::Option* option, const std::string& value) {
    return option->group(heading)
        ->type_name(value)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->allow_extra_args(false);
  }
  std::vector<std::string> option_names() const {
    std::vector<std::string> out;
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
    return out;
  }
  [[noreturn]] void fail(const std::string& element, const std::string& reason, const std::string& cure) const {
    throw Error("usage", {"", 0, element}, reason, cure);
  }
  void translate(const CLI::ParseError& problem) const;
  void refuse_extras() const;
  std::vector<std::string> with_value(const std::vector<std::string>& arguments) const;
};

CommandLine::CommandLine(const std::string& command, const std::string& about) : work_(std::make_unique<Work>()) {
  work_->command = command;
  work_->app.name("condyle " + command);
  work_->app.description("condyle " + command + ": " + about);
  work_->app.formatter(std::make_shared<PlainHelp>());
  work_->app.set_help_flag("-h,--help", "this text");
  work_->app.allow_extras();
}
CommandLine::~CommandLine() = default;

const std::string& CommandLine::command() const { return work_->command; }
void CommandLine::group(const std::string& heading) { work_->heading = heading; }

void CommandLine::argument(const std::string& name, std::string& target, const std::string& about, bool required,
                           const std::string& cure) {
  CLI::Option* option = work_->app.add_option(name, target, about)->type_name("");
  if (!required) return;
  option->required();
  work_->required.push_back({option, cure});
}

void CommandLine::arguments(const std::string& name, std::vector<std::string>& targets, const std::string& about,
                            const std::string& cure) {
  CLI::Option* option = work_->app.add_option(name, targets, about)->type_name("")->expected(1, 1 << 20)->required();
  work_->required.push_back({option, cure});
}

void CommandLine::option(const std::string& name, Text& target, const std::string& value, const std::string& about) {
  work_->add(work_->app.add_option_function<std::string>(
                 name, [&target](const std::string& text) { target = text; }, about),
             value);
}

void CommandLine::option_with_default(const std::string& name, Text& target, const std::string& value,
                                      const std::string& usual, const std::string& about) {
  option(name, target, value, about);
  work_->optional_value = work_->app.get_option(name);
  work_->optional_target = &target;
  work_->optional_usual = usual;
}

void CommandLine::list(const std::string& name, std::vector<std::string>& target, const std::string& value,
                       const std::string& about) {
  work_->add(work_->app.add_option(name, target, about), value)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

void CommandLine::flag(const std::string& name, bool& target, const std::string& about) {
  work_->add(work_->app.add_flag(name, target, about), "")->disable_flag_override();
}

void CommandLine::example(const std::string& line, const std::string& about) {
  work_->examples += fmt::format("  {}\n      {}\n", line, about);
}

void CommandLine::Work::translate(const CLI::ParseError& problem) const {
  const std::string help = "see condyle " + command + " --help";
  if (problem.get_name() == "RequiredError") {
    for (const Required& r : required) {
      if (r.option->count() > 0) continue;
      std::string reason = fmt::format("{} is missing", r.option->get_name(true));
      if (optional_value && optional_value->count() > 0 && *optional_target && **optional_target != "-")
        reason += fmt::format(" ({} took '{}' as its file: write it last, or {} -)", optional_value->get_name(),
                              **optional_target, optional_value->get_name());
      fail("", reason, r.cure.empty() ? help : r.cure);
    }
  }
  const std::string words = problem.what();
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    const std::string bare = name.substr(name.find_first_not_of('-'));  // CLI11 names an option in either way
    if (!words.starts_with(name) && !words.starts_with(bare + " ") && words.find(" " + name) == std::string::npos) continue;
    if (option->get_type_name().empty()) fail(name, "takes no value", help);
    fail(name, "a value is missing", fmt::format("write {} {}", name, option->get_type_name()));
  }
  fail("", words, help);
}

/// What no option takes: the nearest one is named. Only the first is said, the others may be its values.
void CommandLine::Work::refuse_extras() const {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return;
  const std::string& first = extras.front();
  if (first.size() > 1 && first.front() == '-') {
    const std::string name = first.substr(0, first.find('='));
    fail(name, "there is no such option" + did_you_mean(name, option_names()),
         "condyle " + command + " --help lists all options");
  }
  fail("'" + first + "'", "one argument too many", "see condyle " + command + " --help");
}

/// Gives the option whose value may be left out the next argument, unless that is an option. CLI11's own rule depends on
/// how many arguments follow.
std::vector<std::string> CommandLine::Work::with_value(const std::vector<std::string>& arguments) const {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!optional_value || arguments[i] != optional_value->get_name()) {
      out.push_back(arguments[i]);
      continue;
    }
    const bool given = i + 1 < arguments.size() && (arguments[i + 1] == "-" || !arguments[i + 1].starts_with("-"));
    out.push_back(arguments[i] + "=" + (given ? arguments[i + 1] : optional_usual));
    i += given;
  }
  return out;
}

bool CommandLine::parse(const std::vector<std::string>& arguments) {
  Work& w = *work_;
  w.app.footer("Examples:\n" + w.examples);
  std::vector<std::string> reversed = w.with_value(arguments);
  std::reverse(reversed.begin(), reversed.end());  // as CLI11 wants them
  try {
    w.app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    std::fputs(w.app.help().c_str(), stdout);
    return false;
  } catch (const CLI::ParseError& problem) {
    w.refuse_extras();  // a misspelt option explains what is missing better than the complaint about it
    w.translate(problem);
  }
  w.refuse_extras();
  return true;
}

}  // namespace condyle::cli
