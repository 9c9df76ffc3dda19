#pragma once
#include "cli/common.hpp"

#include <condyle/replay.hpp>

namespace condyle::cli {

ReplayOptions read_replay_options(const std::string& option, const Text& most);
/// Where the page is, how big, and what it leaves out.
void print_page(const std::string& page, const ReplaySummary& made);

}  // namespace condyle::cli
