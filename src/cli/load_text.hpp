#pragma once
#include "record/load_audit.hpp"

namespace condyle::cli {

/// The load report as a person reads it, on standard output. `all`: every entry, else the first few of each kind.
void print_loaded(const LoadedModel& loaded, bool all);

}  // namespace condyle::cli
