#pragma once
#include "record/run_statistics.hpp"

namespace condyle {

/// The JSON object of `condyle run`; the keys are a contract.
std::string run_json(const RunSummary& run);

}  // namespace condyle
