#pragma once
// The loop of `condyle run` and the words about it.
#include "cli/problem_dump.hpp"
#include "record/run_statistics.hpp"

#include <condyle/recording.hpp>

namespace condyle::cli {

struct LoopResult {
  RunSummary summary;
  int signal = 0;  ///< that ended the run before its time; 0: none
};

/// Takes `steps` steps from x, or fewer: a signal (SIGINT, SIGTERM) ends the run after the current step, a rejected step
/// at once. The recorder and the dump may be null; the recorder is closed.
LoopResult run_steps(Simulator& simulator, State& x, std::uint64_t steps, Recorder* recorder, ProblemDump* dump,
                     bool show_progress);

/// The summary that a person reads, on standard output.
void print_summary(const RunSummary& run);
/// One sentence: all steps certified, or how many not, with the worst step, its constraint and the reason.
std::string certificate_words(const RunSummary& run);

}  // namespace condyle::cli
