#include "cli/problem_dump.hpp"

#include <condyle/problem_file.hpp>

#include <fmt/format.h>

#include <filesystem>

namespace condyle::cli {

namespace {
constexpr std::uint64_t most_files = 10000;  // a run of millions of steps must not fill a disk by one option
}

ProblemDump::ProblemDump(const std::string& folder, const std::string& when) : folder_(folder) {
  if (when.starts_with("step=")) {
    when_ = When::step;
    step_ = whole_number("--when step", when.substr(5), 1, std::uint64_t{1} << 53);
  } else {
    when_ = choice_index("--when", when, {"uncertified", "always", "step=N"}) == 0 ? When::uncertified : When::always;
    if (when == "step=N")
      throw Error("bad-option", {"", 0, "--when step=N"}, "N stands for the number of a step", "write one: --when step=120");
  }
  std::error_code trouble;
  std::filesystem::create_directories(folder, trouble);
  if (trouble || !std::filesystem::is_directory(folder))
    throw Error("cannot-write", {folder, 0, "--dump-problems"}, "this folder cannot be made: " + trouble.message(),
                "name a folder that exists or can be made");
}

void ProblemDump::offer(const Simulator& simulator) {
  const StepReport& report = simulator.report();
  if (report.rows == 0) return;
  if (when_ == When::uncertified && report.certified()) return;
  if (when_ == When::step && report.step != step_) return;
  if (written_ == most_files) {
    ++not_written_;
    return;
  }
  write_problem(simulator.problem(),
                (std::filesystem::path(folder_) / fmt::format("step_{:07}.condyle.h5", report.step)).string());
  ++written_;
}

}  // namespace condyle::cli
